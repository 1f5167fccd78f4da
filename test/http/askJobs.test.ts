/**
 * Queued asks, standard and async, as a customer sees them, against the whole program.
 *
 * Planted and seen red:
 * - standard at the live price;
 * - standard queued before async;
 * - the estimate of one call;
 * - an acknowledgement that is not stored;
 * - a live ask with a webhook queued;
 * - no delivery;
 * - `created` a second later;
 * - a delivery with `status` in it.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { asking, decode, sumOf } from "./asking.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"

const { env, program } = await started()
const api = asking(program, (await customer(program, env.ADMIN_TOKEN)).key)

const newcomer = async (credits?: number) => {
  const made = await customer(program, env.ADMIN_TOKEN, credits)
  return { ...made, ...asking(program, made.key) }
}

const entriesOf = async (account: string) => (await operator(program, env.ADMIN_TOKEN).ledger(account)).entries

/** The deliveries of an ask, and whether each is due. */
const deliveriesOf = (id: string) =>
  sqlOn(
    env.DATABASE_URL,
    (sql) => sql<{ readonly body: string; readonly finished: number }>`
      SELECT d.event, d.webhook_id, d.url, d.status, convert_from(d.body, 'UTF8') AS body, d.next_attempt_at IS NOT NULL AS due,
        floor(extract(epoch FROM a.finished_at))::int AS finished
      FROM deliveries d JOIN asks a ON a.id = d.ask_id WHERE a.id = ${id}`
  )

describe("the acknowledgement", () => {
  it("202: standard costs 7 a call, or 4.2 without search; async keeps the price of its mode and is queued before standard", async () => {
    const webhook_id = await api.endpoint()
    const prompt = "best acknowledgment [[sandbox:answer]]"
    for (const [body, mode, price] of [
      [{ mode: "standard" }, "standard", 28],
      [{ mode: "standard", web_search: false }, "standard", 16.8],
      [{ mode: "standard", webhook_id, providers: ["openai"] }, "standard", 7],
      [{ async: true, webhook_id }, "async", 40],
      [{ async: true, webhook_id, mode: "live", web_search: false }, "async", 24],
      [{ async: true, webhook_id, mode: "standard" }, "async", 28],
      [{ async: true, webhook_id, mode: "standard", providers: ["openai"], web_search: false }, "async", 4.2]
    ] as const) {
      const { status, headers, body: accepted } = await api.ask({ prompt, ...body })
      assert.strictEqual(status, 202)
      const { ask_id, request_id, price_label, ...rest } = decode.accepted(accepted)
      assert.deepEqual(rest, {
        status: "queued",
        mode,
        poll_url: `/v1/ask/${ask_id}`,
        estimated_cost_cents: price
      })
      assert.strictEqual(request_id, ask_id)
      assert.include(price_label, `${price} credits`)
      assert.isNotNull(headers.get("x-ratelimit-remaining"))
      assert.strictEqual((await api.finished(ask_id)).status, "completed")
    }
  })

  it("202: the price is held at once, and settled at the end by the answers received", async () => {
    const { account, queued, find, finished } = await newcomer(100)
    const prompt = "best hold [[sandbox:anthropic:status=500]] [[sandbox:latency=10s]]"
    const { ask_id } = await queued({ prompt, mode: "standard" })
    assert.deepInclude((await entriesOf(account))[0], { kind: "hold", amount_cents: 28, available_after_cents: 72 })
    const early = await find(ask_id)
    assert.strictEqual(early.status, 200)
    assert.include(["queued", "running"], decode.pending(early.body).status)
    assert.strictEqual((await find(ask_id.toUpperCase())).body.id, ask_id)
    assert.deepInclude(early.body, { id: ask_id, request_id: ask_id })
    const { id, request_id, status, usage } = await finished(ask_id)
    assert.deepEqual([id, request_id, status], [ask_id, ask_id, "completed"])
    assert.deepInclude(usage, { billable_units: 3, cost_cents: 21 })
    const entries = await entriesOf(account)
    assert.deepInclude(entries[0], { available_after_cents: 79, held_after_cents: 0 })
    assert.strictEqual(sumOf(entries, "capture"), 21)
  })

  it("202: a job whose providers all fail is completed, costs nothing, and its hold is released", async () => {
    const { account, queued, finished } = await newcomer(28)
    const { ask_id } = await queued({ prompt: "best nothing [[sandbox:status=401]]", mode: "standard" })
    const { status, providers, usage } = await finished(ask_id)
    assert.deepEqual([status, usage.billable_units, usage.cost_cents], ["completed", 0, 0])
    assert.lengthOf(providers, 4)
    assert.deepInclude((await entriesOf(account))[0], { available_after_cents: 28, held_after_cents: 0 })
  })

  it("200: live ignores `webhook_id`, whatever its value", async () => {
    for (const webhook_id of [randomUUID(), await api.endpoint()]) {
      const { id } = await api.answered({ prompt: "best live", providers: ["gemini"], webhook_id })
      assert.deepEqual(await deliveriesOf(id), [])
    }
  })
})

