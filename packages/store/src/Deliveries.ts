import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import type { AccountDetached } from "@sightline/domain/Account"
import type { Wallet } from "@sightline/domain/Wallet"
import {
  DeliveryPending,
  DeliveryStatus,
  ReceiverInactive,
  InactiveReason,
  TooManyDeliveries,
  WebhookEvent
} from "@sightline/domain/Webhook"
import { inTurn } from "./Accounts.ts"
import { recorded } from "./Actions.ts"
import { isoTime, olderThan, pruneRows } from "./Columns.ts"
import { type Page, pageOf, type PageRequest, top } from "./Page.ts"
import { isOwnedBy, OwnedId } from "./Ownership.ts"
import { rowCount } from "./RowCount.ts"

/**
 * A delivery as its owner sees it.
 *
 * Shape: it is for the ask of an endpoint or for the run of a watch. `url` is where it was last sent; `reason` says why it failed.
 */
const Delivery = Schema.Struct({
  id: Schema.String,
  event: WebhookEvent,
  webhookId: Schema.NullOr(Schema.String),
  askId: Schema.NullOr(Schema.String),
  watchId: Schema.NullOr(Schema.String),
  runId: Schema.NullOr(Schema.String),
  url: Schema.String,
  status: DeliveryStatus,
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  nextAttemptAt: Schema.NullOr(Schema.String)
})
export type Delivery = typeof Delivery.Type

/** An attempt that was made. One in progress has no duration and no error. */
const MadeAttempt = Schema.Struct({
  id: Schema.String,
  number: Schema.Int,
  startedAt: Schema.String,
  durationMs: Schema.NullOr(Schema.Int),
  statusCode: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  responseExcerpt: Schema.NullOr(Schema.String),
  remoteAddress: Schema.NullOr(Schema.String)
})
export type MadeAttempt = typeof MadeAttempt.Type

/** Which deliveries to show. */
interface DeliveryFilter {
  readonly watchId?: string
  readonly webhookId?: string
  readonly status?: DeliveryStatus
}

const columns = `id, event, webhook_id, ask_id, watch_id, run_id, url, status, reason,
  ${isoTime("deliveries.created_at")} AS created_at, ${isoTime("next_attempt_at")} AS next_attempt_at`

const decode = Schema.decodeUnknownEffect(Schema.Array(Delivery))

/** Why a delivery is not replayed. */
export type NotReplayed = DeliveryPending | ReceiverInactive | TooManyDeliveries

/**
 * Choice: the most deliveries of one ask or run, including replays. Each is kept with its body for 30 days, and costs the customer
 * nothing.
 */
const eventMax = 100

/**
 * How many deliveries one statement fails. It may take 15 s, and it writes each delivery anew, with its body and for all its
 * indexes.
 */
const failedMax = 5000

/**
 * Fails the pending deliveries of receivers that are switched off, as `begin_attempts` would when they are due. Deliveries with an
 * attempt in progress, or with a lost attempt that is not counted yet, are left to `begin_attempts`.
 *
 * Shape: `whose` is a condition on the account, by which pending deliveries are found, and on the receivers.
 */
export const failPending = (
  sql: SqlClient.SqlClient,
  reason: "endpoint_disabled" | "watch_paused",
  whose: Statement.Fragment
) =>
  rowCount(sql`
    UPDATE deliveries SET status = 'failed', reason = ${reason}, next_attempt_at = NULL
    WHERE id IN (
      SELECT id FROM deliveries WHERE ${whose} AND status = 'pending' AND lease_expires_at IS NULL
      -- What another one has locked is being begun or given up. It is not waited for, so no two wait for each other.
      LIMIT ${failedMax} FOR UPDATE SKIP LOCKED)
    RETURNING 1`).pipe(Effect.repeat({ while: (rows) => rows === failedMax }))

/**
 * The deliveries of the same event as a given one: how many there are, which of the others is pending, and why the receiver is sent
 * nothing, if so.
 */
const makeEvent = (sql: SqlClient.SqlClient) =>
  SqlSchema.findOneOption({
    Request: OwnedId,
    Result: Schema.Struct({
      kept: Schema.Int,
      pending: Schema.NullOr(Schema.String),
      inactive: Schema.NullOr(InactiveReason)
    }),
    execute: ({ id, ...wallet }) => sql`
      SELECT count(*)::integer AS kept,
        (array_agg(d.id ORDER BY d.created_at) FILTER (WHERE d.status = 'pending' AND d.id <> own.id))[1] AS pending,
        CASE WHEN e.deleted_at IS NOT NULL THEN 'endpoint_deleted' WHEN NOT e.enabled THEN 'endpoint_disabled'
          WHEN NOT w.enabled THEN 'watch_paused' END AS inactive
      FROM (SELECT id, ask_id, run_id, webhook_id, watch_id FROM deliveries WHERE ${isOwnedBy(sql, wallet)} AND id = ${id}) own
      JOIN deliveries d ON d.ask_id = own.ask_id OR d.run_id = own.run_id
      LEFT JOIN webhook_endpoints e ON e.id = own.webhook_id LEFT JOIN watches w ON w.id = own.watch_id
      GROUP BY own.id, e.id, w.id`
  })

