import { Duration, Effect } from "effect"
import { shutdownGrace } from "@sightline/engine/Tuning"
import { steadyMillis } from "@sightline/platforms/Stopwatch"

/** The end of a process: `begin` when it is asked to end, `over` once the calls that still run must be aborted. */
export const makeShutdown = Effect.sync(() => {
  const grace = Duration.toMillis(shutdownGrace)
  let endsAt = 0
  return {
    begin: Effect.map(steadyMillis, (now) => {
      endsAt = now + grace
    }),
    over: Effect.flatMap(steadyMillis, (now) => Effect.sleep(Math.max(0, endsAt - now)))
  }
})
