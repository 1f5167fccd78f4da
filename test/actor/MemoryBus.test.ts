import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Bus } from "@sightline/actor/Bus"

it.effect("the bus in memory counts its timeouts on Effect's clock", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    yield* Stream.toPull(bus.subscribe("a.subject"))
    const short = yield* Effect.forkChild(Effect.flip(bus.request("a.subject", "", "1 second")))
    const long = yield* Effect.forkChild(Effect.flip(bus.request("a.subject", "", "90 seconds")))
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(short)).reason, "timeout")
    yield* TestClock.adjust("88 seconds")
    assert.isUndefined(long.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(long)).reason, "timeout")
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("the bus in memory ends what waits when it is closed itself", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.gen(function* () {
      const bus = yield* Bus
      const forever = Effect.forkDetach(Effect.flip(bus.request("a.subject", "", "1 hour")), { startImmediately: true })
      yield* Stream.toPull(bus.subscribe("a.subject"))
      return yield* forever
    }).pipe(Effect.provide(Bus.layerMemory, { local: true }))
    const exit = yield* Fiber.await(waiting)
    assert.isTrue(Exit.isSuccess(exit))
  })
)
