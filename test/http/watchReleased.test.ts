/**
 * A run that a stopping worker gives back, whose watch is paused before another worker takes it: one API process, and workers of the same
 * installation that start and stop.
 *
 * Planted and seen red: a returned run shown as running, or executed and charged after the pause.
 */
import { afterAll, assert, it, onTestFinished } from "vitest"
import { call, customer, installation, operator, overNats, startProgram } from "./program.ts"
import { waitFor } from "./waiting.ts"
import { awayFromSlots, decode, silent, watching } from "./watching.ts"

const env = { ...(await installation()), ...overNats }
const api = await startProgram({ ...env, ROLES: "api" })
afterAll(() => api.stop())

it("a run released by a stopping worker is not executed, not charged and not listed once its watch is paused", async () => {
  await awayFromSlots()
  const { account, key } = await customer(api, env.ADMIN_TOKEN, 1000)
  const { create, run, runs, send } = watching(api, key)
  const { id } = await create({ query: "best crm while leaving [[sandbox:latency=20s]]", trigger_on: silent })
  const leaving = await startProgram({ ...env, ROLES: "worker" })
  const { run_id } = decode.started((await send("POST", `/${id}/run`)).body)
  await waitFor("the run's beginning", async () => (await runs(id)).find(({ status }) => status === "running"))
  assert.strictEqual(await leaving.stop(), 0)
  assert.deepInclude((await runs(id))[0], { id: run_id, status: "queued", started_at: null })

  const paused = await send("DELETE", `/${id}`)
  assert.deepStrictEqual([paused.status, decode.state(paused.body).status], [200, "paused"])
  const next = await startProgram({ ...env, ROLES: "worker" })
  onTestFinished(async () => void (await next.stop()))
  // By the end of this run, all earlier announcements have been taken.
  const other = await create({ query: "best crm after leaving [[sandbox:answer]]", trigger_on: silent })
  const { cost_cents } = await run(other.id)
  assert.isEmpty(await runs(id))
  const { total } = (await call(`${api.base}/v1/usage?granularity=total`, { key })).body
  assert.deepInclude(total, { calls: 1, cost_cents })
  const kinds = (await operator(api, env.ADMIN_TOKEN).ledger(account)).entries.map(({ kind }: { kind: string }) => kind)
  assert.lengthOf(
    kinds.filter((kind: string) => kind === "capture"),
    1
  )
})
