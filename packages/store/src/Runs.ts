import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { EvidenceState } from "@sightline/domain/Evidence"
import { RunMention } from "@sightline/domain/RunMention"
import { RunStatus, Trigger, WatchResult } from "@sightline/domain/Watch"
import type { Wallet } from "@sightline/domain/Wallet"
import { DeliveryStatus } from "@sightline/domain/Webhook"
import { Amount, isoTime, pruneRows } from "./Columns.ts"
import { type CursorUnknown, type Page, type PageRequest, pageOf, placeOf } from "./Cursor.ts"
import type { DueJob, JobAttempt, Tried } from "./Jobs.ts"
import { isOwn } from "./Owned.ts"
import { makeRowId } from "./RowId.ts"
import { makeRunJobs, type RunJob } from "./RunJobs.ts"
import { endsBroughtBack } from "./TimesAhead.ts"
import { isUnheard } from "./Unheard.ts"

/**
 * What is kept of a run that was done.
 *
 * Shape: `toldBy` is where nothing fired the run that told the last news before, null without one; `mentions` are the brand mentions
 * as later payloads repeat them; `event` is the payload of the delivery where something fired: the moment it fired goes between `head`
 * and `tail`, and `told` repeats why, as JSON.
 */
export interface RunRecord {
  readonly id: string
  readonly toldBy: string | null
  readonly triggers: ReadonlyArray<Trigger>
  readonly result: WatchResult
  readonly evidence: EvidenceState
  readonly mentions: ReadonlyArray<RunMention>
  readonly event: { readonly head: string; readonly tail: string; readonly told?: string } | null
}

/**
 * What a watch's run left for the next one: beside its result its state, which is not kept once a later run is told for good.
 *
 * Shape: `toldBy` is by whose delivery it is told, its own or that of a run before.
 */
const Previous = Schema.Struct({
  toldBy: Schema.String,
  result: WatchResult,
  evidence: EvidenceState,
  mentions: Schema.Array(RunMention)
})
export type Previous = typeof Previous.Type

/** Why a run fired, as its payload says it. */
const Told = Schema.Struct({ summary: Schema.String, evidence: Schema.optionalKey(Schema.Json) })

/** A run as its owner sees it. */
const Run = Schema.Struct({
  id: Schema.String,
  watchId: Schema.String,
  scheduledFor: Schema.String,
  startedAt: Schema.NullOr(Schema.String),
  finishedAt: Schema.NullOr(Schema.String),
  status: RunStatus,
  triggersFired: Schema.Array(Trigger),
  deliveryStatus: Schema.NullOr(DeliveryStatus),
  cost: Schema.NullOr(Amount),
  checkId: Schema.NullOr(Schema.String),
  told: Schema.NullOr(Told)
})
export type Run = typeof Run.Type

const makePage = (sql: SqlClient.SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({ watchId: Schema.String, at: Schema.String, id: Schema.String, limit: Schema.Int }),
    Result: Run,
    execute: ({ watchId, at, id, limit }) => sql`
      SELECT r.id, r.watch_id, ${sql.literal(isoTime("r.scheduled_for"))} AS scheduled_for,
        ${sql.literal(isoTime("r.started_at"))} AS started_at, ${sql.literal(isoTime("r.finished_at"))} AS finished_at,
        r.status, r.triggers_fired, r.told, c.amount AS cost,
        (SELECT d.status FROM deliveries d WHERE d.run_id = r.id ORDER BY d.status = 'delivered' DESC, d.created_at DESC LIMIT 1)
          AS delivery_status,
        (SELECT k.id FROM checks k WHERE k.charge_id = r.charge_id) AS check_id
      FROM runs r LEFT JOIN charges c ON c.id = r.charge_id
      WHERE r.watch_id = ${watchId} AND (r.scheduled_for, r.id) < (${at}::timestamptz, ${id}::uuid)
      ORDER BY r.scheduled_for DESC, r.id DESC LIMIT ${limit}`
  })

