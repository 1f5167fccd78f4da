/**
 * The address that a sign-in attempt is counted for.
 *
 * Planted and seen red: a forwarded address believed from any client; the first forwarded address counted, which the client can choose; a
 * text counted that is no address; a limit that is one too high.
 */
import { assert, it } from "@effect/vitest"
import { limitedByAddress } from "@sightline/server/keys/SignInLimit"
import { RateLimits } from "@sightline/store/RateLimits"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The address that an attempt is counted for. */
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
] as const)("an attempt from %s with X-Forwarded-For %s is counted for %s", ([remote, forwarded, expected]) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* attempt(remote, forwarded), [expected])
  })
)
