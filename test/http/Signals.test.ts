/**
 * The signals that ask the program to end.
 *
 * Planted and seen red: a closed terminal ignored; a closed output that ends the program; the bundled Postgres stopped before the parts
 * that use it.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it, onTestFinished } from "vitest"
import { call, customer, installation, startProgram } from "./program.ts"
import { waitUntil } from "./waiting.ts"

/** A program with a running call, which takes five seconds. */
const calling = async (env: Readonly<Record<string, string>> & { readonly ADMIN_TOKEN: string }) => {
  const program = await startProgram(env)
  const { key } = await customer(program, env.ADMIN_TOKEN)
  const body = { query: "best crm [[sandbox:latency=5s;answer]]", brand: "HubSpot" }
  const waiting = call(`${program.base}/v1/check`, { key, body })
  const held = async () => (await call(`${program.base}/v1/wallet`, { key })).body.held_cents
  await waitUntil("the call under way", async () => (await held()) > 0)
  return { program, waiting, held }
}

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s, even if sent twice, lets the running call finish and ends the program with exit code 0",
  async (signal) => {
    const { program, waiting } = await calling(await installation())
    const ended = program.stop(signal)
    program.process.kill(signal)
    const { body: answer, status } = await waiting
    assert.deepInclude({ status, ...answer }, { status: 200, cost_cents: 150 })
    assert.strictEqual(await ended, 0)
  }
)

it("the bundled Postgres stops after the running calls", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "sightline-signals-"))
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }))
  const { DATABASE_URL: _, ...own } = await installation()
  const { program, waiting } = await calling({ DATA_DIR, ...own })
  const ended = program.stop("SIGTERM")
  const { body: answer, status } = await waiting
  assert.deepInclude({ status, ...answer }, { status: 200, cost_cents: 150 })
  assert.strictEqual(await ended, 0)
  assert.notInclude(program.output(), "started again")
})

it("a program whose output is closed, as after Ctrl-C in a pipeline, continues and drains", async () => {
  const { held, program, waiting } = await calling({ ...(await installation()), LOG_LEVEL: "debug" })
  program.process.stdout?.destroy()
  program.process.stderr?.destroy()
  await Promise.all(Array.from({ length: 50 }, held))
  const ended = program.stop("SIGINT")
  const { body: answer, status } = await waiting
  assert.deepInclude({ status, ...answer }, { status: 200, cost_cents: 150 })
  assert.strictEqual(await ended, 0)
})
