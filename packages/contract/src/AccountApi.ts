import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AskMode, Mode } from "@sightline/domain/Mode"
import { Authorization } from "./Authorization.ts"
import { NamedMode } from "./CheckApi.ts"
import { oneOf } from "./Choices.ts"
import { instant } from "./Instant.ts"
import { moment } from "./Page.ts"
import { Provider } from "./PlatformName.ts"

/** The endpoints that are charged for. */
export const ChargedEndpoint = Schema.Literals(["check", "compare", "discover", "ask"])

const granularity = Schema.Literals(["total", "day", "hour"])

/** Query of `GET /v1/usage`. Source: decisions U1. */
export const UsageQuery = {
  start: moment,
  end: moment,
  granularity: Schema.optionalKey(granularity.annotate({ description: "`day` by default; in UTC." })),
  endpoint: Schema.optionalKey(ChargedEndpoint),
  mode: Schema.optionalKey(
    Schema.Literals([...NamedMode.literals, ...AskMode.literals]).annotate({
      ...oneOf([...Mode.literals, ...AskMode.literals]),
      description:
        "A discovery counts as `quick`, an ask as `live` or `standard`, with `_no_search` without web search."
    })
  )
}

const costs = Schema.Record(Schema.String, Schema.Finite).annotate({
  description: "Credits; they add up to `cost_cents`."
})

const sums = {
  calls: Schema.Int.annotate({ description: "Calls that were answered, at no cost too; no errors or replays." }),
  cost_cents: Schema.Finite.annotate({ description: "Credits that the calls cost." })
}

/**
 * Answer of `GET /v1/usage`.
 *
 * Laws: total = Σ series = Σ of each breakdown; over any window it equals what the ledger charged.
 */
export const UsageResponse = Schema.Struct({
  request_id: Schema.String,
  window: Schema.Struct({
    start: instant,
    end: instant,
    granularity
  }),
  total: Schema.Struct({ ...sums, cost_by_endpoint: costs, cost_by_mode: costs }),
  series: Schema.Array(
    Schema.Struct({ bucket: instant.annotate({ description: "When the day or hour begins." }), ...sums }).annotate({
      identifier: "UsageBucket"
    })
  ).annotate({ description: "In order of time, without buckets that have no call; it adds up to `total`." })
}).annotate({ identifier: "UsageResponse", description: "Calls and costs in the window, in total and by day or hour." })
export type UsageResponse = typeof UsageResponse.Type

const ModelEntry = Schema.Struct({
  id: Schema.String,
  default: Schema.Boolean.annotate({ description: "Whether it answers when a call names no model." }),
  web_search: Schema.Boolean.annotate({ description: "Whether it searches the web." }),
  temperature: Schema.Boolean.annotate({ description: "Whether an ask may give it a `temperature`." }),
  expires_at: Schema.optionalKey(
    Schema.String.annotate({
      format: "date",
      description: "The first day, in UTC, on which it is no longer available; absent if its end is not announced."
    })
  )
}).annotate({ identifier: "Model" })

const models = Schema.Array(ModelEntry)

/** Answer of `GET /v1/models`: the models that a check may name. Source: decisions U3, C11. */
export const ModelsResponse = Schema.Struct({
  request_id: Schema.String,
  models: Schema.Record(Provider, models)
}).annotate({
  identifier: "ModelsResponse",
  description: "The available models by provider, and which one is the default."
})

/** Endpoints about the caller's usage and the available models. */
export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("usage", "/v1/usage", {
      query: UsageQuery,
      success: UsageResponse
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get usage",
        description: "How many calls were made and what they cost: in total, over time, by endpoint and by mode."
      })
    ),
    HttpApiEndpoint.get("models", "/v1/models", { success: ModelsResponse }).annotateMerge(
      OpenApi.annotations({
        summary: "List models",
        description: "The models that `models` of a check may name."
      })
    )
  )
  .middleware(Authorization) {}
