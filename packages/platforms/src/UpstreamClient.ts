import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Clock, Context, Duration, Effect, Layer, Option, Random, Result } from "effect"
import { HttpClient } from "effect/http"
import { PlatformFailed } from "@sightline/domain/Platform"
import { exchange, type JsonObject, type Read, untraced, type UpstreamCall } from "./Exchange.ts"
import { type Fault, fault } from "./Fault.ts"
import { sentences } from "./Sentences.ts"

const bodyMaxBytes = 4 * 1024 * 1024
const refusalsMax = 256

/** The door to the vendors: one JSON POST, its deadline, its one retry and the reading of its refusals. */
export class UpstreamClient extends Context.Service<
  UpstreamClient,
  {
    /**
     * Units: `until` is the moment, in epoch milliseconds of Effect's clock, by which everything must be over.
     * Errors: `PlatformFailed` with a provider code; its message carries nothing from the upstream.
     */
    readonly post: <A>(call: UpstreamCall, read: Read<A>, until: number) => Effect.Effect<A, PlatformFailed>
    /** Where an upstream that is itself trusted redirects to, asked without following. */
    readonly location: (url: string) => Effect.Effect<Option.Option<string>>
  }
>()("@sightline/platforms/UpstreamClient") {
  static readonly layer = Layer.effect(
    UpstreamClient,
    Effect.map(HttpClient.HttpClient, (client) =>
      UpstreamClient.of({
        post: poster(client),
        location: (url) =>
          client.get(url).pipe(
            Effect.tap((response) => response.text),
            Effect.map((response) => Option.fromUndefinedOr(response.headers["location"])),
            Effect.orElseSucceed(() => Option.none<string>()),
            untraced
          )
      })
    )
  ).pipe(
    Layer.provide(
      NodeHttpClient.layerUndiciOptions({
        maxResponseSize: bodyMaxBytes,
        keepAliveTimeout: 30_000,
        connect: { timeout: 10_000 }
      })
    )
  )
}

const without = (body: JsonObject, fields: ReadonlySet<string>): JsonObject =>
  fields.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([field]) => !fields.has(field)))

/** How long to wait before the one retry, or nothing when there is to be none. */
const retryDelay = (cause: Fault, left: number): Effect.Effect<Option.Option<number>> => {
  if (!cause.transient) return Effect.succeedNone
  const rateLimited = cause.code === "provider_rate_limited"
  const least = rateLimited ? Effect.succeed(0) : Random.nextBetween(500, 2000)
  const hint = Option.getOrElse(cause.wait, () => (rateLimited ? 1000 : 0))
  return Effect.map(least, (least) => {
    const wait = Math.max(least, hint)
    // Choice: a wait fits when it leaves at least as long for the answer; else the customer is told at once when to come back.
    return wait * 2 <= left ? Option.some(wait) : Option.none()
  })
}

const failure = (call: UpstreamCall, { code, wait }: Fault): PlatformFailed =>
  new PlatformFailed({
    platform: call.platform,
    code,
    message: sentences[code],
    ...(Option.isSome(wait) && { retryAfterSeconds: Math.ceil(wait.value / 1000) })
  })

const poster = (client: HttpClient.HttpClient) => {
  const refused = new Map<string, ReadonlySet<string>>()
  const none: ReadonlySet<string> = new Set()

  return Effect.fnUntraced(function* <A>(call: UpstreamCall, read: Read<A>, until: number) {
    const key = `${call.platform} ${call.model}`
    const attempt = Effect.suspend(() =>
      exchange(client, { ...call, body: without(call.body, refused.get(key) ?? none) }, read)
    )

    const tryAgain = Effect.fnUntraced(function* (cause: Fault) {
      if (Option.isSome(cause.objection) && refused.size < refusalsMax) {
        refused.set(key, new Set([...(refused.get(key) ?? none), cause.objection.value]))
        return yield* attempt
      }
      const wait = yield* retryDelay(cause, until - (yield* Clock.currentTimeMillis))
      if (Option.isNone(wait)) return Result.fail(cause)
      return yield* Effect.delay(attempt, Duration.millis(wait.value))
    })

    const left = Math.max(0, until - (yield* Clock.currentTimeMillis))
    const result = yield* attempt.pipe(
      Effect.flatMap((first) => (Result.isSuccess(first) ? Effect.succeed(first) : tryAgain(first.failure))),
      Effect.timeoutOrElse({
        duration: left,
        orElse: () => Effect.succeed(Result.fail(fault("provider_timeout", "deadline")))
      })
    )
    if (Result.isSuccess(result)) return result.success
    const { alarm, code, detail, requestId } = result.failure
    yield* (alarm ? Effect.logError : Effect.logWarning)("Upstream call failed").pipe(
      Effect.annotateLogs({ platform: call.platform, model: call.model, code, detail, requestId })
    )
    return yield* failure(call, result.failure)
  })
}
