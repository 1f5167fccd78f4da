/** Planted faults, each seen red: a warning every round, a gauge that stays up, test keys watched, a jump that lasts counted as over after a failed round. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { CaptureCount } from "@sightline/domain/Health"
import * as CaptureCanary from "@sightline/engine/CaptureCanary"
import { CaptureStats, type Span } from "@sightline/store/CaptureStats"

const counted = (ending: CaptureEnding, count: number): CaptureCount => ({
  platform: "ai_overview",
  ending,
  adverts: null,
  latency: 1000,
  count
})

const before = [counted("ok", 700), counted("no_answer", 300)]
const fine = [counted("ok", 70), counted("no_answer", 30)]
const silent = [counted("ok", 5), counted("no_answer", 95)]

/** A canary over a store that says of the last day what `day` says round by round. */
const watching = Effect.fnUntraced(function* (day: Array<Effect.Effect<ReadonlyArray<CaptureCount>>>) {
  const warnings: Array<unknown> = []
  const spans: Array<Span> = []
  const stats = Layer.mock(CaptureStats, {
    counts: (span) =>
      Effect.suspend(() => {
        spans.push(span)
        return Duration.toHours(Duration.fromInputUnsafe(span.from)) > 24
          ? Effect.succeed(before)
          : (day.shift() ?? Effect.succeed(fine))
      })
  })
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn") warnings.push(message)
  })
  yield* Layer.build(
    CaptureCanary.layer("10 minutes").pipe(Layer.provide(stats), Layer.provide(Logger.layer([logger])))
  )
  yield* TestClock.adjust("1 millis")
  const gauge = Effect.map(
    Metric.snapshot,
    (all) =>
      all.find(
        ({ id, attributes }) =>
          id === "sightline_capture_canary" &&
          attributes?.["platform"] === "ai_overview" &&
          attributes["sign"] === "no_answer"
      )?.state
  )
  return { warnings, spans, gauge, round: TestClock.adjust("10 minutes") }
})

describe("CaptureCanary", () => {
  it.effect("warns once of a jump that lasts, and again when it comes back", () =>
    Effect.gen(function* () {
      const rounds = [fine, silent, silent, silent, fine, silent].map(Effect.succeed)
      const { warnings, round, gauge } = yield* watching(rounds)
      const seen: Array<readonly [number, unknown]> = []
      for (let nth = 0; nth < 6; nth++) {
        seen.push([warnings.length, yield* gauge])
        yield* round
      }
      assert.deepStrictEqual(
        seen.map(([logged, state]) => [logged, state]),
        [0, 1, 1, 1, 0, 1].map((value, nth) => [[0, 1, 1, 1, 1, 2][nth], { value }])
      )
    })
  )

  it.effect("looks at live keys alone: the last day, and the seven before it", () =>
    Effect.gen(function* () {
      const { spans } = yield* watching([])
      assert.deepStrictEqual(
        spans.map(({ environment, from, until }) => [
          environment,
          Duration.toHours(Duration.fromInputUnsafe(from)),
          Duration.toHours(Duration.fromInputUnsafe(until))
        ]),
        [
          ["live", 24, 0],
          ["live", 192, 24]
        ]
      )
    })
  )

  it.effect("goes on after a round that failed, and remembers what lasts", () =>
    Effect.gen(function* () {
      const { warnings, round } = yield* watching([
        Effect.succeed(silent),
        Effect.die(new Error("no database")),
        Effect.succeed(silent)
      ])
      yield* round
      yield* round
      assert.lengthOf(warnings, 1)
    })
  )
})
