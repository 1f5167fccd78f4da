/**
 * Checks from request to charge, over a real store, an in-process bus and scripted platforms.
 *
 * Planted and seen red:
 * - failed platforms charged like those that answered
 * - no void when the check is interrupted while platforms are asked
 * - a failure remembered
 * - followers charged the fresh price
 * - the platforms asked before the hold
 * - a check without any answer not recorded
 * - a flight that is not renewed
 * - remembered answers beside fresh ones charged at the cached price
 * - answers of other processes charged at the fresh price, or reported as l1 if one answer is
 * - platforms asked one after another
 * - times taken from the wall clock
 */
import { it } from "@effect/vitest"
import { Clock, Context, DateTime, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { Bus } from "@sightline/actor/Bus"
import type { Check } from "@sightline/domain/Check"
import { credits, toCents } from "@sightline/domain/Credits"
import { shippedModels } from "@sightline/domain/Model"
import { LlmPlatform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { Auditor } from "@sightline/engine/Auditor"
import { type CheckOrder, CheckRunner } from "@sightline/engine/CheckRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Capture } from "@sightline/platforms/Capture"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Wallets } from "@sightline/store/Wallets"
import { layerDatabase } from "../store/database.ts"
import { checkRow } from "../store/purse.ts"
import { answer, failed, outcomeOf, purse, tables } from "./scripted.ts"

/** The number of questions asked, and what a platform does with the next one. */
class Script extends Context.Service<Script, { asked: number; readonly captures: Map<LlmPlatform, Capture> }>()(
  "Script"
) {
  static readonly layer = Layer.sync(Script, () => ({ asked: 0, captures: new Map() }))
}

const actors = Layer.unwrap(
  Effect.map(Script, (script) => {
    const capture =
      (platform: LlmPlatform): Capture =>
      (question) =>
        Effect.suspend(() => {
          script.asked++
          return script.captures.get(platform)?.(question) ?? Effect.succeed(answer)
        })
    return PlatformActors.layer(
      LlmPlatform.literals.map((platform) => ({
        environment: "test" as const,
        platform,
        capture: capture(platform),
        concurrency: 8,
        mailboxMax: 8
      }))
    )
  })
)

const offering = { models: shippedModels, surfaces: { live: new Set<never>(), test: new Set<never>() }, sandboxSeed: 1 }

const runner = CheckRunner.layer(offering).pipe(Layer.provide([AnswerSource.layer, LiveSource.layer]))

const layer = Layer.mergeAll(runner, Auditor.layer.pipe(Layer.provide(AuditRecords.layer))).pipe(
  Layer.provideMerge(actors),
  Layer.provideMerge(
    Layer.mergeAll(Script.layer, Bus.layerMemory, Layer.mock(CaptureJournal, { record: () => Effect.void }))
  ),
  Layer.provideMerge(tables),
  Layer.provideMerge(layerDatabase)
)

const check = (query: string): Check => ({
  query,
  brand: "Acme",
  mode: "quick",
  platforms: LlmPlatform.literals,
  region: "us",
  models: {}
})

/** Runs a check and returns its outcome with the balance after it. */
const runAs = (wallet: Wallet, one: Check) =>
  Effect.flatMap(CheckRunner, (runner) =>
    outcomeOf((reply: CheckOrder["reply"]) => runner.run({ wallet, check: one, claim: Option.none(), reply }))
  )

it.layer(layer, { excludeTestServices: true })("CheckRunner", (test) => {
  describe("proration", () => {
    test.effect(
      "every subset of failing platforms is charged its exact share, the first time and when asked again",
      () =>
        Effect.gen(function* () {
          const script = yield* Script
          for (let mask = 0; mask < 16; mask++) {
            const failing = LlmPlatform.literals.filter((_, n) => (mask & (1 << n)) !== 0)
            const answered = 4 - failing.length
            for (const platform of failing) script.captures.set(platform, () => Effect.fail(failed(platform)))
            const wallet = yield* purse(1000)
            const { outcome, balance } = yield* runAs(wallet, check(`subset ${mask}`))
            assert.strictEqual(toCents(outcome.charge), (150 * answered) / 4)
            assert.strictEqual(balance, 1000 - (150 * answered) / 4)
            assert.lengthOf(outcome.sightings, answered)
            assert.sameMembers(
              outcome.failures.map(({ platform }) => platform),
              failing
            )
            assert.strictEqual(outcome.cache, "miss")
            script.captures.clear()
            // A failure is not remembered: only the platforms that failed are asked again.
            const before = script.asked
            const again = yield* runAs(wallet, check(`subset ${mask}`))
            assert.strictEqual(script.asked - before, failing.length)
            assert.strictEqual(toCents(again.outcome.charge), failing.length === 0 ? 5 : 150)
          }
          assert.deepEqual((yield* (yield* Auditor).audit).differences, [])
        })
    )

    test.effect("a check without any answer is voided and recorded", () =>
      Effect.gen(function* () {
        const script = yield* Script
        for (const platform of LlmPlatform.literals) script.captures.set(platform, () => Effect.fail(failed(platform)))
        const wallet = yield* purse(1000)
        const { outcome, balance } = yield* runAs(wallet, check("nobody"))
        script.captures.clear()
        assert.strictEqual(balance, 1000)
        assert.isTrue(Option.isSome(yield* checkRow(outcome.id)))
      })
    )
  })

  test.effect("an interruption while the platforms are asked releases the whole hold", () =>
    Effect.gen(function* () {
      const script = yield* Script
      const arrived = yield* Deferred.make<void>()
      script.captures.set("chatgpt_api", () => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never))
      const wallet = yield* purse(1000)
      const fiber = yield* Effect.forkChild(runAs(wallet, check("interrupted")))
      yield* Deferred.await(arrived)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(850), held: credits(150) })
      yield* Fiber.interrupt(fiber)
      script.captures.clear()
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(1000), held: credits(0) })
    })
  )

  test.effect(
    "of concurrent identical checks one pays the fresh price, the others the cached price, and each platform is asked once",
    () =>
      Effect.gen(function* () {
        const script = yield* Script
        const before = script.asked
        const wallet = yield* purse(10_000)
        const runs = yield* Effect.replicateEffect(runAs(wallet, check("at once")), 20, { concurrency: "unbounded" })
        assert.strictEqual(script.asked - before, 4)
        const charges = runs.map(({ outcome }) => toCents(outcome.charge)).sort((a, b) => b - a)
        assert.deepEqual(charges, [150, ...Array.from({ length: 19 }, () => 5)])
        for (const { outcome } of runs) assert.strictEqual(outcome.cache === "miss", toCents(outcome.charge) === 150)
      })
  )

  test.effect(
    "answers of another process are a hit, and the hit is l1 only if all answers are in this process's memory",
    () =>
      Effect.gen(function* () {
        const elsewhere = Context.get(yield* Layer.build(Layer.fresh(runner)), CheckRunner)
        const runElsewhere = (one: Check) => Effect.provideService(runAs(wallet, one), CheckRunner, elsewhere)
        const wallet = yield* purse(1000)
        yield* runElsewhere(check("elsewhere"))
        yield* runAs(wallet, { ...check("partly"), platforms: ["chatgpt_api"] })
        yield* runElsewhere(check("partly"))
        const hits = yield* Effect.forEach(["elsewhere", "elsewhere", "partly"], (query) => runAs(wallet, check(query)))
        assert.deepEqual(
          hits.map(({ outcome }) => [outcome.cache, toCents(outcome.charge)]),
          [
            ["hit-l2", 5],
            ["hit-l1", 5],
            ["hit-l2", 5]
          ]
        )
      })
  )

  test.effect("all platforms are asked concurrently", () =>
    Effect.gen(function* () {
      const script = yield* Script
      const everybody = yield* Deferred.make<void>()
      const arrived = new Set<LlmPlatform>()
      for (const platform of LlmPlatform.literals)
        script.captures.set(platform, () => {
          arrived.add(platform)
          if (arrived.size === 4) Deferred.doneUnsafe(everybody, Effect.void)
          return Effect.as(Deferred.await(everybody), answer)
        })
      const { outcome } = yield* runAs(yield* purse(1000), check("all of them"))
      script.captures.clear()
      assert.lengthOf(outcome.sightings, 4)
    })
  )

  test.effect("a check has the time of its request and its own duration, even if the clock is changed meanwhile", () =>
    Effect.gen(function* () {
      const script = yield* Script
      const [arrived, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      script.captures.set("gemini_api", () =>
        Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(go)), Effect.as(answer))
      )
      yield* TestClock.adjust("1 hour")
      const wallet = yield* purse(150)
      const fiber = yield* Effect.forkChild(runAs(wallet, check("timed")))
      yield* Deferred.await(arrived)
      yield* TestClock.adjust("2 seconds")
      yield* TestClock.setTime(0)
      yield* Deferred.succeed(go, undefined)
      const { outcome } = yield* Fiber.join(fiber)
      assert.deepEqual([DateTime.toEpochMillis(outcome.createdAt), outcome.durationMillis], [3_600_000, 2_000])
      assert.strictEqual(outcome.millis.get("gemini_api"), 2_000)
      script.captures.clear()
    }).pipe(Effect.provide(TestClock.layer()))
  )

  test.effect("a question belongs to one process while it is asked: its flight is renewed every 3 s", () =>
    Effect.gen(function* () {
      const [script, sql] = [yield* Script, yield* SqlClient.SqlClient]
      const [arrived, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      script.captures.set("chatgpt_api", () =>
        Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(go)), Effect.as(answer))
      )
      const wallet = yield* purse(1000)
      // Flights that an earlier test left behind.
      yield* sql`DELETE FROM flights`
      // The test clock passes the time between renewals; the leases run on the database's clock.
      yield* Effect.gen(function* () {
        const clock = yield* Clock.Clock
        let waits = 0
        const counting: Clock.Clock = Object.create(clock, {
          sleep: {
            value: (duration: Duration.Duration) => {
              if (Duration.toSeconds(duration) === 3) waits++
              return clock.sleep(duration)
            }
          }
        })
        const asked = runAs(wallet, { ...check("slow"), platforms: ["chatgpt_api"] })
        const fiber = yield* Effect.forkChild(Effect.provideService(asked, Clock.Clock, counting))
        yield* Deferred.await(arrived)
        const renewed = Effect.gen(function* () {
          const left = sql`SELECT FROM flights WHERE lease_expires_at > clock_timestamp() + interval '8 seconds'`
          const rows = yield* Effect.repeat(left, { until: (found) => found.length === 1 })
          assert.lengthOf(rows, 1)
        })
        for (let round = 0; round < 4; round++) {
          yield* renewed
          // The row can change before the renewing fiber learns of it and sleeps again.
          yield* Effect.repeat(sql`SELECT`, { until: () => waits > round })
          yield* sql`UPDATE flights SET lease_expires_at = clock_timestamp() + interval '5 seconds'`
          yield* TestClock.adjust("3 seconds")
        }
        yield* renewed
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(fiber)
      }).pipe(Effect.provide(TestClock.layer()))
      script.captures.clear()
    })
  )

  test.effect("a follower of a question that fails reports a miss and pays nothing", () =>
    Effect.gen(function* () {
      const script = yield* Script
      for (const platform of LlmPlatform.literals) script.captures.set(platform, () => Effect.fail(failed(platform)))
      const wallet = yield* purse(1000)
      const runs = yield* Effect.replicateEffect(runAs(wallet, check("nobody answers")), 5, {
        concurrency: "unbounded"
      })
      script.captures.clear()
      assert.deepEqual(
        runs.map(({ outcome }) => [outcome.cache, toCents(outcome.charge), outcome.failures.length]),
        Array.from({ length: 5 }, () => ["miss", 0, 4])
      )
    })
  )

  test.effect("with an insufficient balance no platform is asked and no money moves", () =>
    Effect.gen(function* () {
      const script = yield* Script
      const before = script.asked
      const wallet = yield* purse(149)
      const refused = yield* Effect.flip(runAs(wallet, check("too poor")))
      assert.strictEqual(refused._tag, "InsufficientBalance")
      assert.strictEqual(script.asked, before)
      assert.deepEqual(yield* (yield* Wallets).balanceOf(wallet), { available: credits(149), held: credits(0) })
    })
  )

  test.effect("the brand is found in each platform's answer, and ranked among the others", () =>
    Effect.gen(function* () {
      const { outcome } = yield* runAs(yield* purse(1000), check("ranks"))
      for (const { visibility } of outcome.sightings) assert.deepInclude(visibility, { mentioned: true, rank: 2 })
    })
  )
})
