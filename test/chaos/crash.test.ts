/**
 * Processes that die, callers that leave, signals: real processes on one database and one NATS server.
 *
 * Planted and seen red:
 * - no sweeper
 * - the hold of a dead owner of a key not released for its retry
 * - a flight leased for an hour
 * - work that is interrupted when its caller hangs up, or then by the end of its process
 * - a server that exits at once on SIGTERM; a worker that does
 * - a killed worker waited for until the question's own deadline
 */
import { connect } from "@nats-io/transport-node"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startNats } from "../services/nats.ts"
import { call, customer, installation, operator, overNats, type Program, startProgram } from "../http/program.ts"
import { startUpstreams, type Upstreams } from "../http/upstreams.ts"
import { sqlOn } from "../http/sqlOn.ts"
import { waitUntil } from "../http/waiting.ts"

let own: Awaited<ReturnType<typeof installation>>
let upstreams: Upstreams
let env: Record<string, string>
let watcher: Program

beforeAll(async () => {
  upstreams = await startUpstreams(true)
  own = await installation()
  env = { ...own, ...upstreams.env, ...overNats }
  watcher = await startProgram(env)
})
afterAll(async () => {
  await watcher.stop()
  await upstreams.stop()
})

const liveCustomer = async () => {
  const made = await customer(watcher, own.ADMIN_TOKEN, 0, { environment: "live" })
  await operator(watcher, own.ADMIN_TOKEN).topUp(made.account, 1000, "live")
  return made
}

const newest = async (account: string) => (await operator(watcher, own.ADMIN_TOKEN).ledger(account)).entries[0]

/** Subscribes to all subjects of a NATS server. The returned function waits for this many signs of life, and disconnects. */
const listenForSigns = async (servers: string) => {
  const connection = await connect({ servers })
  let heard = 0
  connection.subscribe(">", { callback: (_, { subject }) => void (subject.endsWith(".sign") && heard++) })
  await connection.flush()
  return async (count: number) => {
    await waitUntil(`${count} signs of life`, () => heard >= count)
    await connection.close()
  }
}

/** Waits until a process accepts no new connection. */
const untilClosed = ({ base }: Program) =>
  waitUntil("new calls are refused", () =>
    fetch(`${base}/livez`).then(
      () => false,
      () => true
    )
  )

