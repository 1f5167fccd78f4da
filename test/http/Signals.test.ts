/**
 * How the program is asked to end.
 *
 * Planted and seen red: a closed terminal that is not heeded.
 */
import { assert, it } from "vitest"
import { call, customer, installation, startProgram } from "./program.ts"
import { waitUntil } from "./waiting.ts"

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s, also sent twice, lets a call end and ends the program with 0",
  async (signal) => {
    const env = await installation()
    const program = await startProgram(env)
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const body = { query: "best crm [[sandbox:latency=5s;answer]]", brand: "HubSpot" }
    const waiting = call(`${program.base}/v1/check`, { key, body })
    await waitUntil(
      "the call under way",
      async () => (await call(`${program.base}/v1/wallet`, { key })).body.held_cents > 0
    )
    const ended = program.stop(signal)
    program.process.kill(signal)
    const { body: answer, status } = await waiting
    assert.deepInclude({ status, ...answer }, { status: 200, cost_cents: 150 })
    assert.strictEqual(await ended, 0)
  }
)
