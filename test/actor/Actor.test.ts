/**
 * An actor whose bus fails, and requests that wait too long.
 *
 * Planted and seen red: the subscription not renewed, or the broken one kept in addition; a request that is always left unread sent once
 * more or less than three times; a request that has waited too long handled, refused only when its turn comes, or holding its place in the
 * mailbox; the waiting time not reported.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger, Option, Result, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ask, protocol, spawn } from "@sightline/actor/Actor"
import { Bus, NoReply } from "@sightline/actor/Bus"

const doubling = protocol("a.subject", { request: Schema.Int, answer: Schema.Int, failure: Schema.Never })

it.effect("subscribes again a second after its subscription broke", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    let subscriptions = 0
    const breaking = Bus.of({
      ...bus,
      subscribe: (subject) => {
        subscriptions += 1
        return subscriptions === 1 ? Stream.die("broken") : bus.subscribe(subject)
      }
    })
    const receive = (number: number) => Effect.succeed(number * 2)
    yield* Effect.forkScoped(
      Effect.provideService(spawn(doubling, "one", { concurrency: 1, mailboxMax: 1, receive }), Bus, breaking)
    )
    yield* TestClock.adjust("999 millis")
    assert.strictEqual((yield* Effect.flip(ask(doubling, "one", 2, "1 hour"))).reason, "no_responder")
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* ask(doubling, "one", 2, "1 hour"), 4)
  }).pipe(Effect.provide([Bus.layerMemory, Logger.layer([])]))
)

it.effect("receives nothing through a subscription that broke", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    let subscriptions = 0
    const breaking = Bus.of({
      ...bus,
      subscribe: (subject) => {
        subscriptions += 1
        const requests = bus.subscribe(subject)
        return subscriptions === 1 ? Stream.mapEffect(requests, () => Effect.die("broken")) : requests
      }
    })
    const receive = (number: number) => Effect.succeed(number * 2)
    yield* Effect.provideService(spawn(doubling, "one", { concurrency: 1, mailboxMax: 1, receive }), Bus, breaking)
    const breaks = yield* Effect.forkChild(Effect.exit(ask(doubling, "one", 1, "1 second")))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(breaks)
    // Requests go to all subscriptions in turn; one that nobody reads would answer none.
    assert.deepEqual(yield* Effect.replicateEffect(ask(doubling, "one", 2, "1 hour"), 2), [4, 4])
  }).pipe(Effect.provide([Bus.layerMemory, Logger.layer([])]))
)

it.effect("is sent a request at most three times by a caller whose request is left unread", () =>
  Effect.gen(function* () {
    const bus = yield* Bus
    let requests = 0
    const leaving = Bus.of({
      ...bus,
      request: (subject) =>
        Effect.suspend(() => {
          requests += 1
          return new NoReply({ subject, reason: "unread" })
        })
    })
    const asked = Effect.flip(ask(doubling, "one", 1, "1 hour"))
    assert.strictEqual((yield* Effect.provideService(asked, Bus, leaving)).reason, "unread")
    assert.strictEqual(requests, 3)
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect(
  "passes on how long a request has waited, and refuses one that has waited too long at that moment, without handling it",
  () =>
    Effect.gen(function* () {
      const waited: Array<number> = []
      const begun = yield* Deferred.make<void>()
      const receive = (number: number, waitedMillis: number) => {
        waited.push(waitedMillis)
        return Effect.andThen(
          Deferred.succeed(begun, undefined),
          Effect.delay(Effect.succeed(number * 2), "20 seconds")
        )
      }
      const waits = { burst: "30 seconds", standing: "30 seconds" } as const
      yield* spawn(doubling, "one", { concurrency: 1, mailboxMax: 2, waits, receive })
      const asks = yield* Effect.forEach([1, 2, 3], (number) =>
        Effect.forkChild(Effect.result(ask(doubling, "one", number, "1 hour")), { startImmediately: true })
      )
      yield* Deferred.await(begun)
      yield* TestClock.adjust("20 seconds")
      yield* TestClock.adjust("10 seconds")
      const third = asks[2] ?? assert.fail()
      assert.isUndefined(third.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isDefined(third.pollUnsafe())
      const refused = Result.getFailure(yield* Fiber.join(third))
      assert.deepInclude(Option.getOrThrow(refused), { reason: "mailbox_full" })
      yield* TestClock.adjust("10 seconds")
      assert.deepEqual(yield* Effect.forEach(asks.slice(0, 2), Fiber.join), [Result.succeed(2), Result.succeed(4)])
      assert.deepEqual(waited, [0, 20_000])
      // All three places are free again.
      const again = yield* Effect.forEach([1, 2, 3], (number) =>
        Effect.forkChild(Effect.flip(ask(doubling, "one", number, "1 second")), { startImmediately: true })
      )
      yield* TestClock.adjust("1 second")
      const reasons = (yield* Effect.forEach(again, Fiber.join)).map(({ reason }) => reason)
      assert.deepEqual(reasons, ["timeout", "timeout", "timeout"])
    }).pipe(Effect.provide(Bus.layerMemory))
)
