import { Context, Duration, Effect, Layer, Result } from "effect"
import { Bus } from "@sightline/actor/Bus"
import type { Platform, PlatformFailed } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { type CooldownScope, Cooldowns } from "@sightline/store/Cooldowns"
import { bestEffort } from "./BestEffort.ts"
import type { Obtained } from "./Flight.ts"
import { makePlatformClient } from "./PlatformClient.ts"
import { liveGrace, liveCooldown } from "./Tuning.ts"

const cooldownSeconds = Duration.toSeconds(liveCooldown)

const obtained = (result: Obtained["result"]): Obtained => ({ origin: "fresh", result })

/** The outcome of a slot whose surface this deployment does not capture. */
export const notOffered = (platform: Platform): Obtained =>
  obtained(Result.fail(platformFailed(platform, "upstream_unavailable")))

const cooldownScopeOf = (wallet: Wallet, { platform, question }: AnswerSubject): CooldownScope => ({
  wallet,
  platform,
  country: question.country ?? ""
})

/**
 * Answers of the live surfaces: captured afresh for each call, never cached, never shared between calls.
 *
 * Laws: after a rate limit no process asks that surface from that country for 30 s. The limit of a live wallet holds for all live
 * wallets, that of a test wallet only for itself. Meanwhile the slots of the surface fail with the same code and the seconds left. No
 * answer within the ceiling is `upstream_timeout`; any other missing reply is `upstream_unavailable`.
 * Source: decisions M7, C7.
 */
export class LiveSource extends Context.Service<
  LiveSource,
  {
    /** The answer or the failure of asking now, for the wallet that pays. */
    readonly obtain: (wallet: Wallet, subject: AnswerSubject) => Effect.Effect<Obtained>
  }
>()("@sightline/engine/LiveSource") {
  static readonly layer = Layer.effect(
    LiveSource,
    Effect.gen(function* () {
      const bus = yield* Bus
      const cooldowns = yield* Cooldowns
      const texts = yield* AnswerTexts

      const askPlatform = makePlatformClient(bus, {
        timeout: liveGrace,
        timeoutCode: "upstream_timeout",
        noReplyCode: "upstream_unavailable"
      })

      /** Starts the cooldown of a surface after a rate limit. The failure names at least that wait, even if the surface asked for less. */
      const startCooldown = Effect.fnUntraced(function* (cooldownScope: CooldownScope, failure: PlatformFailed) {
        yield* bestEffort("A surface was not sent to rest", cooldowns.start(cooldownScope, cooldownSeconds))
        const retryAfterSeconds = Math.max(cooldownSeconds, failure.retryAfterSeconds ?? 0)
        return yield* platformFailed(cooldownScope.platform, failure.code, { retryAfterSeconds })
      })

      const obtain = Effect.fnUntraced(function* (wallet: Wallet, subject: AnswerSubject) {
        const cooldownScope = cooldownScopeOf(wallet, subject)
        const secondsLeft = yield* cooldowns.secondsLeft(cooldownScope)
        if (secondsLeft > 0)
          return obtained(
            Result.fail(platformFailed(subject.platform, "upstream_rate_limited", { retryAfterSeconds: secondsLeft }))
          )
        return obtained(
          yield* askPlatform(subject).pipe(
            Effect.tap((answer) => bestEffort("The text of an answer was not kept", texts.keep(answer))),
            Effect.catchIf(
              ({ code }) => code === "upstream_rate_limited",
              (failure) => startCooldown(cooldownScope, failure)
            ),
            Effect.result
          )
        )
      })

      return LiveSource.of({ obtain })
    })
  )
}
