import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { Ask } from "@sightline/domain/Ask"
import type { Credits } from "@sightline/domain/Credits"
import { Environment } from "@sightline/domain/Platform"
import { InsufficientBalance, type Wallet } from "@sightline/domain/Wallet"
import { holding, HoldLost, type Order } from "./Charges.ts"
import { Amount, olderThan } from "./Columns.ts"
import {
  Claim,
  type DueJob,
  isDone,
  type JobAttempt,
  LaneClaim,
  makeClaim,
  makeJobs,
  type Tried,
  tries
} from "./Jobs.ts"
import { isOwn, OwnId } from "./Owned.ts"
import { keptReply, type ReplyTemplate } from "./Replies.ts"
import { pruned, rowCount } from "./RowCount.ts"
import { makeHeard } from "./Unheard.ts"

/**
 * What is kept of a finished ask.
 *
 * Shape: `id` is the ask's; `result` is the answer's body, byte for byte; `mentions` are those of the body with the words
 * their sentiment follows from. `event` is the payload of the delivery, should a webhook wait for it: the moment in unix
 * seconds goes between `head` and `tail`.
 */
export interface AskRecord {
  readonly id: string
  readonly status: "completed" | "failed"
  readonly request: Ask
  readonly result: string
  readonly mentions: unknown
  readonly event: { readonly head: string; readonly tail: string }
}

/** A job to queue: what is ordered and asked, who is to be told, and the acknowledgment to keep under the claim. */
export interface NewAskJob {
  readonly id: string
  readonly ask: Ask
  readonly webhookId: Option.Option<string>
  readonly claim: Option.Option<string>
  readonly reply: ReplyTemplate
}

/**
 * A job that its taker has for 30 s, or until its lease is renewed. `attempt` counts from 1, and `tries` those attempts that nobody gave
 * back; `waitedMillis` is how long ago it was accepted, by the database's clock alone: a taker's own may differ from it.
 */
const AskJob = Schema.Struct({
  id: Schema.String,
  chargeId: Schema.String,
  accountId: AccountId,
  environment: Environment,
  request: Ask,
  attempt: Schema.Int,
  tries: Schema.Int,
  waitedMillis: Schema.Int
})
export type AskJob = typeof AskJob.Type

/** An ask as its owner finds it; `result` is null while its job is open and once the archive's time is over. */
const FoundAsk = Schema.Struct({
  chargeId: Schema.String,
  status: Schema.Literals(["queued", "running", "completed", "failed"]),
  result: Schema.NullOr(Schema.String),
  expired: Schema.Boolean
})
export type FoundAsk = typeof FoundAsk.Type

/** For how many days what came of an ask can be read; that there was one is known for as many more. */
export const retentionDays = 30

const resultAge = `${retentionDays} days`
const rowAge = `${2 * retentionDays} days`

const batchRows = 500

// One statement, so that no wallet stays locked while a process that stopped half-way is waited for.
const makeEnqueue = (sql: SqlClient.SqlClient) => {
  const run = SqlSchema.findOne({
    Request: Schema.Struct({ hold: Schema.String, job: Schema.String }),
    Result: Schema.Struct({ verdict: Schema.Literals(["done", "refused", "fenced"]), balance: Amount }),
    execute: ({ hold, job }) => sql`SELECT verdict, available AS balance FROM queue_ask(${hold}::json, ${job}::json)`
  })
  const heard = makeHeard(sql)
  return Effect.fnUntraced(function* (order: Order, { id, ask, webhookId, claim, reply }: NewAskJob) {
    // JSON inside JSON, as in `Charges`: what was asked is not looked into on its way.
    const job = {
      id,
      request: JSON.stringify(ask),
      webhook_id: Option.getOrNull(webhookId),
      claim: Option.getOrNull(claim),
      reply: keptReply(reply)
    }
    const hold = holding(order)
    const { verdict, balance } = yield* Effect.orDie(
      heard(hold, run({ hold: JSON.stringify(hold), job: JSON.stringify(job) }))
    )
    if (verdict === "refused") return yield* new InsufficientBalance({ balance, required: order.price })
    return verdict === "done" ? balance : yield* new HoldLost({ id: order.id })
  })
}

