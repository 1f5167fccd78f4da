/**
 * What only a bus within one process can show: its clock, to the millisecond.
 *
 * Planted and seen red: a timer of the machine's clock; the second request of a millisecond without its timeout, or with that of a request
 * that has ended; waiting requests not ended with the scope, or ended for another reason; requests kept after they have ended; no timeout
 * for a request with a timeout of zero; timeouts measured by the wall clock.
 */
import { assert, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Bus } from "@sightline/actor/Bus"
import { withClockSet } from "../services/withClockSet.ts"

it.effect("the in-memory bus measures timeouts by Effect's clock", () =>
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

it.effect("requests with the same deadline time out independently", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    const pull = yield* Stream.toPull(bus.subscribe("a.subject"))
    const request = Effect.forkChild(Effect.result(bus.request("a.subject", "", "1 second")))
    const [first, second, third] = yield* Effect.all([request, request, request])
    yield* Effect.flatMap(pull, ([, second]) => second?.reply("in time") ?? Effect.void)
    yield* TestClock.adjust("1 second")
    assert.deepEqual(yield* Fiber.join(second), Result.succeed("in time"))
    for (const fiber of [first, third]) {
      const result = yield* Fiber.join(fiber)
      assert.isTrue(Result.isFailure(result) && result.failure.reason === "timeout")
    }
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("a request times out even if another with the same deadline was answered before", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    const pull = yield* Stream.toPull(bus.subscribe("a.subject"))
    const request = Effect.forkChild(Effect.result(bus.request("a.subject", "", "1 second")))
    const first = yield* request
    for (const { reply } of yield* pull) yield* reply("in time")
    assert.deepEqual(yield* Fiber.join(first), Result.succeed("in time"))
    const second = yield* request
    yield* TestClock.adjust("1 second")
    const result = yield* Fiber.join(second)
    assert.isTrue(Result.isFailure(result) && result.failure.reason === "timeout")
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect(
  "a request has its full timeout even if the wall clock is set back so that it appears due with an earlier one",
  () =>
    Effect.gen(function* () {
      let setBack = 0
      const context = yield* withClockSet(Layer.build(Layer.fresh(Bus.layerMemory)), (millis) => millis - setBack)
      const bus = Context.get(context, Bus)
      yield* Stream.toPull(bus.subscribe("a.subject"))
      const request = Effect.forkChild(Effect.flip(bus.request("a.subject", "", "60 seconds")))
      yield* request
      yield* TestClock.adjust("30 seconds")
      setBack = 30_000
      const second = yield* request
      yield* TestClock.adjust("59 seconds")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(second)).reason, "timeout")
    }).pipe(Effect.scoped)
)

it.effect("requests with a timeout of zero time out, including two in the same millisecond", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    yield* Stream.toPull(bus.subscribe("a.subject"))
    for (const body of ["one", "the next"])
      assert.strictEqual((yield* Effect.flip(bus.request("a.subject", body, 0))).reason, "timeout")
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("the in-memory bus keeps no references to requests that have ended", () =>
  Effect.gen(function* () {
    setFlagsFromString("--expose-gc")
    const bus = yield* Bus
    const pull = yield* Stream.toPull(bus.subscribe("a.subject"))
    const ask = Effect.gen(function* () {
      const asking = yield* Effect.forkDetach(bus.request("a.subject", "", "1 hour"))
      for (const { reply } of yield* pull) yield* reply("")
      yield* Fiber.join(asking)
      return new WeakRef(asking)
    })
    const asked = yield* Effect.replicateEffect(ask, 100)
    yield* Effect.promise(() => new Promise(setImmediate))
    runInNewContext("gc()")
    assert.isBelow(asked.filter((asking) => asking.deref() !== undefined).length, 10)
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("the in-memory bus ends waiting requests when it is closed", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.gen(function* () {
      const bus = yield* Bus
      const forever = Effect.forkDetach(Effect.flip(bus.request("a.subject", "", "1 hour")), { startImmediately: true })
      yield* Stream.toPull(bus.subscribe("a.subject"))
      return yield* forever
    }).pipe(Effect.provide(Bus.layerMemory, { local: true }))
    assert.strictEqual((yield* Fiber.join(waiting)).reason, "disconnected")
  })
)
