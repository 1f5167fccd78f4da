/**
 * The end of a sender whose database takes nothing any more.
 *
 * Planted fault, seen red: a wait without an end.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Bus } from "@sightline/actor/Bus"
import { Egress } from "@sightline/egress/Egress"
import { deliveryPoll, shutdownGrace } from "@sightline/engine/Tuning"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { type Attempt, Attempts } from "@sightline/store/Attempts"

/** One that is over as soon as it is made: nothing signs it. */
const attempt: Attempt = {
  id: "a",
  deliveryId: "d",
  accountId: "account",
  number: 1,
  late: Option.none(),
  event: "ask.completed",
  watchId: Option.none(),
  receiverId: "r",
  url: "https://hooks.acme.com/in",
  body: new Uint8Array(),
  secret: Option.none()
}

it.effect("waits for what is under way no longer than a process that ends may take", () =>
  Effect.gen(function* () {
    const ending = yield* Deferred.make<void>()
    const due = [attempt]
    const attempts = Layer.mock(Attempts, {
      begin: () => Effect.sync(() => ({ attempts: due.splice(0), moved: false, next: Option.none() })),
      end: () => Effect.andThen(Deferred.succeed(ending, undefined), Effect.never)
    })
    const scope = yield* Scope.make()
    const sender = WebhookSender.layer.pipe(Layer.provide([attempts, Layer.mock(Egress, {}), Bus.layerMemory]))
    yield* Layer.buildWithScope(sender, scope)
    yield* TestClock.adjust(deliveryPoll)
    yield* Deferred.await(ending)
    const close = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    yield* TestClock.adjust(Duration.subtract(Duration.fromInputUnsafe(shutdownGrace), Duration.millis(1)))
    assert.isUndefined(close.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(close)
  })
)
