/**
 * The claim that a call holds on its idempotency key, on a test clock.
 *
 * Planted and seen red:
 * - a renewal every ten minutes;
 * - a duplicate that waits without a limit, not at all, or only for the notice of the answer, or never gets that notice;
 * - the money held by the previous owner not given back;
 * - a claim kept after a refusal or a defect, or released after an answer that was stored;
 * - the 503 of a lost hold;
 * - a call interrupted with its process;
 * - a wait by the wall clock.
 */
import { assert, describe, it } from "@effect/vitest"
import { GracePeriod } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { Caller } from "@sightline/contract/Authorization"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import { IdempotentReplay, type CallResult } from "@sightline/server/handlers/IdempotentReplay"
import { insufficientCredits, makeSpend } from "@sightline/server/handlers/Spending"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Claim, Replies } from "@sightline/store/Replies"
import { utf8 } from "@sightline/store/Utf8"
import { Effect, Exit, Fiber, Latch, Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { withClockSet } from "../services/withClockSet.ts"

const id = "00000000-0000-4000-8000-000000000000"
const caller: Caller["Service"] = {
  keyId: KeyId.make(id),
  accountId: AccountId.make(id),
  environment: "test",
  readOnly: false,
  rateLimits: {}
}

const claimed = (inherited: boolean): Claim => Claim.Claimed({ token: "t", inherited })

/** A store whose claim has the given result; `done` lists the operations it was asked for, in order. */
const storeWith = (claim: Claim) => {
  const done: Array<string> = []
  const note = <A>(word: string, answer: A) => Effect.sync(() => (done.push(word), answer))
  const replies = Layer.mock(Replies, {
    claim: () => Effect.succeed(claim),
    renew: () => note("renew", true),
    release: () => note("release", undefined)
  })
  const charges = Layer.mock(Charges, { sweepWallet: () => note("sweep", 0) })
  const layer = IdempotentReplay.layer.pipe(Layer.provide([replies, charges, Bus.layerMemory]))
  return { done, note, layer }
}

const call = { route: "POST /v1/check", key: "k", body: {} }
const worked = (isStored: boolean): CallResult => ({ response: HttpServerResponse.empty(), isStored })

const run = (work: Effect.Effect<CallResult>) =>
  Effect.provideService(
    IdempotentReplay.use((replays) => replays.run(call, () => work)),
    Caller,
    caller
  )

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(body.body)) : assert.fail("there is no body")

it.effect("a claim is renewed within its 30 s as long as the call runs", () => {
  const { done, layer } = storeWith(claimed(false))
  return Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(run(Effect.as(Effect.sleep("90 seconds"), worked(true))))
    for (const renewals of [1, 2, 3]) {
      yield* TestClock.adjust("30 seconds")
      assert.isAtLeast(done.length, renewals)
    }
    yield* Fiber.join(fiber)
    const atItsEnd = done.length
    yield* TestClock.adjust("60 seconds")
    assert.deepStrictEqual(done, Array(atItsEnd).fill("renew"))
  }).pipe(Effect.provide(layer))
})

it.effect("a call continues after its process is told to end, as long as `Patience` lasts", () => {
  const { done, layer, note } = storeWith(claimed(false))
  return Effect.gen(function* () {
    const [begun, go] = [yield* Latch.make(), yield* Latch.make()]
    const work = Effect.andThen(begun.open, Effect.andThen(go.await, note("done", worked(true))))
    const living = yield* Effect.forkChild(
      run(work).pipe(Effect.provide(layer), Effect.provideService(GracePeriod, Effect.never))
    )
    yield* begun.await
    const ending = yield* Effect.forkChild(Fiber.interrupt(living), { startImmediately: true })
    yield* go.open
    yield* Fiber.join(ending)
    assert.deepStrictEqual(done, ["done"])
  })
})

