/**
 * The real adapters against the sandbox: only the base URL differs from the vendors.
 *
 * Planted and seen red: grounding ids that resolve to nothing; Perplexity ids that no marker points at; a paused turn that pauses
 * again for ever; refusals without their text.
 */
import { assert, layer } from "@effect/vitest"
import type { Question } from "@sightline/domain/Answer"
import { defaultModel, shippedModels } from "@sightline/domain/Model"
import { LlmPlatform } from "@sightline/domain/Platform"
import { providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { Effect, Layer, Logger, Option, Redacted, Result } from "effect"
import { Origin } from "./Origin.ts"

type Platform = typeof LlmPlatform.Type

const capture = Effect.fnUntraced(function* (platform: Platform) {
  const origin = yield* Origin
  const client = yield* UpstreamClient
  const at = (name: string) => ({
    baseUrl: `${origin}/${name}`,
    apiKey: Option.some(Redacted.make("sandbox")),
    models: shippedModels,
    deadline: providerDeadline
  })
  const resolveRedirect = (url: string) => client.location(`${origin}/gemini${new URL(url).pathname}`)
  const makers = {
    chatgpt_api: ChatGpt.make(at("openai")),
    claude_api: Claude.make(at("anthropic")),
    gemini_api: Gemini.make({ ...at("gemini"), resolveRedirect }),
    perplexity_api: Perplexity.make(at("perplexity"))
  }
  return yield* makers[platform]
})

const ask = Effect.fnUntraced(function* (platform: Platform, content: string, over: Partial<Question> = {}) {
  const answerer = yield* capture(platform)
  return yield* answerer({
    turns: [{ role: "user", content }],
    model: defaultModel(shippedModels, platform).id,
    country: "GB",
    city: "Leeds",
    webSearch: true,
    ...over
  })
})

layer(Layer.mergeAll(Origin.layer({ seed: 1 }), UpstreamClient.layer, Logger.layer([])), { excludeTestServices: true })(
  "an adapter",
  (it) => {
    it.effect.each(LlmPlatform.literals)("%s reads an answer with its sources, without links and markers", (platform) =>
      Effect.gen(function* () {
        const answer = yield* ask(platform, "What are the best running shoes? [[sandbox:answer]]")
        assert.strictEqual(answer.finish, "stop")
        assert.isTrue(answer.searched)
        assert.isAbove(answer.text.length, 600)
        assert.notMatch(answer.text, /\.example|\]\(|\[\d+\]/)
        assert.isAbove(answer.citations.length, 1)
        for (const { url } of answer.citations) assert.match(url, /^https:\/\/[a-z-]+\.example\//)
        if (platform === "gemini_api") assert.isTrue(answer.citations.some(({ url }) => new URL(url).pathname !== "/"))
        if (platform === "chatgpt_api" || platform === "gemini_api") {
          for (const { text = "" } of answer.citations.slice(0, 2)) assert.include(answer.text.replace(/\*/g, ""), text)
        }
      })
    )

    it.effect.each(LlmPlatform.literals)(
      "%s reads three hundred answers, and only silent refusals are no answer",
      (platform) =>
        Effect.gen(function* () {
          const results = yield* Effect.forEach(
            Array.from({ length: 300 }, (_, index) => `Which crm is best for case ${index}?`),
            (question) => Effect.result(ask(platform, question)),
            { concurrency: 16 }
          )
          const failures = results.flatMap((result) => (Result.isFailure(result) ? [result.failure.code] : []))
          assert.deepEqual(
            Array.from(new Set(failures)).filter((code) => code !== "provider_error"),
            []
          )
          assert.isAtMost(failures.length, 12)
        })
    )

    it.effect.each(LlmPlatform.literals)("%s tells a refusal with text from one without", (platform) =>
      Effect.gen(function* () {
        const refused = yield* ask(platform, "best crm [[sandbox:refusal]]")
        assert.include(refused.text, "can’t help with that")
        for (const outcome of ["silent-refusal", "empty"]) {
          const failed = yield* Effect.flip(ask(platform, `best crm [[sandbox:${outcome}]]`))
          assert.strictEqual(failed.code, "provider_error")
        }
        assert.strictEqual((yield* ask(platform, "best crm [[sandbox:truncated]]")).finish, "length")
      })
    )

    it.effect.each(LlmPlatform.literals)("%s classifies each fault", (platform) =>
      Effect.gen(function* () {
        const expected = {
          "status=401": "provider_auth_failed",
          "status=429;retry-after=120": "provider_rate_limited",
          "status=504": "provider_timeout",
          malformed: "provider_error",
          "oversized=5MiB": "provider_error"
        }
        for (const [fault, code] of Object.entries(expected)) {
          const failed = yield* Effect.flip(ask(platform, `best crm [[sandbox:${fault}]]`))
          assert.strictEqual(failed.code, code, fault)
        }
      })
    )

    it.effect("a broken connection and a server error that persist make the provider unavailable", () =>
      Effect.gen(function* () {
        const [reset, down] = yield* Effect.all(
          [
            Effect.flip(ask("chatgpt_api", "best crm [[sandbox:reset]]")),
            Effect.flip(ask("gemini_api", "best crm [[sandbox:status=503]]"))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(reset.code, "provider_unavailable")
        assert.strictEqual(down.code, "provider_unavailable")
      })
    )

    it.effect("a single server error is retried, and a question of several turns keeps its subject", () =>
      Effect.gen(function* () {
        const answer = yield* ask("chatgpt_api", "best crm [[sandbox:status=503;times=1]]")
        assert.strictEqual(answer.finish, "stop")
        const followed = yield* ask("claude_api", "", {
          turns: [
            { role: "user", content: "What are the best headphones? [[sandbox:answer]]" },
            { role: "assistant", content: "Sony and Bose." },
            { role: "user", content: "And for planes?" }
          ]
        })
        assert.match(followed.text, /Sony|Bose|Sennheiser|JBL/)
      })
    )
  }
)
