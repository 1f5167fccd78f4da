/**
 * Runs of watches, started by hand or by the scheduler: their cost, and what prevents them.
 *
 * Planted and seen red:
 * - runs served from cache;
 * - two open runs;
 * - a skipped run reported as failed;
 * - paused watches claimed;
 * - paused watches run by hand;
 * - the next slot counted from now;
 * - the price shown in place of the cost;
 * - the oldest missed slot run in place of the latest;
 * - the end of a run shown as its start;
 * - watches of a detached account that continue, or a detachment separate from that of its watches.
 */
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { assert, beforeEach, describe, it } from "vitest"
import { latestSlotAt } from "../store/slots.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { awayFromSlots, decode, silent, watching, wishes } from "./watching.ts"
import { sqlOn } from "./sqlOn.ts"
import { waitFor, waitUntil } from "./waiting.ts"

// Without a scheduler: the tests themselves claim the due watches.
const { env, program } = await started({ ROLES: "api,worker" })
const admin = operator(program, env.ADMIN_TOKEN)
beforeEach(async () => {
  await awayFromSlots()
  // Watches of other tests are not due in this one.
  await sqlOn(env.DATABASE_URL, (sql) => sql`UPDATE watches SET next_run_at = next_run_at + interval '1 day'`)
})

const newCustomer = async (credits = 1000) => {
  const made = await customer(program, env.ADMIN_TOKEN, credits)
  const { create, ...rest } = watching(program, made.key)
  return { ...made, ...rest, create: (more: object = {}) => create({ trigger_on: silent, ...more }) }
}

/** Makes a watch due as if its last slot had passed this many hours ago. */
const age = (id: string, hours: number) =>
  sqlOn(
    env.DATABASE_URL,
    (sql) => sql`UPDATE watches SET next_run_at = next_run_at - make_interval(hours => ${hours}) WHERE id = ${id}`
  )

const tick = async (): Promise<number> => {
  const answer = await admin.admin("/scheduler/tick", undefined, "POST")
  assert.strictEqual(answer.status, 200, answer.text)
  assert.sameMembers(Object.keys(answer.body), ["request_id", "claimed"])
  return answer.body.claimed
}

const spent = async (key: string): Promise<{ readonly calls: number; readonly cost_cents: number }> =>
  (await call(`${program.base}/v1/usage?granularity=total`, { key })).body.total

/** The captured charges in a ledger, in credits. */
const captured = async (account: string): Promise<ReadonlyArray<number>> =>
  (await admin.ledger(account)).entries
    .filter(({ kind }: { kind: string }) => kind === "capture")
    .map(({ amount_cents }: { amount_cents: number }) => Math.abs(amount_cents))

/** A query that no other test uses, so that no answers are shared. */
let last = 0
const question = (directives = "[[sandbox:answer]]") => `best crm for team ${++last} ${directives}`

