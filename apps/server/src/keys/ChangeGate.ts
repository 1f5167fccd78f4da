import { Caller } from "@sightline/contract/Authorization"
import type { AccountId } from "@sightline/domain/Account"
import type { Responding } from "@sightline/server/http/Respond"
import { Context, Effect, Layer, Schema, Scope } from "effect"
import { makeTurns, missed, turnTimeout, TurnMissed } from "./AccountTurns.ts"

/**
 * The gate of every change of an account's resources: all that it creates, changes, pauses, revokes or deletes at no cost,
 * and asks that it queues.
 *
 * Laws: in each process one change of an account runs at a time, in order of arrival, so that changes that wait for the same
 * rows in the database take only one connection. A refused change was not started. A change that has its turn is completed,
 * even if the caller hangs up. `after` runs after the turn, because it may wait for NATS.
 * Errors: no turn came within 30 s.
 */
export class ChangeGate extends Context.Service<
  ChangeGate,
  {
    readonly run: <A, E, R, R2 = never>(
      account: AccountId,
      change: Effect.Effect<A, E, R>,
      after?: (done: A) => Effect.Effect<unknown, never, R2>
    ) => Effect.Effect<A, E | TurnMissed, R | R2>
  }
>()("@sightline/server/keys/ChangeGate") {
  static readonly layer = Layer.sync(ChangeGate, () => {
    const turns = makeTurns()
    const enter = (account: AccountId) =>
      Effect.flatMap(
        turns.join(account),
        Effect.timeoutOrElse({ duration: turnTimeout, orElse: () => Effect.fail(new TurnMissed()) })
      )
    return ChangeGate.of({
      run: (account, change, after = () => Effect.void) =>
        Effect.scopedWith((scope) =>
          Effect.andThen(Effect.interruptible(Scope.provide(enter(account), scope)), change)
        ).pipe(Effect.tap(after), Effect.uninterruptible)
    })
  })
}

/** Makes a change in its account's turn, or answers 503 if no turn came in time. */
export const changing = Effect.fnUntraced(function* <E, R>(answer: Responding<E, R>) {
  const { accountId } = yield* Caller
  return yield* (yield* ChangeGate).run(accountId, answer).pipe(Effect.catchIf(Schema.is(TurnMissed), () => missed))
})
