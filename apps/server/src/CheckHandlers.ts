import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "@sightline/contract/Api"
import { Caller } from "@sightline/contract/Authorization"
import { CheckRequest } from "@sightline/contract/CheckApi"
import type { Check } from "@sightline/domain/Check"
import { toCents } from "@sightline/domain/Credits"
import { Mode } from "@sightline/domain/Mode"
import { type LlmPlatform, type Platform, slotOf } from "@sightline/domain/Platform"
import { checkOffers } from "@sightline/domain/PriceList"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { RateLimits } from "@sightline/store/RateLimits"
import { renderReply } from "@sightline/store/Replies"
import { renderCheck } from "./CheckRendering.ts"
import { IdempotentReplay, replyResponse, type Worked } from "./IdempotentReplay.ts"
import { limited, RateLimitShown } from "./RateLimit.ts"
import { refuse } from "./Refusal.ts"
import { decodeJson, readJson } from "./RequestBody.ts"
import { RequestId } from "./RequestId.ts"

/** When the announced modes are expected. */
const eta = { deep: "2027-03-31", change_track: "2027-06-30" } as const

const llmPlatforms = {
  chatgpt: "chatgpt_api",
  claude: "claude_api",
  gemini: "gemini_api",
  perplexity: "perplexity_api"
} as const satisfies Record<string, LlmPlatform>

const decode = decodeJson(CheckRequest)

/** The mode that runs for a requested one, or nothing for one that is only announced or unknown. */
const runs = (requested: unknown): Mode | undefined =>
  requested === "realistic" ? "perplexity_live" : Mode.literals.find((mode) => mode === requested)

/** The mode of a body that may be wrong in other fields: its bucket is the one to show. */
const modeOf = (json: unknown): Mode | undefined => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined
  return "mode" in json ? runs(json.mode) : "quick"
}

const platformsOf = (mode: Mode, providers: CheckRequest["providers"]): Check["platforms"] => {
  const [first, ...rest] = mode === "quick" ? (providers ?? []) : []
  return first === undefined
    ? checkOffers[mode].platforms
    : [llmPlatforms[first], ...rest.map((name): Platform => llmPlatforms[name])]
}

const modelsOf = ({ chatgpt, claude, gemini, perplexity }: NonNullable<CheckRequest["models"]>): Check["models"] => ({
  ...(chatgpt === undefined ? {} : { chatgpt_api: chatgpt }),
  ...(claude === undefined ? {} : { claude_api: claude }),
  ...(gemini === undefined ? {} : { gemini_api: gemini }),
  ...(perplexity === undefined ? {} : { perplexity_api: perplexity })
})

const checkOf = (mode: Mode, body: CheckRequest): Check => ({
  query: body.query,
  brand: body.brand,
  mode,
  platforms: platformsOf(mode, body.providers),
  region: body.region,
  ...(body.city === undefined ? {} : { city: body.city }),
  models: mode === "quick" ? modelsOf(body.models ?? {}) : {}
})

const roadmap = (mode: keyof typeof eta) =>
  Effect.map(RequestId, (request_id) =>
    HttpServerResponse.jsonUnsafe(
      {
        error: "mode_roadmap",
        mode,
        eta: eta[mode],
        available_modes: Mode.literals,
        message: `The mode ${mode} is on the roadmap and cannot be run yet.`,
        request_id
      },
      { status: 501 }
    )
  )

const refused = (refusal: Effect.Effect<HttpServerResponse.HttpServerResponse>): Effect.Effect<Worked> =>
  Effect.map(refusal, (response) => ({ response, kept: false }))

/** `POST /v1/check`. Translates between the wire and `CheckRunner`; decides nothing about money. */
export const layer = (topupUrl: string) =>
  HttpApiBuilder.group(
    Api,
    "check",
    Effect.fnUntraced(function* (handlers) {
      const runner = yield* CheckRunner
      const replays = yield* IdempotentReplay
      const buckets = yield* RateLimits

      const short = (balance: number, required: number) => {
        const shortfall = { balance_cents: balance, required_cents: required, topup_url: topupUrl }
        const message = `The balance of ${balance} credits does not cover the price of ${required}.`
        return refuse(402, "insufficient_balance", message, { inError: { details: shortfall }, beside: shortfall })
      }

      const perform = Effect.fnUntraced(function* (mode: Mode, body: CheckRequest, key: string | undefined) {
        const { accountId, environment } = yield* Caller
        const requestId = yield* RequestId
        const check = checkOf(mode, body)
        const include = body.include ?? []
        return yield* replays.run({ route: "POST /v1/check", key, body }, (claim) =>
          runner
            .run({
              wallet: { accountId, environment },
              check,
              claim,
              reply: (outcome) => renderCheck(requestId, outcome, include)
            })
            .pipe(
              Effect.map(({ reply, balance }): Worked => ({
                response: replyResponse(renderReply(reply, balance)),
                kept: true
              })),
              Effect.catchTags({
                InsufficientBalance: ({ balance, required }) => refused(short(toCents(balance), toCents(required))),
                ModelUnavailable: ({ platform, model }) =>
                  refused(
                    refuse(400, "invalid_model", `The model is not available for ${slotOf(platform)}.`, {
                      inError: { provider: slotOf(platform), model }
                    })
                  ),
                ModeNotConfigured: () =>
                  refused(
                    refuse(501, "mode_not_yet_available", `The mode ${mode} is not available on this deployment.`)
                  ),
                HoldLost: () =>
                  refused(
                    refuse(503, "service_unavailable", "The call took too long and was given up. Nothing was charged.")
                  )
              })
            )
        )
      })

      return handlers.handleRaw("run", ({ request, headers }) =>
        Effect.gen(function* () {
          const json = yield* readJson(request)
          if (Result.isFailure(json)) return json.failure
          const shown = yield* RateLimitShown
          const named = modeOf(json.success)
          if (named !== undefined) shown.bucket = `check:${named}`
          const body = yield* decode(json.success)
          if (Result.isFailure(body)) return body.failure
          const requested = body.success.mode
          if (requested === "deep" || requested === "change_track") return yield* roadmap(requested)
          const mode = requested === "realistic" ? "perplexity_live" : requested
          return yield* limited(`check:${mode}`)(perform(mode, body.success, headers["idempotency-key"]))
        }).pipe(Effect.provideService(RateLimits, buckets))
      )
    })
  )