const makeReplay = (sql: SqlClient.SqlClient) => {
  const event = makeEvent(sql)
  const write = Effect.fnUntraced(function* (wallet: Wallet, id: string) {
    const record = yield* recorded(sql, "delivery_replayed", { replay_of: id })
    return yield* sql`
      INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, watch_id, run_id, url, body, status,
        created_at, next_attempt_at)
      SELECT gen_random_uuid(), account_id, environment, event, webhook_id, ask_id, watch_id, run_id,
        coalesce((SELECT e.url FROM webhook_endpoints e WHERE e.id = webhook_id AND e.deleted_at IS NULL), url), body,
        'pending', moment, moment
      FROM deliveries, clock_timestamp() AS moment WHERE ${isOwnedBy(sql, wallet)} AND id = ${id}
      RETURNING ${sql.literal(columns)}, ${record}`
  })
  return Effect.fn("Deliveries.replay")((wallet: Wallet, id: string) =>
    Effect.gen(function* () {
      const found = yield* Effect.orDie(event({ ...wallet, id }))
      if (Option.isNone(found)) return Option.none<Delivery>()
      const { inactive, kept, pending } = found.value
      if (inactive !== null) return yield* new ReceiverInactive({ reason: inactive })
      if (pending !== null) return yield* new DeliveryPending({ id: pending })
      if (kept >= eventMax) return yield* new TooManyDeliveries({ most: eventMax })
      return Array.head(yield* Effect.orDie(Effect.flatMap(write(wallet, id), decode)))
    }).pipe(inTurn(sql, wallet))
  )
}

/**
 * Webhook deliveries and their outcomes, for 30 days.
 *
 * Laws: an owner sees its own deliveries, of one environment. A replay is a new delivery with the bytes of the first one. It is refused
 * while another delivery of the same event is pending, however many replays are requested at once. It is also refused when 100
 * deliveries of the event are kept, or when the receiver is switched off. A pending delivery is never deleted.
 * Source: decisions D5.
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Newest first. */
    readonly page: (wallet: Wallet, filter: DeliveryFilter, page: PageRequest) => Effect.Effect<Page<Delivery>>
    readonly find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<Delivery>>
    /** The attempts of a delivery, in their order. */
    readonly attempts: (id: string) => Effect.Effect<ReadonlyArray<MadeAttempt>>
    /** Writes the delivery again, due now. None if there is no such delivery. */
    readonly replay: (
      wallet: Wallet,
      id: string
    ) => Effect.Effect<Option.Option<Delivery>, NotReplayed | AccountDetached>
    /** Deletes older deliveries with their attempts, up to a thousand at a time. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const shown = sql.literal(columns)

      const attempts = SqlSchema.findAll({
        Request: Schema.String,
        Result: MadeAttempt,
        execute: (id) => sql`
          SELECT id, number, ${sql.literal(isoTime("started_at"))} AS started_at, duration_ms, status_code, error,
            response_excerpt, remote_address
          FROM attempts WHERE delivery_id = ${id} ORDER BY number`
      })

      const prune = sql`
        WITH old AS (
          DELETE FROM deliveries WHERE id IN (
            SELECT id FROM deliveries WHERE ${sql.literal(olderThan("created_at", "30 days"))} AND status <> 'pending'
            ORDER BY created_at LIMIT ${pruneRows} FOR UPDATE SKIP LOCKED)
          RETURNING id), gone AS (DELETE FROM attempts USING old WHERE delivery_id = old.id)
        SELECT id FROM old`

      return Deliveries.of({
        page: Effect.fn("Deliveries.page")(function* (wallet, { status, watchId, webhookId }, { after = top, limit }) {
          const wanted = sql.and([
            isOwnedBy(sql, wallet),
            // The index is on `receiver_id`; the other column selects the kind of receiver.
            ...(watchId === undefined ? [] : [sql`watch_id = ${watchId} AND receiver_id = ${watchId}`]),
            ...(webhookId === undefined ? [] : [sql`webhook_id = ${webhookId} AND receiver_id = ${webhookId}`]),
            ...(status === undefined ? [] : [sql`status = ${status}`]),
            sql`(deliveries.created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`
          ])
          const found = yield* sql`
            SELECT ${shown} FROM deliveries WHERE ${wanted} ORDER BY deliveries.created_at DESC, id DESC LIMIT ${limit + 1}`.pipe(
            Effect.flatMap(decode),
            Effect.orDie
          )
          return pageOf(found, limit, (delivery) => ({ at: delivery.createdAt, id: delivery.id }))
        }),
        find: Effect.fn("Deliveries.find")(function* (wallet, id) {
          return Array.head(
            yield* decode(yield* sql`SELECT ${shown} FROM deliveries WHERE ${isOwnedBy(sql, wallet)} AND id = ${id}`)
          )
        }, Effect.orDie),
        attempts: (id) => Effect.orDie(attempts(id)),
        replay: makeReplay(sql),
        prune: rowCount(prune)
      })
    })
  )
}
