/**
 * Whom an attempt to sign in is counted for.
 *
 * Planted and seen red: what a stranger says of itself believed; the first of those that were forwarded for counted, which whoever
 * calls may write; what is no address counted; a try more at once.
 */
import { assert, it } from "@effect/vitest"
import { limitedByAddress } from "@sightline/server/keys/SignInLimit"
import { RateLimits } from "@sightline/store/RateLimits"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** For whom an attempt is counted. */
const attempt = (remote: string, forwarded: string | undefined) =>
  Effect.gen(function* () {
    const counted: Array<string> = []
    const buckets = Layer.mock(RateLimits, {
      take: ({ name }, limit) =>
        Effect.sync(() => {
          assert.deepStrictEqual(limit, { burst: 60, perSecond: 1 })
          counted.push(name)
          return { allowed: true, limit: 60, remaining: 59, retryAfterSeconds: 0 }
        })
    })
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/session", { headers })).modify({
      remoteAddress: Option.some(remote)
    })
    yield* limitedByAddress(Effect.succeed(HttpServerResponse.empty())).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.provide(buckets)
    )
    return counted
  })

it.effect.each([
  ["9.9.9.9", undefined, "9.9.9.9"],
  ["9.9.9.9", "8.8.8.8", "9.9.9.9"],
  ["127.0.0.1", undefined, "127.0.0.1"],
  ["127.0.0.1", "8.8.8.8", "8.8.8.8"],
  ["10.0.0.7", "1.1.1.1, 8.8.8.8", "8.8.8.8"],
  ["127.0.0.1", "8.8.8.8, unknown", "127.0.0.1"]
] as const)("%s, which forwards for %s, is %s", ([remote, forwarded, expected]) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* attempt(remote, forwarded), [expected])
  })
)
