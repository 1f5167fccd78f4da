import type { AccountId } from "@sightline/domain/Account"
import { refuse } from "@sightline/server/http/Refusal"
import { type Duration, Effect, Schema, type Scope, Semaphore } from "effect"

/** What somebody waits for their turn at most. Bound: what callers wait for an answer. */
export const patience: Duration.Input = "30 seconds"

/** No turn came in time, and nothing was begun. */
export class TurnMissed extends Schema.TaggedError<TurnMissed>()("TurnMissed", {}) {}

/** What the caller is told whose turn did not come. */
export const missed = refuse(503, "service_unavailable", "The call did not get its turn in time. Retry with backoff.")

/** Those of an account who have its turn or wait for it. */
interface Line {
  readonly turn: Semaphore.Semaphore
  length: number
}

/**
 * Turns of accounts: one of an account has it at a time, in the order in which they came.
 *
 * Laws: a line is kept as long as somebody is in it; who leaves does so however that ends.
 */
export const makeTurns = () => {
  const lines = new Map<AccountId, Line>()
  const enter = (account: AccountId): Line => {
    const line = lines.get(account) ?? { turn: Semaphore.makeUnsafe(1), length: 0 }
    line.length += 1
    lines.set(account, line)
    return line
  }
  const leave = (account: AccountId, line: Line): void => {
    line.length -= 1
    if (line.length === 0) lines.delete(account)
  }
  return {
    /** How many are in the line of an account. */
    lengthOf: (account: AccountId): number => lines.get(account)?.length ?? 0,
    /** Joins the line of an account until the scope closes, and says how to wait for the turn, which is had as long. */
    join: (account: AccountId): Effect.Effect<Effect.Effect<void, never, Scope.Scope>, never, Scope.Scope> =>
      Effect.acquireRelease(
        Effect.sync(() => enter(account)),
        (line) => Effect.sync(() => leave(account, line))
      ).pipe(Effect.map(({ turn }) => Effect.asVoid(turn.takeScoped(1))))
  }
}
