/**
 * The vendor's own typed client beside ours, over the sandbox and over the captured bodies: it knows every object, and declares every
 * field of our requests and of the sandbox's answers.
 *
 * Planted and seen red: a flag of Google's overview on AI Mode's item; a field in our request that the vendor does not have.
 */
import { assert, layer } from "@effect/vitest"
import {
  AiOptimizationApi,
  AiOptimizationChatGptLlmScraperLiveAdvancedRequestInfo,
  AiOptimizationGeminiLlmScraperLiveAdvancedRequestInfo,
  SerpApi,
  SerpBingOrganicLiveAdvancedRequestInfo,
  SerpGoogleAiModeLiveAdvancedRequestInfo,
  SerpGoogleOrganicLiveAdvancedRequestInfo
} from "dataforseo-client"
import { Effect, Layer, Redacted } from "effect"
import { globSync, readFileSync } from "node:fs"
import * as DataForSeo from "@sightline/platforms/vendor/DataForSeo"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { Origin } from "../Origin.ts"

type Surface = DataForSeo.DataForSeoSurface

const surfaces: ReadonlyArray<Surface> = ["chatgpt_live", "gemini_live", "ai_overview", "ai_mode", "bing_copilot"]

interface Class {
  readonly fromJS: (data: object) => { readonly toJSON: () => object }
}

const requests: Readonly<Record<Surface, Class>> = {
  chatgpt_live: AiOptimizationChatGptLlmScraperLiveAdvancedRequestInfo,
  gemini_live: AiOptimizationGeminiLlmScraperLiveAdvancedRequestInfo,
  ai_overview: SerpGoogleOrganicLiveAdvancedRequestInfo,
  ai_mode: SerpGoogleAiModeLiveAdvancedRequestInfo,
  bing_copilot: SerpBingOrganicLiveAdvancedRequestInfo
}

const credentials = `Basic ${Buffer.from("login:password").toString("base64")}`

/** The vendor's client for one surface. */
const clientOf = (surface: Surface, origin: string, fetched: typeof fetch) => {
  const http = {
    fetch: (url: string | URL | Request, init?: RequestInit) =>
      fetched(url, {
        ...init,
        headers: { "content-type": "application/json", accept: "application/json", authorization: credentials }
      })
  }
  const ai = new AiOptimizationApi(origin, http)
  const serp = new SerpApi(origin, http)
  const calls = {
    chatgpt_live: ai.chatGptLlmScraperLiveAdvanced.bind(ai),
    gemini_live: ai.geminiLlmScraperLiveAdvanced.bind(ai),
    ai_overview: serp.googleOrganicLiveAdvanced.bind(serp),
    ai_mode: serp.googleAiModeLiveAdvanced.bind(serp),
    bing_copilot: serp.bingOrganicLiveAdvanced.bind(serp)
  }
  return calls[surface]
}

const isClass = (value: unknown): value is Class => typeof value === "function" && Reflect.has(value, "fromJS")

/** Set by the client itself, to distinguish the kinds of items. */
const discriminator = "discriminator"

/** The fields below a value that its object's class does not declare; objects that the vendor leaves open have no class. */
const strangers = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((item) => strangers(item, `${path}[]`))
  if (typeof value !== "object" || value === null) return []
  const keys = Object.keys(value).filter((key) => key !== discriminator)
  const declared = isClass(value.constructor) ? Object.keys(value.constructor.fromJS({}).toJSON()) : keys
  const unknown = keys.filter((key) => !declared.includes(key)).map((key) => `${path}.${key}`)
  return [...unknown, ...keys.flatMap((key) => strangers(Reflect.get(value, key), `${path}.${key}`))]
}

const question = (clause: string) => `What are the best running shoes? [[sandbox:${clause}]]`

layer(Layer.merge(Origin.layer({ seed: 1 }), UpstreamClient.layer), { excludeTestServices: true })(
  "the vendor's client",
  (it) => {
    it.effect.each(surfaces)("%s: knows every field of every answer of the sandbox", (surface) =>
      Effect.gen(function* () {
        const origin = `${yield* Origin}/dataforseo`
        for (const clause of ["answer", "no-answer", "container-empty", "captcha", "region", "status=504"]) {
          const body = [{ keyword: question(clause), location_code: 2826, language_code: "en" }]
          const call: (tasks: ReadonlyArray<object>) => Promise<unknown> = clientOf(surface, origin, fetch)
          const reply = yield* Effect.promise(() => call(body))
          assert.isNotEmpty(JSON.stringify(reply))
          assert.deepStrictEqual(strangers(reply), [], clause)
        }
      })
    )

    it.effect.each(surfaces)("%s: knows every field that we send", (surface) =>
      Effect.gen(function* () {
        let sent: ReadonlyArray<object> = []
        const client = UpstreamClient.of({
          ...(yield* UpstreamClient),
          post: ({ body }) => {
            sent = Array.isArray(body) ? body : []
            return Effect.never
          }
        })
        const make = DataForSeo.make(surface, {
          baseUrl: "",
          login: "a",
          password: Redacted.make("b"),
          deadline: 0
        })
        const capture = yield* Effect.provideService(make, UpstreamClient, client)
        yield* Effect.timeoutOption(
          capture({ turns: [{ role: "user", content: "best crm" }], model: "", webSearch: true }),
          0
        )
        const declared = Object.keys(requests[surface].fromJS({}).toJSON())
        assert.isNotEmpty(sent)
        assert.includeMembers(declared, Object.keys(sent[0] ?? {}))
      })
    )

    const fixtures = globSync("test/fixtures/upstreams/dataforseo_*.json")
      .map((path) => JSON.parse(readFileSync(path, "utf8")))
      .filter(({ http_status }) => http_status === 200)

    it.effect.each(fixtures)("knows every field of a captured body: $about", ({ body, endpoint }) =>
      Effect.gen(function* () {
        const surface = surfaces.find((name) => endpoint.endsWith(paths[name])) ?? "ai_overview"
        const call: (tasks: ReadonlyArray<object>) => Promise<unknown> = clientOf(surface, "", () =>
          Promise.resolve(Response.json(body))
        )
        const reply = yield* Effect.promise(() => call([]))
        assert.deepStrictEqual(strangers(reply), [])
      })
    )
  }
)

const paths: Readonly<Record<Surface, string>> = {
  chatgpt_live: "/chat_gpt/llm_scraper/live/advanced",
  gemini_live: "/gemini/llm_scraper/live/advanced",
  ai_overview: "/google/organic/live/advanced",
  ai_mode: "/google/ai_mode/live/advanced",
  bing_copilot: "/bing/organic/live/advanced"
}
