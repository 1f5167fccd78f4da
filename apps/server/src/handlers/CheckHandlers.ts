import { Api } from "@sightline/contract/Api"
import { CheckRequest, modeNamed } from "@sightline/contract/CheckApi"
import { providers } from "@sightline/contract/PlatformName"
import type { Check } from "@sightline/domain/Check"
import { isRoadmapMode, Mode } from "@sightline/domain/Mode"
import { checkOffers } from "@sightline/domain/PriceList"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { decodeJson, readJson } from "@sightline/server/http/RequestBody"
import { RequestId } from "@sightline/server/http/RequestId"
import { checkBucketOf } from "@sightline/server/keys/CheckBucket"
import { limited, RateLimitShown } from "@sightline/server/keys/RateLimit"
import { Effect, Result, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { renderCheck } from "./CheckRendering.ts"
import { insufficientBalance, makeSpend } from "./Spending.ts"

/** When the announced modes are expected. */
const eta = { deep: "2027-03-31", change_track: "2027-06-30" } as const

const decode = decodeJson(CheckRequest)

const platformsOf = (mode: Mode, names: CheckRequest["providers"]): Check["platforms"] => {
  const [first, ...rest] = mode === "quick" ? (names ?? []) : []
  return first === undefined ? checkOffers[mode].platforms : [providers[first], ...rest.map((name) => providers[name])]
}

const checkOf = (mode: Mode, body: CheckRequest): Check => ({
  query: body.query,
  brand: body.brand,
  mode,
  platforms: platformsOf(mode, body.providers),
  region: body.region,
  ...(body.city === undefined ? {} : { city: body.city }),
  models: mode === "quick" ? Struct.renameKeys(body.models ?? {}, providers) : {}
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

/** `POST /v1/check`. Translates between the wire and `CheckRunner`; decides nothing about money. */
export const layer = (topupUrl: string) =>
  HttpApiBuilder.group(
    Api,
    "check",
    Effect.fnUntraced(function* (handlers) {
      const runner = yield* CheckRunner
      const spend = yield* makeSpend(insufficientBalance(topupUrl))

      const perform = (mode: Mode, body: CheckRequest, key: string | undefined) =>
        spend({ route: "POST /v1/check", key, body }, ({ requestId, ...payer }) =>
          runner.run({
            ...payer,
            check: checkOf(mode, body),
            reply: (outcome) => renderCheck(requestId, outcome, body.include ?? [])
          })
        )

      return handlers.handleRaw(
        "run",
        Effect.fnUntraced(function* ({ request, headers }) {
          const json = yield* readJson(request)
          if (Result.isFailure(json)) return json.failure
          const shown = yield* RateLimitShown
          shown.bucket = checkBucketOf(json.success)
          const body = yield* decode(json.success)
          if (Result.isFailure(body)) return body.failure
          const requested = body.success.mode
          if (isRoadmapMode(requested)) return yield* roadmap(requested)
          const mode = modeNamed(requested)
          return yield* limited(`check:${mode}`, perform(mode, body.success, headers["idempotency-key"]))
        })
      )
    })
  )
