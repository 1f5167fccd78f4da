import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { type Credits, toCents } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Amount, olderThan } from "./Columns.ts"
import { pruned, rowCount } from "./RowCount.ts"
import { isResponseLost } from "./PostOnce.ts"
import { joined, textOf, type Utf8, utf8 } from "./Utf8.ts"

/** An idempotency key with what it belongs to: on another route, or in another wallet, the same text is another key. */
export interface Scope extends Wallet {
  readonly route: string
  readonly key: string
}

/** An answer as it goes to the customer. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Utf8
}

/**
 * An answer without the balance, which only the settling statement knows.
 *
 * Shape: the balance goes between `head` and `tail`; a null `tail` means that the body is `head` and contains no balance.
 */
export interface ReplyTemplate {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The header that repeats the balance, if one does. */
  readonly balanceHeader: string | null
  readonly head: Utf8
  readonly tail: Utf8 | null
}

/** An answer that contains no balance. */
export const plainReply = (status: number, json: string): ReplyTemplate => ({
  status,
  headers: {},
  balanceHeader: null,
  head: utf8(json),
  tail: null
})

/** A template as the database keeps it: as text. */
export type KeptReply = Omit<ReplyTemplate, "head" | "tail"> & { readonly head: string; readonly tail: string | null }

/** A template to be kept. */
export const keptReply = ({ head, tail, ...reply }: ReplyTemplate): KeptReply => ({
  ...reply,
  head: textOf(head),
  tail: tail === null ? null : textOf(tail)
})

/**
 * Inserts the balance into an answer.
 *
 * Laws: the first caller's answer and every replay are made here from the same parts, so they are the same bytes.
 */
export const renderReply = (template: ReplyTemplate, balance: Credits): Reply => {
  const credits = String(toCents(balance))
  return {
    status: template.status,
    headers:
      template.balanceHeader === null ? template.headers : { ...template.headers, [template.balanceHeader]: credits },
    body: template.tail === null ? template.head : joined([template.head, utf8(credits), template.tail])
  }
}

/**
 * The result of a claim on a key: the caller has it, it was answered before, another call works on it, or it was used for another
 * request. An `inherited` claim had an owner whose lease expired and who may have a hold.
 * After `InFlight` the caller asks again: it becomes a `Replay`, or `Claimed` once the other lease has expired.
 */
export type Claim = Data.TaggedEnum<{
  Claimed: { readonly token: string; readonly inherited: boolean }
  Replay: Reply
  InFlight: {}
  Mismatch: {}
}>
export const Claim = Data.taggedEnum<Claim>()

/** SQL for a claim with a running lease, however old its key. A lease too far ahead, as after a clock was set back, does not count. */
const underWay =
  "status IS NULL AND lease_expires_at > clock_timestamp() AND lease_expires_at <= clock_timestamp() + interval '90 seconds'"

/** The claim went to another owner while this one was at work. */
class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

const Row = Schema.Struct({
  token: Schema.NullOr(Schema.String),
  inherited: Schema.Boolean,
  matches: Schema.Boolean,
  status: Schema.NullOr(Schema.Int),
  headers: Schema.NullOr(Schema.Record(Schema.String, Schema.String)),
  balanceHeader: Schema.NullOr(Schema.String),
  head: Schema.NullOr(Schema.String),
  tail: Schema.NullOr(Schema.String),
  balance: Schema.NullOr(Amount)
})

const toClaim = (row: typeof Row.Type): Claim => {
  if (row.token !== null) return Claim.Claimed({ token: row.token, inherited: row.inherited })
  if (!row.matches) return Claim.Mismatch()
  const { status, headers, balanceHeader, head, tail, balance } = row
  if (status === null || headers === null || head === null || balance === null) return Claim.InFlight()
  const template = { status, headers, balanceHeader, head: utf8(head), tail: tail === null ? null : utf8(tail) }
  return Claim.Replay(renderReply(template, balance))
}

const makeRunWithReply = (sql: SqlClient.SqlClient) => {
  const keep = (token: string, { status, headers, balanceHeader, head, tail }: KeptReply) => sql`
    UPDATE replies SET status = ${status}, headers = ${JSON.stringify(headers)}::json, balance_header = ${balanceHeader},
      head = ${head}, tail = ${tail}, balance = 0
    WHERE token = ${token} AND status IS NULL
    RETURNING 1`
  const once = Effect.fnUntraced(
    function* <A, E, R>(token: string, work: Effect.Effect<A, E, R>, reply: (done: A) => ReplyTemplate) {
      const done = yield* work
      if ((yield* rowCount(keep(token, keptReply(reply(done))))) === 0) return yield* new ClaimLost()
      return Option.some(done)
    },
    (doing) => sql.withTransaction(doing),
    Effect.catchIf(SqlError.isSqlError, Effect.die),
    Effect.catchIf(Schema.is(ClaimLost), () => Effect.succeedNone)
  )
  // A COMMIT in progress has the row locked, so this statement waits for it.
  const found = (token: string) => sql<{ readonly kept: boolean }>`
    SELECT status IS NOT NULL AS kept FROM replies WHERE token = ${token} FOR UPDATE`
  return <A, E, R>(token: string, work: Effect.Effect<A, E, R>, reply: (done: A) => ReplyTemplate) =>
    Effect.suspend(() => {
      let last = Option.none<A>()
      const noted = Effect.tap(work, (done) => Effect.sync(() => (last = Option.some(done))))
      const doing = once(token, noted, reply)
      const unlessKept = Effect.flatMap(Effect.orDie(found(token)), ([row]) =>
        row?.kept === true ? Effect.succeed(last) : doing
      )
      return Effect.catchDefect(doing, (defect) => (isResponseLost(defect) ? unlessKept : Effect.die(defect)))
    })
}

