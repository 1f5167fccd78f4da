/**
 * Planted and seen red: a burst or a rate of any bucket changed; a key's own limit ignored, or applied to another bucket; a refused call
 * that runs all the same, or whose refusal does not name the wait.
 */
import { assert, it } from "@effect/vitest"
import type { BucketName } from "@sightline/contract/AdminApi"
import { Caller } from "@sightline/contract/Authorization"
import { AccountId } from "@sightline/domain/Account"
import { KeyId, type RateLimit } from "@sightline/domain/ApiKey"
import { limited } from "@sightline/server/keys/RateLimit"
import { RateLimits } from "@sightline/store/RateLimits"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"

const id = "00000000-0000-4000-8000-000000000000"

/** One call of a key: the bucket it takes from, whether it runs, and its response. */
const called = (bucket: BucketName, rateLimits: Caller["Service"]["rateLimits"], allowed = true) =>
  Effect.gen(function* () {
    const asked: Array<readonly [name: string, limit: RateLimit]> = []
    const buckets = Layer.mock(RateLimits, {
      take: ({ name }, limit) =>
        Effect.sync(() => {
          asked.push([name, limit])
          return { allowed, limit: limit.burst, remaining: 0, retryAfterSeconds: 7 }
        })
    })
    let done = false
    const work = Effect.sync(() => {
      done = true
      return HttpServerResponse.empty()
    })
    const keyId = KeyId.make(id)
    const caller = { keyId, accountId: AccountId.make(id), environment: "test", readOnly: false, rateLimits } as const
    const response = yield* limited(bucket, work).pipe(Effect.provideService(Caller, caller), Effect.provide(buckets))
    return { asked, done, response }
  })

it.effect.each([
  ["check:quick", 60, 1],
  ["check:perplexity_live", 20, 1 / 3],
  ["check:chatgpt_live", 20, 1 / 3],
  ["check:gemini_live", 20, 1 / 3],
  ["check:ai_overview", 20, 1 / 3],
  ["check:ai_mode", 20, 1 / 3],
  ["check:bing_copilot", 20, 1 / 3],
  ["check:all_live", 10, 1 / 6],
  ["compare", 20, 1 / 3],
  ["ask", 60, 1],
  ["discover", 10, 1 / 6],
  ["default", 120, 10]
] as const)(
  "%s allows a burst of %i and %d per second, unless the key has its own limits",
  ([bucket, burst, perSecond]) =>
    Effect.gen(function* () {
      const other = bucket === "default" ? "compare" : "default"
      const own = { burst: 3, perSecond: 2 }
      assert.deepStrictEqual((yield* called(bucket, { [other]: own })).asked, [[bucket, { burst, perSecond }]])
      assert.deepStrictEqual((yield* called(bucket, { [bucket]: own })).asked, [[bucket, own]])
    })
)

it.effect("a call runs if its bucket has a token; otherwise the refusal says when to retry", () =>
  Effect.gen(function* () {
    assert.isTrue((yield* called("default", {})).done)
    const { done, response } = yield* called("default", {}, false)
    assert.deepStrictEqual([done, response.status, response.headers["retry-after"]], [false, 429, "7"])
  })
)
