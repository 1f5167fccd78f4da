import type { ModelsResponse, UsageQuery, UsageResponse } from "@sightline/contract/AccountApi"
import { Api } from "@sightline/contract/Api"
import { modeNamed, NamedMode } from "@sightline/contract/CheckApi"
import { providers } from "@sightline/contract/PlatformName"
import { toCents } from "@sightline/domain/Credits"
import { type Model, modelsOf, type ModelTable } from "@sightline/domain/Model"
import type { LlmPlatform } from "@sightline/domain/Platform"
import { summarize } from "@sightline/domain/Usage"
import { refuseField } from "@sightline/server/http/Refusal"
import { respond } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import { countedInTurn } from "@sightline/server/keys/ReadGate"
import { DatabaseClock } from "@sightline/store/DatabaseClock"
import { Usage } from "@sightline/store/Usage"
import { DateTime, Effect, Record, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { QueryOf } from "./QueryOf.ts"
import { type FoundWindow, windowOf } from "./Window.ts"

type Query = QueryOf<typeof UsageQuery>

const isNamed = Schema.is(NamedMode)

const usage = Effect.fnUntraced(function* (query: Query, window: FoundWindow) {
  const { start, end } = yield* window
  const { granularity = "day", endpoint } = query
  const mode = isNamed(query.mode) ? modeNamed(query.mode) : query.mode
  const filter = Record.filter({ endpoint, mode }, (value) => value !== undefined)
  const counted = yield* (yield* Usage).of({ wallet: yield* owner, start, end, granularity, ...filter })
  const { total, byEndpoint, byMode, series } = summarize(counted, DateTime.formatIso(start))
  return yield* respond<UsageResponse>({
    window: { start: DateTime.formatIso(start), end: DateTime.formatIso(end), granularity },
    total: {
      calls: total.calls,
      cost_cents: toCents(total.cost),
      cost_by_endpoint: Record.map(byEndpoint, toCents),
      cost_by_mode: Record.map(byMode, toCents)
    },
    series: series.map(({ bucket, calls, cost }) => ({ bucket, calls, cost_cents: toCents(cost) }))
  })
}, Effect.catch(refuseField))

const renderModel = ({ id, webSearch, temperature, expiresAt, ...model }: Model) => ({
  id,
  default: model.default,
  web_search: webSearch,
  temperature,
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt })
})

const models = Effect.fnUntraced(function* (table: ModelTable) {
  const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const offered = (platform: LlmPlatform) => modelsOf(table, platform, today).map(renderModel)
  return yield* respond<typeof ModelsResponse.Type>({ models: Record.map(providers, offered) })
})

/** `GET /v1/usage` and `GET /v1/models`. */
export const layer = (table: ModelTable) =>
  HttpApiBuilder.group(
    Api,
    "account",
    Effect.fnUntraced(function* (handlers) {
      const { now } = yield* DatabaseClock
      return handlers
        .handle("usage", ({ query }) =>
          Effect.matchEffect(windowOf(query, now), {
            onFailure: refuseField,
            onSuccess: (window) => countedInTurn(usage(query, window))
          })
        )
        .handle("models", () => counted(models(table)))
    })
  )
