/**
 * Planted faults, each seen red:
 * - a warning in every round; a gauge that never falls
 * - test keys watched
 * - a lasting jump that counts as over after a failed round; no round after a failed one
 * - one surface or sign mistaken for another; the two shares swapped
 * - a gauge or a text left out
 */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { CaptureCount } from "@sightline/domain/Health"
import { LiveSurface } from "@sightline/domain/Platform"
import * as CaptureCanary from "@sightline/engine/CaptureCanary"
import { CaptureStats, type Span } from "@sightline/store/CaptureStats"

const counted = (ending: CaptureEnding, count: number, more: Partial<CaptureCount> = {}): CaptureCount => ({
  platform: "ai_overview",
  ending,
  adverts: null,
  latency: 1000,
  count,
  ...more
})

const before = [counted("ok", 700), counted("no_answer", 300)]
const fine = [counted("ok", 70), counted("no_answer", 30)]
const silent = [counted("ok", 5), counted("no_answer", 95)]

/** A canary over a store whose counts of the last day are `day`, one per round. */
const watching = Effect.fnUntraced(function* (
  day: Array<Effect.Effect<ReadonlyArray<CaptureCount>>>,
  week: ReadonlyArray<CaptureCount> = before
) {
  const warnings: Array<readonly [message: unknown, annotations: unknown]> = []
  const spans: Array<Span> = []
  const stats = Layer.mock(CaptureStats, {
    counts: (span) =>
      Effect.suspend(() => {
        spans.push(span)
        return Duration.toHours(Duration.fromInputUnsafe(span.from)) > 24
          ? Effect.succeed(week)
          : (day.shift() ?? Effect.succeed(fine))
      })
  })
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    if (logLevel === "Warn") warnings.push([message, fiber.getRef(References.CurrentLogAnnotations)])
  })
  yield* Layer.build(
    CaptureCanary.layer("10 minutes").pipe(Layer.provide(stats), Layer.provide(Logger.layer([logger])))
  )
  yield* TestClock.adjust("1 millis")
  const gauges = Effect.map(
    Metric.snapshot,
    (all) =>
      new Map(
        all
          .filter(({ id }) => id === "sightline_capture_canary")
          .map(({ attributes, state }) => [`${attributes?.["platform"]} ${attributes?.["sign"]}`, state])
      )
  )
  const gauge = Effect.map(gauges, (all) => all.get("ai_overview no_answer"))
  return { warnings, spans, gauge, gauges, round: TestClock.adjust("10 minutes") }
})

describe("CaptureCanary", () => {
  it.effect("warns once of a jump that lasts, and again when the jump returns", () =>
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

  it.effect("reports for each surface what it no longer shows, and how often", () =>
    Effect.gen(function* () {
      const bing = { platform: "bing_copilot", adverts: true } as const
      const gemini = { platform: "gemini_live" } as const
      const week = [
        counted("ok", 700, { adverts: true }),
        counted("no_answer", 300),
        counted("ok", 390, bing),
        counted("ok", 10, { ...bing, adverts: false }),
        counted("ok", 500, gemini)
      ]
      const day = [
        counted("ok", 40, { adverts: false }),
        counted("no_answer", 160),
        counted("ok", 60, { ...bing, adverts: false }),
        counted("ok", 60, gemini)
      ]
      const { warnings, gauges } = yield* watching([Effect.succeed(day)], week)
      const text = (what: string) => [
        `A live surface shows ${what} far less often than before: its page may have changed`
      ]
      const [answer, adverts] = [text("an answer"), text("adverts")]
      const gone = { without: "100 %", sign: "no_adverts" }
      assert.deepEqual(warnings, [
        [answer, { surface: "ai_overview", sign: "no_answer", without: "80 %", withoutBefore: "30 %", captures: 200 }],
        [adverts, { surface: "ai_overview", ...gone, withoutBefore: "0 %", captures: 40 }],
        [adverts, { surface: "bing_copilot", ...gone, withoutBefore: "3 %", captures: 60 }]
      ])
      const all = yield* gauges
      assert.sameMembers(
        [...all.keys()],
        LiveSurface.literals.flatMap((surface) => [`${surface} no_answer`, `${surface} no_adverts`])
      )
      const lasting = [...all].filter(([, state]) => "value" in state && state.value === 1).map(([name]) => name)
      assert.sameMembers(lasting, ["ai_overview no_answer", "ai_overview no_adverts", "bing_copilot no_adverts"])
    })
  )

  it.effect("reads live keys only: the last day, and the seven days before it", () =>
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

  it.effect("continues after a failed round, and remembers a jump that lasts", () =>
    Effect.gen(function* () {
      const { warnings, round } = yield* watching([
        Effect.succeed(silent),
        Effect.die(new Error("no database")),
        Effect.succeed(silent),
        Effect.succeed(fine),
        Effect.succeed(silent)
      ])
      yield* round
      yield* round
      assert.lengthOf(warnings, 1)
      yield* round
      yield* round
      assert.lengthOf(warnings, 2)
    })
  )
})
