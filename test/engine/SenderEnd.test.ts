/**
 * The shutdown of a sender whose database no longer responds.
 *
 * Planted faults, seen red: a wait without a limit; no wait if the sender's own fiber is interrupted, as at the end of a process;
 * attempts begun and not made.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Bus } from "@sightline/actor/Bus"
import { Egress } from "@sightline/egress/Egress"
import { deliveryPoll, shutdownGrace } from "@sightline/engine/Tuning"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { type Attempt, Attempts } from "@sightline/store/Attempts"

/** An attempt that ends at once, because it cannot be signed. */
const attempt: Attempt = {
  id: "a",
  deliveryId: "d",
  accountId: "account",
  number: 1,
  late: Option.none(),
  begunSeconds: 0,
  event: "ask.completed",
  watchId: Option.none(),
  receiverId: "r",
  url: "https://hooks.acme.com/in",
  body: new Uint8Array(),
  secret: Option.none()
}

it.effect("waits for attempts under way no longer than the shutdown grace", () =>
  Effect.gen(function* () {
    const ending = yield* Deferred.make<void>()
    const due = [attempt]
    const attempts = Layer.mock(Attempts, {
      begin: () => Effect.sync(() => ({ attempts: due.splice(0), moved: false, next: Option.none() })),
      end: () => Effect.andThen(Deferred.succeed(ending, undefined), Effect.never)
    })
    const sender = WebhookSender.layer.pipe(Layer.provide([attempts, Layer.mock(Egress, {}), Bus.layerMemory]))
    const living = yield* Effect.forkChild(Layer.launch(sender))
    yield* TestClock.adjust(deliveryPoll)
    yield* Deferred.await(ending)
    const close = yield* Effect.forkChild(Fiber.interrupt(living))
    yield* TestClock.adjust(Duration.subtract(Duration.fromInputUnsafe(shutdownGrace), Duration.millis(1)))
    assert.isUndefined(close.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(close)
  })
)

it.effect("makes the attempts whose begin is under way when it is interrupted", () =>
  Effect.gen(function* () {
    const [beginning, committed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const ended: Array<string> = []
    const begun = { attempts: [attempt], moved: false, next: Option.none() }
    const attempts = Layer.mock(Attempts, {
      begin: () => Effect.andThen(Deferred.succeed(beginning, undefined), Effect.as(Deferred.await(committed), begun)),
      end: (end) => Effect.sync(() => void ended.push(end.attempt.deliveryId))
    })
    const sender = WebhookSender.layer.pipe(Layer.provide([attempts, Layer.mock(Egress, {}), Bus.layerMemory]))
    const living = yield* Effect.forkChild(Layer.launch(sender))
    yield* TestClock.adjust(deliveryPoll)
    yield* Deferred.await(beginning)
    const close = yield* Effect.forkChild(Fiber.interrupt(living), { startImmediately: true })
    yield* Deferred.succeed(committed, undefined)
    yield* Fiber.join(close)
    assert.deepEqual(ended, ["d"])
  })
)
