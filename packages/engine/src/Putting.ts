import { type Duration, Effect } from "effect"
import { ask } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import type { Silence } from "@sightline/actor/Replies"
import type { Answer } from "@sightline/domain/Answer"
import type { FailureCode, PlatformFailed } from "@sightline/domain/Platform"
import { address, Capturing } from "@sightline/platforms/Capture"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import type { AnswerSubject } from "@sightline/store/AnswerKey"

/** The reasons for a missing reply after which the same question may succeed at another time or with another actor. */
const losing: ReadonlySet<Silence> = new Set(["no_responder", "unread", "mailbox_full", "disconnected"])

const markOf = (reason: Silence): Pick<PlatformFailed, "lost" | "unasked"> => ({
  ...(losing.has(reason) && { lost: true }),
  ...(reason === "mailbox_full" && { unasked: true })
})

/** How long a platform may take to reply, and the failure codes without a reply: `late` after a timeout, `away` for any other reason. */
interface Patience {
  readonly grace: Duration.Input
  readonly late: FailureCode
  readonly away: FailureCode
}

/** Asks the actors of the platforms. */
export const putting =
  (bus: Bus["Service"], { grace, late, away }: Patience) =>
  ({ platform, environment, question }: AnswerSubject): Effect.Effect<Answer, PlatformFailed> =>
    ask(Capturing, address(environment, platform), question, grace).pipe(
      Effect.provideService(Bus, bus),
      Effect.catchTag("NoReply", ({ reason }) =>
        Effect.fail(platformFailed(platform, reason === "timeout" ? late : away, markOf(reason)))
      )
    )
