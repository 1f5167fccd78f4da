import { type Duration, Effect } from "effect"
import type { FailureCode } from "@sightline/domain/Platform"
import { type Capture, millisLeft } from "@sightline/platforms/Capture"
import { steadyMillis } from "@sightline/platforms/Stopwatch"

/** Failures of the route to a surface; another route may work. */
const routeFailures: ReadonlySet<FailureCode> = new Set(["upstream_unavailable", "upstream_rate_limited"])

/** Less time than any surface needs to answer. */
const leastMillis = 5000

/**
 * A capture that asks `second` when `first` could not reach the surface.
 *
 * Units: `ceiling` limits both together, from the arrival of the question.
 * Laws: `second` is not asked after an answer, an absence, a timeout or a refusal by region, nor with less than five seconds left.
 * Errors: the first failure, when both fail or the time is up.
 */
export const withFallback = (first: Capture, second: Capture, ceiling: Duration.Input): Capture =>
  Effect.fnUntraced(function* (question) {
    const until = (yield* steadyMillis) + (yield* millisLeft(ceiling))
    return yield* Effect.catchTag(first(question), "PlatformFailed", (failed) =>
      Effect.flatMap(steadyMillis, (now) => {
        const left = until - now
        if (!routeFailures.has(failed.code) || left < leastMillis) return Effect.fail(failed)
        return Effect.timeoutOrElse(second(question), { duration: left, orElse: () => failed }).pipe(
          Effect.mapError(() => failed)
        )
      })
    )
  })
