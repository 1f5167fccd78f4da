/**
 * Live checks from request to charge, over a real store, in-process buses and scripted surfaces.
 *
 * Planted and seen red:
 * - live questions through the cache and through flights
 * - no rest; a rest without its country
 * - the adapter's shorter wait reported to the customer
 * - an absent surface reported as a timeout
 * - an answer that the surface did not show left out of the record
 * - a surface asked although it is not on offer; a single mode that is not on offer answered with 200; a hold before that is known
 * - the city in a live question
 * - a wait longer than 92 s
 */
import { it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { Bus } from "@sightline/actor/Bus"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { Check } from "@sightline/domain/Check"
import { toCents } from "@sightline/domain/Credits"
import type { Mode } from "@sightline/domain/Mode"
import { shippedModels } from "@sightline/domain/Model"
import { type FailureCode, LiveSurface, PlatformFailed } from "@sightline/domain/Platform"
import { checkOffers } from "@sightline/domain/PriceList"
import type { Wallet } from "@sightline/domain/Wallet"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { Auditor } from "@sightline/engine/Auditor"
import { type CheckOrder, CheckRunner } from "@sightline/engine/CheckRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Offering } from "@sightline/engine/Subjects"
import type { Capture } from "@sightline/platforms/Capture"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { layerDatabase } from "../store/database.ts"
import { checkRow } from "../store/purse.ts"
import { outcomeOf, purse, tables } from "./scripted.ts"

const answer: Answer = {
  text: "1. **Globex** leads.\n2. **Acme** follows.",
  raw: "",
  citations: [],
  fanOut: ["acme or globex"],
  brandEntities: [],
  searched: true,
  model: "",
  finish: "stop"
}
const absent: Answer = { ...answer, text: "", fanOut: [], surfacePresent: false, sponsored: [] }

/** The questions the surfaces were asked, and what each does with the next one. */
class Script extends Context.Service<
  Script,
  { readonly asked: Array<readonly [LiveSurface, Question]>; readonly captures: Map<LiveSurface, Capture> }
>()("Script") {
  static readonly layer = Layer.sync(Script, () => ({ asked: [], captures: new Map() }))
}

const everySurface: ReadonlySet<LiveSurface> = new Set(LiveSurface.literals)

const actors = Layer.unwrap(
  Effect.map(Script, (script) =>
    PlatformActors.layer(
      LiveSurface.literals.map((platform) => ({
        environment: "live" as const,
        platform,
        capture: (question) =>
          Effect.suspend(() => {
            script.asked.push([platform, question])
            return script.captures.get(platform)?.(question) ?? Effect.succeed(answer)
          }),
        concurrency: 4,
        mailboxMax: 0
      }))
    )
  )
)

/** One process of an installation: its own bus, worker and caches. */
const runner = (surfaces: ReadonlySet<LiveSurface>) => {
  const offering: Offering = { models: shippedModels, surfaces: { live: surfaces, test: new Set() }, sandboxSeed: 1 }
  return Layer.fresh(
    CheckRunner.layer(offering).pipe(
      Layer.provide([AnswerSource.layer, LiveSource.layer]),
      Layer.provide(actors),
      Layer.provide([Bus.layerMemory, Layer.mock(CaptureJournal, { record: () => Effect.void })])
    )
  )
}

class OtherRunner extends Context.Service<OtherRunner, CheckRunner["Service"]>()("OtherRunner") {}
class PartRunner extends Context.Service<PartRunner, CheckRunner["Service"]>()("PartRunner") {}
class LonelyRunner extends Context.Service<LonelyRunner, CheckRunner["Service"]>()("LonelyRunner") {}

const lonely = CheckRunner.layer({
  models: shippedModels,
  surfaces: { live: everySurface, test: new Set() },
  sandboxSeed: 1
}).pipe(Layer.provide([AnswerSource.layer, LiveSource.layer]), Layer.provide(Bus.layerMemory), Layer.fresh)

const layer = Layer.mergeAll(
  runner(everySurface),
  Layer.effect(OtherRunner, CheckRunner).pipe(Layer.provide(runner(everySurface))),
  Layer.effect(PartRunner, CheckRunner).pipe(Layer.provide(runner(new Set(["ai_mode", "bing_copilot"])))),
  Layer.effect(LonelyRunner, CheckRunner).pipe(Layer.provide(lonely)),
  Auditor.layer.pipe(Layer.provide(AuditRecords.layer))
).pipe(Layer.provideMerge(Script.layer), Layer.provideMerge(tables), Layer.provideMerge(layerDatabase))

const fail = (platform: LiveSurface, code: FailureCode, more: { readonly retryAfterSeconds?: number } = {}) =>
  new PlatformFailed({ platform, code, message: "told to fail", ...more })

const check = (mode: Mode, more: Partial<Check> = {}): Check => ({
  query: "best anvils",
  brand: "Acme",
  mode,
  platforms: checkOffers[mode].platforms,
  region: "us",
  models: {},
  ...more
})

/** Runs a check for a new customer and returns its outcome and its cost. */
const runOn = Effect.fnUntraced(function* (process: CheckRunner["Service"], one: Check) {
  const wallet = yield* purse(1000, "live")
  const { balance, outcome } = yield* outcomeOf((reply: CheckOrder["reply"]) =>
    process.run({ wallet, check: one, claim: Option.none(), reply })
  )
  return { outcome, spent: 1000 - balance }
})

const run = (one: Check) => Effect.flatMap(CheckRunner, (process) => runOn(process, one))

/** Starts over: no surface is cooling down, every surface answers. */
const afresh = Effect.gen(function* () {
  const script = yield* Script
  script.captures.clear()
  script.asked.length = 0
  yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM capture_rests`)
  return script
})

/** Moves the end of every rest this many seconds closer. */
const pass = (seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE capture_rests SET rests_until = rests_until - make_interval(secs => ${seconds})`
  )

it.layer(layer, { excludeTestServices: true })("live checks", (test) => {
  describe("asking", () => {
    test.effect("every call asks again: the same question, concurrent or later, is neither shared nor cached", () =>
      Effect.gen(function* () {
        const script = yield* afresh
        const runs = yield* Effect.replicateEffect(run(check("ai_mode")), 4, { concurrency: "unbounded" })
        const { outcome } = yield* run(check("ai_mode"))
        assert.lengthOf(script.asked, 5)
        for (const { cache, charge } of [outcome, ...runs.map((one) => one.outcome)])
          assert.deepEqual([cache, toCents(charge)], ["miss", 35])
        const [row] = yield* SqlClient.SqlClient.use((sql) => sql`SELECT count(*)::int AS answers FROM answers`)
        assert.strictEqual(row?.["answers"], 0)
      })
    )

    test.effect("a live question contains the country, but neither city nor model", () =>
      Effect.gen(function* () {
        const script = yield* afresh
        yield* run(check("chatgpt_live", { region: "uk", city: "Leeds" }))
        assert.deepEqual(script.asked, [
          [
            "chatgpt_live",
            { turns: [{ role: "user", content: "best anvils" }], model: "", country: "GB", webSearch: true }
          ]
        ])
      })
    )

    test.effect("a surface without an actor, or with a full mailbox, is upstream_unavailable at once", () =>
      Effect.gen(function* () {
        const script = yield* afresh
        const { outcome } = yield* runOn(yield* LonelyRunner, check("ai_mode"))
        assert.deepEqual(
          outcome.failures.map(({ platform, code }) => [platform, code]),
          [["ai_mode", "upstream_unavailable"]]
        )
        const arrived = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        script.captures.set("ai_mode", () =>
          Effect.gen(function* () {
            if (script.asked.length === 4) yield* Deferred.succeed(arrived, undefined)
            yield* Deferred.await(gate)
            return answer
          })
        )
        const busy = yield* Effect.forkChild(Effect.replicateEffect(run(check("ai_mode")), 4, { concurrency: 4 }))
        yield* Deferred.await(arrived)
        const surplus = yield* run(check("ai_mode"))
        assert.strictEqual(surplus.outcome.failures[0]?.code, "upstream_unavailable")
        assert.strictEqual(surplus.spent, 0)
        yield* Deferred.succeed(gate, undefined)
        for (const { spent } of yield* Fiber.join(busy)) assert.strictEqual(spent, 35)
      })
    )
  })

  describe("money", () => {
    test.effect(
      "all_live: every number k of 6 answering surfaces is charged k × 27.5; single modes charge all or nothing",
      () =>
        Effect.gen(function* () {
          const script = yield* afresh
          for (let k = 0; k <= 6; k++) {
            script.captures.clear()
            for (const platform of LiveSurface.literals.slice(k))
              script.captures.set(platform, () => Effect.fail(fail(platform, "upstream_unavailable")))
            const { outcome, spent } = yield* run(check("all_live"))
            assert.lengthOf(outcome.sightings, k)
            assert.lengthOf(outcome.failures, 6 - k)
            assert.strictEqual(spent, 27.5 * k)
          }
          for (const surface of LiveSurface.literals) {
            script.captures.set(surface, () => Effect.fail(fail(surface, "upstream_unavailable")))
            assert.strictEqual((yield* run(check(surface))).spent, 0)
            script.captures.delete(surface)
            assert.strictEqual((yield* run(check(surface))).spent, toCents(checkOffers[surface].price))
          }
          assert.deepEqual((yield* (yield* Auditor).audit).differences, [])
        })
    )

    test.effect("a surface that shows no answer counts as checked: charged, recorded, without a mention", () =>
      Effect.gen(function* () {
        const script = yield* afresh
        script.captures.set("ai_overview", () => Effect.succeed(absent))
        const { outcome, spent } = yield* run(check("ai_overview"))
        assert.strictEqual(spent, 15)
        assert.deepInclude(outcome.sightings[0]?.visibility, { mentioned: false, rank: null, context: "" })
        const stored = Option.getOrThrow(yield* checkRow(outcome.id))
        assert.include(JSON.stringify(stored["result"]), '"surfacePresent":false')
      })
    )
  })

  describe("what is on offer", () => {
    test.effect(
      "all_live with some surfaces on offer: the others fail in their slot unasked, and are not charged",
      () =>
        Effect.gen(function* () {
          const script = yield* afresh
          const { outcome, spent } = yield* runOn(yield* PartRunner, check("all_live"))
          assert.sameMembers(
            script.asked.map(([surface]) => surface),
            ["ai_mode", "bing_copilot"]
          )
          assert.strictEqual(spent, 55)
          assert.deepEqual(
            outcome.failures.map(({ code }) => code),
            Array(4).fill("upstream_unavailable")
          )
        })
    )

    test.effect("a mode without any surface on offer is refused before any hold, whatever the balance", () =>
      Effect.gen(function* () {
        yield* afresh
        const part = yield* PartRunner
        const poor = yield* purse(0)
        const refused = (one: CheckRunner["Service"], wallet: Wallet, mode: Mode) =>
          Effect.flip(
            outcomeOf((reply: CheckOrder["reply"]) =>
              one.run({ wallet, check: check(mode), claim: Option.none(), reply })
            )
          )
        const rich = yield* purse(1000, "live")
        const before = yield* (yield* Auditor).audit
        const refusals = [
          yield* refused(part, rich, "chatgpt_live"),
          yield* refused(part, rich, "perplexity_live"),
          yield* refused(yield* CheckRunner, poor, "all_live")
        ]
        for (const { _tag } of refusals) assert.strictEqual(_tag, "ModeNotConfigured")
        assert.strictEqual((yield* (yield* Auditor).audit).charges, before.charges)
      })
    )
  })

  describe("cools down", () => {
    const limited = Effect.gen(function* () {
      const script = yield* afresh
      const retry = { retryAfterSeconds: 3 }
      script.captures.set("ai_mode", () => Effect.fail(fail("ai_mode", "upstream_rate_limited", retry)))
      const { outcome } = yield* run(check("ai_mode"))
      assert.deepInclude(outcome.failures[0], { code: "upstream_rate_limited", retryAfterSeconds: 30 })
      script.captures.clear()
      return script
    })

    test.effect("a surface that limits our rate is asked by no process for 30 s, and reports the seconds left", () =>
      Effect.gen(function* () {
        const script = yield* limited
        yield* pass(9)
        for (const process of [yield* CheckRunner, yield* OtherRunner]) {
          const { outcome, spent } = yield* runOn(process, check("ai_mode"))
          assert.deepInclude(outcome.failures[0], { code: "upstream_rate_limited", retryAfterSeconds: 21 })
          assert.strictEqual(spent, 0)
        }
        assert.lengthOf(script.asked, 1)
        yield* pass(21)
        assert.strictEqual((yield* runOn(yield* OtherRunner, check("ai_mode"))).spent, 35)
        assert.lengthOf(script.asked, 2)
      })
    )

    test.effect("other regions and surfaces are still asked", () =>
      Effect.gen(function* () {
        yield* limited
        assert.strictEqual((yield* run(check("ai_mode", { region: "ca" }))).spent, 35)
        const { outcome, spent } = yield* run(check("all_live"))
        assert.deepEqual(
          outcome.failures.map(({ platform, code }) => [platform, code]),
          [["ai_mode", "upstream_rate_limited"]]
        )
        assert.strictEqual(spent, 137.5)
      })
    )

    test.effect("no other failure starts a rest", () =>
      Effect.gen(function* () {
        const script = yield* afresh
        const codes = ["upstream_unavailable", "upstream_timeout", "surface_unavailable_in_region"] as const
        for (const code of codes) {
          script.captures.set("ai_mode", () => Effect.fail(fail("ai_mode", code)))
          assert.strictEqual((yield* run(check("ai_mode"))).outcome.failures[0]?.code, code)
        }
        assert.lengthOf(script.asked, 3)
      })
    )
  })

  test.effect("a silent surface is given up after 92 s, 2 s after its own deadline, and nothing is charged", () =>
    Effect.gen(function* () {
      const script = yield* afresh
      // A process of its own: its bus must use this clock.
      const process = Context.get(yield* Layer.build(runner(everySurface)), CheckRunner)
      const arrived = yield* Deferred.make<void>()
      script.captures.set("gemini_live", () => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never))
      const asked = yield* Effect.forkChild(runOn(process, check("gemini_live")))
      yield* Deferred.await(arrived)
      yield* TestClock.adjust("91 seconds")
      assert.isUndefined(asked.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { outcome, spent } = yield* Fiber.join(asked)
      assert.strictEqual(outcome.failures[0]?.code, "upstream_timeout")
      assert.strictEqual(spent, 0)
    }).pipe(Effect.provide(TestClock.layer()))
  )
})
