/**
 * Comparisons from request to charge, over a real store, an in-process bus and scripted platforms.
 *
 * Planted and seen red:
 * - a shared question asked once per side, or charged as one
 * - one side's brand searched for on both sides; the sides' answers swapped
 * - four questions at a time
 * - a hold before the mode is known to be on offer
 * - live questions through the cache
 * - the region left out
 * - no void when the comparison is interrupted while platforms are asked
 * - the whole price always charged
 * - cached answers asked for again
 * - the time of the answer reported instead of the request, no duration, or that of the wall clock
 */
import { it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import type { Question } from "@sightline/domain/Answer"
import type { Comparison } from "@sightline/domain/Compare"
import { credits, toCents } from "@sightline/domain/Credits"
import { LlmPlatform, type Platform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { Auditor } from "@sightline/engine/Auditor"
import {
  type CompareOrder,
  type CompareOutcome,
  CompareRunner,
  type SideSighting
} from "@sightline/engine/CompareRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import { Wallets } from "@sightline/store/Wallets"
import { answer, failed, layerScripted, outcomeOf, offering, purse, scriptPlatforms, Script } from "./scripted.ts"

const layer = CompareRunner.layer(offering).pipe(
  Layer.provide([AnswerSource.layer, LiveSource.layer]),
  Layer.provideMerge(layerScripted)
)

/** Acme on one question and Globex on another. */
const comparison = (name: string, more: Partial<Comparison> = {}): Comparison => ({
  a: { query: `a ${name}`, brand: "Acme" },
  b: { query: `b ${name}`, brand: "Globex" },
  mode: "quick",
  region: "us",
  ...more
})

/** Two brands on one question. */
const oneQuestion = (query: string, more: Partial<Comparison> = {}): Comparison =>
  comparison("", { a: { query, brand: "Acme" }, b: { query, brand: "Globex" }, ...more })

/** Runs a comparison and returns its outcome with the balance after it. */
const runAs = (wallet: Wallet, one: Comparison) =>
  Effect.flatMap(CompareRunner, (runner) =>
    outcomeOf((reply: CompareOrder["reply"]) => runner.run({ wallet, comparison: one, claim: Option.none(), reply }))
  )

const sideOf = ({ turns }: Question) => (turns[0]?.content.startsWith("a ") ? "a" : "b")
const nameOf = (platform: Platform, side: "a" | "b") => `${side}:${platform}`
const answeredIn = ({ sightings }: CompareOutcome) =>
  sightings
    .filter(({ result }) => Result.isSuccess(result))
    .map(({ platform, side }: SideSighting) => nameOf(platform, side))

const questions = (["a", "b"] as const).flatMap((side) => LlmPlatform.literals.map((one) => nameOf(one, side)))

it.layer(layer, { excludeTestServices: true })("CompareRunner", (test) => {
  test.effect("every number k of answers from 0 to 8 is charged its exact share, whichever questions they answer", () =>
    Effect.gen(function* () {
      for (let k = 0; k <= 8; k++) {
        for (const shift of [0, 3, 5]) {
          const answering = questions.filter((_, place) => (place + shift) % 8 < k)
          yield* scriptPlatforms((platform, question) =>
            answering.includes(nameOf(platform, sideOf(question)))
              ? Effect.succeed(answer)
              : Effect.fail(failed(platform))
          )
          const wallet = yield* purse(1000)
          const { outcome, balance } = yield* runAs(wallet, comparison(`${k} of 8, ${shift}`))
          assert.strictEqual(toCents(outcome.charge), (150 * k) / 8)
          assert.strictEqual(balance, 1000 - (150 * k) / 8)
          assert.deepEqual(answeredIn(outcome), answering)
          assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(balance), held: credits(0) })
        }
      }
      assert.deepEqual((yield* (yield* Auditor).audit).differences, [])
    })
  )

  test.effect("each side's brand is searched for in the answers to that side's question", () =>
    Effect.gen(function* () {
      const only = { ...answer, text: "Only Acme is known here." }
      yield* scriptPlatforms((_, question) => Effect.succeed(sideOf(question) === "a" ? only : answer))
      const { outcome } = yield* runAs(yield* purse(150), comparison("brands"))
      for (const { side, result } of outcome.sightings) {
        const { visibility } = Result.getOrThrow(result)
        assert.deepInclude(visibility, { mentioned: true, rank: 1 }, side)
      }
      const swapped = comparison("brands", { a: { query: "a brands", brand: "Globex" } })
      const other = yield* runAs(yield* purse(150), swapped)
      const named = other.outcome.sightings.map(({ result }) => Result.getOrThrow(result).visibility.mentioned)
      assert.deepEqual(named, [false, false, false, false, true, true, true, true])
    })
  )

  test.effect("all eight questions are asked concurrently", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const script = yield* Script
      yield* scriptPlatforms(() =>
        Effect.gen(function* () {
          if (script.asked.length === 8) yield* Deferred.succeed(arrived, undefined)
          yield* Deferred.await(arrived)
          return answer
        })
      )
      const { outcome } = yield* runAs(yield* purse(150), comparison("at once"))
      assert.lengthOf(answeredIn(outcome), 8)
    })
  )

  test.effect(
    "a comparison has the time of its request and its own duration, even if the clock is changed meanwhile",
    () =>
      Effect.gen(function* () {
        const [arrived, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        yield* scriptPlatforms(() =>
          Effect.andThen(Deferred.succeed(arrived, undefined), Effect.as(Deferred.await(release), answer))
        )
        yield* TestClock.adjust("1 hour")
        const comparing = yield* Effect.forkChild(runAs(yield* purse(150), comparison("timed")))
        yield* Deferred.await(arrived)
        yield* TestClock.adjust("2 seconds")
        yield* TestClock.setTime(0)
        yield* Deferred.succeed(release, undefined)
        const { outcome } = yield* Fiber.join(comparing)
        assert.deepEqual([DateTime.toEpochMillis(outcome.createdAt), outcome.durationMillis], [3_600_000, 2_000])
      }).pipe(Effect.provide(TestClock.layer()))
  )

  test.effect("two sides with the same question share four answers and are charged as eight", () =>
    Effect.gen(function* () {
      const script = yield* scriptPlatforms((platform) =>
        platform === "claude_api" ? Effect.fail(failed(platform)) : Effect.succeed(answer)
      )
      const { outcome } = yield* runAs(yield* purse(150), oneQuestion("shared"))
      assert.sameMembers(
        script.asked.map(({ platform }) => platform),
        [...LlmPlatform.literals]
      )
      assert.strictEqual(toCents(outcome.charge), (150 * 6) / 8)
      const [a, b] = (["a", "b"] as const).map((one) => outcome.sightings.filter(({ side }) => side === one))
      for (const [place, { platform, result }] of (a ?? []).entries()) {
        assert.strictEqual(platform, b?.[place]?.platform)
        const other = b?.[place]?.result
        if (Result.isFailure(result)) assert.strictEqual(platform, "claude_api")
        else assert.strictEqual(other && Result.getOrThrow(other).answer, result.success.answer)
      }
    })
  )

  test.effect("cached answers are not asked for again, and cost the same", () =>
    Effect.gen(function* () {
      const script = yield* scriptPlatforms(() => Effect.succeed(answer))
      yield* runAs(yield* purse(150), comparison("known"))
      const { outcome } = yield* runAs(yield* purse(150), comparison("known"))
      assert.lengthOf(script.asked, 8)
      assert.lengthOf(answeredIn(outcome), 8)
      assert.strictEqual(toCents(outcome.charge), 150)
    })
  )

  test.effect("an interruption while the platforms are asked releases the whole hold", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      yield* scriptPlatforms((platform) =>
        platform === "gemini_api"
          ? Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never)
          : Effect.succeed(answer)
      )
      const wallet = yield* purse(1000)
      const fiber = yield* Effect.forkChild(runAs(wallet, comparison("interrupted")))
      yield* Deferred.await(arrived)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(850), held: credits(150) })
      yield* Fiber.interrupt(fiber)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(1000), held: credits(0) })
    })
  )

  test.effect("with an insufficient balance no platform is asked and no money moves", () =>
    Effect.gen(function* () {
      const script = yield* scriptPlatforms()
      for (const mode of ["quick", "perplexity_live"] as const) {
        const wallet = yield* purse(149.999, "live")
        const refused = yield* Effect.flip(runAs(wallet, comparison("too poor", { mode })))
        assert.strictEqual(refused._tag, "InsufficientBalance")
        assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(149.999), held: credits(0) })
      }
      assert.lengthOf(script.asked, 0)
    })
  )

  describe("perplexity_live", () => {
    const live = (name: string, more: Partial<Comparison> = {}) =>
      comparison(name, { mode: "perplexity_live", region: "uk", ...more })

    test.effect("asks each side's question once, from the region, and charges 150 × k / 2", () =>
      Effect.gen(function* () {
        for (const answering of [["a", "b"], ["a"], ["b"], []]) {
          const script = yield* scriptPlatforms((platform, question) =>
            answering.includes(sideOf(question))
              ? Effect.succeed(answer)
              : Effect.fail(failed(platform, "upstream_unavailable"))
          )
          const { outcome, balance } = yield* runAs(yield* purse(1000, "live"), live("k of 2"))
          assert.sameDeepMembers(
            script.asked.map(({ platform, question }) => [platform, question.turns[0]?.content, question.country]),
            [
              ["perplexity_live", "a k of 2", "GB"],
              ["perplexity_live", "b k of 2", "GB"]
            ]
          )
          assert.strictEqual(balance, 1000 - (150 * answering.length) / 2)
          assert.deepEqual(
            answeredIn(outcome),
            answering.map((side) => `${side}:perplexity_live`)
          )
          for (const { result } of outcome.sightings)
            if (Result.isFailure(result)) assert.strictEqual(result.failure.code, "upstream_unavailable")
        }
        assert.deepEqual((yield* (yield* Auditor).audit).differences, [])
      })
    )

    test.effect("searches one capture for two brands on one question, and charges two", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        const { outcome } = yield* runAs(
          yield* purse(150, "live"),
          oneQuestion("one capture", { mode: "perplexity_live" })
        )
        assert.lengthOf(script.asked, 1)
        assert.deepEqual(answeredIn(outcome), ["a:perplexity_live", "b:perplexity_live"])
        assert.strictEqual(toCents(outcome.charge), 150)
      })
    )

    test.effect("cools down after a rate limit on one side, and the next comparison does not ask it", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms((platform, question) =>
          sideOf(question) === "a" ? Effect.fail(failed(platform, "upstream_rate_limited")) : Effect.succeed(answer)
        )
        const first = yield* runAs(yield* purse(150, "live"), live("limited", { region: "au" }))
        assert.deepEqual(answeredIn(first.outcome), ["b:perplexity_live"])
        assert.strictEqual(first.balance, 75)
        const second = yield* runAs(yield* purse(150, "live"), live("limited", { region: "au" }))
        assert.lengthOf(script.asked, 2)
        assert.strictEqual(second.balance, 150)
        for (const { result } of second.outcome.sightings)
          assert.strictEqual(Result.isFailure(result) && result.failure.code, "upstream_rate_limited")
      })
    )

    test.effect("is refused before any hold if the surface is not on offer, whatever the balance", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        for (const balance of [0, 1000]) {
          const wallet = yield* purse(balance, "test")
          const refused = yield* Effect.flip(runAs(wallet, live("nobody")))
          assert.deepInclude(refused, { _tag: "ModeNotConfigured", mode: "perplexity_live" })
          assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), {
            available: credits(balance),
            held: credits(0)
          })
        }
        assert.lengthOf(script.asked, 0)
      })
    )
  })
})
