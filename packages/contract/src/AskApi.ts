import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Tokens } from "@sightline/domain/Answer"
import { Country } from "@sightline/domain/Country"
import { FailureCode } from "@sightline/domain/Platform"
import { WebhookId } from "@sightline/domain/Webhook"
import { Authorization } from "./Authorization.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { Expired, InsufficientCredits, NotFound, onceProblems, RequestUnsupported } from "./Problem.ts"
import { choices } from "./Choices.ts"
import { withDefault } from "./Default.ts"
import { text, words } from "./Text.ts"

/** The four providers of ask, as customers name them. */
export const AskProvider = Schema.Literals(["openai", "anthropic", "gemini", "perplexity"])
export type AskProvider = typeof AskProvider.Type

const said = words(1, 480)

const modelId = Schema.optionalKey(text(1, 200))

/** Maximum number of turns of a conversation besides its system turn. */
const turnsMax = 10

const Message = Schema.Struct({ role: Schema.Literals(["system", "user", "assistant"]), content: said })

const conversation = (messages: ReadonlyArray<typeof Message.Type>) => {
  const turns = messages.filter(({ role }) => role !== "system")
  if (messages.length - turns.length > 1) return "may have one system turn"
  if (turns.length > turnsMax) return `may have ${turnsMax} turns beside the system turn`
  return turns.at(-1)?.role === "user" || "must end with a user turn"
}

const messages = Schema.Array(Message).check(
  Schema.makeFilter(conversation, {
    description: `Up to ${turnsMax} turns of user and assistant, the last one by the user, and at most one system turn beside them.`,
    toJsonSchema: () => ({ minItems: 1, maxItems: turnsMax + 1 })
  })
)

const onePrompt = ({ prompt, messages }: { readonly prompt?: unknown; readonly messages?: unknown }) =>
  (prompt === undefined) !== (messages === undefined) || {
    path: ["prompt"],
    issue: "is needed, or `messages` in its place, and not both"
  }

const asyncHasWebhook = (body: { readonly async: boolean; readonly webhook_id?: unknown }) =>
  !body.async || body.webhook_id !== undefined || { path: ["webhook_id"], issue: "is needed because `async` is true" }

/** Body of `POST /v1/ask`. Source: contract, "POST /v1/ask". */
export const AskRequest = Schema.Struct({
  prompt: Schema.optionalKey(said),
  messages: Schema.optionalKey(messages),
  system_message: Schema.optionalKey(said.annotate({ description: "Ignored when `messages` has a system turn." })),
  providers: withDefault(choices(AskProvider), AskProvider.literals),
  model: withDefault(
    Schema.Record(AskProvider, modelId).annotate({
      description: "A model per provider; an unavailable model fails only that provider."
    }),
    {}
  ),
  params: withDefault(
    Schema.Struct({
      temperature: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
      max_tokens: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8000 })))
    }),
    {}
  ),
  track_brands: withDefault(
    Schema.Array(words(1, 80)).check(Schema.isMaxLength(10, { message: "must have at most 10 items" })),
    []
  ),
  web_search: withDefault(Schema.Boolean, true),
  country: Schema.optionalKey(Country),
  cache_scope: withDefault(Schema.Literals(["shared", "private"]), "shared"),
  mode: withDefault(Schema.Literals(["live", "standard"]), "live"),
  async: withDefault(Schema.Boolean, false),
  webhook_id: Schema.optionalKey(WebhookId)
})
  .annotate({
    examples: [
      {
        prompt: "What are the best running shoes?",
        providers: AskProvider.literals,
        model: {},
        params: {},
        track_brands: ["Nike"],
        web_search: true,
        cache_scope: "shared",
        mode: "live",
        async: false
      }
    ]
  })
  .check(
    Schema.makeFilter(onePrompt, {
      toJsonSchema: () => ({ oneOf: [{ required: ["prompt"] }, { required: ["messages"] }] })
    }),
    Schema.makeFilter(asyncHasWebhook, {
      toJsonSchema: () => ({ anyOf: [{ properties: { async: { const: false } } }, { required: ["webhook_id"] }] })
    })
  )
  .annotate({ identifier: "AskRequest" })
export type AskRequest = typeof AskRequest.Type

const AskCitation = Schema.Struct({
  url: Schema.String,
  title: Schema.optionalKey(Schema.String),
  snippet: Schema.optionalKey(Schema.String)
})

