/**
 * Queued asks whose processes die: real processes with a database and a NATS server of their own.
 *
 * Planted and seen red: a job announced again under its old turn; a lease of 5 minutes; a failed push that fails the call; a lost
 * question reported as a failure.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type NatsServer, startNats } from "../services/nats.ts"
import { asking } from "../http/asking.ts"
import { books, eachOnce, jobs, queueJobs } from "../http/askingJobs.ts"
import { customer, installation, operator, type Program, startProgram } from "../http/program.ts"
import { startUpstreams, type Upstreams } from "../http/upstreams.ts"
import { sqlOn } from "../http/sqlOn.ts"
import { waitUntil } from "../http/waiting.ts"

let own: Awaited<ReturnType<typeof installation>>
let nats: NatsServer
let upstreams: Upstreams
let running: Awaited<ReturnType<typeof startAll>>

beforeAll(async () => {
  own = await installation()
  nats = await startNats()
  upstreams = await startUpstreams(true)
  running = await startAll()
})
afterAll(async () => {
  await killAll(Object.values(running))
  await nats.stop()
  await upstreams.stop()
})

const start = (ROLES: string) => startProgram({ ...own, ...upstreams.env, NATS_URL: nats.url, ROLES })

const startAll = async () => {
  const [api, worker, scheduler] = await Promise.all([start("api"), start("worker"), start("scheduler")])
  return { api, worker, scheduler }
}

const killAll = (programs: ReadonlyArray<Program>) => Promise.all(programs.map((program) => program.stop("SIGKILL")))

/** Makes NATS lose its store. `meanwhile` runs while NATS is down. */
const wipeNats = async <A>(meanwhile: () => Promise<A>): Promise<A> => {
  const { port } = nats
  await nats.stop("SIGKILL")
  const done = await meanwhile()
  nats = await startNats({ port })
  return done
}

/** Lets the leases of the dead processes expire. */
const expireLeases = async () => {
  await sqlOn(
    own.DATABASE_URL,
    (sql) => sql`
    UPDATE asks SET lease_expires_at = least(lease_expires_at, now()), announced_at = announced_at - interval '10 seconds'
    WHERE finished_at IS NULL`
  )
  await sqlOn(own.DATABASE_URL, (sql) => sql`UPDATE flights SET lease_expires_at = now()`)
}

const statusesOf = async (account: string): Promise<Readonly<Record<string, number>>> => {
  const rows = await sqlOn(
    own.DATABASE_URL,
    (sql) => sql<{ readonly status: string; readonly count: number }>`
      SELECT status, count(*)::int AS count FROM asks WHERE account_id = ${account} GROUP BY status`
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

describe("processes that die", () => {
  it("kill -9 of all processes during the jobs, twice, then without NATS's store: each job is done, charged, delivered once", async () => {
    const { account, key } = await customer(running.api, own.ADMIN_TOKEN)
    const webhook_id = await asking(running.api, key).endpoint()
    const ids = await queueJobs(asking(running.api, key), webhook_id, [...jobs(4, "0ms"), ...jobs(24, "3s")])
    const isInTheMiddle = async (done: number) => {
      const { completed = 0, running: taken = 0 } = await statusesOf(account)
      return completed >= done && completed < ids.length && taken > 0
    }
    await waitUntil("some are done, some are running, some wait", () => isInTheMiddle(4))
    await killAll(Object.values(running))
    await expireLeases()

    running = await startAll()
    await waitUntil("a few more are done", () => isInTheMiddle(6))
    await killAll(Object.values(running))
    await wipeNats(expireLeases)

    running = await startAll()
    await waitUntil("all are done", async () => (await statusesOf(account))["completed"] === ids.length)
    const found = await books(running.api, { account, key, token: own.ADMIN_TOKEN }, ids)
    assert.deepEqual(found, eachOnce(ids, found))
    const delivered = await sqlOn(
      own.DATABASE_URL,
      (sql) => sql<{ readonly askId: string }>`SELECT ask_id FROM deliveries WHERE account_id = ${account}`
    )
    assert.sameMembers(
      delivered.map(({ askId }) => askId),
      [...ids]
    )
  }, 300_000)

  it("202: asks are queued while NATS is down, and done once it is back with an empty store", async () => {
    const { account, key } = await customer(running.api, own.ADMIN_TOKEN)
    const ids = await wipeNats(() => queueJobs(asking(running.api, key), undefined, jobs(2, "0ms")))
    await waitUntil("they are done", async () => (await statusesOf(account))["completed"] === ids.length)
    const found = await books(running.api, { account, key, token: own.ADMIN_TOKEN }, ids)
    assert.deepEqual(found, eachOnce(ids, found))
  }, 150_000)

  it("questions under way when NATS goes down are asked again once it is back", async () => {
    const { account, key } = await customer(running.api, own.ADMIN_TOKEN)
    const ids = await queueJobs(asking(running.api, key), undefined, jobs(4, "10s"))
    await waitUntil("all are asked", async () => (await statusesOf(account))["running"] === ids.length)
    await wipeNats(async () => undefined)
    await waitUntil("they are done", async () => (await statusesOf(account))["completed"] === ids.length, {
      within: 120_000
    })
    const found = await books(running.api, { account, key, token: own.ADMIN_TOKEN }, ids)
    assert.deepEqual(found, eachOnce(ids, found))
  }, 180_000)

  it("kill -9 of a worker during its jobs: another worker does them once their leases of at most 30 s are over", async () => {
    const { account, key } = await customer(running.api, own.ADMIN_TOKEN, 0, { environment: "live" })
    await operator(running.api, own.ADMIN_TOKEN).topUp(account, 1000, "live")
    const ids = await queueJobs(asking(running.api, key), undefined, jobs(2, "0ms"))
    await upstreams.arrived(4)
    const victim = running.worker
    running = { ...running, worker: await start("worker") }
    await victim.stop("SIGKILL")
    const [left] = await sqlOn(
      own.DATABASE_URL,
      (sql) => sql<{ readonly seconds: number }>`
        SELECT extract(epoch FROM max(lease_expires_at) - clock_timestamp())::float8 AS seconds
        FROM asks WHERE account_id = ${account} AND finished_at IS NULL`
    )
    assert.isAtMost(left?.seconds ?? Number.POSITIVE_INFINITY, 30)
    upstreams.letGo()
    await waitUntil("they are done", async () => (await statusesOf(account))["completed"] === ids.length, {
      within: 150_000
    })
    const found = await books(running.api, { account, key, token: own.ADMIN_TOKEN }, ids)
    assert.deepEqual(found, eachOnce(ids, found))
  }, 240_000)
})
