/**
 * Who changes things when, on a clock of the test's own.
 *
 * Planted and seen red: two changes of an account at once; one line of all accounts; a bound on how many wait; a wait without an end;
 * a turn that a failed change keeps, or one that is being told on; a change, or the telling of it, that ends with its caller; a wait that
 * does not.
 */
import { assert, describe, it } from "@effect/vitest"
import { ChangeGate, changing } from "@sightline/server/keys/ChangeGate"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { accountOf, answering } from "./callers.ts"

/** A test with a gate of its own. */
const gated = (title: string, body: Effect.Effect<void, unknown, ChangeGate>) =>
  it.effect(title, () => Effect.provide(body, ChangeGate.layer))

describe("the gate of changes", () => {
  gated(
    "lets one change of an account be under way, in their order and however many wait, and those of others beside it",
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
    "has the turn again of a change that failed, and of one whose caller hangs up: it is done, but for one that waits",
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
    "has the turn again before what was done is told on, which is done also when the caller hangs up meanwhile",
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
    "is answered as it was, and 503 where no turn came within 30 s: then it is never begun",
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