/** What one provider answered. */
export const ProviderResult = Schema.Struct({
  provider: AskProvider,
  model: Schema.String,
  content: Schema.String,
  citations: Schema.Array(AskCitation),
  tokens: Tokens,
  latency_ms: Schema.Int
}).annotate({ identifier: "ProviderResult" })

/** Why one provider gave no answer; it was not charged. */
export const ProviderError = Schema.Struct({
  provider: AskProvider,
  error: Schema.Struct({ code: FailureCode, message: Schema.String })
}).annotate({ identifier: "ProviderError" })

/** A tracked brand that a provider's answer names. */
export const BrandMention = Schema.Struct({
  brand: Schema.String,
  provider: AskProvider,
  rank: Schema.Int,
  sentiment: Schema.Literals(["positive", "neutral", "negative"]),
  context: Schema.String
}).annotate({ identifier: "BrandMention" })

/** A page that the answers cite, whichever of its addresses they used. */
export const AggregatedCitation = Schema.Struct({
  canonical_url: Schema.String,
  domains: Schema.Array(Schema.String),
  providers_cited: Schema.Array(AskProvider),
  title: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AggregatedCitation" })

/** The answer to an ask. Source: contract, "Ask result (live mode)". */
export const AskResult = Schema.Struct({
  request_id: Schema.String,
  id: Schema.String,
  cached: Schema.Boolean,
  cache_tier: Schema.Literals(["l1", "l2", "l3", "miss"]),
  providers: Schema.Array(Schema.Union([ProviderResult, ProviderError])),
  brand_mentions: Schema.Array(BrandMention),
  citations: Schema.Array(AggregatedCitation),
  usage: Schema.Struct({
    billable_units: Schema.Int,
    latency_ms: Schema.Int.annotate({
      description: "Time since the ask was accepted, including its time in the queue."
    }),
    cost_cents: Schema.Finite
  })
}).annotate({
  identifier: "AskResult",
  description: "The answers of the providers that did not fail, and what they cost."
})
export type AskResult = typeof AskResult.Type

/** The acknowledgment of an ask that was queued. */
export const AskAccepted = Schema.Struct({
  ask_id: Schema.String,
  request_id: Schema.String,
  status: Schema.Literal("queued"),
  mode: Schema.Literals(["standard", "async"]),
  poll_url: Schema.String,
  estimated_cost_cents: Schema.Finite,
  price_label: Schema.String
}).annotate({ identifier: "AskAccepted", description: "The ask is queued; its price is held until it ends." })
export type AskAccepted = typeof AskAccepted.Type

/** The id of the ask's charge. */
const charge_id = Schema.String.annotate({
  description: "`id` of the call's charge in `/v1/charges`; `charge_id` in `/v1/ledger`."
})

/** An ask that is queued or running. Source: decisions A1. */
export const AskPending = Schema.Struct({
  request_id: Schema.String,
  id: Schema.String,
  status: Schema.Literals(["queued", "running"]),
  charge_id
}).annotate({ identifier: "AskPending", description: "The ask is queued or running." })

/** An ask from the archive; one that `failed` was abandoned, and every provider has an error. */
export const ArchivedAsk = Schema.Struct({
  ...AskResult.fields,
  status: Schema.Literals(["completed", "failed"]),
  charge_id
}).annotate({
  identifier: "ArchivedAsk",
  description: "The archived result. `failed` means that the ask was abandoned: every provider has an error."
})
export type ArchivedAsk = typeof ArchivedAsk.Type

/** `POST /v1/ask`: send a prompt to LLM providers, at once or queued; `GET /v1/ask/{id}`: its result, for 30 days. */
export class AskApi extends HttpApiGroup.make("ask")
  .add(
    HttpApiEndpoint.post("run", "/v1/ask", {
      headers: idempotencyKey,
      payload: AskRequest,
      success: [AskResult, AskAccepted.pipe(HttpApiSchema.status(202))],
      error: [RequestUnsupported, InsufficientCredits, ...onceProblems]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Ask LLM providers",
        description:
          "Sends a prompt or a conversation to LLM providers and returns their answers, or a 202 when it is queued. Kept for existing clients: new integrations should use a check."
      })
    ),
    HttpApiEndpoint.get("find", "/v1/ask/:id", {
      params: { id: Schema.String },
      success: [ArchivedAsk, AskPending],
      error: [NotFound, Expired]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get an ask",
        description: "The status of an ask while it is open, then its answer, kept for 30 days."
      })
    )
  )
  .middleware(Authorization) {}
