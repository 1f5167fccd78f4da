import { Effect, Semaphore } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import {
  type CaptureStarts,
  gapLeft,
  goodStanding,
  hasRoom,
  isQuarantined,
  type Standing,
  withStart,
  withStrike
} from "./VisitLimit.ts"
import { Stopped } from "./Stopped.ts"
import { type Route, type Visitor, visitorKey } from "./Visitor.ts"

/**
 * What one process remembers about its visitors: which are in quarantine, and how much of its budget each address
 * has used at each site.
 */
export interface VisitLimiter {
  /**
   * Waits for the visitor's turn at the site, runs `ready` and begins the capture. The gap before the next turn is counted
   * from that moment, however long `ready` took.
   *
   * Errors: `rate_limited` while in quarantine or when the hour's captures are used up.
   */
  readonly begin: <A, E, R>(
    visitor: Visitor,
    route: Route,
    ready: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | Stopped, R>
  /** Records how a capture ended. */
  readonly record: (visitor: Visitor, ending: CaptureEnding) => Effect.Effect<void>
}

/** What an address has used of its budget at a site. One capture at a time has the turn; `waiting` counts all that have not begun. */
interface Budget {
  readonly turn: Semaphore.Semaphore
  begun: CaptureStarts
  waiting: number
}

const robotEndings: ReadonlySet<CaptureEnding> = new Set(["captcha", "challenge"])

/**
 * A limiter without any history.
 *
 * Choice: it applies to live sites only, because a captcha that somebody scripted in the sandbox must not lock out every
 * test key. A budget belongs to one address at one site. Two surfaces of the same site share it.
 */
export const makeVisitLimiter = (): VisitLimiter => {
  const standings = new Map<string, Standing>()
  const budgets = new Map<string, Budget>()
  const standingOf = (visitor: Visitor) => standings.get(visitorKey(visitor)) ?? goodStanding
  const unlessQuarantined = (visitor: Visitor) =>
    Effect.flatMap(steadyMillis, (now) =>
      isQuarantined(standingOf(visitor), now) ? new Stopped({ ending: "rate_limited" }) : Effect.void
    )
  const budgetOf = (visitor: Visitor, route: Route): Budget => {
    const name = `${route === "direct" ? route : route.server + route.username} ${visitor.origin}`
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
    budget.begun = withStart(budget.begun, yield* steadyMillis)
    return own
  })

  return {
    begin: Effect.fnUntraced(function* <A, E, R>(visitor: Visitor, route: Route, ready: Effect.Effect<A, E, R>) {
      if (visitor.environment === "test") return yield* ready
      yield* unlessQuarantined(visitor)
      const budget = budgetOf(visitor, route)
      return yield* Effect.acquireUseRelease(
        queue(budget),
        () => budget.turn.withPermit(inTurn(budget, visitor, ready)),
        () => Effect.sync(() => void budget.waiting--)
      )
    }),
    record: (visitor, ending) =>
      Effect.map(steadyMillis, (now) => {
        const key = visitorKey(visitor)
        if (robotEndings.has(ending)) standings.set(key, withStrike(standingOf(visitor), now))
        else if (ending === "ok" && !isQuarantined(standingOf(visitor), now)) standings.delete(key)
      })
  }
}
