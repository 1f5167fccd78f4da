/**
 * The real vendor adapters against the sandbox: every surface, every scene, and the refusals.
 *
 * Planted and seen red: a keyword is not decoded; the country is left out; a captcha lets the answer through.
 */
import { assert, layer } from "@effect/vitest"
import { type Duration, Effect, Layer, Logger, Redacted, Result } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { type FailureCode, LiveSurface } from "@sightline/domain/Platform"
import { matchText } from "@sightline/platforms/MatchText"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import * as Cloro from "@sightline/platforms/vendor/Cloro"
import type { CloroSurface } from "@sightline/platforms/vendor/CloroReply"
import * as DataForSeo from "@sightline/platforms/vendor/DataForSeo"
import { withFallback } from "@sightline/platforms/vendor/Fallback"
import { liveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import { Origin } from "../Origin.ts"

const seed = 1
const key = Redacted.make("sandbox")

/** Longer than any answer takes on any machine. */
const ample = "1 minute"

const dataForSeo = (surface: DataForSeo.DataForSeoSurface, deadline: Duration.Input = ample) =>
  Effect.flatMap(Origin, (origin) =>
    DataForSeo.make(surface, {
      baseUrl: `${origin}/dataforseo`,
      login: "sandbox",
      password: key,
      deadline
    })
  )

const cloro = (surface: CloroSurface, deadline: Duration.Input = ample) =>
  Effect.flatMap(Origin, (origin) => Cloro.make(surface, { baseUrl: `${origin}/cloro`, apiKey: key, deadline }))

const by = <Surface, Made>(make: (surface: Surface, deadline?: Duration.Input) => Made, surface: Surface) => ({
  surface,
  make: (deadline?: Duration.Input) => make(surface, deadline)
})

/** Each vendor and surface. */
const ways = {
  "dataforseo chatgpt_live": by(dataForSeo, "chatgpt_live"),
  "dataforseo gemini_live": by(dataForSeo, "gemini_live"),
  "dataforseo ai_overview": by(dataForSeo, "ai_overview"),
  "dataforseo ai_mode": by(dataForSeo, "ai_mode"),
  "dataforseo bing_copilot": by(dataForSeo, "bing_copilot"),
  "cloro perplexity_live": by(cloro, "perplexity_live"),
  "cloro chatgpt_live": by(cloro, "chatgpt_live"),
  "cloro gemini_live": by(cloro, "gemini_live"),
  "cloro ai_mode": by(cloro, "ai_mode"),
  "cloro ai_overview": by(cloro, "ai_overview")
}

type Way = keyof typeof ways

const names = Object.keys(ways).filter((name): name is Way => Object.hasOwn(ways, name))

const asked = (content: string, country = "GB"): Question => ({
  turns: [{ role: "user", content }],
  model: "",
  country,
  webSearch: true
})

const ask = (way: Way, content: string, country?: string, deadline?: Duration.Input) =>
  Effect.flatMap(ways[way].make(deadline), (capture) => capture(asked(content, country)))

const question = "What are the best running shoes?"

const scened = (way: Way, scene: string, deadline?: Duration.Input) =>
  ask(way, `${question} [[sandbox:${scene}]]`, undefined, deadline)

const advertised: ReadonlySet<LiveSurface> = new Set(["chatgpt_live", "ai_overview", "ai_mode", "bing_copilot"])

layer(Layer.mergeAll(Origin.layer({ seed }), UpstreamClient.layer, Logger.layer([])), { excludeTestServices: true })(
  "a capture vendor of the sandbox",
  (it) => {
    it.effect.each(names)("%s: returns the surface's answer", (way) =>
      Effect.gen(function* () {
        const { surface } = ways[way]
        for (const country of ["US", "GB", "CA", "AU"]) {
          const answer = yield* ask(way, `${question} [[sandbox:answer]]`, country)
          const shown = liveAnswer({ seed, surface, question, country })
          assert.strictEqual(answer.text, matchText(shown.markdown))
          assert.deepStrictEqual(
            answer.citations.map(({ title, url }) => ({ title, url })),
            shown.sources.map(({ title, url }) => ({ title, url }))
          )
          assert.deepStrictEqual(answer.fanOut, shown.fanOut)
          assert.deepStrictEqual(
            answer.brandEntities.map(({ description, name }) => ({ name, category: description })),
            shown.entities.map(({ category, name }) => ({ name, category }))
          )
          const adverts = shown.adverts.map(({ body: _body, ...advert }) => advert)
          assert.deepStrictEqual(answer.sponsored, advertised.has(surface) ? adverts : undefined)
          assert.notProperty(answer, "surfacePresent")
          assert.isTrue(answer.searched)
        }
      })
    )

    it.effect.each(names)("%s: gives the same answer again, and another in another country", (way) =>
      Effect.gen(function* () {
        const [first, again, elsewhere] = yield* Effect.all([
          ask(way, `${question} [[sandbox:answer]]`),
          ask(way, `${question} [[sandbox:answer]]`),
          ask(way, `${question} [[sandbox:answer]]`, "AU")
        ])
        assert.deepStrictEqual(again, first)
        assert.notStrictEqual(elsewhere.text, first.text)
      })
    )

    const expected: ReadonlyArray<readonly [scene: string, code: FailureCode, ending: CaptureEnding | undefined]> = [
      ["captcha", "upstream_rate_limited", "rate_limited"],
      ["region", "surface_unavailable_in_region", "region"],
      ["login-wall", "upstream_unavailable", "refused"],
      ["container-empty", "upstream_unavailable", "container_empty"],
      ["empty", "upstream_unavailable", "container_empty"],
      ["broken", "upstream_unavailable", "parse_error"],
      ["malformed", "upstream_unavailable", "parse_error"],
      ["status=401", "upstream_unavailable", "refused"],
      ["status=403", "upstream_unavailable", "refused"],
      ["status=429", "upstream_rate_limited", "rate_limited"],
      ["status=503", "upstream_unavailable", "unavailable"],
      ["status=504", "upstream_timeout", "timeout"],
      ["reset", "upstream_unavailable", "unavailable"],
      ["hang", "upstream_timeout", "timeout"],
      ["latency=10s", "upstream_timeout", "timeout"],
      ["slow=10s", "upstream_timeout", "timeout"],
      ["misspelt", "upstream_unavailable", "refused"]
    ]

    it.effect.each(names)("%s: each scene has its own ending", (way) =>
      Effect.gen(function* () {
        const outcomes = yield* Effect.forEach(
          expected,
          ([scene, code]) =>
            Effect.map(
              Effect.flip(scened(way, scene, code === "upstream_timeout" ? "2 seconds" : ample)),
              ({ code, ending }) => [scene, code, ending] as const
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes, expected)
      })
    )

    it.effect.each(names)("%s: consent and a short wait do not change the answer", (way) =>
      Effect.gen(function* () {
        const plain = yield* scened(way, "answer")
        for (const scene of ["consent", "slow=50ms", "latency=50ms;answer"]) {
          assert.deepStrictEqual((yield* scened(way, scene)).text, plain.text, scene)
        }
        assert.include((yield* scened(way, "refusal")).text, "can’t help with that")
        assert.isBelow((yield* scened(way, "truncated")).text.length, plain.text.length)
      })
    )

    it.effect.each(names)("%s: no answer is an absence where the vendor can report one", (way) =>
      Effect.gen(function* () {
        const outcome = yield* Effect.result(scened(way, "no-answer"))
        if (way.startsWith("cloro")) {
          assert.strictEqual(Result.isFailure(outcome) ? outcome.failure.code : "ok", "upstream_unavailable")
        } else {
          const { citations, raw, sponsored, surfacePresent, text }: Answer = Result.getOrThrow(outcome)
          assert.deepStrictEqual([surfacePresent, text, raw, citations], [false, "", "", []])
          assert.deepStrictEqual(sponsored, advertised.has(ways[way].surface) ? [] : undefined)
        }
      })
    )

    it.effect.each(["ai_overview", "bing_copilot"] as const)(
      "%s has no answer to a third of the questions",
      (surface) =>
        Effect.gen(function* () {
          const answers = yield* Effect.forEach(
            Array.from({ length: 150 }, (_, index) => `Which crm is best for case ${index}?`),
            (content) => ask(`dataforseo ${surface}`, content),
            { concurrency: 8 }
          )
          const absences = answers.filter(({ surfacePresent }) => surfacePresent === false).length
          assert.isAbove(absences, 30)
          assert.isBelow(absences, 70)
        })
    )

    it.effect("a single fault is retried by the adapter, and a fault of one vendor is covered by the other", () =>
      Effect.gen(function* () {
        const patient = yield* cloro("perplexity_live")
        assert.isNotEmpty((yield* patient(asked(`${question} [[sandbox:status=502;times=1]]`))).text)
        const [first, second] = yield* Effect.all([dataForSeo("ai_mode"), cloro("ai_mode")])
        const capture = withFallback(first, second, "30 seconds")
        const captcha = asked(`${question} [[sandbox:dataforseo:captcha]]`)
        assert.strictEqual((yield* Effect.flip(first(captcha))).code, "upstream_rate_limited")
        assert.strictEqual((yield* capture(captcha)).text, (yield* scened("cloro ai_mode", "answer")).text)
        const everywhere = asked(`${question} [[sandbox:ai_mode:captcha]]`)
        assert.strictEqual((yield* Effect.flip(capture(everywhere))).code, "upstream_rate_limited")
        assert.isNotEmpty((yield* second(asked(`${question} [[sandbox:ai_overview:captcha]]`))).text)
      })
    )

    it.effect("a plus and a percent sign arrive unchanged", () =>
      Effect.gen(function* () {
        const special = "Which C++ editor is 100% best, and what is 50%2B?"
        const answer = yield* ask("dataforseo ai_mode", special)
        const shown = liveAnswer({ seed, surface: "ai_mode", question: special, country: "GB" })
        assert.strictEqual(answer.text, matchText(shown.markdown))
      })
    )
  }
)
