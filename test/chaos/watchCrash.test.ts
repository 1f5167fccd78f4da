/**
 * Runs of watches whose process is killed: while the run waits, and while it is under way.
 *
 * Planted and seen red: no sweeper for runs; a run that no other process can take after its lease; the hold of a dead process kept.
 */
import { afterAll, assert, beforeAll, beforeEach, it } from "vitest"
import { customer, installation, operator, startProgram } from "../http/program.ts"
import { startUpstreams, type Upstreams } from "../http/upstreams.ts"
import { awayFromSlots, decode, receiving, silent, startReceiver, watching } from "../http/watching.ts"
import { sqlOn } from "../http/sqlOn.ts"
import { waitFor } from "../http/waiting.ts"

let env: Record<string, string> & Awaited<ReturnType<typeof installation>>
let upstreams: Upstreams
let receivers: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  upstreams = await startUpstreams(true)
  receivers = await startReceiver()
  env = { ...(await installation()), ...upstreams.env, ...receiving }
})
beforeEach(awayFromSlots)
afterAll(async () => {
  await upstreams.stop()
  receivers.stop()
})

/** Moves the database's times: leases are over, and announcements are long past. */
const letTimePass = () =>
  sqlOn(
    env.DATABASE_URL,
    (sql) => sql`
      UPDATE runs SET announced_at = announced_at - interval '1 minute', lease_expires_at = lease_expires_at - interval '1 minute'
      WHERE finished_at IS NULL`
  )

it("kill -9 with one run under way and one queued: after a restart each is done, charged and reported once", async () => {
  // This API has no worker, so its queued run can only wait. The run under way belongs to another process.
  const nats = process.env["SIGHTLINE_TEST_NATS_URL"] ?? ""
  const api = await startProgram({ ...env, NATS_URL: nats, ROLES: "api" })
  const admin = operator(api, env.ADMIN_TOKEN)
  const { account, key } = await customer(api, env.ADMIN_TOKEN, 0, { environment: "live" })
  await admin.topUp(account, 1000, "live")
  const before = watching(api, key)
  const receiver = receivers.next()
  const wishes = { query: "who dies in the middle", brand: "Acme" }
  const waiting = await before.create({ ...wishes, trigger_on: silent })
  const queued = decode.started((await before.send("POST", `/${waiting.id}/run`)).body)
  assert.strictEqual(queued.status, "queued")

  const victim = await startProgram({ ...env, ROLES: "api,worker" })
  const dying = watching(victim, key)
  const { id } = await dying.create({ ...wishes, webhook_url: receiver.url })
  const { run_id } = decode.started((await dying.send("POST", `/${id}/run`)).body)
  await upstreams.arrived(4)
  await Promise.all([victim.stop("SIGKILL"), api.stop("SIGKILL")])
  upstreams.letGo()

  const left = await sqlOn(env.DATABASE_URL, (sql) => sql`SELECT id, status FROM runs`)
  assert.sameDeepMembers(
    [...left],
    [
      { id: run_id, status: "running" },
      { id: queued.run_id, status: "queued" }
    ]
  )
  await letTimePass()
  const again = await startProgram(env)
  const after = watching(again, key)
  const books = operator(again, env.ADMIN_TOKEN)
  const done = { status: "completed", cost_cents: 150 } as const
  const told = ["mention_added"] as const
  assert.deepInclude(await after.ended(id, run_id), { ...done, triggers_fired: told })
  assert.deepInclude(await after.ended(waiting.id, queued.run_id), done)
  const delivered = await waitFor("the delivery", async () =>
    (await after.runs(id)).find(({ delivery_status }) => delivery_status === "delivered")
  )
  assert.strictEqual(delivered.id, run_id)
  assert.lengthOf(receiver.received(), 1)
  assert.lengthOf(await after.runs(id), 1)
  assert.lengthOf(await after.runs(waiting.id), 1)

  // The dead process's hold was released by the process that began its run again; no other hold was lost.
  const kinds = (await books.ledger(account)).entries.map(({ kind }: { kind: string }) => kind)
  const count = (kind: string) => kinds.filter((one: string) => one === kind).length
  assert.deepEqual([count("hold"), count("release"), count("capture")], [3, 1, 2])
  assert.deepInclude((await books.ledger(account)).entries[0], { available_after_cents: 700, held_after_cents: 0 })
  assert.deepEqual((await books.audit()).differences, [])
  await again.stop()
})
