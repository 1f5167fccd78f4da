/**
 * When a page may be read, as a pure function of its snapshots.
 *
 * Planted and seen red:
 * - two snapshots are enough instead of three
 * - busy is ignored
 * - a pausing stream is not awaited
 * - words of absence are accepted while a stream is under way
 * - a window does not start again, or not after an answer that disappeared
 * - an unfamiliar page gets no second window
 * - a stream that has ended is not accepted without its text, or beside another stream
 */
import { assert, describe, it } from "vitest"
import { initialStability, judge, type StreamState, type Verdict } from "@sightline/platforms/browser/Completion"
import type { PageSnapshot } from "@sightline/platforms/browser/PageSnapshot"
import { timings } from "@sightline/platforms/browser/Timing"
import { plainSnapshot } from "./plainSnapshot.ts"

const timing = timings.live

const quiet: StreamState = { over: false, pending: false }

/** When the first verdict falls if the page is polled every 100 ms and stays as `seen` says; none within a minute. */
const verdictOn = (
  seen: (millis: number) => Partial<PageSnapshot>,
  flow: (millis: number) => StreamState = () => quiet
): readonly [Verdict, number] | undefined => {
  let watch = initialStability
  for (let millis = 0; millis <= 60_000; millis += 100) {
    const judged = judge(watch, { ...plainSnapshot, ...seen(millis) }, flow(millis), 1e12 + millis, timing)
    watch = judged.stability
    if (judged.verdict !== "wait") return [judged.verdict, millis]
  }
  return undefined
}

describe("an answer", () => {
  it("is complete when its text was the same in three snapshots 500 ms apart", () => {
    assert.deepEqual(
      verdictOn(() => ({ answer: 1, container: true })),
      ["complete", 1_000]
    )
    assert.deepEqual(
      verdictOn((millis) => ({ answer: Math.min(millis, 3_000) + 1 })),
      ["complete", 4_000]
    )
  })

  it("is not complete while something is busy", () => {
    assert.deepEqual(
      verdictOn((millis) => ({ answer: 1, busy: millis < 5_000 })),
      ["complete", 5_000]
    )
  })

  it("is complete at once when its stream has ended and nothing is busy", () => {
    const over = { over: true, pending: false }
    assert.deepEqual(
      verdictOn(
        (millis) => ({ answer: millis + 1 }),
        (millis) => (millis < 700 ? { over: false, pending: true } : over)
      ),
      ["complete", 700]
    )
    assert.deepEqual(
      verdictOn(
        (millis) => ({ answer: 1, busy: millis < 900 }),
        () => over
      ),
      ["complete", 900]
    )
    assert.deepEqual(
      verdictOn(
        () => ({ answer: 1, busy: true }),
        () => over
      ),
      ["complete", 6_000]
    )
  })

  it("is complete when its stream has ended, even where nothing of it is shown or another stream is under way", () => {
    assert.deepEqual(
      verdictOn(
        () => ({ results: true }),
        () => ({ over: true, pending: true })
      ),
      ["complete", 0]
    )
  })

  it("with a pausing stream gets the absence window to continue", () => {
    assert.deepEqual(
      verdictOn(
        (millis) => ({ answer: 1 + Math.floor(millis / 5_000), container: true }),
        (millis) => ({ over: false, pending: millis < 20_000 })
      ),
      ["complete", 21_000]
    )
    assert.deepEqual(
      verdictOn(
        () => ({ answer: 1 }),
        () => ({ over: false, pending: true })
      ),
      ["complete", 6_000]
    )
  })
})

describe("a page without an answer", () => {
  it("has no answer after the absence window, with results or with an empty container", () => {
    assert.deepEqual(
      verdictOn(() => ({ results: true })),
      ["no_answer", 6_000]
    )
    assert.deepEqual(
      verdictOn(() => ({ container: true })),
      ["no_answer", 6_000]
    )
  })

  it("has no answer at once when it says so", () => {
    assert.deepEqual(
      verdictOn((millis) => ({ results: true, absence: millis >= 300 })),
      ["no_answer", 300]
    )
  })

  it("gets twice the window, and is then unknown, when it shows nothing known", () => {
    assert.deepEqual(
      verdictOn(() => ({})),
      ["unknown_page", 12_000]
    )
  })

  it("is never judged while it loads, is busy or has a stream under way", () => {
    assert.isUndefined(verdictOn(() => ({ results: true, loaded: false })))
    assert.isUndefined(verdictOn(() => ({ results: true, busy: true })))
    assert.isUndefined(
      verdictOn(
        () => ({ results: true, absence: true }),
        () => ({ over: false, pending: true })
      )
    )
  })

  it.each([{ busy: true }, { loaded: false }, { answer: 1 }])("starts its window again after %j", (snapshot) => {
    assert.deepEqual(
      verdictOn((millis) => ({ results: true, ...(millis === 5_900 && snapshot) })),
      ["no_answer", 12_000]
    )
  })
})
