import { Result } from "effect"
import type { Obtained } from "./Flight.ts"
import { jobTriesMax } from "./Tuning.ts"

/**
 * Whether a question or its answer was lost between processes. No caller waits for a job, so it is tried again instead of
 * reporting the failure, except on its last try.
 */
const hasLostQuestion = (obtained: ReadonlyArray<Obtained>): boolean =>
  obtained.some(({ result }) => Result.isFailure(result) && result.failure.lost === true)

/**
 * The same for a job that asks every platform anew when it is tried again. A refusal by a full mailbox is reported: another try would
 * ask the other platforms a second time, and add load to the one that is overloaded.
 */
export const hasLostUnrefusedQuestion = (obtained: ReadonlyArray<Obtained>): boolean =>
  hasLostQuestion(obtained.filter(({ result }) => Result.isFailure(result) && result.failure.unasked !== true))

/**
 * Whether a job is tried again after `tries` tries, if it takes its other answers from the cache then. A refusal by a full mailbox is
 * reported one try before the last: the last try runs alone in its process, so under overload all other jobs would wait for it.
 */
export const isRetried = (obtained: ReadonlyArray<Obtained>, tries: number): boolean =>
  hasLostQuestion(obtained) && tries < (hasLostUnrefusedQuestion(obtained) ? jobTriesMax : jobTriesMax - 1)
