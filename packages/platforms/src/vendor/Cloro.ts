import { type Effect, Redacted } from "effect"
import type { Capture } from "@sightline/platforms/Capture"
import type { JsonObject } from "@sightline/platforms/Exchange"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { type CloroSurface, readReply, refusal } from "./CloroReply.ts"
import { asking, type Vendor } from "./SurfaceCapture.ts"

/** An account with the vendor. */
export interface CloroAccount extends Vendor {
  readonly apiKey: Redacted.Redacted
}

interface Endpoint {
  readonly path: string
  readonly question: "prompt" | "query"
  readonly include: JsonObject
}

const markdown = { markdown: true }

const endpoints: Readonly<Record<CloroSurface, Endpoint>> = {
  perplexity_live: { path: "/v1/monitor/perplexity", question: "prompt", include: markdown },
  chatgpt_live: {
    path: "/v1/monitor/chatgpt",
    question: "prompt",
    include: { markdown: true, searchQueries: true, ads: true }
  },
  gemini_live: { path: "/v1/monitor/gemini", question: "prompt", include: markdown },
  ai_mode: { path: "/v1/monitor/aimode", question: "prompt", include: markdown },
  ai_overview: { path: "/v1/monitor/google", question: "query", include: { aioverview: markdown } }
}

/** A live surface through cloro, which answers in one request. */
export const make = (surface: CloroSurface, account: CloroAccount): Effect.Effect<Capture, never, UpstreamClient> => {
  const { include, path, question } = endpoints[surface]
  return asking(surface, account, {
    path,
    headers: { authorization: `Bearer ${Redacted.value(account.apiKey)}` },
    body: (query, { country }) => ({ [question]: query, country, include }),
    read: readReply(surface),
    refusal
  })
}
