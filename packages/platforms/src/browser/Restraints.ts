import { Effect, Semaphore } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import {
  type Begun,
  gapLeft,
  goodStanding,
  hasRoom,
  isQuarantined,
  type Standing,
  struck,
  withOne
} from "./Restraint.ts"
import { Stopped } from "./Stopped.ts"
import { type Visitor, visitorKey, type Way } from "./Visitor.ts"

/**
 * What one process remembers about its visitors: which are in quarantine, and how much of its budget each address
 * has used at each site.
 */
export interface Restraints {
  /**
   * Waits for the visitor's turn at the site, runs `ready` and begins the capture. The gap before the next turn is counted
   * from that moment, however long `ready` took.
   *
   * Errors: `rate_limited` while in quarantine or when the hour's captures are used up.
   */
  readonly begin: <A, E, R>(
    visitor: Visitor,
    way: Way,
    ready: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Stopped, R>
  /** Records how a capture ended. */
  readonly learn: (visitor: Visitor, ending: CaptureEnding) => Effect.Effect<void>
}

/** What an address has used of its budget at a site. One capture at a time has the turn; `waiting` counts all that have not begun. */
interface Budget {
  readonly turn: Semaphore.Semaphore
  begun: Begun
  waiting: number
}

const robot: ReadonlySet<CaptureEnding> = new Set(["captcha", "challenge"])

/**
 * Restraints without any history.
 *
 * Choice: they apply to live sites only, because a captcha that somebody scripted in the sandbox must not lock out every
 * test key. A budget belongs to one address at one site. Two surfaces of the same site share it.
 */
export const makeRestraints = (): Restraints => {
  const standings = new Map<string, Standing>()
  const budgets = new Map<string, Budget>()
  const standingOf = (visitor: Visitor) => standings.get(visitorKey(visitor)) ?? goodStanding
  const unlessQuarantined = (visitor: Visitor) =>
    Effect.flatMap(steadyMillis, (now) =>
      isQuarantined(standingOf(visitor), now) ? new Stopped({ ending: "rate_limited" }) : Effect.void
    )
  const budgetOf = (visitor: Visitor, way: Way): Budget => {
    const name = `${way === "straight" ? way : way.server + way.username} ${visitor.origin}`
    const budget = budgets.get(name) ?? { turn: Semaphore.makeUnsafe(1), begun: [], waiting: 0 }
    budgets.set(name, budget)
    return budget
  }
  const queue = (budget: Budget) =>
    Effect.flatMap(steadyMillis, (now) =>
      hasRoom(budget.begun, budget.waiting, now)
        ? Effect.sync(() => void budget.waiting++)
        : new Stopped({ ending: "rate_limited" })
    )
  const inTurn = Effect.fnUntraced(function* <A, E, R>(
    budget: Budget,
    visitor: Visitor,
    ready: Effect.Effect<A, E, R>
  ) {
    yield* Effect.sleep(gapLeft(budget.begun, yield* steadyMillis))
    const own = yield* ready
    // A capture that had an earlier turn may have been taken for a robot meanwhile.
    yield* unlessQuarantined(visitor)
    budget.begun = withOne(budget.begun, yield* steadyMillis)
    return own
  })

  return {
    begin: Effect.fnUntraced(function* <A, E, R>(visitor: Visitor, way: Way, ready: Effect.Effect<A, E, R>) {
      if (visitor.environment === "test") return yield* ready
      yield* unlessQuarantined(visitor)
      const budget = budgetOf(visitor, way)
      return yield* Effect.acquireUseRelease(
        queue(budget),
        () => budget.turn.withPermit(inTurn(budget, visitor, ready)),
        () => Effect.sync(() => void budget.waiting--)
      )
    }),
    learn: (visitor, ending) =>
      Effect.map(steadyMillis, (now) => {
        const key = visitorKey(visitor)
        if (robot.has(ending)) standings.set(key, struck(standingOf(visitor), now))
        else if (ending === "ok" && !isQuarantined(standingOf(visitor), now)) standings.delete(key)
      })
  }
}
