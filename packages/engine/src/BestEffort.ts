import { Effect } from "effect"
import { bookkeepingGrace } from "./Tuning.ts"

/**
 * A side write that an answer does not depend on: if it fails, or is not done in time, that is logged and the call
 * continues.
 */
export const bestEffort = (failing: string, write: Effect.Effect<void>): Effect.Effect<void> =>
  write.pipe(
    Effect.timeoutOrElse({ duration: bookkeepingGrace, orElse: () => Effect.logWarning(`${failing} in time`) }),
    Effect.catchCause((cause) => Effect.logWarning(failing, cause))
  )
