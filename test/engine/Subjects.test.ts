/**
 * The questions of a call, and the scope in which their answers are shared.
 *
 * Planted and seen red:
 * - models checked against another day than today; the model of a provider that is not asked not looked up
 * - a city left out, or sent to a live surface
 * - web search asked of a model that has none
 * - answers shared between two sandboxes, also for asks
 * - a live ask sent to the sandbox
 * - a temperature of 0 left out
 */
import { assert, it } from "@effect/vitest"
import { Array, DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { AccountId } from "@sightline/domain/Account"
import type { Ask } from "@sightline/domain/Ask"
import { defaultModel, ModelTable, shippedModels } from "@sightline/domain/Model"
import type { Environment, LlmPlatform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { askSubjectsOf } from "@sightline/engine/AskSubjects"
import { scopeOf, subjectsOf } from "@sightline/engine/Subjects"
import { asking } from "./asking.ts"
import { offering } from "./scripted.ts"

/** A model that expires soon, and does not search the web. */
const expiring = {
  id: "told-expiring",
  platform: "chatgpt_api",
  default: false,
  webSearch: false,
  forcedSearch: false,
  temperature: true,
  expiresAt: "2027-01-14"
} as const

const subjects = (platform: LlmPlatform) =>
  subjectsOf({ ...offering, models: ModelTable.make([...shippedModels, expiring]) }, "test", {
    query: "best crm",
    platforms: [platform],
    region: "us",
    models: { chatgpt_api: expiring.id }
  })

it.effect("a model is available until the start of the day it expires, even if its provider is not asked", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2027-01-13T23:59:59.999Z")))
    const [asked, other] = [yield* subjects("chatgpt_api"), yield* subjects("claude_api")]
    assert.deepInclude(asked[0]?.question, { model: expiring.id, webSearch: false })
    assert.deepInclude(other[0]?.question, { model: defaultModel(shippedModels, "claude_api").id, webSearch: true })
    yield* TestClock.adjust("1 millis")
    for (const platform of ["chatgpt_api", "claude_api"] as const)
      assert.deepInclude(yield* Effect.flip(subjects(platform)), {
        _tag: "ModelUnavailable",
        platform: "chatgpt_api",
        model: expiring.id
      })
  })
)

it.effect("a model gets the country and the city of the call, a live surface only the country", () =>
  Effect.gen(function* () {
    const [model, surface] = yield* subjectsOf(offering, "live", {
      query: "best crm",
      platforms: ["claude_api", "perplexity_live"],
      region: "uk",
      city: "Leeds",
      models: {}
    })
    assert.deepInclude(model?.question, { country: "GB", city: "Leeds" })
    assert.deepInclude(surface?.question, { country: "GB", model: "", webSearch: true })
    assert.notProperty(surface?.question, "city")
  })
)

it("answers are shared among sandboxes with the same seed, and among all live calls", () => {
  const scope = (environment: Environment, sandboxSeed: number) => scopeOf({ ...offering, sandboxSeed }, environment)
  assert.strictEqual(scope("test", 1), scope("test", 1))
  assert.strictEqual(scope("live", 1), scope("live", 2))
  assert.strictEqual(new Set([scope("test", 1), scope("test", 2), scope("live", 1)]).size, 3)
})

/** The questions of an ask of four platforms, for a wallet and a sandbox. */
const asked = (wallet: Wallet, more: Partial<Ask> = {}, sandboxSeed = 1) =>
  Effect.map(askSubjectsOf({ ...offering, sandboxSeed }, wallet, asking("best crm", more)), Array.getSuccesses)

it.effect(
  "the questions of an ask have its wallet's environment, and are shared by all or within the account, as requested",
  () =>
    Effect.gen(function* () {
      const [mine, theirs] = [AccountId.make(randomUUID()), AccountId.make(randomUUID())]
      const scopes = new Set<string>()
      for (const scope of ["shared", "private"] as const)
        for (const accountId of [mine, theirs])
          for (const environment of ["live", "test"] as const)
            for (const seed of [1, 2])
              for (const subject of yield* asked({ accountId, environment }, { scope }, seed)) {
                assert.strictEqual(subject.environment, environment)
                scopes.add(subject.scope)
              }
      // Shared: live and two sandboxes. Private: the same three for each of two accounts.
      assert.strictEqual(scopes.size, 9)
    })
)

it.effect("the questions of an ask keep a zero or empty value, and omit a missing one", () =>
  Effect.gen(function* () {
    const wallet = { accountId: AccountId.make(randomUUID()), environment: "test" } as const
    const [given, left] = [yield* asked(wallet, { temperature: 0, system: "" }), yield* asked(wallet)]
    for (const { question } of given) assert.deepInclude(question, { temperature: 0, system: "" })
    for (const { question } of left) assert.doesNotHaveAnyKeys(question, ["temperature", "system"])
  })
)
