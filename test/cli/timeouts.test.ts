/**
 * How long a command waits for an answer, on a test clock.
 *
 * Planted and seen red: a wait without a limit, and a limit on the wait for an audit.
 */
import { afterAll, assert, beforeAll, it } from "vitest"
import { fakeServer } from "./command.ts"
import { inProcess } from "./inProcess.ts"

let server: Awaited<ReturnType<typeof fakeServer>>
let arrived = () => {}
let answer = () => {}

beforeAll(async () => {
  server = await fakeServer((_, response) => {
    answer = () => void response.end('{"request_id":"r","ok":true,"accounts":1,"charges":2,"differences":[]}')
    arrived()
  })
})

afterAll(() => server.stop())

/** Runs a command whose answer arrives after the given time. */
const after = (time: "119 seconds" | "2 minutes" | "3 hours", ...args: ReadonlyArray<string>) => {
  const once = new Promise<void>((resolve) => (arrived = resolve))
  const env = {
    SIGHTLINE_URL: server.url,
    SIGHTLINE_ADMIN_URL: server.url,
    SIGHTLINE_API_KEY: "lvk_test_x",
    ADMIN_TOKEN: "of-the-operator"
  }
  return inProcess({ env, passing: { once, time, next: () => answer() } }, args)
}

it("a call gets two minutes, and is then reported as unanswered", async () => {
  const { out } = await after("119 seconds", "usage", "--json")
  assert.include(out, "true")
  const failure = await after("2 minutes", "usage", "--json").catch((error: unknown) => error)
  assert.deepInclude(failure, { _tag: "Unanswered", message: "no answer came within 120 s" })
})

it("an audit has no time limit", async () => {
  assert.match((await after("3 hours", "audit")).out, /^ok +yes$/m)
})
