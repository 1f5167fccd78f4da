/**
 * How long the browser is awaited.
 *
 * Planted and seen red: a timer is left behind, which takes a browser that has answered for a stuck one; a stuck browser is not
 * reported; the time is halved.
 */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { withTimeout } from "@sightline/platforms/browser/Timeout"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = (millis: number, come: () => void) =>
  new Promise<void>((resolve) => setTimeout(resolve, millis)).then(come)

it.each<[number, boolean, ReadonlyArray<string>]>([
  [999, true, ["in time"]],
  [999, false, ["failed"]],
  [1001, true, ["told", "late"]]
])("what takes %i of 1000 ms and ends well: %s", async (millis, ends, heard) => {
  const said: Array<string> = []
  const work = after(millis, () => {
    if (!ends) throw new Error("failed")
  })
  const waited = withTimeout(1000, work, () => said.push("told")).then(
    () => said.push("in time"),
    (error: Error) => said.push(error.message === "failed" ? "failed" : "late")
  )
  await vi.advanceTimersByTimeAsync(millis)
  assert.strictEqual(vi.getTimerCount(), 0)
  await waited
  assert.deepStrictEqual(said, heard)
})
