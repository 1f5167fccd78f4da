import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { AccountDetached, AccountId } from "@sightline/domain/Account"
import { Mode } from "@sightline/domain/Mode"
import { periodMillis, phaseMillis } from "@sightline/domain/Slot"
import type { Wallet } from "@sightline/domain/Wallet"
import { Interval, Sensitivity, TooManyWatches, Trigger } from "@sightline/domain/Watch"
import { inTurn } from "./Accounts.ts"
import { isoTime } from "./Columns.ts"
import { type Page, pageOf, type PageRequest, top } from "./Page.ts"
import { failPending } from "./Deliveries.ts"
import { type Claimed, makeClaimDue, periodOf } from "./DueWatches.ts"
import { isOwnedBy, OwnedId } from "./Ownership.ts"
import * as Sealed from "./Sealed.ts"

/** A watch as its owner sees it; its secret is never shown. */
const Watch = Schema.Struct({
  id: Schema.String,
  query: Schema.String,
  brand: Schema.String,
  mode: Mode,
  interval: Interval,
  webhookUrl: Schema.String,
  triggerOn: Schema.Array(Trigger),
  sensitivity: Sensitivity,
  enabled: Schema.Boolean,
  nextRunAt: Schema.String,
  createdAt: Schema.String
})
export type Watch = typeof Watch.Type

/** The settings of a watch that its owner chooses. */
export type WatchInput = Omit<Watch, "id" | "enabled" | "nextRunAt" | "createdAt">

// The stored slot can lie in the past, for a paused watch and for a due one that the scheduler has not moved yet. It can also be too
// far ahead, if a clock that was ahead has set it, until it is corrected (`TimesAhead`).
const nextSlot = `(date_bin(${periodOf}, clock_timestamp(), next_run_at) + ${periodOf})`

const columns = `id, query, brand, mode, "interval", webhook_url, trigger_on, sensitivity, enabled,
  ${isoTime(nextSlot)} AS next_run_at, ${isoTime("created_at")} AS created_at`

/** Choice: the most active watches per account and environment. Each needs a run per slot, even if the wallet cannot pay for it. */
const activeMax = 10_000

/** The phase and the period of a watch in seconds: its slots are at `phase + n × period` of the epoch. */
const cadence = (id: string, interval: Interval) => ({
  phase: phaseMillis(id, interval) / 1000,
  period: periodMillis(interval) / 1000
})

const makeStatements = (sql: SqlClient.SqlClient) => {
  const shown = sql.literal(columns)
  /** The first moment of a cadence strictly after now. */
  const next = ({ phase, period }: ReturnType<typeof cadence>) => sql`
    to_timestamp((floor((extract(epoch FROM clock_timestamp()) - ${phase}) / ${period}) + 1) * ${period} + ${phase})`
  const isRoom = (wallet: Wallet) => sql`
    (SELECT count(*) FROM watches WHERE ${isOwnedBy(sql, wallet)} AND enabled) < ${activeMax}`
  return {
    insert: (wallet: Wallet, id: string, secret: Uint8Array, input: WatchInput) => sql`
      INSERT INTO watches
      SELECT ${id}::uuid, ${wallet.accountId}::uuid, ${wallet.environment}, ${input.query}, ${input.brand}, ${input.mode},
        ${input.interval}, ${input.webhookUrl}, ${secret}::bytea, ${input.triggerOn}::text[], ${input.sensitivity},
        true, ${next(cadence(id, input.interval))}, clock_timestamp()
      WHERE ${isRoom(wallet)}
      RETURNING ${shown}`,
    resume: (wallet: Wallet, { id, interval }: Pick<Watch, "id" | "interval">) => sql`
      UPDATE watches SET enabled = true,
        next_run_at = CASE WHEN enabled THEN next_run_at ELSE ${next(cadence(id, interval))} END
      WHERE id = ${id} AND ${isOwnedBy(sql, wallet)} AND (enabled OR ${isRoom(wallet)})
      RETURNING ${shown}`,
    find: SqlSchema.findOneOption({
      Request: OwnedId,
      Result: Watch,
      execute: ({ id, ...wallet }) => sql`
        SELECT ${shown} FROM watches WHERE id = ${id} AND ${isOwnedBy(sql, wallet)}`
    }),
    pause: SqlSchema.findOneOption({
      Request: OwnedId,
      Result: Watch,
      execute: ({ id, ...wallet }) => sql`
        UPDATE watches SET enabled = false
        WHERE id = ${id} AND ${isOwnedBy(sql, wallet)}
        RETURNING ${shown}`
    }),
    // The condition on `finished_at` is always true of a queued run, and lets the indexes of open runs be used: ended ones are kept for
    // good.
    dropQueued: (id: string) =>
      sql`DELETE FROM runs WHERE watch_id = ${id} AND status = 'queued' AND finished_at IS NULL`,
    stop: (wallet: Wallet, id: string) =>
      failPending(sql, "watch_paused", sql`${isOwnedBy(sql, wallet)} AND receiver_id = ${id}`),
    pauseAll: (accountId: AccountId) =>
      sql`UPDATE watches SET enabled = false WHERE account_id = ${accountId} AND enabled`,
    dropAllQueued: (accountId: AccountId) => sql`
      DELETE FROM runs USING watches w
      WHERE w.id = runs.watch_id AND w.account_id = ${accountId} AND runs.status = 'queued' AND runs.finished_at IS NULL`,
    stopAll: (accountId: AccountId) =>
      failPending(sql, "watch_paused", sql`account_id = ${accountId} AND watch_id IS NOT NULL`),
    list: SqlSchema.findAll({
      Request: Schema.Struct({ ...OwnedId.fields, at: Schema.String, limit: Schema.Int }),
      Result: Watch,
      execute: ({ at, id, limit, ...wallet }) => sql`
        SELECT ${shown} FROM watches
        WHERE ${isOwnedBy(sql, wallet)} AND (watches.created_at, id) < (${at}::timestamptz, ${id}::uuid)
        ORDER BY watches.created_at DESC, id DESC LIMIT ${limit}`
    })
  }
}

