import { Effect, Layer, Logger, type ManagedRuntime, Option, Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { Answer, Question } from "@sightline/domain/Answer"
import { ModelTable, shippedModels } from "@sightline/domain/Model"
import type { LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import { providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import type { Upstream } from "@sightline/platforms/LlmCapture"
import type { ResolveRedirect } from "@sightline/platforms/Redirects"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { listen } from "../services/listen.ts"

/** A captured exchange, as the fixture files hold it. */
export interface Fixture {
  readonly endpoint: string
  readonly request?: Record<string, unknown>
  readonly http_status: number
  readonly headers: Record<string, string>
  readonly body?: Record<string, unknown>
  readonly body_text?: string
}

const folder = new URL("../fixtures/upstreams/", import.meta.url)

export const fixture = (name: string): Fixture => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"))

/** A copy of a JSON value, typed as the test needs it. */
export const shaped = (value: unknown) => JSON.parse(JSON.stringify(value))

/** The platform whose fixtures have this prefix. */
export const platformOf = (name: string): LlmPlatform => {
  if (name.startsWith("openai")) return "chatgpt_api"
  if (name.startsWith("anthropic")) return "claude_api"
  return name.startsWith("gemini") ? "gemini_api" : "perplexity_api"
}

/** A request as it arrived at the server. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

/** A local server in a vendor's place: it records requests and gives the prepared answers. */
export interface Vendor {
  readonly url: string
  readonly received: Array<Received>
  /** Answers the next requests in turn, and all later ones with the last answer. */
  readonly answer: (...answers: ReadonlyArray<(response: ServerResponse) => void>) => void
  readonly close: () => Promise<void>
}

export const serving =
  ({ body, body_text, headers, http_status }: Fixture) =>
  (response: ServerResponse): void => {
    response.writeHead(http_status, headers).end(body_text ?? JSON.stringify(body))
  }

export const sending =
  (status: number, body: string, contentType = "application/json") =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": contentType }).end(body)
  }

export const openVendor = async (): Promise<Vendor> => {
  const received: Array<Received> = []
  let answers: ReadonlyArray<(response: ServerResponse) => void> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString()
      received.push({
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? {} : JSON.parse(text)
      })
      const [next, ...rest] = answers
      if (rest.length > 0) answers = rest
      next?.(response)
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (...given) => {
      answers = given
      received.length = 0
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    }
  }
}

export const secret = "sk-canary-7f3a9e"

const defaults = {
  chatgpt_api: "gpt-6.1-sol",
  claude_api: "claude-sonnet-5-5",
  gemini_api: "gemini-3.8-flash",
  perplexity_api: "perplexity/sonar"
} as const satisfies Record<LlmPlatform, string>

/** The question of the grounded fixtures. */
export const question = (platform: LlmPlatform, changes: Partial<Question> = {}): Question => ({
  turns: [{ role: "user", content: "What is the best project management software for a small design agency?" }],
  system: "Answer for a general consumer. Use web search before answering.",
  model: defaults[platform],
  country: "GB",
  city: "Leeds",
  webSearch: true,
  ...changes
})

const makers = {
  chatgpt_api: ChatGpt.make,
  claude_api: Claude.make,
  gemini_api: (upstream: Upstream) => Gemini.make({ resolveRedirect: () => Effect.succeedNone, ...upstream }),
  perplexity_api: Perplexity.make
}

/** The real client, without the log. */
export const quietClient = Layer.merge(UpstreamClient.layer, Logger.layer([]))

/** The shipped models at any date, so that no test fails when a model expires. */
const models = ModelTable.make(shippedModels.map(({ expiresAt: _expiresAt, ...model }) => model))

/** One question through the real adapter and the real client to `baseUrl`. */
export const captureWith =
  (client: ManagedRuntime.ManagedRuntime<UpstreamClient, never>) =>
  (
    platform: LlmPlatform,
    baseUrl: string,
    asked: Question = question(platform),
    upstream: Partial<Upstream & { readonly resolveRedirect: ResolveRedirect }> = {}
  ): Promise<Result.Result<Answer, PlatformFailed>> =>
    client.runPromise(
      Effect.flatMap(
        makers[platform]({
          baseUrl,
          apiKey: Option.some(Redacted.make(secret)),
          models,
          deadline: providerDeadline,
          ...upstream
        }),
        (capture) => Effect.result(capture(asked))
      )
    )

/** The failure of a capture. */
export const failureOf = (outcome: Result.Result<Answer, PlatformFailed>): PlatformFailed =>
  Option.getOrThrowWith(Result.getFailure(outcome), () => new Error("there was an answer"))

/** The answer of a capture. */
export const answerOf = (outcome: Result.Result<Answer, PlatformFailed>): Answer =>
  Option.getOrThrowWith(Result.getSuccess(outcome), () => new Error("there was no answer"))
