/**
 * Planted faults, each seen red: a single renewal; work ended by a renewal that fails, or by one that dies; that not logged; a
 * renewal after the end of the work, or too early.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { whileRenewed } from "@sightline/engine/Lease"

it.effect("a lease is renewed for as long as the work lasts, even after a renewal that died, and no longer", () =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<string>()
    const warnings: Array<unknown> = []
    let renewals = 0
    const renew = Effect.suspend(() => (++renewals === 2 ? Effect.die(new Error("no database")) : Effect.void))
    const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(message)))
    const fiber = yield* Effect.forkChild(
      Effect.provide(whileRenewed(Deferred.await(done), renew, "10 seconds"), Logger.layer([logger]))
    )
    yield* TestClock.adjust("9999 millis")
    assert.strictEqual(renewals, 0)
    yield* TestClock.adjust("20001 millis")
    assert.strictEqual(renewals, 3)
    assert.lengthOf(warnings, 1)
    yield* Deferred.succeed(done, "done")
    assert.strictEqual(yield* Fiber.join(fiber), "done")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(renewals, 3)
  })
)

it.effect("a failure of the work is passed on, whatever its lease does", () =>
  Effect.gen(function* () {
    const failed = yield* Effect.flip(whileRenewed(Effect.fail("failed"), Effect.never, "10 seconds"))
    assert.strictEqual(failed, "failed")
  })
)
