/**
 * How often live sites are visited, on a test clock.
 *
 * Planted and seen red:
 * - quarantine is not doubled, or is counted from the end of the one before
 * - captchas of concurrent captures are each counted
 * - the gap is 3 seconds; the budget is 31
 * - a success clears nothing, or clears during a quarantine; any ending clears
 * - a refusal counts as a captcha
 * - quarantine is checked only before the wait, or only after it
 * - limits apply in the sandbox
 * - there is one budget for all sites, for all proxies, or for all users of one proxy
 * - turns follow the wall clock, or are counted from before a capture is ready
 * - captures that never began count for the hour
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch, Result } from "effect"
import { TestClock } from "effect/testing"
import { localeOf } from "@sightline/platforms/live/Locale"
import {
  type CaptureStarts,
  gapLeft,
  goodStanding,
  hasRoom,
  isQuarantined,
  type Standing,
  withStart,
  withStrike
} from "@sightline/platforms/browser/VisitLimit"
import { makeVisitLimiter, type VisitLimiter } from "@sightline/platforms/browser/VisitLimiter"
import type { Route, Visitor } from "@sightline/platforms/browser/Visitor"
import { withClockSet } from "../../services/withClockSet.ts"

const minute = 60_000
const hour = 60 * minute

describe("quarantine", () => {
  it("lasts 30 minutes, doubles each time in a row and never exceeds 8 hours", () => {
    let standing: Standing = goodStanding
    let now = 0
    const lasted: Array<number> = []
    for (let strike = 0; strike < 7; strike++) {
      standing = withStrike(standing, now)
      lasted.push((standing.until - now) / minute)
      now = standing.until + hour
    }
    assert.deepEqual(lasted, [30, 60, 120, 240, 480, 480, 480])
  })

  it("ends exactly at its end time", () => {
    const standing = withStrike(goodStanding, 0)
    assert.isTrue(isQuarantined(standing, 30 * minute - 1))
    assert.isFalse(isQuarantined(standing, 30 * minute))
  })

  it("counts captchas of concurrent captures once", () => {
    const standing = withStrike(goodStanding, 0)
    assert.deepEqual(withStrike(standing, 5_000), standing)
  })
})

describe("an address's budget at one site", () => {
  it("lets captures begin 4 seconds apart", () => {
    assert.strictEqual(gapLeft([], 0), 0)
    let begun: CaptureStarts = []
    const waits = [0, 4_000, 4_001, 100_000].map((now) => {
      const wait = gapLeft(begun, now)
      begun = withStart(begun, now + wait)
      return wait
    })
    assert.deepEqual(waits, [0, 0, 3_999, 0])
  })

  it("allows 30 captures in any hour, waiting ones included", () => {
    let begun: CaptureStarts = []
    for (let capture = 0; capture < 30; capture++) {
      assert.isTrue(hasRoom(begun, 29 - capture, capture * minute))
      assert.isFalse(hasRoom(begun, 30 - capture, capture * minute))
      begun = withStart(begun, capture * minute)
    }
    assert.isFalse(hasRoom(begun, 0, hour - 1))
    assert.isTrue(hasRoom(begun, 0, hour))
    assert.lengthOf(withStart(begun, hour), 30)
  })
})

const visitor = (own: Partial<Visitor> = {}): Visitor => ({
  environment: "live",
  surface: "ai_mode",
  locale: localeOf("US"),
  origin: "https://www.google.com",
  ...own
})

/** Begins a capture that is ready at once. */
const begin = ({ begin }: VisitLimiter, who = visitor(), route: Route = "direct") => begin(who, route, Effect.void)

/** Three captures of one visitor that get ready in this way, and the start time of each. */
const threeCaptures = Effect.fnUntraced(function* (ready: Effect.Effect<void>) {
  const limiter = makeVisitLimiter()
  const begun: Array<number> = []
  const capture = Effect.andThen(
    limiter.begin(visitor(), "direct", ready),
    Effect.map(Clock.currentTimeMillis, (now) => void begun.push(now))
  )
  return { begun, fibers: yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(capture)) }
})

