import { Context, Effect, Layer, Option, Random, Result, Schema } from "effect"
import { HttpClient } from "effect/http"
import { LiveSurface, type PlatformFailed } from "@sightline/domain/Platform"
import { exchange, type Read, type UpstreamCall } from "./Exchange.ts"
import type { Fault } from "./Fault.ts"
import { platformFailed } from "./PlatformFailure.ts"
import { RefusedFields, withoutField } from "./RefusedFields.ts"
import { steadyMillis } from "./Stopwatch.ts"
import { endingOf, surfaceFailed } from "./SurfaceFailure.ts"
import * as Transport from "./Transport.ts"

/** Whether the vendors are simulated. Anyone with a test key can script their failures, so these must not alarm an operator. */
export const SimulatedVendors = Context.Reference<boolean>("@sightline/platforms/UpstreamClient/SimulatedVendors", {
  defaultValue: () => false
})

/**
 * The client for all vendors: one JSON POST with its deadline, one retry of a transient fault, one more try for each
 * refused field, and the reading of refusals.
 */
export class UpstreamClient extends Context.Service<
  UpstreamClient,
  {
    /**
     * Units: `until` is the moment, in `steadyMillis`, by which everything must be over.
     * Errors: `PlatformFailed`, with a provider code for an LLM platform and an upstream code for a live surface; its
     * message carries nothing from the upstream.
     */
    readonly post: <A>(call: UpstreamCall, read: Read<A>, until: number) => Effect.Effect<A, PlatformFailed>
    /** The target of a redirect by a trusted upstream, which is not followed. */
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
            Effect.map((response) => Option.fromUndefinedOr(response.headers["location"])),
            Effect.orElseSucceed(() => Option.none<string>())
          )
      })
    )
  ).pipe(Layer.provide(Transport.layer))
}

/** How long to wait before the one retry, or none if there is no retry. */
const retryDelay = (cause: Fault, left: number): Effect.Effect<Option.Option<number>> => {
  if (!cause.transient) return Effect.succeedNone
  const rateLimited = cause.code === "provider_rate_limited"
  const least = rateLimited ? Effect.succeed(0) : Random.nextBetween(500, 2000)
  const hint = Option.getOrElse(cause.wait, () => (rateLimited ? 1000 : 0))
  return Effect.map(least, (least) => {
    const wait = Math.max(least, hint)
    // Choice: a wait is accepted only if it leaves at least as much time for the answer. Otherwise the customer learns
    // at once when to try again.
    return wait * 2 <= left ? Option.some(wait) : Option.none()
  })
}

const isLive = Schema.is(LiveSurface)

type Called = Pick<UpstreamCall, "platform" | "model">

const failure = ({ platform }: Called, { code, ending, wait }: Fault): PlatformFailed => {
  const seconds = Option.map(wait, (millis) => Math.ceil(millis / 1000))
  if (isLive(platform)) return surfaceFailed(platform, ending ?? endingOf(code), Option.getOrUndefined(seconds))
  return platformFailed(platform, code, Option.isSome(seconds) ? { retryAfterSeconds: seconds.value } : {})
}

/** Logs for operators at this level, or at the debug level where the vendors are simulated. */
const logForOperators = Effect.fnUntraced(function* (
  level: "Error" | "Warn",
  message: string,
  facts: Record<string, unknown>
) {
  yield* Effect.logWithLevel((yield* SimulatedVendors) ? "Debug" : level)(message).pipe(Effect.annotateLogs(facts))
})

/** Fails with the failure for a fault, after logging it for operators. */
export const reported = Effect.fnUntraced(function* (call: Called, cause: Fault) {
  const failed = failure(call, cause)
  yield* logForOperators(cause.alarm ? "Error" : "Warn", "Upstream call failed", {
    platform: call.platform,
    model: call.model,
    code: failed.code,
    ...(failed.ending !== undefined && { ending: failed.ending }),
    detail: cause.detail,
    vendorRequestId: cause.requestId
  })
  return yield* failed
})

const poster = (client: HttpClient.HttpClient) => {
  const refused = new RefusedFields()

  const attempt = <A>(call: UpstreamCall, read: Read<A>, until: number): Effect.Effect<Result.Result<A, Fault>> =>
    Effect.provideService(exchange(client, call, read), Transport.Deadline, until)

  // Fields are left out one after another, because a vendor names one at a time. They are remembered only if the call
  // succeeds without them: otherwise they were not the cause.
  const attemptWithout = Effect.fnUntraced(function* <A>(
    call: UpstreamCall,
    read: Read<A>,
    until: number,
    fields: ReadonlyArray<string>
  ): Effect.fn.Return<Result.Result<A, Fault>> {
    const last = yield* attempt(fields.reduce(withoutField, call), read, until)
    if (Result.isFailure(last)) {
      const next = Option.getOrUndefined(last.failure.objection)
      return next === undefined || fields.includes(next)
        ? last
        : yield* attemptWithout(call, read, until, [...fields, next])
    }
    const now = yield* steadyMillis
    for (const field of fields.filter((one) => refused.remember(call, one, now)))
      yield* logForOperators("Warn", "A vendor refused a field, which is left out for an hour", {
        platform: call.platform,
        model: call.model,
        field
      })
    return last
  })

  const tryAgain = Effect.fnUntraced(function* <A>(call: UpstreamCall, read: Read<A>, until: number, cause: Fault) {
    if (Option.isSome(cause.objection)) return yield* attemptWithout(call, read, until, [cause.objection.value])
    const wait = yield* retryDelay(cause, until - (yield* steadyMillis))
    if (Option.isNone(wait)) return Result.fail(cause)
    yield* Effect.sleep(wait.value)
    return yield* attempt(call, read, until)
  })

  return <A>(asked: UpstreamCall, read: Read<A>, until: number): Effect.Effect<A, PlatformFailed> =>
    Effect.flatMap(steadyMillis, (now) => {
      const call = refused.spare(asked, now)
      return Effect.flatMap(attempt(call, read, until), (first) => {
        if (Result.isSuccess(first)) return Effect.succeed(first.success)
        return Effect.flatMap(tryAgain(call, read, until, first.failure), (last) =>
          Result.isSuccess(last) ? Effect.succeed(last.success) : reported(call, last.failure)
        )
      })
    })
}
