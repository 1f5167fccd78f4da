/**
 * Writes that accompany an answer, over a store that rejects them.
 *
 * Planted and seen red: an answer, its text, a rest or a discovery that fails unless it is stored; a flight that fails unless it is
 * released; a wait without a limit.
 */
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import { credits } from "@sightline/domain/Credits"
import type { Platform } from "@sightline/domain/Platform"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { bestEffort } from "@sightline/engine/BestEffort"
import { type DiscoverOrder, DiscoverRunner } from "@sightline/engine/DiscoverRunner"
import type { Obtained } from "@sightline/engine/Flight"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import { answer, failed, layerScripted, offering, outcomeOf, purse, scriptPlatforms, Script } from "./scripted.ts"

const layer = Layer.mergeAll(
  DiscoverRunner.layer(offering).pipe(Layer.provideMerge(AnswerSource.layer)),
  LiveSource.layer
).pipe(Layer.provideMerge(layerScripted))

const asking = (platform: Platform): AnswerSubject => ({
  platform,
  environment: "test",
  question: { turns: [{ role: "user", content: randomUUID() }], model: "", webSearch: true, country: "US" },
  scope: "shared"
})

const rejecting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["answers", "answer_texts", "capture_rests", "discoveries"])
    yield* sql`ALTER TABLE ${sql(table)} ADD CONSTRAINT closed CHECK (false) NOT VALID`
  yield* sql`CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stays'; END $$`
  yield* sql`CREATE TRIGGER stay BEFORE DELETE ON flights FOR EACH ROW EXECUTE FUNCTION stay()`
})

it.layer(layer, { excludeTestServices: true })("over a store that rejects best-effort writes", (test) => {
  test.effect("an answer is returned, asked for once and remembered by its own process", () =>
    Effect.gen(function* () {
      yield* rejecting
      const { asked } = yield* scriptPlatforms()
      const { obtain, recall } = yield* AnswerSource
      const subject = asking("gemini_api")
      assert.deepStrictEqual(yield* obtain(subject), { origin: "fresh", result: Result.succeed(answer) })
      assert.deepStrictEqual(yield* recall([subject]), [
        Option.some<Obtained>({ origin: "l1", result: Result.succeed(answer) })
      ])
      assert.lengthOf(asked, 1)
    })
  )

  test.effect("a live answer is returned, and a surface's rate limit is reported", () =>
    Effect.gen(function* () {
      const wallet = yield* purse(0)
      const { obtain } = yield* LiveSource
      yield* scriptPlatforms()
      assert.deepStrictEqual((yield* obtain(wallet, asking("perplexity_live"))).result, Result.succeed(answer))
      yield* scriptPlatforms((platform) => Effect.fail(failed(platform, "upstream_rate_limited")))
      const { result } = yield* obtain(wallet, asking("perplexity_live"))
      const failure = Option.getOrThrow(Result.getFailure(result))
      assert.deepInclude(failure, { code: "upstream_rate_limited", retryAfterSeconds: 30 })
    })
  )

  test.effect("a discovery is returned and charged", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms(() =>
        Effect.succeed({ ...answer, raw: JSON.stringify([{ query: "best crm", intent: "commercial" }]) })
      )
      const wallet = yield* purse(1000)
      const { run } = yield* DiscoverRunner
      const { outcome } = yield* outcomeOf((reply: DiscoverOrder["reply"]) =>
        run({ wallet, discovery: { brand: randomUUID(), count: 5, language: "en" }, claim: Option.none(), reply })
      )
      assert.deepStrictEqual([outcome.cached, outcome.failures], [false, []])
      assert.notDeepEqual(outcome.charge, credits(0))
      assert.lengthOf((yield* Script).asked, 4)
    })
  )
})

it.effect("a best-effort write is waited for 3 s at most", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(bestEffort("It was not kept", Effect.never))
    yield* TestClock.adjust("2999 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(waiting)
  })
)
