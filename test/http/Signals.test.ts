/**
 * How the program is asked to end.
 *
 * Planted and seen red: a closed terminal that is not heeded; a closed output that ends the program.
 */
import { assert, it } from "vitest"
import { call, customer, installation, startProgram } from "./program.ts"
import { waitUntil } from "./waiting.ts"

/** A program with a call under way, which takes it five seconds. */
const calling = async (settings: Readonly<Record<string, string>> = {}) => {
  const env = await installation()
  const program = await startProgram({ ...env, ...settings })
  const { key } = await customer(program, env.ADMIN_TOKEN)
  const body = { query: "best crm [[sandbox:latency=5s;answer]]", brand: "HubSpot" }
  const waiting = call(`${program.base}/v1/check`, { key, body })
  const held = async () => (await call(`${program.base}/v1/wallet`, { key })).body.held_cents
  await waitUntil("the call under way", async () => (await held()) > 0)
  return { program, waiting, held }
}

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s, also sent twice, lets a call end and ends the program with 0",
  async (signal) => {
    const { program, waiting } = await calling()
    const ended = program.stop(signal)
    program.process.kill(signal)
    const { body: answer, status } = await waiting
    assert.deepInclude({ status, ...answer }, { status: 200, cost_cents: 150 })
    assert.strictEqual(await ended, 0)
  }
)

it("a program whose output nobody reads any more, as after Ctrl-C at a pipe, goes on and drains", async () => {
  const { held, program, waiting } = await calling({ LOG_LEVEL: "debug" })
  program.process.stdout?.destroy()
  program.process.stderr?.destroy()
  await Promise.all(Array.from({ length: 50 }, held))
  const ended = program.stop("SIGINT")
  const { body: answer, status } = await waiting
  assert.deepInclude({ status, ...answer }, { status: 200, cost_cents: 150 })
  assert.strictEqual(await ended, 0)
})
