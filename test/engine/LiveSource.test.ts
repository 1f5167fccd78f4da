/**
 * Live surfaces as one process asks them, under a test clock.
 *
 * Planted faults, each seen red:
 * - a cooldown of test keys kept for live keys
 * - a cooldown as long as the surface asks for
 * - the shorter of the two waits reported; a wait of one minute if the surface names none
 * - the platform's own message shown to customers
 * - a surface given up at its own deadline
 * - its answer not kept
 * - a surface asked in the last second of its cooldown
 */
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { Bus } from "@sightline/actor/Bus"
import { AccountId } from "@sightline/domain/Account"
import { type Environment, PlatformFailed } from "@sightline/domain/Platform"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Capture } from "@sightline/platforms/Capture"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { type CooldownScope, Cooldowns } from "@sightline/store/Cooldowns"
import { answer } from "./scripted.ts"

const accountId = AccountId.make(crypto.randomUUID())

/** A process that asks one surface: what it obtains, the cooldowns it starts, and the texts it keeps. */
const asking = Effect.fnUntraced(function* (capture: Capture, secondsLeft = 0) {
  const cooldowns: Array<readonly [CooldownScope, number]> = []
  const texts: Array<string> = []
  const platform = "ai_mode" as const
  const actors = (["live", "test"] as const).map((environment) => ({
    environment,
    platform,
    capture,
    concurrency: 1,
    mailboxMax: 1
  }))
  const stores = Layer.merge(
    Layer.mock(Cooldowns, {
      secondsLeft: () => Effect.succeed(secondsLeft),
      start: (...start) => Effect.sync(() => void cooldowns.push(start))
    }),
    Layer.mock(AnswerTexts, { keep: ({ text }) => Effect.sync(() => void texts.push(text)) })
  )
  const services = yield* Layer.build(
    LiveSource.layer.pipe(
      Layer.provide([stores, PlatformActors.layer(actors)]),
      Layer.provide([Bus.layerMemory, Layer.mock(CaptureJournal, { record: () => Effect.void })])
    )
  )
  const question = {
    turns: [{ role: "user", content: "best anvils" }],
    model: "",
    country: "US",
    webSearch: true
  } as const
  const obtain = (environment: Environment) =>
    Effect.map(
      Context.get(services, LiveSource).obtain(
        { accountId, environment },
        { environment, platform, question, scope: "shared" }
      ),
      ({ result }) => result
    )
  return { cooldowns, texts, obtain }
})

it.effect(
  "a surface that limits our rate cools down for 30 s, whatever it asks for, and the longer of both waits is reported",
  () =>
    Effect.gen(function* () {
      const wishes = [3, 120, undefined]
      const { cooldowns, obtain } = yield* asking(() => {
        const [wish] = wishes.splice(0, 1)
        const more = wish === undefined ? {} : { retryAfterSeconds: wish }
        return Effect.fail(
          new PlatformFailed({ platform: "ai_mode", code: "upstream_rate_limited", message: "its words", ...more })
        )
      })
      for (const wait of [30, 120, 30]) {
        const failure = yield* Effect.flip(Effect.fromResult(yield* obtain("test")))
        assert.deepInclude(failure, { code: "upstream_rate_limited", retryAfterSeconds: wait })
        assert.strictEqual(failure.message, "The surface is limiting our requests.")
      }
      yield* obtain("live")
      const places = (["test", "test", "test", "live"] as const).map((environment) => ({
        wallet: { accountId, environment },
        platform: "ai_mode" as const,
        country: "US"
      }))
      assert.deepEqual(
        cooldowns,
        places.map((place) => [place, 30])
      )
    })
)

it.effect("a surface may answer until 2 s after its own deadline, and its answer is kept", () =>
  Effect.gen(function* () {
    const [arrived, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const { texts, obtain } = yield* asking(() =>
      Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(go)), Effect.as(answer))
    )
    const asked = yield* Effect.forkChild(obtain("live"))
    yield* Deferred.await(arrived)
    yield* TestClock.adjust("91999 millis")
    assert.isUndefined(asked.pollUnsafe())
    yield* Deferred.succeed(go, undefined)
    assert.isTrue(Result.isSuccess(yield* Fiber.join(asked)))
    assert.deepEqual(texts, [answer.text])
  })
)

it.effect("a surface that cools down is not asked, up to the last second of its cooldown", () =>
  Effect.gen(function* () {
    const { obtain } = yield* asking(() => Effect.succeed(answer), 1)
    const failure = yield* Effect.flip(Effect.fromResult(yield* obtain("live")))
    assert.deepInclude(failure, { code: "upstream_rate_limited", retryAfterSeconds: 1 })
  })
)