describe("POST /v1/watch/{id}/run", () => {
  it("202: a run completes, costs what a check costs, and is in the list, the usage and the ledger", async () => {
    const { account, create, ended, find, key, runs, send } = await newCustomer()
    const { id, next_run_at } = await create({ query: question("[[sandbox:latency=100ms]] [[sandbox:answer]]") })
    assert.isEmpty(await runs(id))
    const answer = await send("POST", `/${id}/run`)
    assert.strictEqual(answer.status, 202)
    assert.sameMembers(Object.keys(answer.body), ["request_id", "run_id", "status"])
    const { run_id, status } = decode.started(answer.body)
    assert.include(["queued", "running"], status)
    const run = await ended(id, run_id)
    assert.deepInclude(run, {
      watch_id: id,
      status: "completed",
      triggers_fired: [],
      delivery_status: null,
      cost_cents: 150
    })
    const moments = [run.scheduled_for, run.started_at ?? "", run.finished_at ?? ""]
    assert.deepStrictEqual(moments, moments.toSorted())
    assert.isAtLeast(Date.parse(run.finished_at ?? "") - Date.parse(run.started_at ?? ""), 90)
    assert.strictEqual((await find(id)).next_run_at, next_run_at)
    assert.deepInclude(await spent(key), { calls: 1, cost_cents: 150 })
    assert.deepStrictEqual(await captured(account), [150])
    assert.deepEqual((await admin.audit()).differences, [])
  })

  it("202: each run is fresh and charged in full; its answers serve checks from cache", async () => {
    const { create, key, run } = await newCustomer()
    const query = question()
    const { id } = await create({ query })
    await call(`${program.base}/v1/check`, { key, body: { query, brand: wishes.brand } })
    assert.strictEqual((await run(id)).cost_cents, 150)
    assert.strictEqual((await run(id)).cost_cents, 150)
    const { body } = await call(`${program.base}/v1/check`, { key, body: { query, brand: wishes.brand } })
    assert.deepInclude(body, { cache_hit: true, cost_cents: 5 })
  })

  it("202: failing engines are not charged; a run without an answer costs nothing", async () => {
    const { account, create, run } = await newCustomer()
    const partial = await create({ query: question("[[sandbox:openai:status=401]] [[sandbox:answer]]") })
    assert.deepInclude(await run(partial.id), { status: "completed", cost_cents: 112.5 })
    const none = await create({ query: question("[[sandbox:status=401]]") })
    assert.deepInclude(await run(none.id), { status: "completed", cost_cents: 0, triggers_fired: [] })
    assert.deepStrictEqual(await captured(account), [112.5])
    assert.deepEqual((await admin.audit()).differences, [])
  })

  it("202: a live mode is run at its price", async () => {
    const { create, run } = await newCustomer()
    const { id } = await create({ mode: "ai_overview", query: question() })
    assert.deepInclude(await run(id), { status: "completed", cost_cents: 15 })
  })

  it("202: many concurrent calls start one run, charged once; after it another can start", async () => {
    const { account, create, ended, runs, send } = await newCustomer()
    // Runs for longer than 20 calls take on a busy machine.
    const { id } = await create({ query: question("[[sandbox:latency=10s;times=1]]") })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("POST", `/${id}/run`)))
    for (const { status, text } of answers) assert.strictEqual(status, 202, text)
    const [first, ...others] = new Set(answers.map(({ body }) => decode.started(body).run_id))
    assert.isEmpty(others)
    await ended(id, first ?? "")
    assert.lengthOf(await runs(id), 1)
    assert.lengthOf(await captured(account), 1)
    const again = decode.started((await send("POST", `/${id}/run`)).body).run_id
    assert.notStrictEqual(again, first)
    await ended(id, again)
  })

  it("409: a paused watch is not run until it is resumed", async () => {
    const { create, run, runs, send } = await newCustomer()
    const { id } = await create({ query: question() })
    await send("DELETE", `/${id}`)
    const refused = await send("POST", `/${id}/run`)
    assert.strictEqual(refused.status, 409)
    assert.strictEqual(refused.body.error.code, "conflict")
    assert.isEmpty(await runs(id))
    await send("POST", `/${id}/resume`)
    assert.strictEqual((await run(id)).status, "completed")
  })

  it("202: a wallet that cannot pay the full price skips the run: no debit, no questions, no delivery", async () => {
    const { account, create, key, run } = await newCustomer(149)
    const { id } = await create({ query: question(), trigger_on: ["mention_added"] })
    assert.deepInclude(await run(id), {
      status: "skipped_insufficient_balance",
      cost_cents: 0,
      triggers_fired: [],
      delivery_status: null
    })
    assert.lengthOf((await admin.ledger(account)).entries, 1)
    assert.deepInclude(await spent(key), { calls: 0, cost_cents: 0 })
    assert.isEmpty((await call(`${program.base}/v1/deliveries?watch_id=${id}`, { key })).body.deliveries)
    await admin.topUp(account, 1)
    assert.deepInclude(await run(id), { status: "completed", cost_cents: 150 })
  })

  it("200: the pages list each run once, newest first", async () => {
    const { create, run, send } = await newCustomer()
    const { id } = await create({ query: question("[[sandbox:status=401]]") })
    const made: Array<string> = []
    for (const _ of Array.from({ length: 3 })) made.unshift((await run(id)).id)
    const first = decode.runs((await send("GET", `/${id}/runs?limit=2`)).body)
    const second = decode.runs((await send("GET", `/${id}/runs?limit=2&cursor=${first.next_cursor}`)).body)
    assert.deepStrictEqual(
      [...first.runs, ...second.runs].map((one) => one.id),
      made
    )
    assert.isNull(second.next_cursor)
  })
})

