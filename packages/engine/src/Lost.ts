import { Result } from "effect"
import type { Silence } from "@sightline/actor/Replies"
import type { FailureCode, Platform, PlatformFailed } from "@sightline/domain/Platform"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import type { Obtained } from "./Flight.ts"

/** Why nobody answered who would have, had the question come to another or at another time. */
const losing: ReadonlySet<Silence> = new Set(["no_responder", "unread", "mailbox_full", "disconnected"])

/** A platform of which nothing was heard, for this reason: what is said of it when it was late, and else. */
export const unheard = (
  platform: Platform,
  reason: Silence,
  { late, away }: { readonly late: FailureCode; readonly away: FailureCode }
): PlatformFailed =>
  platformFailed(platform, reason === "timeout" ? late : away, losing.has(reason) ? { lost: true } : {})

/**
 * Whether a question or its answer was lost on the way between our processes. Nobody waits for a job, so that it is begun again
 * instead of being told as failed, except on its last try.
 */
export const isAnyLost = (obtained: ReadonlyArray<Obtained>): boolean =>
  obtained.some(({ result }) => Result.isFailure(result) && result.failure.lost === true)
