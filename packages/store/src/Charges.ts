import { Array, Clock, Context, Effect, Exit, identity, Layer, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { type Credits, zero } from "@sightline/domain/Credits"
import { orderMemo, outcomesMemo } from "@sightline/domain/Ledger"
import type * as PriceList from "@sightline/domain/PriceList"
import type { Outcomes } from "@sightline/domain/Proration"
import { InsufficientBalance, type Wallet } from "@sightline/domain/Wallet"
import type { AskRecord } from "./Asks.ts"
import * as Batch from "./Batch.ts"
import type { CheckRecord } from "./Checks.ts"
import { makeSweeps, withLockTimeout } from "./ExpiredHolds.ts"
import { type EncodedAsk, type EncodedRun, type Movement, post, type Posted } from "./Movements.ts"
import { keptReply, type ReplyTemplate } from "./Replies.ts"
import type { RunRecord } from "./Runs.ts"
import { poolExhausted, sqlStateOf } from "./SqlState.ts"
import { isResponseLost, makePostOnce, type IdempotentMovement } from "./PostOnce.ts"

/** The hold can no longer be settled: it was swept, it has ended, its idempotency claim went to another owner, or its run has ended. */
export class HoldLost extends Schema.TaggedError<HoldLost>()("HoldLost", { id: Schema.String }) {}

/** A call that is about to be paid by a wallet. `id` is a UUID that the caller chooses; `claim` is the idempotency token, if any. */
export type Order = PriceList.Order & {
  readonly id: string
  readonly wallet: Wallet
  readonly price: Credits
  readonly claim?: string
}

/** How a call ended: what it costs and why, the records of it, and the reply to keep under the order's claim. */
export interface Ending {
  readonly amount: Credits
  readonly outcomes: Outcomes
  readonly cached: boolean
  readonly check?: CheckRecord
  readonly ask?: AskRecord
  readonly run?: RunRecord
  readonly reply?: ReplyTemplate
}

/**
 * Charges, one row per call: the full price is held at admission, and settled to the actual cost or voided.
 *
 * Laws: a hold ends exactly once. The money, records and reply of an ending are written in one statement or not at all. Concurrent
 * calls share a statement; a call that the database rejects does not fail the others. If the database's response is lost, the
 * movement is posted once more, without a second effect. If that response is lost too, it is a defect.
 * Units: a hold lasts 150 s of the database's clock, then the sweeper may void it. The hold of a job lasts as long as its job is open.
 */
export class Charges extends Context.Service<
  Charges,
  {
    /** Holds the price. Returns the available balance afterwards. */
    readonly hold: (order: Order) => Effect.Effect<Credits, InsufficientBalance>
    /** Takes `amount` of a hold and gives the rest back; an amount of zero voids the hold. Returns the available balance afterwards. */
    readonly settle: (ending: Ending & { readonly id: string }) => Effect.Effect<Credits, HoldLost>
    /** Takes `amount` at once from a wallet that could pay the full `price`. Returns the available balance afterwards. */
    readonly charge: (order: Order & Ending) => Effect.Effect<Credits, InsufficientBalance | HoldLost>
    /** Voids the hold: all of it is released. False: it had ended already, or this call ended it and the database's answer was lost. */
    readonly void: (id: string) => Effect.Effect<boolean>
    /**
     * Voids holds with an expired lease or a claim that was taken over, up to 500 at a time. Returns how many. Waits 250 ms for a
     * locked wallet.
     */
    readonly sweepExpired: Effect.Effect<number>
    /** Voids all such holds of one wallet. Returns how many. If the wallet stays locked for 250 ms, the rest of them are left. */
    readonly sweepWallet: (wallet: Wallet) => Effect.Effect<number>
  }
>()("@sightline/store/Charges") {
  static readonly layer = Layer.effect(
    Charges,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const submit = yield* grouped(sql)
      const postOnce = makePostOnce(sql)
      const posted = (movement: IdempotentMovement) => postOnce(movement, submit(movement))

      return Charges.of({
        hold: Effect.fnUntraced(function* (order) {
          const { verdict, balance } = yield* Effect.orDie(posted(holding(order)))
          if (verdict === "done") return balance
          return yield* new InsufficientBalance({ balance, required: order.price })
        }),
        settle: Effect.fnUntraced(function* (end) {
          const movement = { kind: "settle", charge_id: end.id, ...ending(end), memo: outcomesMemo(end) } as const
          const { verdict, balance } = yield* posted(movement).pipe(
            Effect.catch((error) => (isOvertaken(error) ? lost(end.id) : Effect.die(error)))
          )
          return verdict === "done" ? balance : yield* lost(end.id)
        }),
        charge: Effect.fnUntraced(function* (call) {
          const memo = `${orderMemo(call)} ${outcomesMemo(call)}`
          const { verdict, balance } = yield* Effect.orDie(
            posted({ kind: "charge", ...opening(call), ...ending(call), memo })
          )
          if (verdict === "done") return balance
          return yield* verdict === "refused"
            ? new InsufficientBalance({ balance, required: call.price })
            : lost(call.id)
        }),
        void: (id) => {
          const voiding = submit({ kind: "void", charge_id: id, amount: zero })
          return Effect.catchIf(voiding, isResponseLost, () => voiding).pipe(
            Effect.map(({ verdict }) => verdict === "done"),
            Effect.orDie
          )
        },
        ...makeSweeps(sql)
      })
    })
  )
}