/**
 * Asks, one row each: jobs that wait for a worker, and for 30 days what came of them; finished ones are written by
 * `Charges` together with the money.
 *
 * Laws: a job is one taker's for as long as the lease is renewed, by the database's clock; a job that nobody has is due
 * again within 10 s of its last announcement. What is older than 30 days is told as expired, after 60 days as unknown.
 * Source: decisions A1, A6.
 */
export class Asks extends Context.Service<
  Asks,
  {
    /** Sets the price aside and queues the job, with its acknowledgment: all of it or nothing. What is available after. */
    readonly enqueue: (order: Order, job: NewAskJob) => Effect.Effect<Credits, InsufficientBalance | HoldLost>
    /**
     * Takes for 30 s the job whose turn it is of those that have waited, or else the announced one, unless somebody has it, it is done,
     * or was tried another number of times than wanted.
     */
    readonly claim: (id: string, tried?: Tried) => Effect.Effect<Option.Option<AskJob>>
    /** Takes it for another 30 s. False: somebody else has it, or it is done. */
    readonly renew: (job: JobAttempt) => Effect.Effect<boolean>
    /** Gives it back before its 30 s are over: this was no try, and it counts as announced. False: somebody else has it, or it is done. */
    readonly giveBack: (job: JobAttempt) => Effect.Effect<boolean>
    /** Jobs that nobody has and that nobody was told of for 10 s, up to 500; they count as announced from now on. */
    readonly due: Effect.Effect<ReadonlyArray<DueJob>>
    readonly find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<FoundAsk>>
    /** Empties what is older than 30 days and deletes what is older than 60, up to 500 rows of each. How many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Asks") {
  static readonly layer = Layer.effect(
    Asks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const { due, givenBack, inLane, isFree, isTakers, renew, taken } = makeJobs(sql, "asks")
      const job = sql.literal(`id, charge_id, account_id, environment, request, attempts AS attempt, ${tries} AS tries,
        greatest(0, round(extract(epoch FROM clock_timestamp() - created_at) * 1000))::float8 AS waited_millis`)
      const claim = makeClaim(
        SqlSchema.findOneOption({
          Request: Claim,
          Result: AskJob,
          execute: ({ id, isSo, tries: wanted }) => sql`
            UPDATE asks SET ${taken} WHERE id = ${id} AND ${isFree} AND (${sql.literal(tries)} = ${wanted}) = ${isSo} RETURNING ${job}`
        }),
        SqlSchema.findOneOption({
          Request: LaneClaim,
          Result: AskJob,
          execute: (claim) => sql`
            WITH ${inLane(claim)}
            UPDATE asks SET ${taken} WHERE id = (SELECT id FROM next) RETURNING ${job}`
        })
      )

      const find = SqlSchema.findOneOption({
        Request: OwnId,
        Result: FoundAsk,
        execute: ({ id, ...wallet }) => sql`
          SELECT charge_id, status, result, created_at <= clock_timestamp() - ${resultAge}::interval AS expired FROM asks
          WHERE id = ${id} AND ${isOwn(sql, wallet)}
            AND created_at > clock_timestamp() - ${rowAge}::interval`
      })

      const empty = sql`
        UPDATE asks SET request = NULL, result = NULL, mentions = NULL WHERE id IN (
          SELECT id FROM asks
          WHERE request IS NOT NULL AND finished_at IS NOT NULL AND ${sql.literal(olderThan("created_at", resultAge))}
          ORDER BY created_at LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)
        RETURNING 1`
      const old = `finished_at IS NOT NULL AND ${olderThan("created_at", rowAge)} ORDER BY created_at`
      const remove = pruned(sql, "asks", "id", old, batchRows)

      return Asks.of({
        enqueue: makeEnqueue(sql),
        claim,
        renew,
        giveBack: (job) => isDone(sql`UPDATE asks SET ${givenBack} WHERE ${isTakers(job)} RETURNING 1`),
        due,
        find: (wallet, id) => Effect.orDie(find({ ...wallet, id })),
        prune: Effect.zipWith(rowCount(empty), remove, (emptied, removed) => emptied + removed)
      })
    })
  )
}
