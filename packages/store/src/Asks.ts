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
  type TriesFilter,
  tries
} from "./Jobs.ts"
import { isOwnedBy, OwnedId } from "./Ownership.ts"
import { keptReply, type ReplyTemplate } from "./Replies.ts"
import { pruned, rowCount } from "./RowCount.ts"
import { makePostOnce } from "./PostOnce.ts"

/**
 * The record of a finished ask.
 *
 * Shape: `id` is the id of the ask. `result` is the body of the answer, byte for byte. `mentions` are those of the body, with the words
 * that decide their sentiment. `event` is the payload of the delivery if there is a webhook: the time in Unix seconds goes between
 * `head` and `tail`.
 */
export interface AskRecord {
  readonly id: string
  readonly status: "completed" | "failed"
  readonly request: Ask
  readonly result: string
  readonly mentions: unknown
  readonly event: { readonly head: string; readonly tail: string }
}

/** A job to queue: the ask, the webhook to notify, the idempotency claim, and the acknowledgement to keep under that claim. */
export interface NewAskJob {
  readonly id: string
  readonly ask: Ask
  readonly webhookId: Option.Option<string>
  readonly claim: Option.Option<string>
  readonly reply: ReplyTemplate
}

/**
 * A claimed job: its worker has it for 30 s, and for another 30 s after each renewal. `attempt` counts from 1, and `tries` counts the
 * attempts that were not released. `waitedMillis` is the time since the job was accepted, by the database's clock alone: a worker's
 * clock may differ.
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

/** An ask as its owner reads it. `result` is null while its job is open and after the retention time. */
const FoundAsk = Schema.Struct({
  chargeId: Schema.String,
  status: Schema.Literals(["queued", "running", "completed", "failed"]),
  result: Schema.NullOr(Schema.String),
  expired: Schema.Boolean
})
export type FoundAsk = typeof FoundAsk.Type

/** For how many days the result of an ask can be read. That the ask existed is known for twice as long. */
export const retentionDays = 30

const resultAge = `${retentionDays} days`
const rowAge = `${2 * retentionDays} days`

const batchRows = 500

// One statement, so that a process that stops half-way does not leave the wallet locked.
const makeEnqueue = (sql: SqlClient.SqlClient) => {
  const run = SqlSchema.findOne({
    Request: Schema.Struct({ hold: Schema.String, job: Schema.String }),
    Result: Schema.Struct({ verdict: Schema.Literals(["done", "refused", "fenced"]), balance: Amount }),
    execute: ({ hold, job }) => sql`SELECT verdict, available AS balance FROM queue_ask(${hold}::json, ${job}::json)`
  })
  const postOnce = makePostOnce(sql)
  return Effect.fnUntraced(function* (order: Order, { id, ask, webhookId, claim, reply }: NewAskJob) {
    // JSON as text inside JSON, as in `Charges`: the request must not be parsed on its way.
    const job = {
      id,
      request: JSON.stringify(ask),
      webhook_id: Option.getOrNull(webhookId),
      claim: Option.getOrNull(claim),
      reply: keptReply(reply)
    }
    const hold = holding(order)
    const { verdict, balance } = yield* Effect.orDie(
      postOnce(hold, run({ hold: JSON.stringify(hold), job: JSON.stringify(job) }))
    )
    if (verdict === "refused") return yield* new InsufficientBalance({ balance, required: order.price })
    return verdict === "done" ? balance : yield* new HoldLost({ id: order.id })
  })
}

/**
 * Asks, one row each: open jobs, and for 30 days the results of finished ones. `Charges` writes a finished ask together with its money.
 *
 * Laws: a job belongs to one worker for as long as its lease is renewed, by the database's clock. A job without a worker is due again
 * 10 s after its last announcement. An ask older than 30 days is reported as expired, and after 60 days as unknown.
 * Source: decisions A1, A6.
 */
export class Asks extends Context.Service<
  Asks,
  {
    /** Holds the price, queues the job and stores its acknowledgement: all or nothing. Returns the available balance afterwards. */
    readonly enqueue: (order: Order, job: NewAskJob) => Effect.Effect<Credits, InsufficientBalance | HoldLost>
    /**
     * Claims a job for 30 s: the next of the lanes or, if none waits there, the announced one. None if the announced job has a worker,
     * is finished, or its number of tries does not match `filter`.
     */
    readonly claim: (id: string, filter?: TriesFilter) => Effect.Effect<Option.Option<AskJob>>
    /** Extends the lease to another 30 s. False: another worker has the job, or it is finished. */
    readonly renew: (job: JobAttempt) => Effect.Effect<boolean>
    /**
     * Ends the lease early: the attempt does not count as a try, and the job counts as announced. False: another worker has it, or it
     * is finished.
     */
    readonly release: (job: JobAttempt) => Effect.Effect<boolean>
    /** Up to 500 jobs that have no worker and were not announced for 10 s. They count as announced from now on. */
    readonly due: Effect.Effect<ReadonlyArray<DueJob>>
    readonly find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<FoundAsk>>
    /** Empties rows older than 30 days and deletes rows older than 60 days, up to 500 of each. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Asks") {
  static readonly layer = Layer.effect(
    Asks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const { due, setReleased, inLane, isClaimable, isHeldBy, renew, setClaimed } = makeJobs(sql, "asks")
      const job = sql.literal(`id, charge_id, account_id, environment, request, attempts AS attempt, ${tries} AS tries,
        greatest(0, round(extract(epoch FROM clock_timestamp() - created_at) * 1000))::float8 AS waited_millis`)
      const claim = makeClaim(
        SqlSchema.findOneOption({
          Request: Claim,
          Result: AskJob,
          execute: ({ id, isExact, tries: wanted }) => sql`
            UPDATE asks SET ${setClaimed} WHERE id = ${id} AND ${isClaimable} AND (${sql.literal(tries)} = ${wanted}) = ${isExact} RETURNING ${job}`
        }),
        SqlSchema.findOneOption({
          Request: LaneClaim,
          Result: AskJob,
          execute: (claim) => sql`
            WITH ${inLane(claim)}
            UPDATE asks SET ${setClaimed} WHERE id = (SELECT id FROM next) RETURNING ${job}`
        })
      )

      const find = SqlSchema.findOneOption({
        Request: OwnedId,
        Result: FoundAsk,
        execute: ({ id, ...wallet }) => sql`
          SELECT charge_id, status, result, created_at <= clock_timestamp() - ${resultAge}::interval AS expired FROM asks
          WHERE id = ${id} AND ${isOwnedBy(sql, wallet)}
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
        release: (job) => isDone(sql`UPDATE asks SET ${setReleased} WHERE ${isHeldBy(job)} RETURNING 1`),
        due,
        find: (wallet, id) => Effect.orDie(find({ ...wallet, id })),
        prune: Effect.zipWith(rowCount(empty), remove, (emptied, removed) => emptied + removed)
      })
    })
  )
}