const makeStatements = (sql: SqlClient.SqlClient) => ({
  // Of a run without deliveries nothing was to be told, or it was told so long ago that they are not kept any more: so it is where only
  // replays are kept, which are younger than it.
  previous: SqlSchema.findOneOption({
    Request: Schema.String,
    Result: Previous,
    execute: (watchId) => sql`${endsBroughtBack(sql, watchId)}
      SELECT coalesce(told_by, id) AS told_by, result, evidence, mentions FROM runs r
      WHERE watch_id = ${watchId} AND json_array_length(result) > 0
        AND coalesce((
          SELECT bool_or(d.status <> 'failed') OR min(d.created_at) > (SELECT t.finished_at FROM runs t WHERE t.id = coalesce(r.told_by, r.id))
          FROM deliveries d WHERE d.run_id = coalesce(r.told_by, r.id)), true)
      ORDER BY finished_at DESC LIMIT 1`
  }),
  prune: sql<{ readonly done: number }>`SELECT drop_states_of_before(${pruneRows}) AS done`.pipe(
    Effect.map(([row]) => row?.done ?? 0)
  ),
  end: ({ id, attempt }: JobAttempt, status: "skipped_insufficient_balance" | "failed") => sql`
      UPDATE runs SET status = ${status}, finished_at = clock_timestamp(), lease_expires_at = NULL
      WHERE id = ${id} AND attempts = ${attempt} AND finished_at IS NULL`,
  // Whoever holds the watch is alone with it: neither a pause nor the scheduler comes between this and the run.
  reserve: (wallet: Wallet, watchId: string) => sql`
      SELECT 1 FROM watches
      WHERE id = ${watchId} AND ${isOwn(sql, wallet)} AND enabled
      FOR NO KEY UPDATE`,
  // Of a watch with an open run that one is meant: there is never a second.
  start: SqlSchema.findOne({
    Request: Schema.Struct({ id: Schema.String, watchId: Schema.String }),
    Result: Schema.Struct({ id: Schema.String, status: RunStatus }),
    execute: ({ id, watchId }) => sql`
      WITH made AS (
        INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at)
        VALUES (${id}, ${watchId}, clock_timestamp(), 'queued', clock_timestamp())
        ON CONFLICT DO NOTHING
        RETURNING id, status
      )
      SELECT id, status FROM made
      UNION ALL
      SELECT id, status FROM runs WHERE id = ${id}
      UNION ALL
      SELECT id, status FROM runs WHERE watch_id = ${watchId} AND finished_at IS NULL
      LIMIT 1`
  })
})

/**
 * Runs of watches, one row each; those that were done are written by `Charges` together with the money.
 *
 * Laws: a run is one taker's for as long as the lease is renewed, by the database's clock; one that nobody has is due again
 * within 10 s of its last announcement; a run that ended stays as it ended, but for its time, where the clock was set back since.
 */
export class Runs extends Context.Service<
  Runs,
  {
    /**
     * Takes for 30 s the run whose turn it is of those that have waited, or else the announced one, unless somebody has it, it has
     * ended, its watch was paused before it began, or it was tried another number of times than wanted.
     */
    readonly claim: (id: string, tried?: Tried) => Effect.Effect<Option.Option<RunJob>>
    /** Takes it for another 30 s. False: somebody else has it, or it has ended. */
    readonly renew: (job: JobAttempt) => Effect.Effect<boolean>
    /**
     * Gives it back before its 30 s are over: this was no try, and it counts as announced. A run that nobody else began is queued again,
     * and dropped where its watch is paused. False: it was dropped, somebody else has it, or it has ended.
     */
    readonly giveBack: (job: JobAttempt) => Effect.Effect<boolean>
    /** Runs that nobody has and that nobody was told of for 10 s, up to 500; they count as announced from now on. */
    readonly due: Effect.Effect<ReadonlyArray<DueJob>>
    /**
     * What the watch's last run that had any answer left, and whose delivery, if it had one, has not failed; none before the first.
     * Without news it is as good as the run that told the last news before it. An outage leaves nothing, and a change that could not
     * be told is there for the next run to tell.
     */
    readonly previous: (watchId: string) => Effect.Effect<Option.Option<Previous>>
    /** Ends a run that nothing came of and nothing was charged for, unless somebody else has it, or it has ended. */
    readonly end: (job: JobAttempt, status: "skipped_insufficient_balance" | "failed") => Effect.Effect<void>
    /**
     * Queues a run now; where one is open, that one is meant. None: this wallet has no such watch, or it is paused. If the
     * database's answer is lost, it is asked for once more.
     */
    readonly start: (
      wallet: Wallet,
      watchId: string
    ) => Effect.Effect<Option.Option<{ readonly id: string; readonly status: RunStatus }>>
    /** Empties runs that ended before each end of a run saw to it: up to a thousand, of any number of watches. How many of both. */
    readonly prune: Effect.Effect<number>
    /** Newest first. */
    readonly page: (watchId: string, page: PageRequest) => Effect.Effect<Page<Run>, CursorUnknown>
  }
>()("@sightline/store/Runs") {
  static readonly layer = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const page = makePage(sql)
      const { end, previous, prune, reserve, start } = makeStatements(sql)
      return Runs.of({
        ...makeRunJobs(sql),
        previous: (watchId) => Effect.orDie(previous(watchId)),
        end: (job, status) => Effect.orDie(Effect.asVoid(end(job, status))),
        start: Effect.fn("Runs.start")(function* (wallet, watchId) {
          const id = makeRowId()
          const started = reserve(wallet, watchId).pipe(
            Effect.flatMap(({ length }) => (length === 0 ? Effect.succeedNone : Effect.asSome(start({ id, watchId })))),
            sql.withTransaction
          )
          // What was made is found by its id.
          return yield* Effect.catchIf(started, isUnheard, () => started)
        }, Effect.orDie),
        prune: Effect.orDie(prune),
        page: Effect.fn("Runs.page")(function* (watchId, { cursor, limit }) {
          const found = yield* Effect.orDie(page({ watchId, ...(yield* placeOf("runs", cursor)), limit: limit + 1 }))
          return pageOf("runs", found, limit, ({ scheduledFor, id }) => ({ at: scheduledFor, id }))
        })
      })
    })
  )
}
