import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { EvidenceState } from "@sightline/domain/Evidence"
import { RunMention } from "@sightline/domain/RunMention"
import { RunStatus, Trigger, WatchResult } from "@sightline/domain/Watch"
import type { Wallet } from "@sightline/domain/Wallet"
import { DeliveryStatus } from "@sightline/domain/Webhook"
import { Amount, isoTime, pruneRows } from "./Columns.ts"
import { type Page, pageOf, type PageRequest, top } from "./Page.ts"
import type { DueJob, JobAttempt, TriesFilter } from "./Jobs.ts"
import { isOwnedBy } from "./Ownership.ts"
import { makeRowId } from "./RowId.ts"
import { makeRunJobs, type RunJob } from "./RunJobs.ts"
import { correctedEnds } from "./TimesAhead.ts"
import { isResponseLost } from "./PostOnce.ts"

/**
 * The record of a finished run.
 *
 * Shape: `toldBy` is for a run in which nothing fired: the earlier run that reported the last news, or null without one. `mentions` are
 * the brand mentions in the form in which later payloads repeat them. `event` is the payload of the delivery if something fired: the
 * time of firing goes between `head` and `tail`, and `told` repeats the reason, as JSON.
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
 * What a run of a watch left for the next one: its result and its state. The state is deleted once a later run has been reported for
 * good.
 *
 * Shape: `toldBy` is the run whose delivery reports it: itself or an earlier one.
 */
const Previous = Schema.Struct({
  toldBy: Schema.String,
  result: WatchResult,
  evidence: EvidenceState,
  mentions: Schema.Array(RunMention)
})
export type Previous = typeof Previous.Type

/** The reason why a run fired, as in its payload. */
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
  // A run without deliveries had nothing to report, or its deliveries are so old that they are no longer kept. The latter is also true
  // if only replays are kept, which are younger than the run. A run whose state was emptied by hand leaves nothing, so the next one begins
  // as a first run does. The state is asked for once the run is found: no run before it has one.
  previous: SqlSchema.findOneOption({
    Request: Schema.String,
    Result: Previous,
    execute: (watchId) => sql`${correctedEnds(sql, watchId)}
      SELECT * FROM (
      SELECT coalesce(told_by, id) AS told_by, result, evidence, mentions FROM runs r
      WHERE watch_id = ${watchId} AND json_array_length(result) > 0
        AND coalesce((
          SELECT bool_or(d.status <> 'failed') OR min(d.created_at) > (SELECT t.finished_at FROM runs t WHERE t.id = coalesce(r.told_by, r.id))
          FROM deliveries d WHERE d.run_id = coalesce(r.told_by, r.id)), true)
      ORDER BY finished_at DESC LIMIT 1) latest
      WHERE evidence IS NOT NULL AND mentions IS NOT NULL`
  }),
  prune: sql<{ readonly done: number }>`SELECT drop_states_of_before(${pruneRows}) AS done`.pipe(
    Effect.map(([row]) => row?.done ?? 0)
  ),
  end: ({ id, attempt }: JobAttempt, status: "skipped_insufficient_balance" | "failed") => sql`
      UPDATE runs SET status = ${status}, finished_at = clock_timestamp(), lease_expires_at = NULL
      WHERE id = ${id} AND attempts = ${attempt} AND finished_at IS NULL`,
  // The lock on the watch keeps a pause and the scheduler out until the run is written.
  reserve: (wallet: Wallet, watchId: string) => sql`
      SELECT 1 FROM watches
      WHERE id = ${watchId} AND ${isOwnedBy(sql, wallet)} AND enabled
      FOR NO KEY UPDATE`,
  // If the watch has an open run, that one is returned: there is never a second.
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
 * Runs of watches, one row each. `Charges` writes finished ones together with their money.
 *
 * Laws: a run belongs to one worker for as long as its lease is renewed, by the database's clock. A run without a worker is due again
 * 10 s after its last announcement. The ending of a run never changes, except for its time if the clock was set back.
 */
export class Runs extends Context.Service<
  Runs,
  {
    /**
     * Claims a run for 30 s: the next of the lanes or, if none waits there, the announced one. None if the announced run has a worker,
     * has ended, did not begin before its watch was paused, or its number of tries does not match `filter`.
     */
    readonly claim: (id: string, filter?: TriesFilter) => Effect.Effect<Option.Option<RunJob>>
    /** Extends the lease to another 30 s. False: another worker has the run, or it has ended. */
    readonly renew: (job: JobAttempt) => Effect.Effect<boolean>
    /**
     * Ends the lease early: the attempt does not count as a try, and the run counts as announced. A run without an earlier try is
     * queued again, or deleted if its watch is paused. False: it was deleted, another worker has it, or it has ended.
     */
    readonly release: (job: JobAttempt) => Effect.Effect<boolean>
    /** Up to 500 runs that have no worker and were not announced for 10 s. They count as announced from now on. */
    readonly due: Effect.Effect<ReadonlyArray<DueJob>>
    /**
     * What the watch's last run left, of the runs that had an answer and whose delivery, if there is one, has not failed. None before
     * the first. A run without news counts by the delivery of the run that reported the last news before it. A run without an answer
     * leaves nothing, and a change whose delivery failed is left to the next run to report.
     */
    readonly previous: (watchId: string) => Effect.Effect<Option.Option<Previous>>
    /** Ends a run without a result and without a charge, unless another worker has it or it has ended. */
    readonly end: (job: JobAttempt, status: "skipped_insufficient_balance" | "failed") => Effect.Effect<void>
    /**
     * Queues a run now, or returns the open one. None: this wallet has no such watch, or it is paused. If the database's response is
     * lost, the call is repeated once.
     */
    readonly start: (
      wallet: Wallet,
      watchId: string
    ) => Effect.Effect<Option.Option<{ readonly id: string; readonly status: RunStatus }>>
    /**
     * Empties the states of runs that ended before each end of a run did so: up to a thousand, of any number of watches. Returns how
     * many runs were emptied and watches finished, added up.
     */
    readonly prune: Effect.Effect<number>
    /** Newest first. */
    readonly page: (watchId: string, page: PageRequest) => Effect.Effect<Page<Run>>
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
          // The second try finds what the first one made by its id.
          return yield* Effect.catchIf(started, isResponseLost, () => started)
        }, Effect.orDie),
        prune: Effect.orDie(prune),
        page: Effect.fn("Runs.page")(function* (watchId, { after = top, limit }) {
          const found = yield* page({ watchId, ...after, limit: limit + 1 })
          return pageOf(found, limit, ({ scheduledFor, id }) => ({ at: scheduledFor, id }))
        }, Effect.orDie)
      })
    })
  )
}
