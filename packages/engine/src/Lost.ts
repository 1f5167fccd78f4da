import { Result } from "effect"
import type { Obtained } from "./Flight.ts"
import { jobTriesMax } from "./Tuning.ts"

/**
 * Whether a question or its answer was lost on the way between our processes. Nobody waits for a job, so that it is begun again
 * instead of being told as failed, except on its last try.
 */
const isAnyLost = (obtained: ReadonlyArray<Obtained>): boolean =>
  obtained.some(({ result }) => Result.isFailure(result) && result.failure.lost === true)

/**
 * The same for a job that asks every platform anew when it is begun again: what was refused for want of room is told, since asking
 * again would ask the others once more, and give the one that has too much to do yet more of it.
 */
export const isAnyLostUnrefused = (obtained: ReadonlyArray<Obtained>): boolean =>
  isAnyLost(obtained.filter(({ result }) => Result.isFailure(result) && result.failure.unasked !== true))

/**
 * Whether a job is begun again that has the other answers from cache then, after so many tries. What was only refused for want of
 * room is told one try before the last: that one is made alone, and an overload would have all jobs wait for it.
 */
export const isBegunAgain = (obtained: ReadonlyArray<Obtained>, tries: number): boolean =>
  isAnyLost(obtained) && tries < (isAnyLostUnrefused(obtained) ? jobTriesMax : jobTriesMax - 1)
