/**
 * Planted and seen red: a failure passed on; restarts, or their end, not logged; a finished effect started again; a fiber that its scope
 * does not hold; a log line for each failed round, or only for the first; a missed round repeated immediately.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Latch, Logger, Schedule, Scope } from "effect"
import { TestClock } from "effect/testing"
import { supervise, superviseRounds } from "@sightline/actor/Supervisor"

const everySecond = { schedule: Schedule.spaced("1 second") }

/** Runs `test` with a logger that records its lines. */
const withLog = <A, E, R>(test: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message, logLevel }) => void lines.push(`${logLevel} ${String(message)}`))
  return Effect.provide(test(lines), Logger.layer([logger]))
}

it.effect("restarts, by its schedule, what failed, died or was interrupted from within", () =>
  withLog((lines) =>
    Effect.gen(function* () {
      const ends = [Effect.fail("failed"), Effect.die("died"), Effect.interrupt, Effect.never]
      let starts = 0
      yield* supervise(
        "the fiber",
        Effect.suspend(() => ends[starts++] ?? Effect.void),
        everySecond
      )
      for (const expected of [1, 2, 3, 4]) {
        yield* TestClock.adjust("999 millis")
        assert.strictEqual(starts, expected)
        yield* TestClock.adjust("1 millis")
      }
      assert.deepEqual(lines, Array(3).fill("Error the fiber stopped"))
    })
  )
)

it.effect("ends when its effect ends", () =>
  withLog((lines) =>
    Effect.gen(function* () {
      let starts = 0
      yield* supervise(
        "the fiber",
        Effect.sync(() => starts++),
        everySecond
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(starts, 1)
      assert.isEmpty(lines)
    })
  )
)

it.effect("logs when its schedule has no more restarts", () =>
  withLog((lines) =>
    Effect.gen(function* () {
      yield* supervise("the fiber", Effect.fail("failed"), { schedule: Schedule.recurs(2) })
      yield* TestClock.adjust("1 hour")
      assert.deepEqual(lines, [...Array(3).fill("Error the fiber stopped"), "Fatal the fiber is not started again"])
    })
  )
)

it.effect("is interrupted, and not restarted, when its scope closes", () =>
  withLog((lines) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const running = yield* Latch.make()
      let starts = 0
      let interruptions = 0
      const effect = Effect.sync(() => starts++).pipe(
        Effect.andThen(running.open),
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Effect.sync(() => interruptions++))
      )
      yield* Scope.provide(supervise("the fiber", effect, everySecond), scope)
      yield* running.await
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 hour")
      assert.deepEqual([starts, interruptions, lines.length], [1, 1, 0])
    })
  )
)

it.effect("runs its rounds on time whatever their outcome, and logs the first of consecutive failures", () =>
  withLog((lines) =>
    Effect.gen(function* () {
      const ends = [
        Effect.fail("failed"),
        Effect.die("died"),
        Effect.void,
        Effect.void,
        Effect.die("died"),
        Effect.never
      ]
      let rounds = 0
      const round = Effect.suspend(() => ends[rounds++] ?? Effect.never)
      yield* superviseRounds("the rounds", round, "1 minute")
      for (const expected of [1, 2, 3, 4, 5, 6]) {
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(rounds, expected)
        yield* TestClock.adjust("1 second")
      }
      assert.deepEqual(lines, Array(2).fill("Error the rounds stopped"))
    })
  )
)
