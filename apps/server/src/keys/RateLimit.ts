import type { BucketName } from "@sightline/contract/AdminApi"
import { Caller } from "@sightline/contract/Authorization"
import type { RateLimit } from "@sightline/domain/ApiKey"
import { refuse } from "@sightline/server/http/Refusal"
import { type Allowance, RateLimits } from "@sightline/store/RateLimits"
import { Context, Effect } from "effect"

/** The default buckets of a key that has none of its own. Source: decisions R1. */
const defaults: Readonly<Record<BucketName, RateLimit>> = {
  "check:quick": { burst: 60, perSecond: 1 },
  "check:perplexity_live": { burst: 20, perSecond: 1 / 3 },
  "check:chatgpt_live": { burst: 20, perSecond: 1 / 3 },
  "check:gemini_live": { burst: 20, perSecond: 1 / 3 },
  "check:ai_overview": { burst: 20, perSecond: 1 / 3 },
  "check:ai_mode": { burst: 20, perSecond: 1 / 3 },
  "check:bing_copilot": { burst: 20, perSecond: 1 / 3 },
  "check:all_live": { burst: 10, perSecond: 1 / 6 },
  compare: { burst: 20, perSecond: 1 / 3 },
  ask: { burst: 60, perSecond: 1 },
  discover: { burst: 10, perSecond: 1 / 6 },
  default: { burst: 120, perSecond: 10 }
}

/**
 * The bucket that the current response shows.
 *
 * Shape: `bucket` starts as the endpoint's; for a check it becomes the mode's once that is known. `allowance` is the result
 * of taking a token; without it, the current state of the bucket is shown. Source: decisions R0.
 */
export const RateLimitShown = Context.Reference<{ bucket: BucketName; allowance: Allowance | undefined }>(
  "@sightline/server/keys/RateLimit/RateLimitShown",
  { defaultValue: () => ({ bucket: "default", allowance: undefined }) }
)

const limitOf = (limits: Readonly<Record<string, RateLimit>>, bucket: BucketName): RateLimit =>
  limits[bucket] ?? defaults[bucket]

/** The headers every authenticated response carries. */
export const rateLimitHeaders = (
  buckets: RateLimits["Service"],
  { keyId, rateLimits }: Caller["Service"],
  { bucket, allowance }: typeof RateLimitShown.Service
) =>
  Effect.map(
    allowance === undefined
      ? buckets.peek({ keyId, name: bucket }, limitOf(rateLimits, bucket))
      : Effect.succeed(allowance),
    ({ limit, remaining }) => ({ "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(remaining) })
  )

/** Takes a token of a bucket and continues, or answers 429. A refused request costs nothing. */
export const limited = Effect.fnUntraced(function* <A, E, R>(bucket: BucketName, app: Effect.Effect<A, E, R>) {
  const { keyId, rateLimits } = yield* Caller
  const shown = yield* RateLimitShown
  shown.bucket = bucket
  shown.allowance = yield* (yield* RateLimits).take({ keyId, name: bucket }, limitOf(rateLimits, bucket))
  if (shown.allowance.allowed) return yield* app
  const wait = shown.allowance.retryAfterSeconds
  return yield* refuse(429, "rate_limited", `Too many requests. Retry in ${wait} s.`, {
    headers: { "retry-after": String(wait) }
  })
})

/** Counts a call against the bucket `default`. */
export const counted = <A, E, R>(answer: Effect.Effect<A, E, R>) => limited("default", answer)
