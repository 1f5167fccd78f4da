/**
 * What a call asks, and among whom its answers are shared.
 *
 * Planted and seen red: models offered by another day than today; a model of a provider left out not looked up; a city left
 * out, or told to a live surface; a search asked of a
 * model without; answers of two sandboxes shared,
 * also of asks; a live ask put to the sandbox; a temperature of 0 left out.
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
import { offering } from "./told.ts"

/** A model that is about to be gone, and does not search the web. */
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

it.effect("a model may be asked for until the day on which it expires begins, also of a provider left out", () =>
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

it.effect("a model is asked from the country and the city of the call, a live surface from its country alone", () =>
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

it("answers are shared among the sandboxes of one seed, and among all that is live", () => {
  const scope = (environment: Environment, sandboxSeed: number) => scopeOf({ ...offering, sandboxSeed }, environment)
  assert.strictEqual(scope("test", 1), scope("test", 1))
  assert.strictEqual(scope("live", 1), scope("live", 2))
  assert.strictEqual(new Set([scope("test", 1), scope("test", 2), scope("live", 1)]).size, 3)
})

/** What an ask of four platforms puts, for a wallet and in a sandbox. */
const asked = (wallet: Wallet, more: Partial<Ask> = {}, sandboxSeed = 1) =>
  Effect.map(askSubjectsOf({ ...offering, sandboxSeed }, wallet, asking("best crm", more)), Array.getSuccesses)

it.effect("of an ask are of its wallet's world, and shared as it says: by all, or within the account", () =>
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
    // Shared: live, and two sandboxes; private: the same of each of two accounts.
    assert.strictEqual(scopes.size, 9)
  })
)

it.effect("of an ask keep what is nothing apart from what was not said", () =>
  Effect.gen(function* () {
    const wallet = { accountId: AccountId.make(randomUUID()), environment: "test" } as const
    const [given, left] = [yield* asked(wallet, { temperature: 0, system: "" }), yield* asked(wallet)]
    for (const { question } of given) assert.deepInclude(question, { temperature: 0, system: "" })
    for (const { question } of left) assert.doesNotHaveAnyKeys(question, ["temperature", "system"])
  })
)