describe("crash", () => {
  it("kill -9 between hold and settle: the hold is voided, the key is free again, and the call is charged once", async () => {
    const { account, key } = await liveCustomer()
    const victim = await startProgram(env)
    const before = upstreams.asked()
    const body = { query: "who dies in the middle", brand: "Acme" }
    const headers = { "idempotency-key": "crash" }
    const lost = call(`${victim.base}/v1/check`, { key, body, headers }).then(
      () => "answered",
      () => "lost"
    )
    await upstreams.arrived(before + 4)
    await victim.stop("SIGKILL")
    assert.strictEqual(await lost, "lost")
    assert.deepInclude(await newest(account), { kind: "hold", available_after_cents: 850, held_after_cents: 150 })

    // Lets the leases of the hold, the idempotency claim and the flights expire.
    await sqlOn(
      own.DATABASE_URL,
      (sql) => sql`UPDATE charges SET lease_expires_at = now() - interval '1 second' WHERE state = 'held'`
    )
    await sqlOn(
      own.DATABASE_URL,
      (sql) => sql`UPDATE replies SET lease_expires_at = now() - interval '1 second' WHERE status IS NULL`
    )
    await waitUntil("the hold is voided", async () => (await newest(account)).kind === "release")
    assert.deepInclude(await newest(account), { available_after_cents: 1000, held_after_cents: 0 })

    upstreams.letGo()
    const again = await call(`${watcher.base}/v1/check`, { key, body, headers })
    assert.strictEqual(again.status, 200)
    assert.strictEqual(again.body.balance_after_cents, 850)
    assert.deepEqual((await operator(watcher, own.ADMIN_TOKEN).audit()).differences, [])
  })

  it("kill -9 between hold and settle: a wallet that can pay once pays for the retry under the key at once", async () => {
    const hold = await startUpstreams(true)
    const alone = await installation()
    // No sweeper runs here.
    const shared = { ...env, ...alone, ...hold.env, ROLES: "api,worker" }
    const [victim, heir] = [await startProgram(shared), await startProgram(shared)]
    const { account, key } = await customer(heir, alone.ADMIN_TOKEN, 0, { environment: "live" })
    await operator(heir, alone.ADMIN_TOKEN).topUp(account, 150, "live")
    const check = { key, body: { query: "who has no more", brand: "Acme" }, headers: { "idempotency-key": "heir" } }
    const lost = call(`${victim.base}/v1/check`, check).catch(() => undefined)
    await hold.arrived(4)
    await victim.stop("SIGKILL")
    await lost
    hold.letGo()
    for (const table of ["replies", "flights"])
      await sqlOn(
        alone.DATABASE_URL,
        (sql) => sql`UPDATE ${sql(table)} SET lease_expires_at = now() - interval '1 second'`
      )
    const { status, body } = await call(`${heir.base}/v1/check`, check)
    assert.deepInclude({ status, ...body }, { status: 200, cost_cents: 150, balance_after_cents: 0 })
    await heir.stop()
    await hold.stop()
  })

  it("kill -9 of the process that asks: followers in other processes get an answer, asked once more", async () => {
    const { key } = await liveCustomer()
    const hold = await startUpstreams(true)
    // A NATS of their own, or the watcher's worker would send some of their questions to other upstreams.
    const nats = await startNats()
    const shared = { ...env, ...hold.env, NATS_URL: nats.url }
    const [leader, follower] = [await startProgram({ ...shared, ROLES: "api,worker" }), await startProgram(shared)]
    const body = { query: "who leads and dies", brand: "Acme" }
    const lost = call(`${leader.base}/v1/check`, { key, body }).catch(() => undefined)
    await hold.arrived(4)
    const waiting = call(`${follower.base}/v1/check`, { key, body })
    await leader.stop("SIGKILL")
    await lost
    hold.letGo()
    const { status, body: answer } = await waiting
    assert.strictEqual(status, 200)
    assert.lengthOf(Object.keys(answer.providers), 4)
    assert.isAtMost(hold.asked(), 8)
    await follower.stop()
    await nats.stop()
    await hold.stop()
  })

  it("kill -9 of the worker that has the questions: the waiting API answers the call within seconds, uncharged", async () => {
    const { key } = await liveCustomer()
    const hold = await startUpstreams(true)
    const nats = await startNats()
    const signsOfLife = await listenForSigns(nats.url)
    const shared = { ...env, ...hold.env, NATS_URL: nats.url }
    const [api, worker] = [
      await startProgram({ ...shared, ROLES: "api" }),
      await startProgram({ ...shared, ROLES: "worker" })
    ]
    const waiting = call(`${api.base}/v1/check`, { key, body: { query: "whose worker dies", brand: "Acme" } })
    await hold.arrived(4)
    await signsOfLife(4)
    await worker.stop("SIGKILL")
    const killed = Date.now()
    const { body } = await waiting
    assert.isBelow(Date.now() - killed, 30_000)
    const codes = Object.values<{ code: string }>(body.errors).map(({ code }) => code)
    assert.deepEqual([body.cost_cents, ...codes], [0, ...Array(4).fill("provider_unavailable")])
    await api.stop()
    await nats.stop()
    await hold.stop()
  })

  it("a caller that hangs up is charged once, and its retry gets the answer under the key", async () => {
    const { account, key } = await liveCustomer()
    const hold = await startUpstreams(true)
    const program = await startProgram({ ...own, ...hold.env })
    const abort = new AbortController()
    const body = JSON.stringify({ query: "who hangs up", brand: "Acme" })
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "hung-up"
    }
    const gone = fetch(`${program.base}/v1/check`, { method: "POST", body, headers, signal: abort.signal }).catch(
      () => "gone"
    )
    await hold.arrived(4)
    abort.abort()
    assert.strictEqual(await gone, "gone")
    hold.letGo()
    await waitUntil("the charge is settled", async () => (await newest(account)).kind === "capture")
    const again = await call(`${program.base}/v1/check`, {
      key,
      body: { query: "who hangs up", brand: "Acme" },
      headers: { "idempotency-key": "hung-up" }
    })
    assert.strictEqual(again.headers.get("idempotency-replay"), "true")
    assert.strictEqual(again.body.balance_after_cents, 850)
    await program.stop()
    await hold.stop()
  })

  it("SIGTERM lets a call under way finish, refuses new ones, and ends with exit code 0", async () => {
    const { key } = await liveCustomer()
    const hold = await startUpstreams(true)
    const program = await startProgram({ ...own, ...hold.env })
    const answer = call(`${program.base}/v1/check`, { key, body: { query: "who drains", brand: "Acme" } })
    await hold.arrived(4)
    const ended = program.stop("SIGTERM")
    await untilClosed(program)
    hold.letGo()
    assert.strictEqual((await answer).status, 200)
    assert.strictEqual(await ended, 0)
    await hold.stop()
  })

  it("SIGTERM lets a call finish even if its caller has hung up", async () => {
    const { account, key } = await liveCustomer()
    const hold = await startUpstreams(true)
    const program = await startProgram({ ...own, ...hold.env })
    const abort = new AbortController()
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const body = JSON.stringify({ query: "who hangs up before a deployment", brand: "Acme" })
    const gone = fetch(`${program.base}/v1/check`, { method: "POST", headers, body, signal: abort.signal }).catch(
      () => "gone"
    )
    await hold.arrived(4)
    abort.abort()
    assert.strictEqual(await gone, "gone")
    const ended = program.stop("SIGTERM")
    await untilClosed(program)
    hold.letGo()
    assert.strictEqual(await ended, 0)
    assert.deepInclude(await newest(account), { kind: "capture", amount_cents: 150, held_after_cents: 0 })
    await hold.stop()
  })

  it("SIGTERM lets a worker finish the questions of another process, and refuses new ones", async () => {
    const { key } = await liveCustomer()
    // A NATS of their own, or the watcher's worker would send some of their questions to other upstreams.
    const [hold, nats] = [await startUpstreams(true), await startNats()]
    const roles = { ...own, ...hold.env, NATS_URL: nats.url }
    const api = await startProgram({ ...roles, ROLES: "api" })
    const worker = await startProgram({ ...roles, ROLES: "worker" })
    const ask = (body: object) => call(`${api.base}/v1/check`, { key, body: { brand: "Acme", ...body } })
    const answer = ask({ query: "who asks a worker that leaves" })
    await hold.arrived(4)
    const ended = worker.stop("SIGTERM")
    let [late, refused] = [0, false]
    await waitUntil("a new question is refused", () => {
      void ask({ query: `who comes late ${late++}`, providers: ["claude"] }).then(
        ({ body }) => (refused ||= body.errors?.claude.code === "provider_unavailable")
      )
      return refused
    })
    hold.letGo()
    assert.hasAllKeys((await answer).body.providers, ["chatgpt", "claude", "gemini", "perplexity"])
    assert.strictEqual(await ended, 0)
    await Promise.all([api.stop(), hold.stop()])
    await nats.stop()
  })

  it("API and worker as separate processes answer a check together", async () => {
    const { key } = await customer(watcher, own.ADMIN_TOKEN)
    const [api, worker] = await Promise.all([
      startProgram({ ...env, ROLES: "api" }),
      startProgram({ ...env, ROLES: "worker" })
    ])
    const { status, body } = await call(`${api.base}/v1/check`, { key, body: { query: "best roles", brand: "Acme" } })
    assert.strictEqual(status, 200)
    assert.isAbove(Object.keys(body.providers).length, 0)
    assert.strictEqual((await fetch(`${worker.admin}/metrics`)).status, 200)
    await Promise.all([api.stop(), worker.stop()])
  })
})