/** How long posting the movements of a group one by one may take. Units: nanoseconds. */
const apartMax = 15_000_000_000n

const isTimeout = ({ reason }: SqlError.SqlError): boolean => reason._tag === "StatementTimeoutError"

/**
 * Posts movements in groups. A group that the database rolled back is posted again one by one, so that only the culprit fails.
 *
 * Laws: a caller waits for the locks of the wallets in its group, but not for each of them again. After a timeout of the group, the
 * single movements do not wait for locks. A movement that is not posted within 15 s fails like the group. A group that got no connection
 * fails as a whole: none of its movements was rejected, and each would wait for a connection again.
 */
const grouped = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const clock = yield* Clock.Clock
  const postAll = post(sql)
  const postApart = (movements: Array.NonEmptyReadonlyArray<Movement>, error: SqlError.SqlError) => {
    const until = clock.monotonicTimeNanosUnsafe() + apartMax
    const within = isTimeout(error) ? withLockTimeout(sql) : identity
    const postOne = (movement: Movement) => Effect.map(postAll([movement], within), Array.headNonEmpty)
    return Effect.forEach(movements, (movement) =>
      clock.monotonicTimeNanosUnsafe() < until ? Effect.exit(postOne(movement)) : Effect.succeed(Exit.fail(error))
    )
  }
  const submit = yield* Batch.make({
    name: "charges",
    max: 200,
    run: (movements: Array.NonEmptyReadonlyArray<Movement>) =>
      postAll(movements).pipe(
        Effect.map((posted): ReadonlyArray<Exit.Exit<Posted, unknown>> => posted.map(Exit.succeed)),
        Effect.catch((error) =>
          movements.length > 1 && SqlError.isSqlError(error) && error !== poolExhausted && !isResponseLost(error)
            ? postApart(movements, error)
            : Effect.fail(error)
        )
      )
  })
  return (movement: Movement) => Effect.flatten(submit(movement))
})

/** The SQLSTATE with which `keep_runs` refuses a run that has ended already. */
const runEndedState = "SL001"

/** Whether the database refused to end a run a second time, together with its money: the worker that took it over was quicker. */
const isOvertaken = (error: unknown): boolean => sqlStateOf(error) === runEndedState

const lost = (id: string) =>
  Effect.andThen(
    Effect.logWarning(
      "A charge was settled that is not held any more, or for a run that has ended; nothing was moved"
    ).pipe(Effect.annotateLogs({ charge: id })),
    Effect.fail(new HoldLost({ id }))
  )

/** The movement that holds the price of an order. */
export const holding = (order: Order) =>
  ({ kind: "hold", ...opening(order), memo: orderMemo(order) }) as const satisfies Movement

const opening = ({ id, wallet, endpoint, mode, platforms, price, claim }: Order) => ({
  charge_id: id,
  account_id: wallet.accountId,
  environment: wallet.environment,
  endpoint,
  mode,
  platforms,
  price,
  claim: claim ?? null
})

// JSON as text, so that Postgres does not parse the texts of an answer on their way: it would refuse an escaped U+0000.
const encodeAsk = (ask: AskRecord): EncodedAsk => ({
  ...ask,
  request: JSON.stringify(ask.request),
  mentions: JSON.stringify(ask.mentions)
})

const encodeRun = ({ id, toldBy, triggers, event, result, evidence, mentions }: RunRecord): EncodedRun => ({
  id,
  told_by: toldBy,
  triggers,
  event,
  result: JSON.stringify(result),
  evidence: JSON.stringify(evidence),
  mentions: JSON.stringify(mentions)
})

const ending = ({ amount, outcomes, cached, check, ask, run, reply }: Ending) => ({
  amount,
  outcomes,
  cached,
  ...(check === undefined ? {} : { check }),
  ...(ask === undefined ? {} : { ask: encodeAsk(ask) }),
  ...(run === undefined ? {} : { run: encodeRun(run) }),
  reply: reply === undefined ? null : keptReply(reply)
})
