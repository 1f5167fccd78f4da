import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { hash, randomBytes } from "node:crypto"
import { Caller, type KeyId } from "@sightline/domain/ApiKey"
import { recorded } from "./Actions.ts"
import { isoTime } from "./Columns.ts"
import { pruned } from "./RowCount.ts"

const Expiry = Schema.Struct({ expiresAt: Schema.String })

const Row = Schema.Struct({ ...Caller.fields, ...Expiry.fields })

/** A valid session: its caller, and when it expires. */
export interface Session {
  readonly caller: Caller
  readonly expiresAt: string
}

/** Hashes without a key: a token is 32 random bytes, which cannot be guessed from their digest. */
const hashOf = (token: Redacted.Redacted): Uint8Array => hash("sha256", Redacted.value(token), "buffer")

/** How long a session lasts, for the database and the browser. */
export const sessionLifetime = "12 hours"

/** SQL for the account of a session, and for the beginning of its hash, which shows that its opening and its end belong together. */
const named = "(SELECT account_id FROM api_keys WHERE id = key_id), encode(substr(hash, 1, 8), 'hex')"

/**
 * Sessions of signed-in browsers. Each stands for an API key for 12 hours of the database's clock.
 *
 * Laws: the text of a token leaves through `create` and nowhere else. A session is valid only as long as its key is: no longer once the
 * key is revoked or its account detached. Nothing is cached here.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly create: (keyId: KeyId) => Effect.Effect<{ readonly token: Redacted.Redacted; readonly expiresAt: string }>
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Session>>
    /** Ends a session. Does nothing if there is none. */
    readonly end: (token: Redacted.Redacted) => Effect.Effect<void>
    /** Deletes expired sessions, up to 500. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const expiry = sql.literal(isoTime("expires_at"))

      const insert = SqlSchema.findOne({
        Request: Schema.Struct({ hash: Schema.Uint8Array, keyId: Schema.String }),
        Result: Expiry,
        execute: (row) =>
          Effect.flatMap(
            recorded(sql, "session_opened", {}, named),
            (record) => sql`
              INSERT INTO sessions (hash, key_id, expires_at)
              VALUES (${row.hash}, ${row.keyId}, clock_timestamp() + ${sessionLifetime}::interval)
              RETURNING ${expiry} AS expires_at, ${record}`
          )
      })

      const select = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: Row,
        execute: (stored) => sql`
          SELECT k.id AS key_id, k.account_id, k.environment, k.read_only, k.rate_limits, ${expiry} AS expires_at
          FROM sessions s JOIN api_keys k ON k.id = s.key_id JOIN accounts a ON a.id = k.account_id
          WHERE s.hash = ${stored} AND s.expires_at > clock_timestamp() AND k.revoked_at IS NULL AND a.detached_at IS NULL`
      })

      return Sessions.of({
        create: Effect.fn("Sessions.create")(function* (keyId) {
          const token = Redacted.make(randomBytes(32).toString("base64url"))
          return { token, ...(yield* insert({ hash: hashOf(token), keyId })) }
        }, Effect.orDie),
        find: Effect.fn("Sessions.find")(function* (token) {
          return Option.map(yield* select(hashOf(token)), ({ expiresAt, ...caller }) => ({ caller, expiresAt }))
        }, Effect.orDie),
        end: Effect.fn("Sessions.end")(function* (token) {
          const record = yield* recorded(sql, "session_closed", {}, named)
          yield* sql`DELETE FROM sessions WHERE hash = ${hashOf(token)} RETURNING ${record}`
        }, Effect.orDie),
        prune: pruned(sql, "sessions", "hash", "expires_at <= statement_timestamp()", 500)
      })
    })
  )
}