it.effect(
  "409: a duplicate waits for more than the 90 s a call may take, but not without a limit, whatever the wall clock says",
  () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(withClockSet(run(Effect.die("it is done by another")), () => 0))
      yield* TestClock.adjust("91 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("10 seconds")
      const response = yield* Fiber.join(fiber)
      assert.deepStrictEqual([response.status, bodyOf(response).error.code], [409, "conflict"])
    }).pipe(Effect.provide(storeWith(Claim.InFlight()).layer))
)

it.effect("a duplicate that misses the notice of the answer looks for the answer after a second", () => {
  const claims = [Claim.InFlight(), Claim.Replay({ status: 200, headers: {}, body: utf8("{}") })]
  const replies = Layer.mock(Replies, { claim: () => Effect.sync(() => claims.shift() ?? Claim.Mismatch()) })
  const layer = IdempotentReplay.layer.pipe(Layer.provide([replies, Layer.mock(Charges, {}), Bus.layerMemory]))
  return Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(run(Effect.die("it is done by another")))
    yield* TestClock.adjust("1 second")
    assert.isDefined(fiber.pollUnsafe())
    const { headers, status } = yield* Fiber.join(fiber)
    assert.deepStrictEqual([status, headers["idempotency-replay"]], [200, "true"])
  }).pipe(Effect.provide(layer))
})

it.effect("a duplicate gets the answer as soon as it is there, without waiting a second", () => {
  const claims = [claimed(false), Claim.InFlight()]
  const answered = Claim.Replay({ status: 200, headers: {}, body: utf8("{}") })
  const replies = Layer.mock(Replies, {
    claim: () => Effect.sync(() => claims.shift() ?? answered),
    renew: () => Effect.succeed(true)
  })
  const layer = IdempotentReplay.layer.pipe(Layer.provide([replies, Layer.mock(Charges, {}), Bus.layerMemory]))
  return Effect.gen(function* () {
    const [begun, go] = [yield* Latch.make(), yield* Latch.make()]
    const work = Effect.andThen(begun.open, Effect.as(go.await, worked(true)))
    yield* Effect.forkChild(run(work))
    yield* begun.await
    const duplicate = yield* Effect.forkChild(run(Effect.die("it is done by another")), { startImmediately: true })
    while (claims.length > 0) yield* Effect.yieldNow
    yield* TestClock.adjust(0)
    yield* go.open
    const { headers } = yield* Fiber.join(duplicate)
    assert.strictEqual(headers["idempotency-replay"], "true")
  }).pipe(Effect.provide(layer))
})

it.effect("money that the previous owner of a claim held is given back before the call runs again", () => {
  const { done, layer, note } = storeWith(claimed(true))
  return Effect.gen(function* () {
    yield* run(note("work", worked(true)))
    assert.deepStrictEqual(
      done.filter((word) => word !== "renew"),
      ["sweep", "work"]
    )
  }).pipe(Effect.provide(layer))
})

describe("a key", () => {
  it.effect.each([
    ["is free again after a refusal", Effect.succeed(worked(false)), ["release"]],
    ["is free again after a defect", Effect.die("a defect"), ["release"]],
    ["stays with an answer that was kept", Effect.succeed(worked(true)), []]
  ] as const)("%s", ([, work, expected]) => {
    const { done, layer } = storeWith(claimed(false))
    return Effect.gen(function* () {
      yield* Effect.exit(run(work))
      assert.deepStrictEqual(
        done.filter((word) => word !== "renew"),
        [...expected]
      )
    }).pipe(Effect.provide(layer))
  })
})

it.effect("503: a call whose hold was given back meanwhile fails with this status, and its key is free again", () => {
  const { done, layer } = storeWith(claimed(false))
  return Effect.gen(function* () {
    const spend = yield* makeSpend(insufficientCredits)
    const exit = yield* Effect.exit(
      Effect.provideService(
        spend(call, () => Effect.fail(new HoldLost({ id }))),
        Caller,
        caller
      )
    )
    const response = Option.getOrThrow(Exit.getSuccess(exit))
    assert.deepStrictEqual([response.status, bodyOf(response).error.code], [503, "service_unavailable"])
    assert.include(done, "release")
  }).pipe(Effect.provide(layer))
})
