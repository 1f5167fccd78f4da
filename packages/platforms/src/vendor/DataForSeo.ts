import { Effect, Option, Redacted, Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import type { Capture } from "@sightline/platforms/Capture"
import type { JsonObject, Read } from "@sightline/platforms/Exchange"
import type { Fault } from "@sightline/platforms/Fault"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { readChat } from "./DataForSeoChat.ts"
import { refusal, resultIn } from "./DataForSeoEnvelope.ts"
import { readOverview } from "./DataForSeoOverview.ts"
import { absent } from "@sightline/platforms/SurfaceAnswer"
import { asking, type Vendor } from "./SurfaceCapture.ts"

/** The surfaces this vendor looks at. */
export type DataForSeoSurface = "chatgpt_live" | "gemini_live" | "ai_overview" | "ai_mode" | "bing_copilot"

/** An account with the vendor. */
export interface DataForSeoAccount extends Vendor {
  readonly login: string
  readonly password: Redacted.Redacted
}

interface Endpoint {
  readonly path: string
  /** Fields of the task in addition to the question and the location. */
  readonly task: JsonObject
  readonly read: (result: unknown) => Result.Result<Answer, Fault>
}

const desktop = { device: "desktop", os: "windows" }

const endpoints: Readonly<Record<DataForSeoSurface, Endpoint>> = {
  chatgpt_live: {
    path: "/v3/ai_optimization/chat_gpt/llm_scraper/live/advanced",
    task: { force_web_search: true },
    read: readChat("chatgpt_live")
  },
  gemini_live: {
    path: "/v3/ai_optimization/gemini/llm_scraper/live/advanced",
    task: {},
    read: readChat("gemini_live")
  },
  ai_overview: {
    path: "/v3/serp/google/organic/live/advanced",
    task: { ...desktop, load_async_ai_overview: true },
    read: readOverview("ai_overview")
  },
  ai_mode: { path: "/v3/serp/google/ai_mode/live/advanced", task: desktop, read: readOverview("ai_mode") },
  bing_copilot: { path: "/v3/serp/bing/organic/live/advanced", task: desktop, read: readOverview("bing_copilot") }
}

/** The vendor decodes `%xx` and reads `+` as a blank, so both are escaped. Source: DataForSEO, field `keyword`. */
const keywordOf = (query: string): string => query.replaceAll("%", "%25").replaceAll("+", "%2B")

const basic = (login: string, password: Redacted.Redacted): string =>
  `Basic ${Buffer.from(`${login}:${Redacted.value(password)}`).toString("base64")}`

const readWith =
  (surface: DataForSeoSurface, read: Endpoint["read"]): Read<Answer> =>
  (body) =>
    Result.flatMap(resultIn(body), Option.match({ onNone: () => Result.succeed(absent(surface)), onSome: read }))

/**
 * A live surface through DataForSEO's live endpoints, which answer in one request.
 *
 * Laws: at the deadline the connection is closed, although the vendor goes on for 120 seconds and may charge for it.
 */
export const make = (
  surface: DataForSeoSurface,
  account: DataForSeoAccount
): Effect.Effect<Capture, never, UpstreamClient> => {
  const { path, read, task } = endpoints[surface]
  return asking(surface, account, {
    path,
    headers: { authorization: basic(account.login, account.password) },
    body: (query, { language, locationCode }) => [
      { keyword: keywordOf(query), location_code: locationCode, language_code: language, ...task }
    ],
    read: readWith(surface, read),
    refusal
  })
}