const decodeWatches = Schema.decodeUnknownEffect(Schema.Array(Watch))

/**
 * Watches, one row each: what is searched for, how often, and which webhook is notified.
 *
 * Laws: a watch has one run per slot of its own, and at most one open run, however many processes claim. After downtime it has one run
 * for all slots that it missed. A run that has not begun when a pause is committed never begins, even if it was begun before and given
 * back. The pause also fails the pending deliveries of the watch. At most 10,000 watches are active per account and environment,
 * however many are created or resumed at once.
 * Source: contract, "Watch"; decisions D4, W1, W6.
 */
export class Watches extends Context.Service<
  Watches,
  {
    readonly create: (
      wallet: Wallet,
      input: WatchInput,
      secret: Redacted.Redacted
    ) => Effect.Effect<Watch, TooManyWatches | AccountDetached>
    /** A mark by which two secrets are compared. */
    readonly mark: (secret: Redacted.Redacted) => Effect.Effect<string>
    readonly find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<Watch>>
    /** Newest first. */
    readonly list: (wallet: Wallet, page: PageRequest) => Effect.Effect<Page<Watch>>
    readonly pause: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<Watch>>
    /** Pauses every watch of an account, in both environments. */
    readonly pauseAll: (accountId: AccountId) => Effect.Effect<void>
    /** Activates the watch from its next slot on. One that is active already is left as it is. */
    readonly resume: (
      wallet: Wallet,
      id: string
    ) => Effect.Effect<Option.Option<Watch>, TooManyWatches | AccountDetached>
    /** Moves up to `limit` due watches to their next slot and queues their runs. If fewer were moved, other processes find none either. */
    readonly claimDue: (limit: number) => Effect.Effect<Claimed>
  }
>()("@sightline/store/Watches") {
  /** `key` is 32 bytes. With another one no stored secret opens. */
  static readonly layer = (key: Redacted.Redacted<Uint8Array>) =>
    Layer.effect(
      Watches,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { dropAllQueued, dropQueued, find, insert, list, pause, pauseAll, resume, stop, stopAll } =
          makeStatements(sql)
        /** The watch that a statement has made active. If it returns none, the limit was reached. */
        const active = (wallet: Wallet, statement: ReturnType<typeof insert>) =>
          statement.pipe(
            Effect.flatMap(decodeWatches),
            Effect.orDie,
            inTurn(sql, wallet),
            Effect.flatMap(([watch]) =>
              watch === undefined ? Effect.fail(new TooManyWatches({ most: activeMax })) : Effect.succeed(watch)
            )
          )
        return Watches.of({
          create: Effect.fn("Watches.create")((wallet, input, secret) => {
            const id = randomUUID()
            const sealed = Sealed.seal(key, { table: "watches", id, column: "secret" }, secret)
            return active(wallet, insert(wallet, id, sealed, input))
          }),
          mark: (secret) => Effect.sync(() => Sealed.mark(key, secret)),
          find: (wallet, id) => Effect.orDie(find({ ...wallet, id })),
          list: Effect.fn("Watches.list")(function* (wallet, { after = top, limit }) {
            const found = yield* list({ ...wallet, ...after, limit: limit + 1 })
            return pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
          }, Effect.orDie),
          // Separate statements: they see what was queued or to be delivered before the first one got the lock on the watch.
          pause: Effect.fn("Watches.pause")(
            function* (wallet, id) {
              const paused = yield* pause({ ...wallet, id })
              if (Option.isSome(paused)) yield* Effect.andThen(dropQueued(id), stop(wallet, id))
              return paused
            },
            sql.withTransaction,
            Effect.orDie
          ),
          pauseAll: Effect.fn("Watches.pauseAll")(
            function* (accountId) {
              yield* pauseAll(accountId)
              yield* dropAllQueued(accountId)
              yield* stopAll(accountId)
            },
            sql.withTransaction,
            Effect.orDie
          ),
          resume: Effect.fn("Watches.resume")(function* (wallet, id) {
            const known = yield* Effect.orDie(find({ ...wallet, id }))
            return Option.isNone(known) ? known : Option.some(yield* active(wallet, resume(wallet, known.value)))
          }),
          claimDue: makeClaimDue(sql)
        })
      })
    )
}
