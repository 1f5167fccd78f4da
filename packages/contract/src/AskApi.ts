import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Country } from "@sightline/domain/Country"
import { WebhookId } from "@sightline/domain/Webhook"
import { AskProvider, AskResult } from "./AskResult.ts"
import { Authorization } from "./Authorization.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { Expired, InsufficientCredits, NotFound, onceProblems, RequestUnsupported } from "./Problem.ts"
import { choices } from "./Choices.ts"
import { withDefault } from "./Default.ts"
import { text, words } from "./Text.ts"

const said = words(1, 480)

const modelId = Schema.optionalKey(text(1, 200))

/** Maximum number of turns of a conversation besides its system turn. */
const turnsMax = 10

const Message = Schema.Struct({ role: Schema.Literals(["system", "user", "assistant"]), content: said }).annotate({
  identifier: "AskMessage"
})

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
    Schema.Array(words(1, 80))
      .check(Schema.isMaxLength(10, { message: "must have at most 10 items" }))
      .annotate({ description: "The brands to look for in the answers." }),
    []
  ),
  web_search: withDefault(
    Schema.Boolean.annotate({ description: "Without it an answer costs less and cites nothing." }),
    true
  ),
  country: Schema.optionalKey(
    Country.annotate({ description: "An ISO 3166-1 alpha-2 code: where OpenAI, Anthropic and Perplexity search from." })
  ),
  cache_scope: withDefault(
    Schema.Literals(["shared", "private"]).annotate({ description: "`private`: the cache of your account alone." }),
    "shared"
  ),
  mode: withDefault(
    Schema.Literals(["live", "standard"]).annotate({
      description: "`standard`: queued and answered with a 202; 30 % cheaper."
    }),
    "live"
  ),
  async: withDefault(
    Schema.Boolean.annotate({ description: "Queued, too, at the price of `mode`; needs a `webhook_id`." }),
    false
  ),
  webhook_id: Schema.optionalKey(
    WebhookId.pipe(
      Schema.annotateEncoded({
        description:
          "The webhook endpoint that receives the result of a queued ask; ignored when it is answered at once."
      })
    )
  )
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
      toJsonSchema: () => ({
        not: { required: ["prompt", "messages"] },
        if: { required: ["prompt"] },
        else: { required: ["messages"] }
      })
    }),
    Schema.makeFilter(asyncHasWebhook, {
      toJsonSchema: () => ({
        dependentSchemas: {
          async: { if: { properties: { async: { const: false } } }, else: { required: ["webhook_id"] } }
        }
      })
    })
  )
  .annotate({ identifier: "AskRequest" })
export type AskRequest = typeof AskRequest.Type

/** The acknowledgment of an ask that was queued. */
export const AskAccepted = Schema.Struct({
  ask_id: Schema.String,
  request_id: Schema.String,
  status: Schema.Literal("queued"),
  mode: Schema.Literals(["standard", "async"]).annotate({ description: "`async` if the request has `async: true`." }),
  poll_url: Schema.String.annotate({ description: "The path of `GET /v1/ask/{id}`." }),
  estimated_cost_cents: Schema.Finite.annotate({
    description: "The most that the ask can cost, in credits: its price without cached answers."
  }),
  price_label: Schema.String.annotate({ description: "The price as a calculation in words." })
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