/**
 * Idempotency keys and their replies, kept for 24 hours of the database's clock, and while a call is in progress.
 *
 * Shape: a claim is leased for 30 s; its owner renews it every 10 s. The reply is written together with the work, by `Charges` with the
 * money or by `runWithReply`, and only while the claim still belongs to its owner.
 */
export class Replies extends Context.Service<
  Replies,
  {
    /** Claims the key, or reports why not. A claim with an expired lease is taken over with a new token. */
    readonly claim: (scope: Scope, fingerprint: Uint8Array) => Effect.Effect<Claim>
    /** Extends the lease. False: the claim is no longer this owner's. */
    readonly renew: (token: string) => Effect.Effect<boolean>
    /**
     * Does work that costs nothing and keeps its reply, in one transaction. None: the claim is no longer this owner's, and nothing was
     * done. A failure of `work` rolls it back. If the database's response is lost, the work is repeated unless it was committed.
     */
    readonly runWithReply: <A, E, R>(
      token: string,
      work: Effect.Effect<A, E, R>,
      reply: (done: A) => ReplyTemplate
    ) => Effect.Effect<Option.Option<A>, E, R>
    /** Gives the key back after a refusal, so that it may be used again. */
    readonly release: (token: string) => Effect.Effect<void>
    /** Deletes keys that are older than 24 hours and have no running claim, a thousand at a time. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Replies") {
  static readonly layer = Layer.effect(
    Replies,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // The insert decides under the row's lock. The second SELECT only describes the row that was in the way. It reads the statement's
      // snapshot, which may lack a row inserted meanwhile, or show an expired one that was claimed anew: then it returns nothing and
      // the claim is repeated. A key that clearly cannot be claimed is not even locked: each waiting caller asks every second.
      const take = SqlSchema.findOneOption({
        Request: Schema.Struct({
          accountId: Schema.String,
          environment: Schema.String,
          route: Schema.String,
          key: Schema.String,
          fingerprint: Schema.Uint8Array
        }),
        Result: Row,
        execute: ({ accountId, environment, route, key, fingerprint }) => sql`
          WITH taken AS (
            INSERT INTO replies AS r (account_id, environment, route, key, fingerprint, token, lease_expires_at, created_at)
            SELECT ${accountId}, ${environment}, ${route}, ${key}, ${fingerprint}, gen_random_uuid(),
              clock_timestamp() + interval '30 seconds', clock_timestamp()
            WHERE NOT EXISTS (
              SELECT FROM replies
              WHERE account_id = ${accountId} AND environment = ${environment} AND route = ${route} AND key = ${key}
                AND (${sql.literal(underWay)} OR status IS NOT NULL AND created_at > clock_timestamp() - interval '24 hours'))
            ON CONFLICT (account_id, environment, route, key) DO UPDATE SET
              fingerprint = excluded.fingerprint, token = excluded.token, lease_expires_at = excluded.lease_expires_at,
              created_at = CASE WHEN r.created_at <= clock_timestamp() - interval '24 hours'
                THEN excluded.created_at ELSE r.created_at END,
              status = NULL, headers = NULL, balance_header = NULL, head = NULL, tail = NULL, balance = NULL
            WHERE (r.status IS NOT NULL OR r.lease_expires_at <= clock_timestamp()
              OR r.lease_expires_at > excluded.lease_expires_at + interval '1 minute')
              AND (r.created_at <= clock_timestamp() - interval '24 hours'
                OR (r.status IS NULL AND r.fingerprint = excluded.fingerprint))
            RETURNING token, xmax <> 0 AS inherited
          )
          SELECT token, inherited, true AS matches, NULL::integer AS status, NULL::json AS headers, NULL AS balance_header,
            NULL AS head, NULL AS tail, NULL::bigint AS balance
          FROM taken
          UNION ALL
          SELECT NULL, false, fingerprint = ${fingerprint}, status, headers, balance_header, head, tail, balance
          FROM replies
          WHERE account_id = ${accountId} AND environment = ${environment} AND route = ${route} AND key = ${key}
            AND (created_at > clock_timestamp() - interval '24 hours' OR ${sql.literal(underWay)})
            AND NOT EXISTS (SELECT FROM taken)`
      })

      const claim = (scope: Scope, fingerprint: Uint8Array): Effect.Effect<Claim> =>
        take({ ...scope, fingerprint }).pipe(
          Effect.orDie,
          Effect.flatMap(
            Option.match({
              onNone: () => claim(scope, fingerprint),
              onSome: (row) => Effect.succeed(toClaim(row))
            })
          )
        )

      const renew = (token: string) => sql`
        UPDATE replies SET lease_expires_at = clock_timestamp() + interval '30 seconds'
        WHERE token = ${token} AND status IS NULL
        RETURNING 1`
      return Replies.of({
        runWithReply: makeRunWithReply(sql),
        claim,
        renew: (token) => Effect.map(rowCount(renew(token)), (rows) => rows > 0),
        release: (token) =>
          sql`DELETE FROM replies WHERE token = ${token} AND status IS NULL`.pipe(Effect.asVoid, Effect.orDie),
        prune: pruned(
          sql,
          "replies",
          "ctid",
          `${olderThan("created_at", "24 hours")} AND NOT (${underWay}) ORDER BY created_at`
        )
      })
    })
  )
}
