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
import { makeSweeps, unwaiting } from "./ExpiredHolds.ts"
import { type EncodedAsk, type EncodedRun, type Movement, post, type Posted } from "./Movements.ts"
import { keptReply, type ReplyTemplate } from "./Replies.ts"
import type { RunRecord } from "./Runs.ts"
import { sqlStateOf } from "./SqlState.ts"
import { isUnheard, makeHeard, type Remembered } from "./Unheard.ts"

/** The hold cannot be kept any more: swept, ended before, its idempotency claim went to another owner, or its run has ended. */
export class HoldLost extends Schema.TaggedError<HoldLost>()("HoldLost", { id: Schema.String }) {}

/** What is about to be done for a wallet's money. `id` is a UUID of the caller's; `claim` the idempotency token, if any. */
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
 * Charges, one row per call: its full price is held at admission and settled to what it comes to, or voided.
 *
 * Laws: a hold ends exactly once. Money, records and reply of an ending are written in one statement or not at all.
 * Calls made at the same time travel in one statement; a call that the database rejects takes no other with it.
 * Where the database's answer is lost, what it was is asked for once more; if that is lost too, it is a defect.
 * Units: a hold lasts 150 s of the database's clock, then the sweeper may void it, unless it is a job's: that one lasts as
 * long as its job is open.
 */
export class Charges extends Context.Service<
  Charges,
  {
    /** Sets the price aside. What is available after. */
    readonly hold: (order: Order) => Effect.Effect<Credits, InsufficientBalance>
    /** Keeps `amount` of a hold and gives the rest back; nothing kept voids it. What is available after. */
    readonly settle: (ending: Ending & { readonly id: string }) => Effect.Effect<Credits, HoldLost>
    /** Takes `amount` at once from a wallet that could pay the full `price`. What is available after. */
    readonly charge: (order: Order & Ending) => Effect.Effect<Credits, InsufficientBalance | HoldLost>
    /** Gives a hold back whole. False: it had ended already. */
    readonly void: (id: string) => Effect.Effect<boolean>
    /** Voids holds whose lease is over or whose claim was taken over, up to 500 at a time. How many. Waits 250 ms for a locked wallet. */
    readonly sweepExpired: Effect.Effect<number>
    /** Voids all such holds of one wallet. How many. If it stays locked for 250 ms, the rest of them are left. */
    readonly sweepWallet: (wallet: Wallet) => Effect.Effect<number>
  }
>()("@sightline/store/Charges") {
  static readonly layer = Layer.effect(
    Charges,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const submit = yield* grouped(sql)
      const heard = makeHeard(sql)
      const posted = (movement: Remembered) => heard(movement, submit(movement))

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
        void: (id) =>
          submit({ kind: "void", charge_id: id, amount: zero }).pipe(
            Effect.map(({ verdict }) => verdict === "done"),
            Effect.orDie
          ),
        ...makeSweeps(sql)
      })
    })
  )
}

/** How long the movements of a group may take one by one. Units: nanoseconds. */
const apartMax = 15_000_000_000n

const isTimeout = ({ reason }: SqlError.SqlError): boolean => reason._tag === "StatementTimeoutError"

/**
 * Movements in groups. A group that the database rolled back is posted again one by one, so only the culprit fails.
 *
 * Laws: who waits for a group waits for its movements' wallets, but not for each of them again: one by one, none waits for a lock that
 * the group has waited for in vain, and what is not posted within 15 s fails as the group did.
 */
const grouped = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const clock = yield* Clock.Clock
  const postAll = post(sql)
  const postApart = (movements: Array.NonEmptyReadonlyArray<Movement>, error: SqlError.SqlError) => {
    const until = clock.monotonicTimeNanosUnsafe() + apartMax
    const within = isTimeout(error) ? unwaiting(sql) : identity
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
          movements.length > 1 && SqlError.isSqlError(error) && !isUnheard(error)
            ? postApart(movements, error)
            : Effect.fail(error)
        )
      )
  })
  return (movement: Movement) => Effect.flatten(submit(movement))
})

/** What `keep_runs` refuses a run by that has ended already, as an SQLSTATE. */
const runEndedState = "SL001"

/** Whether the database refused to end a run a second time, and the money with it: whoever took it over was quicker. */
const isOvertaken = (error: unknown): boolean => sqlStateOf(error) === runEndedState

const lost = (id: string) =>
  Effect.andThen(
    Effect.logWarning(
      "A charge was settled that is not held any more, or for a run that has ended; nothing was moved"
    ).pipe(Effect.annotateLogs({ charge: id })),
    Effect.fail(new HoldLost({ id }))
  )

/** The movement that sets an order's price aside. */
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

// JSON as text, so that no text of an answer is looked into on its way: Postgres refuses an escaped U+0000 where it does.
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
