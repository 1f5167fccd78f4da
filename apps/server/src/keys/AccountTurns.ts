import type { AccountId } from "@sightline/domain/Account"
import { refuse } from "@sightline/server/http/Refusal"
import { type Duration, Effect, Schema, type Scope, Semaphore } from "effect"

/** How long a request waits for its turn. Bound: how long callers wait for an answer. */
export const turnTimeout: Duration.Input = "30 seconds"

/** No turn came in time, and nothing was started. */
export class TurnMissed extends Schema.TaggedError<TurnMissed>()("TurnMissed", {}) {}

/** The answer to a request that did not get its turn in time. */
export const missed = refuse(503, "service_unavailable", "The call did not get its turn in time. Retry with backoff.")

/** The requests of an account that have its turn or wait for it. */
interface AccountQueue {
  readonly turn: Semaphore.Semaphore
  length: number
}

/**
 * Turns of accounts: one request of an account at a time, in order of arrival.
 *
 * Laws: a queue exists while something is in it; a request leaves it however it ends.
 */
export const makeTurns = () => {
  const queues = new Map<AccountId, AccountQueue>()
  const enter = (account: AccountId): AccountQueue => {
    const queue = queues.get(account) ?? { turn: Semaphore.makeUnsafe(1), length: 0 }
    queue.length += 1
    queues.set(account, queue)
    return queue
  }
  const leave = (account: AccountId, queue: AccountQueue): void => {
    queue.length -= 1
    if (queue.length === 0) queues.delete(account)
  }
  return {
    /** The number of requests in the queue of an account. */
    lengthOf: (account: AccountId): number => queues.get(account)?.length ?? 0,
    /** Joins the queue of an account until the scope closes. The result waits for the turn, which lasts until its scope closes. */
    join: (account: AccountId): Effect.Effect<Effect.Effect<void, never, Scope.Scope>, never, Scope.Scope> =>
      Effect.acquireRelease(
        Effect.sync(() => enter(account)),
        (queue) => Effect.sync(() => leave(account, queue))
      ).pipe(Effect.map(({ turn }) => Effect.asVoid(turn.takeScoped(1))))
  }
}
