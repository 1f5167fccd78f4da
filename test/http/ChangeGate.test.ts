/**
 * The order in which changes run, on a test clock.
 *
 * Planted and seen red:
 * - two changes of one account at once;
 * - one queue for all accounts;
 * - a bound on the number of waiting changes;
 * - a wait without a limit;
 * - a turn not released after a failed change, or while its result is reported;
 * - a change, or the report of its result, that is interrupted with its caller;
 * - a waiting change that is not interrupted with its caller.
 */
import { assert, describe, it } from "@effect/vitest"
import { ChangeGate, changing } from "@sightline/server/keys/ChangeGate"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { accountOf, answering } from "./callers.ts"

/** A test with its own gate. */
const gated = (title: string, body: Effect.Effect<void, unknown, ChangeGate>) =>
  it.effect(title, () => Effect.provide(body, ChangeGate.layer))

describe("the gate of changes", () => {
  gated(
    "runs one change per account at a time, in order, without a bound on the queue; other accounts run in parallel",
    Effect.gen(function* () {
      const gate = yield* ChangeGate
      const begun: Array<string> = []
      const next = yield* Deferred.make<void>()
      const change = (name: string) =>
        Effect.andThen(
          Effect.sync(() => void begun.push(name)),
          Deferred.await(next)
        )
      const names = ["a", "b", ...Array.from({ length: 500 }, (_, n) => `a${n}`)]
      const fibers = yield* Effect.forEach(names, (name) =>
        Effect.forkChild(gate.run(accountOf(name.charAt(0)), change(name)))
      )
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(begun, ["a", "b"])
      yield* Deferred.succeed(next, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(begun, names)
    })
  )

  gated(
    "releases the turn after a failure; when the caller hangs up, a running change completes and a waiting one does not",
    Effect.gen(function* () {
      const gate = yield* ChangeGate
      const done: Array<string> = []
      const run = (name: string, change: Effect.Effect<void> = Effect.void) =>
        gate.run(
          accountOf("a"),
          Effect.andThen(
            change,
            Effect.sync(() => void done.push(name))
          )
        )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(run("failed", Effect.die(new Error("planted"))))))
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(run("first", Deferred.await(end)))
      const second = yield* Effect.forkChild(run("second"))
      const third = yield* Effect.forkChild(run("third"))
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(second)
      const hangingUp = yield* Effect.forkChild(Fiber.interrupt(first))
      yield* TestClock.adjust(0)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(hangingUp)
      yield* Fiber.join(third)
      assert.deepStrictEqual(done, ["first", "third"])
    })
  )

  gated(
    "releases the turn before the result is reported; the report completes even if the caller hangs up",
    Effect.gen(function* () {
      const gate = yield* ChangeGate
      const [change, telling, end] = [
        yield* Deferred.make<void>(),
        yield* Deferred.make<string>(),
        yield* Deferred.make<void>()
      ]
      const tell = (done: string) => Effect.andThen(Deferred.succeed(telling, done), Deferred.await(end))
      const first = yield* Effect.forkChild(gate.run(accountOf("a"), Effect.as(Deferred.await(change), "first"), tell))
      yield* TestClock.adjust(0)
      const hangingUp = yield* Effect.forkChild(Fiber.interrupt(first))
      yield* TestClock.adjust(0)
      yield* Deferred.succeed(change, undefined)
      assert.strictEqual(yield* Deferred.await(telling), "first")
      assert.strictEqual(yield* gate.run(accountOf("a"), Effect.succeed("second")), "second")
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(hangingUp)
    })
  )
})

describe("a change in its account's turn", () => {
  const change = (answer: Effect.Effect<void>) => answering(changing(Effect.as(answer, HttpServerResponse.empty())))

  gated(
    "keeps its own response; without a turn within 30 s it never begins, and the response is 503",
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const first = yield* change(Deferred.await(end))
      const second = yield* change(Effect.die(new Error("begun")))
      yield* TestClock.adjust("29999 millis")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust("1 milli")
      assert.strictEqual((yield* Fiber.join(second)).status, 503)
      yield* Deferred.succeed(end, undefined)
      assert.strictEqual((yield* Fiber.join(first)).status, 204)
    })
  )
})