describe("POST /admin/scheduler/tick", () => {
  it("200: runs the due watches for their slots and sets their next slots; others are left", async () => {
    const { create, find, runs } = await newCustomer()
    const [due, later] = [await create({ query: question() }), await create({ query: question() })]
    await age(due.id, 1)
    assert.strictEqual(await tick(), 1)
    assert.strictEqual((await find(due.id)).next_run_at, due.next_run_at)
    const run = await waitFor("the run of the slot", async () =>
      (await runs(due.id)).find(({ status }) => status === "completed")
    )
    const slot = DateTime.toEpochMillis(latestSlotAt(due.id, "hourly", DateTime.makeUnsafe(Date.now())))
    assert.deepInclude(run, { cost_cents: 150 })
    assert.strictEqual(Date.parse(run.scheduled_for), slot)
    assert.strictEqual(await tick(), 0)
    assert.lengthOf(await runs(due.id), 1)
    assert.isEmpty(await runs(later.id))
  })

  it("200: after 26 hours without a scheduler a watch has one run, for the latest missed slot", async () => {
    const { create, ended, find, runs } = await newCustomer()
    const { id, next_run_at } = await create({ query: question() })
    await age(id, 26)
    assert.strictEqual(await tick(), 1)
    assert.strictEqual(await tick(), 0)
    const [run, ...others] = await runs(id)
    assert.isEmpty(others)
    const slot = DateTime.toEpochMillis(latestSlotAt(id, "hourly", DateTime.makeUnsafe(Date.now())))
    assert.strictEqual(Date.parse(run?.scheduled_for ?? ""), slot)
    assert.strictEqual((await find(id)).next_run_at, next_run_at)
    await ended(id, run?.id ?? "")
  })

  it("200: concurrent ticks share the due watches, and each slot runs once", async () => {
    const { account, create, runs } = await newCustomer(10_000)
    const ids: Array<string> = []
    for (const _ of Array.from({ length: 8 })) ids.push((await create({ query: question() })).id)
    for (const id of ids) await age(id, 1)
    const claimed = await Promise.all(Array.from({ length: 4 }, tick))
    assert.strictEqual(
      claimed.reduce((sum, count) => sum + count, 0),
      8
    )
    for (const id of ids) {
      await waitFor("the run of the slot", async () => (await runs(id)).find(({ status }) => status === "completed"))
      assert.lengthOf(await runs(id), 1)
    }
    assert.lengthOf(await captured(account), 8)
  })

  it("200: a paused watch is never due, and when resumed it runs from its next slot on, without the missed ones", async () => {
    const { create, find, runs, send } = await newCustomer()
    const { id, next_run_at } = await create({ query: question() })
    await send("DELETE", `/${id}`)
    await age(id, 3)
    assert.strictEqual(await tick(), 0)
    assert.deepInclude(await find(id), { status: "paused", next_run_at })
    await send("POST", `/${id}/resume`)
    assert.strictEqual((await find(id)).next_run_at, next_run_at)
    assert.strictEqual(await tick(), 0)
    assert.isEmpty(await runs(id))
  })

  it("200: no watch of a detached account runs, in either environment", async () => {
    const { account, create } = await newCustomer()
    const { key } = await admin.key(account, { environment: "live" })
    const ids = [(await create()).id, (await watching(program, key).create({ trigger_on: silent })).id]
    const other = await (await newCustomer()).create({ query: question("[[sandbox:status=401]]") })
    for (const id of [...ids, other.id]) await age(id, 1)
    await admin.admin(`/accounts/${account}`, undefined, "DELETE")
    assert.strictEqual(await tick(), 1)
    const left = await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`SELECT id FROM watches WHERE account_id = ${account} AND enabled`
    )
    assert.isEmpty(left)
  })

  it("499: if the operator hangs up, an account is detached together with its watches or not at all", async () => {
    const { account, create } = await newCustomer()
    const { id } = await create()
    const [path, hungUp] = [`${program.admin}/admin/accounts/${account}`, new AbortController()]
    const detach = () =>
      fetch(path, {
        method: "DELETE",
        headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
        signal: hungUp.signal
      }).catch(() => undefined)
    const waiting = (sql: SqlClient.SqlClient) =>
      sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await sqlOn(env.DATABASE_URL, (sql) =>
      sql.withTransaction(
        Effect.andThen(
          sql`SELECT 1 FROM watches WHERE id = ${id} FOR UPDATE`,
          Effect.promise(async () => {
            const detached = detach()
            await waitUntil("the watch is waited for", async () => (await sqlOn(env.DATABASE_URL, waiting)).length > 0)
            hungUp.abort()
            await detached
            await waitUntil(
              "it is waited for no more",
              async () => (await sqlOn(env.DATABASE_URL, waiting)).length === 0
            )
          })
        )
      )
    )
    const [left] = await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`
        SELECT enabled, detached_at IS NULL AS attached FROM watches JOIN accounts a ON a.id = account_id WHERE account_id = ${account}`
    )
    assert.deepEqual(left, { enabled: true, attached: true })
  })

  it("401 without the operator token, and 404 on the public port", async () => {
    const { key } = await newCustomer()
    for (const token of [key, "wrong", undefined]) {
      const answer = await call(`${program.admin}/admin/scheduler/tick`, {
        method: "POST",
        ...(token === undefined ? {} : { key: token })
      })
      assert.strictEqual(answer.status, 401)
    }
    assert.strictEqual(
      (await call(`${program.base}/admin/scheduler/tick`, { method: "POST", key: env.ADMIN_TOKEN })).status,
      404
    )
  })
})
