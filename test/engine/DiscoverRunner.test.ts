/**
 * Discoveries from request to charge, over a real store, an in-process bus and scripted engines.
 *
 * Planted and seen red:
 * - a partial discovery remembered
 * - an answer without questions accepted, or remembered
 * - a web search
 * - too few tokens for the list
 * - a remembered discovery that is free, reported as fresh, or not looked up
 * - the memories of the two environments mixed
 * - the requested count ignored
 * - no void when the discovery is interrupted while engines are asked
 * - engines asked one after another
 * - an engine asked once more by each discovery that had waited for the same answer
 */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import type { Discovery } from "@sightline/domain/Discover"
import { credits, toCents } from "@sightline/domain/Credits"
import { LlmPlatform, type Platform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { Auditor } from "@sightline/engine/Auditor"
import { type DiscoverOrder, DiscoverRunner } from "@sightline/engine/DiscoverRunner"
import { Progress } from "@sightline/engine/Progress"
import { Wallets } from "@sightline/store/Wallets"
import { answer, failed, layerScripted, outcomeOf, offering, purse, scriptPlatforms, Script } from "./scripted.ts"

const layer = DiscoverRunner.layer(offering).pipe(Layer.provide(AnswerSource.layer), Layer.provideMerge(layerScripted))

const discovery = (brand: string, more: Partial<Discovery> = {}): Discovery => ({
  brand,
  count: 50,
  language: "en",
  ...more
})

const runAs = (wallet: Wallet, one: Discovery) =>
  Effect.flatMap(DiscoverRunner, (runner) =>
    outcomeOf((reply: DiscoverOrder["reply"]) => runner.run({ wallet, discovery: one, claim: Option.none(), reply }))
  )

/** An engine's answer that lists these questions. */
const listing = (...queries: ReadonlyArray<string>) => ({
  ...answer,
  raw: JSON.stringify(queries.map((query) => ({ query, intent: "commercial" })))
})

it.layer(layer, { excludeTestServices: true })("DiscoverRunner", (test) => {
  test.effect("costs its whole price from one answer on, nothing without one, and reports which engines failed", () =>
    Effect.gen(function* () {
      for (let mask = 0; mask < 16; mask++) {
        const failing = LlmPlatform.literals.filter((_, place) => (mask & (1 << place)) !== 0)
        const is = (platform: Platform) => failing.some((one) => one === platform)
        yield* scriptPlatforms((platform) =>
          is(platform) ? Effect.fail(failed(platform)) : Effect.succeed(listing("Both?", `Only ${platform}?`))
        )
        const wallet = yield* purse(1000)
        const { outcome, balance } = yield* runAs(wallet, discovery(`subset ${mask}`))
        const answered = 4 - failing.length
        assert.strictEqual(toCents(outcome.charge), answered === 0 ? 0 : 50)
        assert.strictEqual(balance, answered === 0 ? 1000 : 950)
        assert.lengthOf(outcome.candidates, answered === 0 ? 0 : answered + 1)
        assert.isFalse(outcome.cached)
        assert.deepEqual(
          outcome.failures.map(({ platform }) => platform),
          failing
        )
        assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(balance), held: credits(0) })
      }
      assert.deepEqual((yield* (yield* Auditor).audit).differences, [])
    })
  )

  test.effect("an answer without a question in it counts as a failure of its engine", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms((platform) =>
        Effect.succeed(platform === "claude_api" ? { ...answer, raw: "I would rather not." } : listing("Which one?"))
      )
      const { outcome } = yield* runAs(yield* purse(50), discovery("unreadable"))
      assert.deepEqual(
        outcome.failures.map(({ platform, code }) => [platform, code]),
        [["claude_api", "provider_error"]]
      )
      assert.strictEqual(outcome.candidates[0]?.rationale, "Suggested by 3 of 3 engines, at best in place 1.")
    })
  )

  test.effect("discoveries that wait for the same answer do not ask for it again if it has no question in it", () =>
    Effect.gen(function* () {
      const [arrived, joined, script] = [yield* Deferred.make<void>(), yield* Deferred.make<void>(), yield* Script]
      yield* scriptPlatforms((platform) =>
        Effect.gen(function* () {
          if (script.asked.length === 4) yield* Deferred.succeed(arrived, undefined)
          yield* Deferred.await(joined)
          return platform === "claude_api" ? { ...answer, raw: "I would rather not." } : listing("Which one?")
        })
      )
      const run = Effect.flatMap(purse(50), (wallet) => runAs(wallet, discovery("declined at once")))
      const first = yield* Effect.forkChild(run)
      yield* Deferred.await(arrived)
      let waiting = 0
      const join = (_: string, step: string) => {
        if (step === "asked" && ++waiting === 4) Deferred.doneUnsafe(joined, Effect.void)
      }
      const second = yield* Effect.provideService(run, Progress, join)
      for (const { outcome } of [yield* Fiber.join(first), second])
        assert.deepEqual(
          outcome.failures.map(({ platform }) => platform),
          ["claude_api"]
        )
      assert.lengthOf(script.asked, 4)
    })
  )

  test.effect("engines are asked without web search and with room for the whole list", () =>
    Effect.gen(function* () {
      const script = yield* scriptPlatforms(() => Effect.succeed(listing("Which one?")))
      yield* runAs(yield* purse(50), discovery("asked"))
      assert.lengthOf(script.asked, 4)
      for (const { question } of script.asked) assert.deepInclude(question, { webSearch: false, maxTokens: 8000 })
    })
  )

  test.effect("all four engines are asked concurrently, and no more questions are returned than requested", () =>
    Effect.gen(function* () {
      const [arrived, script] = [yield* Deferred.make<void>(), yield* Script]
      yield* scriptPlatforms(() =>
        Effect.gen(function* () {
          if (script.asked.length === 4) yield* Deferred.succeed(arrived, undefined)
          yield* Deferred.await(arrived)
          return listing("Which one?", "What else?", "Who else?")
        })
      )
      const { outcome } = yield* runAs(yield* purse(50), discovery("at once", { count: 2 }))
      assert.lengthOf(outcome.candidates, 2)
    })
  )

  describe("memory", () => {
    test.effect(
      "what all engines answered is served to any account of its environment, without asking, at the same price",
      () =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms(() => Effect.succeed(listing("Which one?", "What else?")))
          const first = yield* runAs(yield* purse(1000), discovery("remembered"))
          assert.lengthOf(script.asked, 4)
          const other = yield* purse(1000)
          const again = yield* runAs(other, discovery("remembered"))
          assert.lengthOf(script.asked, 4)
          const memos = yield* SqlClient.SqlClient.use(
            (sql) => sql`SELECT memo FROM ledger_entries WHERE account_id = ${other.accountId} AND kind = 'charge'`
          )
          assert.match(String(memos[0]?.["memo"]), / cached$/)
          assert.isTrue(again.outcome.cached)
          assert.deepEqual(again.outcome.candidates, first.outcome.candidates)
          assert.notStrictEqual(again.outcome.id, first.outcome.id)
          assert.deepEqual([again.balance, toCents(again.outcome.charge)], [950, 50])
          const live = yield* runAs(yield* purse(1000, "live"), discovery("remembered"))
          assert.isFalse(live.outcome.cached)
          assert.deepEqual((yield* (yield* Auditor).audit).differences, [])
        })
    )

    test.effect("a partial discovery is not remembered, and only the engine that failed is asked again", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms((platform) =>
          platform === "gemini_api" ? Effect.fail(failed(platform)) : Effect.succeed(listing("Which one?"))
        )
        yield* runAs(yield* purse(50), discovery("partial"))
        const script = yield* scriptPlatforms(() => Effect.succeed(listing("Which one?")))
        const { outcome } = yield* runAs(yield* purse(50), discovery("partial"))
        assert.deepEqual(
          script.asked.map(({ platform }) => platform),
          ["gemini_api"]
        )
        assert.isFalse(outcome.cached)
        assert.lengthOf(outcome.failures, 0)
      })
    )

    test.effect("only an engine whose answer had no question in it is asked again", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms((platform) =>
          Effect.succeed(platform === "claude_api" ? { ...answer, raw: "I would rather not." } : listing("Which one?"))
        )
        yield* runAs(yield* purse(50), discovery("declined"))
        for (const asked of [["claude_api"], []]) {
          const script = yield* scriptPlatforms(() => Effect.succeed(listing("Which one?")))
          const { outcome } = yield* runAs(yield* purse(50), discovery("declined"))
          assert.deepEqual(
            script.asked.map(({ platform }) => platform),
            asked
          )
          assert.lengthOf(outcome.failures, 0)
        }
      })
    )

    test.effect("a remembered discovery still requires its whole price in the balance", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms(() => Effect.succeed(listing("Which one?")))
        yield* runAs(yield* purse(50), discovery("dear"))
        for (const balance of [0, 49.999]) {
          const wallet = yield* purse(balance)
          const refused = yield* Effect.flip(runAs(wallet, discovery("dear")))
          assert.strictEqual(refused._tag, "InsufficientBalance")
          assert.strictEqual((yield* (yield* Wallets).balanceOf(wallet)).available, credits(balance))
        }
      })
    )
  })

  test.effect("an interruption while the engines are asked releases the whole hold", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      yield* scriptPlatforms(() => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never))
      const wallet = yield* purse(1000)
      const fiber = yield* Effect.forkChild(runAs(wallet, discovery("interrupted")))
      yield* Deferred.await(arrived)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(950), held: credits(50) })
      yield* Fiber.interrupt(fiber)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(1000), held: credits(0) })
    })
  )

  test.effect("with an insufficient balance no engine is asked and no money moves", () =>
    Effect.gen(function* () {
      const script = yield* scriptPlatforms()
      const wallet = yield* purse(49.999)
      const refused = yield* Effect.flip(runAs(wallet, discovery("too poor")))
      assert.strictEqual(refused._tag, "InsufficientBalance")
      assert.lengthOf(script.asked, 0)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(49.999), held: credits(0) })
    })
  )
})
