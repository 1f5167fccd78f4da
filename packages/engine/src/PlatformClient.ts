import { type Duration, Effect } from "effect"
import { ask } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import type { NoReplyReason } from "@sightline/actor/Replies"
import type { Answer } from "@sightline/domain/Answer"
import type { FailureCode, PlatformFailed } from "@sightline/domain/Platform"
import { address, Capturing } from "@sightline/platforms/Capture"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import type { AnswerSubject } from "@sightline/store/AnswerKey"

/** The reasons for a missing reply after which the same question may succeed at another time or with another actor. */
const retryable: ReadonlySet<NoReplyReason> = new Set(["no_responder", "unread", "mailbox_full", "disconnected"])

const retryMarkOf = (reason: NoReplyReason): Pick<PlatformFailed, "lost" | "unasked"> => ({
  ...(retryable.has(reason) && { lost: true }),
  ...(reason === "mailbox_full" && { unasked: true })
})

/** How long a platform may take to reply, and the failure codes without a reply: after the timeout, and for any other reason. */
interface ClientOptions {
  readonly timeout: Duration.Input
  readonly timeoutCode: FailureCode
  readonly noReplyCode: FailureCode
}

/** Asks the actors of the platforms. */
export const makePlatformClient =
  (bus: Bus["Service"], { timeout, timeoutCode, noReplyCode }: ClientOptions) =>
  ({ platform, environment, question }: AnswerSubject): Effect.Effect<Answer, PlatformFailed> =>
    ask(Capturing, address(environment, platform), question, timeout).pipe(
      Effect.provideService(Bus, bus),
      Effect.catchTag("NoReply", ({ reason }) =>
        Effect.fail(platformFailed(platform, reason === "timeout" ? timeoutCode : noReplyCode, retryMarkOf(reason)))
      )
    )
