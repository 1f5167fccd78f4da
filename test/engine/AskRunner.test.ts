/**
 * Asks from request to charge, over a real store, an in-process queue and scripted platforms.
 *
 * Planted and seen red:
 * - cached answers charged as fresh, followers' answers reported as fresh, web search not priced, the full price not required
 * - the tier taken from some of the answers, from the nearest tier, or from failures too
 * - private answers served to all accounts, served to shared questions, or not kept private
 * - a model that is not on offer replaced by the default; an expired model asked
 * - recalled answers in the wrong slot
 * - charged although nothing was held
 * - web search asked of a model that has none, or regardless of the request
 * - the system prompt or the country left out
 * - brands listed twice, or ordered by brand first
 * - sentiment cues or the ask not archived
 * - other bytes delivered than archived; the event delivered under the ask's id
 * - a hold kept when the caller disconnects
 * - a failure booked as another one, cached answers booked as fresh, fresh ones as cached
 * - the total time reported for each platform, no time, or the time of the wall clock; a job's time counted from its claim
 * - sentiment cues searched in the excerpt instead of the whole text
 * - the supported text of a citation left out (OpenAI, Gemini)
 */
import { it } from "@effect/vitest"
import { Array, DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { assert, describe } from "vitest"
import type { Ask } from "@sightline/domain/Ask"
import { credits } from "@sightline/domain/Credits"
import { LlmPlatform } from "@sightline/domain/Platform"
import { summarize } from "@sightline/domain/Usage"
import { Usage } from "@sightline/store/Usage"
import { Wallets } from "@sightline/store/Wallets"
import { dump } from "../store/purse.ts"
import { age } from "../store/queued.ts"
import {
  ageAnswers,
  anotherRunner,
  archived,
  askAs,
  asking,
  balanceOf,
  bodiesOf,
  booksInOrder,
  layerAsking,
  providers,
  queueAs,
  take,
  tellFailures,
  webhook,
  workJob,
  workOff
} from "./asking.ts"
import { answer, failed, offering, purse, scriptPlatforms } from "./scripted.ts"

const all = { concurrency: "unbounded" } as const

/** Every mix of cached answers, failures and fresh answers of one to four platforms, as counts. */
const mixes = Array.range(1, 4).flatMap((platforms) =>
  Array.range(0, platforms).flatMap((cached) =>
    Array.range(0, platforms - cached).map((fails) => ({ cached, fails, fresh: platforms - cached - fails }))
  )
)

const tariffs = [
  { tariff: "live", webSearch: true, price: 10 },
  { tariff: "live", webSearch: false, price: 6 },
  { tariff: "standard", webSearch: true, price: 7 },
  { tariff: "standard", webSearch: false, price: 4.2 }
] as const

it.layer(layerAsking, { excludeTestServices: true })("AskRunner", (test) => {
  describe("the price", () => {
    for (const { tariff, webSearch, price } of tariffs)
      test.effect(
        `${tariff}, ${webSearch ? "with" : "without"} search: ${price} if fresh, 1 if cached, 0 if failed; result = ledger = usage`,
        () =>
          Effect.gen(function* () {
            yield* tellFailures
            const law = Effect.fnUntraced(function* ({ cached, fails, fresh }: (typeof mixes)[number]) {
              const count = cached + fails + fresh
              const turned = Array.rotate([...LlmPlatform.literals], cached + 2 * fails)
              const [first = "chatgpt_api", ...rest] = turned.slice(0, count)
              const platforms: Ask["platforms"] = [first, ...rest]
              const content = `${randomUUID()} ${platforms
                .slice(cached, cached + fails)
                .map((one) => `!${one}`)
                .join()}`
              const question = asking(content, { platforms, tariff, webSearch })
              const known = platforms.slice(0, cached)
              if (Array.isReadonlyArrayNonEmpty(known))
                yield* askAs(yield* purse(100), { ...question, platforms: known, tariff: "live" })

              const wallet = yield* purse(100)
              const { result } =
                tariff === "live"
                  ? yield* askAs(wallet, question)
                  : yield* workOff(wallet, (yield* queueAs(wallet, question)).id)
              const cost = (fresh * Math.round(price * 1000) + cached * 1000) / 1000
              const { usage, cache_tier: tier, cached: isCached } = result
              assert.deepInclude(usage, { billable_units: fresh + cached, cost_cents: cost })
              assert.strictEqual(isCached, cached > 0 && fresh === 0)
              assert.strictEqual(tier, isCached ? "l1" : "miss")
              assert.deepEqual(yield* balanceOf(wallet), {
                available: credits((100_000 - Math.round(cost * 1000)) / 1000),
                held: credits(0)
              })
              const [start, end] = [DateTime.makeUnsafe(0), DateTime.add(yield* DateTime.now, { minutes: 1 })]
              const rows = yield* (yield* Usage).of({ wallet, start, end, granularity: "total" })
              const mode = webSearch ? tariff : `${tariff}_no_search`
              assert.deepEqual(summarize(rows, ""), {
                total: { calls: 1, cost: credits(cost) },
                byEndpoint: { ask: credits(cost) },
                byMode: { [mode]: credits(cost) },
                series: [{ bucket: "", calls: 1, cost: credits(cost) }]
              })
            })
            yield* Effect.forEach(mixes, law, { concurrency: 2 })
          })
      )

    test.effect("must be available in full, at the fresh price, even when everything is cached", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        const question = asking("dear")
        yield* askAs(yield* purse(40), question)
        script.asked.length = 0
        for (const [tariff, price] of [
          ["live", 40],
          ["standard", 28]
        ] as const) {
          const one = { ...question, tariff }
          const poor = yield* purse(price - 0.001)
          const before = yield* dump(poor)
          const refused = yield* Effect.flip(tariff === "live" ? askAs(poor, one) : queueAs(poor, one))
          assert.deepInclude(refused, {
            _tag: "InsufficientBalance",
            balance: credits(price - 0.001),
            required: credits(price)
          })
          assert.deepEqual(yield* dump(poor), before)
          const enough = yield* purse(price)
          if (tariff === "live") yield* askAs(enough, one)
          else yield* workOff(enough, (yield* queueAs(enough, one)).id)
          assert.strictEqual((yield* balanceOf(enough)).available, credits(price - 4))
        }
        assert.lengthOf(script.asked, 0)
      })
    )

    test.effect(
      "of one question asked concurrently is the fresh price for one caller and the cached price for the others",
      () =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms()
          const wallet = yield* purse(1000)
          const runs = yield* Effect.replicateEffect(askAs(wallet, asking("at once")), 10, all)
          assert.lengthOf(script.asked, 4)
          const costs = runs.map(
            ({ result: { usage, cache_tier: tier } }) => [usage.cost_cents, tier === "miss"] as const
          )
          assert.deepEqual(
            costs.toSorted(([a], [b]) => b - a),
            [[40, true], ...Array.makeBy(9, () => [4, false] as const)]
          )
          assert.strictEqual((yield* balanceOf(wallet)).available, credits(1000 - 40 - 36))
        })
    )

    test.effect("is refunded in full when the caller disconnects while the platforms are asked", () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        yield* scriptPlatforms(() => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never))
        const wallet = yield* purse(40)
        const fiber = yield* Effect.forkChild(askAs(wallet, asking("interrupted")))
        yield* Deferred.await(arrived)
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(0), held: credits(40) })
        yield* Fiber.interrupt(fiber)
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(40), held: credits(0) })
        assert.lengthOf((yield* dump(wallet))["asks"] ?? [], 0)
      })
    )
  })

  test.effect("a charge records the outcome of each platform, and counts as cached only if every answer was", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms((platform) =>
        platform === "chatgpt_api" ? Effect.fail(failed(platform, "provider_rate_limited")) : Effect.succeed(answer)
      )
      const wallet = yield* purse(100)
      const asked = [["claude_api"], ["chatgpt_api", "claude_api"], ["claude_api", "gemini_api"]] as const
      for (const platforms of asked) yield* askAs(wallet, asking("booked", { platforms }))
      const sql = yield* SqlClient.SqlClient
      assert.deepEqual(
        yield* sql`SELECT outcomes, cached FROM charges WHERE account_id = ${wallet.accountId} ORDER BY sequence`,
        [
          { outcomes: { claude_api: "ok" }, cached: false },
          { outcomes: { chatgpt_api: "provider_rate_limited", claude_api: "cached" }, cached: true },
          { outcomes: { claude_api: "cached", gemini_api: "ok" }, cached: false }
        ]
      )
    })
  )

  describe("the cache", () => {
    test.effect(
      "is reported by its deepest tier: l1 from memory, l2 from another process, l3 after an hour; with a fresh answer it is a miss",
      () =>
        Effect.gen(function* () {
          yield* scriptPlatforms()
          const wallet = yield* purse(1000)
          const two: Ask["platforms"] = ["gemini_api", "chatgpt_api"]
          const question = asking("tiers", { platforms: two })
          const cacheOf = ({ result }: Effect.Success<ReturnType<typeof askAs>>) => [
            result.cache_tier,
            result.cached,
            result.usage.cost_cents
          ]
          assert.deepEqual(cacheOf(yield* askAs(wallet, question)), ["miss", false, 20])
          assert.deepEqual(cacheOf(yield* askAs(wallet, question)), ["l1", true, 2])
          const other = yield* anotherRunner
          assert.deepEqual(cacheOf(yield* askAs(wallet, question, other)), ["l2", true, 2])
          assert.deepEqual(cacheOf(yield* askAs(wallet, question, other)), ["l1", true, 2])
          yield* ageAnswers("61 minutes")
          const third = yield* anotherRunner
          assert.deepEqual(cacheOf(yield* askAs(wallet, { ...question, platforms: ["gemini_api"] }, third)), [
            "l3",
            true,
            1
          ])
          assert.deepEqual(cacheOf(yield* askAs(wallet, question, third)), ["l3", true, 2])
          const more = { ...question, platforms: [...two, "claude_api"] as const }
          assert.deepEqual(cacheOf(yield* askAs(wallet, more, third)), ["miss", false, 12])
          yield* ageAnswers("23 hours")
          assert.deepEqual(cacheOf(yield* askAs(wallet, question, yield* anotherRunner)), ["miss", false, 20])
        })
    )

    test.effect("is reported by the answers alone, not by failures; only failures are a miss, and free", () =>
      Effect.gen(function* () {
        yield* tellFailures
        const wallet = yield* purse(1000)
        const content = "beside !claude_api"
        yield* askAs(wallet, asking(content, { platforms: ["chatgpt_api"] }))
        const { result } = yield* askAs(wallet, asking(content, { platforms: ["claude_api", "chatgpt_api"] }))
        assert.deepInclude(result, { cached: true, cache_tier: "l1" })
        assert.deepInclude(result.usage, { billable_units: 1, cost_cents: 1 })
        const before = yield* balanceOf(wallet)
        const nobody = yield* askAs(wallet, asking(content, { platforms: ["claude_api"] }))
        assert.deepInclude(nobody.result, { cached: false, cache_tier: "miss" })
        assert.deepInclude(nobody.result.usage, { billable_units: 0, cost_cents: 0 })
        assert.deepEqual(yield* balanceOf(wallet), before)
        assert.strictEqual((yield* archived(wallet, nobody.id)).body, nobody.body)
      })
    )

    test.effect(
      "of a private question serves that account only: no other account, no shared question and no other environment",
      () =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms()
          const [mine, theirs] = [yield* purse(100), yield* purse(100)]
          const shared = asking("private", { platforms: ["claude_api"] })
          const secret: Ask = { ...shared, scope: "private" }
          const askedBy = Effect.fnUntraced(function* (wallet: typeof mine, ask: Ask) {
            script.asked.length = 0
            const { result } = yield* askAs(wallet, ask)
            assert.strictEqual(result.cached, script.asked.length === 0)
            return script.asked.length
          })
          assert.strictEqual(yield* askedBy(mine, secret), 1)
          assert.strictEqual(yield* askedBy(mine, secret), 0)
          assert.strictEqual(yield* askedBy(theirs, secret), 1)
          assert.strictEqual(yield* askedBy(theirs, shared), 1)
          assert.strictEqual(yield* askedBy(mine, shared), 0)
          const live = { ...mine, environment: "live" as const }
          yield* (yield* Wallets).topUp({ wallet: live, amount: credits(100) })
          assert.strictEqual(yield* askedBy(live, secret), 1)
          assert.strictEqual(yield* askedBy(live, shared), 1)
        })
    )
  })

  describe("a question", () => {
    test.effect("is sent as given, at once and as a job", () =>
      Effect.gen(function* () {
        const wallet = yield* purse(1000)
        const given = {
          system: "Be brief.",
          temperature: 0.3,
          maxTokens: 77,
          webSearch: true,
          country: "DE"
        }
        for (const tariff of ["live", "standard"] as const) {
          const script = yield* scriptPlatforms()
          const turns: Ask["turns"] = [
            { role: "user", content: `as given, ${tariff}` },
            { role: "assistant", content: "Go on." },
            { role: "user", content: "And then?" }
          ]
          const platforms = ["perplexity_api", "chatgpt_api"] as const
          const models = { chatgpt_api: "gpt-5.4" }
          const ask: Ask = { ...given, turns, platforms, models, brands: [], scope: "shared", tariff }
          if (tariff === "live") yield* askAs(wallet, ask)
          else yield* workOff(wallet, (yield* queueAs(wallet, ask)).id)
          assert.sameDeepMembers(script.asked, [
            { platform: "perplexity_api", question: { ...given, turns, model: "perplexity/sonar" } },
            { platform: "chatgpt_api", question: { ...given, turns, model: "gpt-5.4" } }
          ])
        }
      })
    )

    test.effect("is sent without the fields that were left out, to the default models", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        yield* askAs(yield* purse(100), asking("plain"))
        for (const { platform, question } of script.asked) {
          const model = offering.models.find((one) => one.platform === platform && one.default)?.id ?? ""
          assert.deepEqual(question, { turns: [{ role: "user", content: "plain" }], model, webSearch: true })
        }
      })
    )

    test.effect("is sent without web search if it has none, or if its model has none", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        const wallet = yield* purse(100)
        yield* askAs(wallet, asking("no search", { webSearch: false, platforms: ["gemini_api"] }))
        assert.strictEqual((yield* balanceOf(wallet)).available, credits(94))
        yield* askAs(
          wallet,
          asking("no search", { models: { chatgpt_api: "told-offline" }, platforms: ["chatgpt_api"] })
        )
        assert.strictEqual((yield* balanceOf(wallet)).available, credits(84))
        assert.deepEqual(
          script.asked.map(({ question }) => question.webSearch),
          [false, false]
        )
      })
    )

    test.effect("for a model that is not on offer, or no longer, fails in its own slot: not sent, not charged", () =>
      Effect.gen(function* () {
        const wallet = yield* purse(1000)
        for (const model of ["gpt-0", "told-expired", "claude-sonnet-5-5", ""])
          for (const tariff of ["live", "standard"] as const) {
            const script = yield* scriptPlatforms()
            const one = asking(`blocked ${model} ${tariff}`, {
              models: { chatgpt_api: model },
              platforms: ["gemini_api", "chatgpt_api", "claude_api"],
              tariff
            })
            const { result } =
              tariff === "live" ? yield* askAs(wallet, one) : yield* workOff(wallet, (yield* queueAs(wallet, one)).id)
            assert.sameMembers(
              script.asked.map(({ platform }) => platform),
              ["gemini_api", "claude_api"]
            )
            const [before, blocked, after] = result.providers
            assert.deepInclude(before, { provider: "gemini" })
            assert.deepInclude(after, { provider: "anthropic" })
            assert.deepEqual(blocked, {
              provider: "openai",
              error: {
                code: "provider_auth_failed",
                message: "The model is not available. GET /v1/models lists those that are."
              }
            })
            assert.strictEqual(result.usage.cost_cents, tariff === "live" ? 20 : 14)
          }
      })
    )

    test.effect("for which no model is on offer asks no platform, costs nothing and is archived", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        const wallet = yield* purse(10)
        const one = asking("all blocked", { models: { gemini_api: "gpt-5.4" }, platforms: ["gemini_api"] })
        const { id, body, result } = yield* askAs(wallet, one)
        assert.lengthOf(script.asked, 0)
        assert.deepInclude(result, { cached: false, cache_tier: "miss", brand_mentions: [], citations: [] })
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(10), held: credits(0) })
        assert.deepInclude(yield* archived(wallet, id), { status: "completed", body })
      })
    )

    test.effect("with one model not on offer and the others cached asks no platform and is charged as cached", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        const wallet = yield* purse(20)
        yield* askAs(yield* purse(10), asking("half blocked", { platforms: ["gemini_api"] }))
        script.asked.length = 0
        const models = { chatgpt_api: "gpt-0" }
        const { result } = yield* askAs(
          wallet,
          asking("half blocked", { models, platforms: ["chatgpt_api", "gemini_api"] })
        )
        assert.lengthOf(script.asked, 0)
        assert.deepEqual([result.cache_tier, result.usage.cost_cents], ["l1", 1])
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(19), held: credits(0) })
      })
    )
  })

  describe("brands", () => {
    const naming = (text: string) => ({ ...answer, text, raw: text })

    test.effect("are listed by platform, then in the order tracked, each once, with rank and context", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms((platform) => {
          if (platform === "gemini_api") return Effect.fail(failed(platform))
          return Effect.succeed(platform === "claude_api" ? naming("Nobody of note.") : answer)
        })
        const platforms: Ask["platforms"] = ["perplexity_api", "gemini_api", "claude_api", "chatgpt_api"]
        const brands = ["Acme", "Initech", "Globex", "Acme"]
        const { result } = yield* askAs(yield* purse(100), asking("tracked", { platforms, brands }))
        assert.deepEqual(
          result.brand_mentions.map(({ provider, brand, rank }) => [provider, brand, rank]),
          [
            ["perplexity", "Acme", 2],
            ["perplexity", "Globex", 1],
            ["openai", "Acme", 2],
            ["openai", "Globex", 1]
          ]
        )
        for (const { brand, context } of result.brand_mentions) assert.include(context, brand)
      })
    )

    test.effect("are not searched for unless they are tracked", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
        const { result } = yield* askAs(yield* purse(100), asking("untracked"))
        assert.deepEqual(result.brand_mentions, [])
      })
    )

    test.effect("are not part of the cache: other brands are found in the same answers", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
        const wallet = yield* purse(100)
        yield* askAs(wallet, asking("other brands", { brands: ["Acme"] }))
        const { result } = yield* askAs(wallet, asking("other brands", { brands: ["Globex"] }))
        assert.lengthOf(script.asked, 4)
        assert.deepEqual(
          result.brand_mentions.map(({ brand }) => brand),
          Array.makeBy(4, () => "Globex")
        )
      })
    )

    test.effect("are archived with the ask and with their sentiment cues, which the result does not show", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms(() => Effect.succeed(naming(`${"Globex has offices. ".repeat(50)}Acme is excellent.`)))
        const sql = yield* SqlClient.SqlClient
        const wallet = yield* purse(100)
        const ask = asking("cues", { brands: ["Acme"], platforms: ["claude_api"], country: "DE" })
        const { id, result } = yield* askAs(wallet, ask)
        const [row] = yield* sql`SELECT mentions, request FROM asks WHERE id = ${id}`
        const [shown] = result.brand_mentions
        assert.hasAllKeys(shown, ["brand", "provider", "rank", "sentiment", "context"])
        const { provider: _, ...words } = shown ?? assert.fail("no mention")
        assert.deepEqual(row, {
          mentions: [{ ...words, platform: "claude_api", cues: ["excellent"] }],
          request: ask
        })
        assert.strictEqual(words.sentiment, "positive")
      })
    )
  })

  describe("the result", () => {
    test.effect("lists providers in the order asked, each with its answer or its error", () =>
      Effect.gen(function* () {
        const tokens = { input: 3, output: 5, reasoning: 2 }
        const citation = { url: "https://www.acme.com/?utm_source=x", title: "Acme", snippet: "So." }
        yield* scriptPlatforms((platform) =>
          platform === "chatgpt_api"
            ? Effect.fail(failed(platform, "provider_rate_limited"))
            : Effect.succeed({ ...answer, raw: `raw of ${platform}`, tokens, citations: [citation] })
        )
        const platforms: Ask["platforms"] = ["perplexity_api", "chatgpt_api", "claude_api"]
        const { id, result } = yield* askAs(yield* purse(100), asking("shown", { platforms }))
        assert.deepInclude(result, { id, request_id: id })
        const said = (platform: LlmPlatform) => ({
          provider: providers[platform],
          model: "told",
          content: `raw of ${platform}`,
          citations: [citation],
          tokens
        })
        const shown = result.providers.map((one) => {
          if (!("latency_ms" in one)) return one
          const { latency_ms: millis, ...rest } = one
          assert.isAtLeast(millis, 0)
          return rest
        })
        assert.deepEqual(shown, [
          said("perplexity_api"),
          { provider: "openai", error: { code: "provider_rate_limited", message: "told to fail" } },
          said("claude_api")
        ])
        assert.deepEqual(result.citations, [
          {
            canonical_url: "https://acme.com",
            domains: ["acme.com"],
            providers_cited: ["perplexity", "anthropic"],
            title: "Acme"
          }
        ])
      })
    )

    test.effect("quotes the cited page, or the answer if the engine gives only the text that a citation supports", () =>
      Effect.gen(function* () {
        const page = (path: string) => ({ url: `https://acme.com/${path}`, title: "Acme" })
        const citations = [
          { ...page("both"), text: "The answer.", snippet: "The page." },
          { ...page("answer"), text: "The answer." },
          page("neither")
        ]
        yield* scriptPlatforms(() => Effect.succeed({ ...answer, citations }))
        const { result } = yield* askAs(yield* purse(100), asking("quoted", { platforms: ["gemini_api"] }))
        const [slot] = result.providers
        assert.deepEqual(slot !== undefined && "citations" in slot && slot.citations, [
          { ...page("both"), snippet: "The page." },
          { ...page("answer"), snippet: "The answer." },
          page("neither")
        ])
      })
    )

    test.effect("reports the time of each platform and in total; a job's total counts from its acceptance", () =>
      Effect.gen(function* () {
        const wallet = yield* purse(100)
        for (const tariff of ["live", "standard"] as const) {
          yield* scriptPlatforms()
          const question = asking(`timed ${tariff}`, { platforms: ["claude_api"] })
          yield* askAs(wallet, question)
          const [arrived, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          yield* scriptPlatforms(() =>
            Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(go)), Effect.as(answer))
          )
          const both: Ask = { ...question, platforms: ["claude_api", "gemini_api"], tariff }
          const queued = Effect.gen(function* () {
            const { id } = yield* queueAs(wallet, both)
            yield* age("created_at", "90 seconds", [id])
            const job = yield* take(id)
            assert.isAtLeast(job.waitedMillis, 90_000)
            yield* workJob(job)
            return { ...(yield* archived(wallet, id)), waitedMillis: job.waitedMillis }
          })
          const { result, waitedMillis } = yield* Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(
              tariff === "live" ? Effect.map(askAs(wallet, both), (result) => ({ ...result, waitedMillis: 0 })) : queued
            )
            yield* Deferred.await(arrived)
            yield* TestClock.adjust("2 seconds")
            // The clock is set back: the reported times must not change.
            yield* TestClock.setTime(0)
            yield* Deferred.succeed(go, undefined)
            return yield* Fiber.join(fiber)
          }).pipe(Effect.provide(TestClock.layer()))
          assert.strictEqual(result.usage.latency_ms, waitedMillis + 2000)
          assert.deepEqual(
            result.providers.map((one) => "latency_ms" in one && one.latency_ms),
            [0, 2000]
          )
        }
      })
    )

    test.effect("has the same bytes in the response and in the archive", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms(() =>
          Effect.succeed({ ...answer, raw: "a \u0000 \ud800 \u2028 </script> \ud83d\udc5f" })
        )
        const wallet = yield* purse(100)
        for (const { id, body } of [yield* askAs(wallet, asking("bytes")), yield* askAs(wallet, asking("bytes"))])
          assert.strictEqual((yield* archived(wallet, id)).body, body)
      })
    )

    test.effect("has the same bytes in the archive and in the delivery, whose event has an id of its own", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms(() =>
          Effect.succeed({ ...answer, raw: "a \u0000 \ud800 \u2028 </script> \ud83d\udc5f" })
        )
        const wallet = yield* purse(100)
        const webhookId = Option.some(yield* webhook(wallet))
        const { id } = yield* queueAs(wallet, asking("delivered"), { webhookId })
        const { body } = yield* workOff(wallet, id)
        const [delivered = "", ...others] = yield* bodiesOf(id)
        assert.lengthOf(others, 0)
        const [, event, seconds, data] =
          /^\{"id":"([0-9a-f-]{36})","type":"ask\.completed","created":(\d{10}),"data":(.*)\}$/s.exec(delivered) ?? []
        assert.strictEqual(data, body)
        assert.notStrictEqual(event, id)
        assert.closeTo(Number(seconds), Date.now() / 1000, 60)
      })
    )
  })

  test.effect("the audit of all asks finds no difference", () => booksInOrder)
})
