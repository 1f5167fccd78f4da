import { Effect, Option } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import { goodStanding, isQuarantined, type Spent, spend, type Standing, struck } from "./Restraint.ts"
import { Stopped } from "./Stopped.ts"
import { type Visitor, visitorKey, type Way } from "./Visitor.ts"

/** What one process remembers of its visitors: who is in quarantine, and what each address has spent at each site. */
export interface Restraints {
  /** Waits for the visitor's turn at the site. Errors: `rate_limited` while in quarantine or out of captures. */
  readonly admit: (visitor: Visitor, way: Way) => Effect.Effect<void, Stopped>
  /** Learns how a capture ended. */
  readonly learn: (visitor: Visitor, ending: CaptureEnding) => Effect.Effect<void>
}

const robot: ReadonlySet<CaptureEnding> = new Set(["captcha", "challenge"])

/**
 * Restraints with nothing remembered yet.
 *
 * Choice: they hold for live sites only, since a captcha that somebody scripted in the sandbox must not lock out every
 * test key. A budget belongs to an address at one site: each site counts for itself, and two surfaces of one site together.
 */
export const makeRestraints = (): Restraints => {
  const standings = new Map<string, Standing>()
  const accounts = new Map<string, Spent>()
  const standingOf = (visitor: Visitor) => standings.get(visitorKey(visitor)) ?? goodStanding
  const unlessQuarantined = (visitor: Visitor) =>
    Effect.flatMap(steadyMillis, (now) =>
      isQuarantined(standingOf(visitor), now) ? new Stopped({ ending: "rate_limited" }) : Effect.void
    )

  return {
    admit: Effect.fnUntraced(function* (visitor, way) {
      if (visitor.environment === "test") return
      const now = yield* steadyMillis
      yield* unlessQuarantined(visitor)
      const account = `${way === "straight" ? way : way.server + way.username} ${visitor.origin}`
      const turn = spend(accounts.get(account) ?? [], now)
      if (Option.isNone(turn)) return yield* new Stopped({ ending: "rate_limited" })
      accounts.set(account, turn.value.spent)
      yield* Effect.sleep(turn.value.at - now)
      // One that had its turn before this may have been taken for a robot.
      yield* unlessQuarantined(visitor)
    }),
    learn: (visitor, ending) =>
      Effect.map(steadyMillis, (now) => {
        const key = visitorKey(visitor)
        if (robot.has(ending)) standings.set(key, struck(standingOf(visitor), now))
        else if (ending === "ok" && !isQuarantined(standingOf(visitor), now)) standings.delete(key)
      })
  }
}