describe("the delivery", () => {
  it.each([{ async: true }, { mode: "standard" }])(
    "is written with the result: an envelope around the body of GET, for %j",
    async (more) => {
      const webhook_id = await api.endpoint({ url: "https://93.184.216.34/asks" })
      const prompt = `best délivery 🦊 ${JSON.stringify(more)} [[sandbox:answer]]`
      const { ask_id } = await api.queued({ prompt, webhook_id, track_brands: ["Nike"], ...more })
      await api.finished(ask_id)
      const [delivery, ...others] = await deliveriesOf(ask_id)
      assert.deepEqual(others, [])
      const { body = "", finished = 0, ...row } = delivery ?? {}
      assert.deepEqual(row, {
        event: "ask.completed",
        webhookId: webhook_id,
        url: "https://93.184.216.34/asks",
        status: "pending",
        due: true
      })
      const { id, ...event } = JSON.parse(body)
      const { text, body: found } = await api.find(ask_id)
      const beside = JSON.stringify({ status: found.status, charge_id: found.charge_id })
      const result = `${text.slice(0, -beside.length)}}`
      assert.strictEqual(body, `{"id":"${id}","type":"ask.completed","created":${finished},"data":${result}}`)
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.notStrictEqual(id, ask_id)
      decode.result(event.data)
    }
  )

  it("is not written for standard without a webhook", async () => {
    const { ask_id } = await api.queued({ prompt: "best quiet", mode: "standard", providers: ["gemini"] })
    await api.finished(ask_id)
    assert.deepEqual(await deliveriesOf(ask_id), [])
  })

  it("is written even if its endpoint was deleted meanwhile, so that the failure can be explained", async () => {
    const { key, queued, endpoint, find, finished } = await newcomer()
    const webhook_id = await endpoint()
    const { ask_id } = await queued({ prompt: "best deletion [[sandbox:latency=10s]]", async: true, webhook_id })
    const { status } = await call(`${program.base}/v1/webhooks/${webhook_id}`, { key, method: "DELETE" })
    assert.strictEqual(status, 204)
    decode.pending((await find(ask_id)).body)
    assert.strictEqual((await finished(ask_id)).status, "completed")
    assert.lengthOf(await deliveriesOf(ask_id), 1)
  })
})

describe("an Idempotency-Key", () => {
  it("200: replays a live ask byte for byte, charged once; another body is 422", async () => {
    const { account, ask } = await newcomer(1000)
    const headers = { "idempotency-key": "live" }
    const body = { prompt: "best replay", providers: ["gemini"] }
    const first = await ask(body, headers)
    const second = await ask({ providers: ["gemini"], prompt: "best replay", mode: "live" }, headers)
    assert.deepEqual([second.status, second.text], [200, first.text])
    assert.isNull(first.headers.get("idempotency-replay"))
    assert.strictEqual(second.headers.get("idempotency-replay"), "true")
    assert.lengthOf(await entriesOf(account), 3)
    const other = await ask({ ...body, web_search: false }, headers)
    assert.deepEqual([other.status, other.body.error.code], [422, "idempotency_body_mismatch"])
  })

  it("202: queues one job, and replays the acknowledgement, also for concurrent calls and after the job has ended", async () => {
    const { account, ask, finished } = await newcomer(1000)
    const headers = { "idempotency-key": "queued" }
    const body = { prompt: "best queue [[sandbox:latency=1s]]", mode: "standard", providers: ["gemini", "openai"] }
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(body, headers)))
    const { text, body: accepted } = await ask(body, headers)
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [202, text])
    assert.lengthOf(
      answers.filter((answer) => answer.headers.get("idempotency-replay") === "true"),
      4
    )
    const held = async () => (await entriesOf(account)).filter(({ kind }: { readonly kind: string }) => kind === "hold")
    assert.lengthOf(await held(), 1)
    await finished(accepted.ask_id)
    const late = await ask(body, headers)
    assert.deepEqual([late.status, late.text, late.headers.get("idempotency-replay")], [202, text, "true"])
    assert.strictEqual((await ask({ ...body, mode: "live" }, headers)).status, 422)
    assert.lengthOf(await held(), 1)
    assert.lengthOf(await sqlOn(env.DATABASE_URL, (sql) => sql`SELECT id FROM asks WHERE account_id = ${account}`), 1)
  })
})

describe("the ledger", () => {
  it("usage by endpoint and mode equals the charges in the ledger, and the audit finds no difference", async () => {
    const { key, account, answered, queued, finished, endpoint } = await newcomer(1000)
    const prompt = "best books [[sandbox:answer]]"
    await answered({ prompt })
    await answered({ prompt })
    await answered({ prompt, web_search: false, providers: ["gemini"] })
    const webhook_id = await endpoint()
    for (const body of [
      { mode: "standard", cache_scope: "private" },
      { async: true, webhook_id },
      { async: true, webhook_id, mode: "standard", web_search: false, cache_scope: "private", providers: ["openai"] }
    ])
      await finished((await queued({ prompt, ...body })).ask_id)
    const byMode = { live: 40 + 4 + 4, live_no_search: 6, standard: 28, standard_no_search: 4.2 }
    const { total } = (await call(`${program.base}/v1/usage`, { key })).body
    assert.deepEqual(total.cost_by_mode, byMode)
    assert.deepEqual(total.cost_by_endpoint, { ask: 86.2 })
    assert.deepEqual([total.calls, total.cost_cents], [6, 86.2])
    const entries = await entriesOf(account)
    assert.strictEqual(sumOf(entries, "capture") + sumOf(entries, "charge"), 86.2)
    for (const [mode, cost] of Object.entries(byMode)) {
      const filtered = await call(`${program.base}/v1/usage?endpoint=ask&mode=${mode}`, { key })
      assert.strictEqual(filtered.body.total.cost_cents, cost, mode)
    }
    assert.deepEqual((await operator(program, env.ADMIN_TOKEN).audit()).differences, [])
  })
})
