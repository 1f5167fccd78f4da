import { Api } from "@sightline/contract/Api"
import { type AskAccepted, AskRequest } from "@sightline/contract/AskApi"
import type { AskProvider } from "@sightline/contract/AskResult"
import type { Ask } from "@sightline/domain/Ask"
import { type Credits, toCents } from "@sightline/domain/Credits"
import type { LlmPlatform } from "@sightline/domain/Platform"
import { AskRunner } from "@sightline/engine/AskRunner"
import { refuse } from "@sightline/server/http/Refusal"
import { decodeJson, type OrRefusal } from "@sightline/server/http/RequestBody"
import { ChangeGate } from "@sightline/server/keys/ChangeGate"
import { counted } from "@sightline/server/keys/RateLimit"
import { Asks, type FoundAsk, retentionDays } from "@sightline/store/Asks"
import { plainReply, type ReplyTemplate } from "@sightline/store/Replies"
import { Effect, Option, Result, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { priceLabel, renderArchived } from "./AskRendering.ts"
import { withOwn } from "./PathId.ts"
import { insufficientCredits, makeSpend, spending } from "./Spending.ts"

const platforms = {
  openai: "chatgpt_api",
  anthropic: "claude_api",
  gemini: "gemini_api",
  perplexity: "perplexity_api"
} as const satisfies Record<AskProvider, LlmPlatform>

const decodeFields = decodeJson(AskRequest)

/** Decodes the body of an ask. `json_schema` is refused with a code of its own, whatever else the body contains. */
const decode = (json: unknown): OrRefusal<AskRequest> =>
  typeof json === "object" && json !== null && Object.hasOwn(json, "json_schema")
    ? Effect.map(refuse(400, "request_unsupported", "`json_schema` is no longer supported. Leave it out."), Result.fail)
    : decodeFields(json)

const turnsOf = ({ prompt, messages }: AskRequest): Ask["turns"] => {
  const turns = (messages ?? []).flatMap(({ role, content }) => (role === "system" ? [] : [{ role, content }]))
  const [first = { role: "user" as const, content: prompt ?? "" }, ...rest] = turns
  return [first, ...rest]
}

const systemOf = ({ messages, system_message }: AskRequest): string | undefined =>
  messages?.find(({ role }) => role === "system")?.content ?? system_message

const askOf = (body: AskRequest): Ask => {
  const [first = "openai", ...rest] = body.providers
  const system = systemOf(body)
  const { temperature, max_tokens: maxTokens } = body.params
  return {
    turns: turnsOf(body),
    ...(system === undefined ? {} : { system }),
    platforms: [platforms[first], ...rest.map((provider) => platforms[provider])],
    models: Struct.renameKeys(body.model, platforms),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    brands: body.track_brands,
    webSearch: body.web_search,
    ...(body.country === undefined ? {} : { country: body.country.toUpperCase() }),
    scope: body.cache_scope,
    tariff: body.mode
  }
}

/** The 202 of an ask that was queued. Source: contract, "Async acknowledgment". */
const acknowledge = (id: string, mode: AskAccepted["mode"], price: Credits, calls: number): ReplyTemplate => {
  const body: AskAccepted = {
    ask_id: id,
    request_id: id,
    status: "queued",
    mode,
    poll_url: `/v1/ask/${id}`,
    estimated_cost_cents: toCents(price),
    price_label: priceLabel(price, calls)
  }
  return plainReply(202, JSON.stringify(body))
}

const expired = refuse(410, "expired", `Results are kept for ${retentionDays} days.`, {
  inError: { details: { retention_days: retentionDays } },
  beside: { retention_days: retentionDays }
})

const show = ({ chargeId, status, result, expired: isOver }: FoundAsk, id: string) => {
  if (isOver) return expired
  const text =
    status === "queued" || status === "running" || result === null
      ? JSON.stringify({ request_id: id, id, status, charge_id: chargeId })
      : renderArchived(result, { status, charge_id: chargeId })
  return Effect.succeed(HttpServerResponse.text(text, { contentType: "application/json" }))
}

const find = Effect.fnUntraced(function* (text: string) {
  const asks = yield* Asks
  return yield* withOwn(text, asks.find, { missing: refuse(404, "not_found", "There is no such ask."), use: show })
})

/** `POST /v1/ask` and `GET /v1/ask/{id}`. Translates between the wire and `AskRunner`; decides nothing about money. */
export const layer = HttpApiBuilder.group(
  Api,
  "ask",
  Effect.fnUntraced(function* (handlers) {
    const gate = yield* ChangeGate
    const runner = yield* AskRunner
    const spend = yield* makeSpend(insufficientCredits)

    const perform = (body: AskRequest, key: string | undefined) =>
      spend({ route: "POST /v1/ask", key, body }, ({ requestId: id, wallet, claim }) => {
        const order = { id, wallet, claim, ask: askOf(body) }
        if (!body.async && body.mode === "live") return runner.run(order)
        const webhookId = Option.fromUndefinedOr(body.webhook_id)
        const mode = body.async ? "async" : "standard"
        const calls = order.ask.platforms.length
        const queued = runner.queue({
          ...order,
          webhookId,
          acknowledge: (price) => acknowledge(id, mode, price, calls)
        })
        // Queueing is a statement of its own, outside the batches of `Charges`, and waits for the wallet: so it takes its account's turn.
        return gate.run(wallet.accountId, queued, () => runner.announce(id))
      })

    return handlers
      .handleRaw("run", ({ request, headers }) =>
        spending({ bucket: "ask", decode }, (body) => perform(body, headers["idempotency-key"]))(request)
      )
      .handle("find", ({ params }) => counted(find(params.id)))
  })
)
