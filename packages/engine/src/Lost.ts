import { Result } from "effect"
import type { Obtained } from "./Flight.ts"

/**
 * Whether a question or its answer was lost on the way between our processes. Nobody waits for a job, so that it is begun again
 * instead of being told as failed, except on its last try.
 */
export const isAnyLost = (obtained: ReadonlyArray<Obtained>): boolean =>
  obtained.some(({ result }) => Result.isFailure(result) && result.failure.lost === true)
