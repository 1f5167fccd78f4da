/**
 * When a page may be read, as a pure function of the looks at it.
 *
 * Planted and seen red:
 * - two looks are enough instead of three
 * - busy is ignored
 * - a pausing stream is not awaited
 * - words of absence are accepted while a stream is under way
 * - a window does not start again, or not after an answer that disappeared
 * - an unfamiliar page gets no second window
 * - a stream that has ended is not accepted without its text, or beside another stream
 */
import { assert, describe, it } from "vitest"
import { firstWatch, type Flow, judge, type Verdict } from "@sightline/platforms/browser/Completion"
import type { Look } from "@sightline/platforms/browser/Look"
import { timings } from "@sightline/platforms/browser/Timing"
import { plainLook } from "./plainLook.ts"

const timing = timings.live

const quiet: Flow = { over: false, pending: false }

/** When the first verdict falls if the page is looked at every 100 ms and stays as `seen` says; none within a minute. */
const verdictOn = (
  seen: (millis: number) => Partial<Look>,
  flow: (millis: number) => Flow = () => quiet
): readonly [Verdict, number] | undefined => {
  let watch = firstWatch
  for (let millis = 0; millis <= 60_000; millis += 100) {
    const judged = judge(watch, { ...plainLook, ...seen(millis) }, flow(millis), 1e12 + millis, timing)
    watch = judged.watch
    if (judged.verdict !== "wait") return [judged.verdict, millis]
  }
  return undefined
}

describe("an answer", () => {
  it("is complete when its text was the same at three looks 500 ms apart", () => {
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
  it("is barren after the absence window, with results or with an empty container", () => {
    assert.deepEqual(
      verdictOn(() => ({ results: true })),
      ["barren", 6_000]
    )
    assert.deepEqual(
      verdictOn(() => ({ container: true })),
      ["barren", 6_000]
    )
  })

  it("is barren at once when it says so", () => {
    assert.deepEqual(
      verdictOn((millis) => ({ results: true, absence: millis >= 300 })),
      ["barren", 300]
    )
  })

  it("gets twice the window, and is then strange, when it shows nothing known", () => {
    assert.deepEqual(
      verdictOn(() => ({})),
      ["strange", 12_000]
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

  it.each([{ busy: true }, { loaded: false }, { answer: 1 }])("starts its window again after %j", (look) => {
    assert.deepEqual(
      verdictOn((millis) => ({ results: true, ...(millis === 5_900 && look) })),
      ["barren", 12_000]
    )
  })
})