/** Whether a capture is admitted within a minute; otherwise the ending of its refusal, or "late". */
const admission = (who: Visitor, limiter = makeVisitLimiter()) =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    const admitted = yield* Effect.forkChild(Effect.result(begin(limiter, who)))
    yield* TestClock.adjust("1 minute")
    const result = yield* Fiber.join(admitted)
    if (Result.isFailure(result)) return result.failure.ending
    return (yield* Clock.currentTimeMillis) - start === minute ? "admitted" : "late"
  })

describe("limits", () => {
  it.effect("keep a visitor away after a captcha, and no other visitor", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      yield* limiter.record(visitor(), "captcha")
      assert.strictEqual(yield* admission(visitor(), limiter), "rate_limited")
      assert.strictEqual(yield* admission(visitor({ surface: "bing_copilot" }), limiter), "admitted")
      assert.strictEqual(yield* admission(visitor({ locale: localeOf("AU") }), limiter), "admitted")
      yield* TestClock.adjust("27 minutes")
      assert.strictEqual(yield* admission(visitor(), limiter), "admitted")
    })
  )

  it.effect("refuse at once in quarantine, without using the address's budget", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      yield* begin(limiter)
      yield* limiter.record(visitor(), "captcha")
      for (let refused = 0; refused < 30; refused++) {
        const asking = Effect.flip(begin(limiter))
        assert.isDefined((yield* Effect.forkChild(asking, { startImmediately: true })).pollUnsafe())
      }
      assert.strictEqual(yield* admission(visitor({ surface: "ai_overview" }), limiter), "admitted")
    })
  )

  it.effect("start again after a success, and grow after another captcha", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      yield* limiter.record(visitor(), "challenge")
      yield* TestClock.adjust("30 minutes")
      yield* limiter.record(visitor(), "challenge")
      yield* TestClock.adjust("31 minutes")
      assert.strictEqual(yield* admission(visitor(), limiter), "rate_limited")
      yield* TestClock.adjust("30 minutes")
      yield* limiter.record(visitor(), "ok")
      yield* limiter.record(visitor(), "captcha")
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* admission(visitor(), limiter), "admitted")
    })
  )

  it.effect("last even if a concurrent capture succeeds, and grow unless one succeeds after them", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      yield* limiter.record(visitor(), "captcha")
      yield* limiter.record(visitor(), "ok")
      assert.strictEqual(yield* admission(visitor(), limiter), "rate_limited")
      yield* TestClock.adjust("30 minutes")
      yield* limiter.record(visitor(), "timeout")
      yield* limiter.record(visitor(), "captcha")
      yield* TestClock.adjust("31 minutes")
      assert.strictEqual(yield* admission(visitor(), limiter), "rate_limited")
    })
  )

  it.effect("ignore failures that do not point to bot detection", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      for (const ending of ["timeout", "login_wall", "unavailable", "region"] as const) {
        yield* limiter.record(visitor(), ending)
      }
      assert.strictEqual(yield* admission(visitor(), limiter), "admitted")
    })
  )

  it.effect("make a capture wait for its turn at a site, for any surface and region, but not for another site", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      yield* begin(limiter)
      const second = yield* Effect.forkChild(begin(limiter, visitor({ surface: "ai_overview" })))
      yield* begin(limiter, visitor({ origin: "https://www.bing.com" }))
      yield* TestClock.adjust("3999 millis")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust("1 milli")
      yield* Fiber.join(second)
      assert.strictEqual(yield* Clock.currentTimeMillis, 4_000)
    })
  )

  it.effect("let captures that wait together begin one after the other", () =>
    Effect.gen(function* () {
      const { begun, fibers } = yield* threeCaptures(Effect.void)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.joinAll(fibers)
      assert.deepEqual(begun, [0, 4_000, 8_000])
    })
  )

  it.effect("let captures that got ready at the same time begin one after the other", () =>
    Effect.gen(function* () {
      const free = yield* Latch.make()
      const { begun, fibers } = yield* threeCaptures(free.await)
      yield* TestClock.adjust("10 seconds")
      assert.deepEqual(begun, [])
      yield* free.open
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.joinAll(fibers)
      assert.deepEqual(begun, [10_000, 14_000, 18_000])
    })
  )

  it.effect("use no budget for a capture that could not get ready, nor for one interrupted while it waited", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      for (let capture = 0; capture < 31; capture++)
        assert.strictEqual(yield* Effect.flip(limiter.begin(visitor(), "direct", Effect.fail("none"))), "none")
      const waiting = Array.from({ length: 30 }, () =>
        Effect.forkChild(limiter.begin(visitor(), "direct", Effect.never))
      )
      const fibers = yield* Effect.all(waiting)
      yield* Effect.yieldNow
      assert.strictEqual(yield* admission(visitor(), limiter), "rate_limited")
      yield* Fiber.interruptAll(fibers)
      yield* begin(limiter)
      assert.strictEqual(yield* Clock.currentTimeMillis, minute)
    })
  )

  it.effect("refuse a capture whose visitor met a captcha while it waited for its turn, and no other visitor's", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      yield* begin(limiter)
      const waiting = yield* Effect.forEach([visitor(), visitor({ surface: "ai_overview" })], (who) =>
        Effect.forkChild(Effect.result(begin(limiter, who)))
      )
      yield* TestClock.adjust("1 second")
      yield* limiter.record(visitor(), "captcha")
      yield* TestClock.adjust("7 seconds")
      const refused = yield* Effect.forEach(waiting, (fiber) => Effect.map(Fiber.join(fiber), Result.isFailure))
      assert.deepStrictEqual(refused, [true, false])
    })
  )

  it.effect("refuse a capture whose visitor met a captcha while it got ready", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      const free = yield* Latch.make()
      const waiting = yield* Effect.forkChild(Effect.flip(limiter.begin(visitor(), "direct", free.await)))
      yield* TestClock.adjust("1 second")
      yield* limiter.record(visitor(), "captcha")
      yield* free.open
      assert.deepInclude(yield* Fiber.join(waiting), { ending: "rate_limited" })
    })
  )

  it.effect("count per address: users of one proxy are told apart by their user name", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      const proxy = (host: string, username: string) => ({ server: `http://${host}`, username, password: "" })
      const routes = ["direct", proxy("a", "one"), proxy("a", "two"), proxy("b", "one")] as const
      for (const route of routes) yield* begin(limiter, visitor(), route)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      const again = yield* Effect.forEach(routes, (route) => Effect.forkChild(begin(limiter, visitor(), route)))
      yield* TestClock.adjust("3999 millis")
      for (const fiber of again) assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 milli")
      for (const fiber of again) yield* Fiber.join(fiber)
    })
  )

  it.effect("refuse captures beyond the hourly budget", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      for (let capture = 0; capture < 30; capture++)
        assert.strictEqual(yield* admission(visitor(), limiter), "admitted")
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual(yield* admission(visitor(), limiter), "rate_limited")
      assert.strictEqual(yield* admission(visitor(), limiter), "admitted")
    })
  )

  it.effect("last as long, whatever the wall clock is set to", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      const quarantined = visitor({ surface: "ai_overview" })
      yield* withClockSet(
        Effect.andThen(limiter.record(quarantined, "captcha"), begin(limiter)),
        (millis) => millis + 86_400_000
      )
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual(yield* admission(quarantined, limiter), "rate_limited")
      assert.strictEqual(yield* admission(quarantined, limiter), "admitted")
      assert.strictEqual(yield* admission(visitor(), limiter), "admitted")
    })
  )

  it.effect("do not apply in the sandbox", () =>
    Effect.gen(function* () {
      const limiter = makeVisitLimiter()
      const sandboxed = visitor({ environment: "test" })
      yield* limiter.record(sandboxed, "captcha")
      for (let capture = 0; capture < 31; capture++) yield* begin(limiter, sandboxed)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
    })
  )
})
