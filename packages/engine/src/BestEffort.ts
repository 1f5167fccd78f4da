import { Effect } from "effect"
import { bookkeepingGrace } from "./Tuning.ts"

/** A write beside an answer that stands without it: one that fails, or is not done within the grace, is logged, and the call goes on. */
export const bestEffort = (failing: string, write: Effect.Effect<void>): Effect.Effect<void> =>
  write.pipe(
    Effect.timeoutOrElse({ duration: bookkeepingGrace, orElse: () => Effect.logWarning(`${failing} in time`) }),
    Effect.catchCause((cause) => Effect.logWarning(failing, cause))
  )
