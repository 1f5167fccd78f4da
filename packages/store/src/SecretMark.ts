import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import * as Sealed from "./Sealed.ts"

type Key = Redacted.Redacted<Uint8Array>

/** The database was filled with another secret key. */
class OtherSecretKey extends Schema.TaggedError<OtherSecretKey>()("OtherSecretKey", {}) {}

/** The text that every mark is made from. */
const marked = Redacted.make("sightline")

/** How many of the newest secrets of each table are tried if the database has no mark of its key. */
const tried = 1000

const Marked = Schema.Struct({ mark: Schema.NullOr(Schema.String) })

const SealedSecret = Schema.Struct({ table: Schema.String, id: Schema.String, secret: Schema.Uint8Array })

const statements = (sql: SqlClient.SqlClient) => ({
  read: SqlSchema.findAll({ Request: Schema.Void, Result: Marked, execute: () => sql`SELECT mark FROM secret_mark` }),
  // If processes with different keys start at once, the first one stores its mark, and the others get that mark back.
  keep: SqlSchema.findOne({
    Request: Schema.String,
    Result: Marked,
    execute: (mark) => sql`
      INSERT INTO secret_mark (mark) VALUES (${mark})
      ON CONFLICT (is_only) DO UPDATE SET mark = coalesce(secret_mark.mark, excluded.mark)
      RETURNING mark`
  }),
  newest: SqlSchema.findAll({
    Request: Schema.Void,
    Result: SealedSecret,
    execute: () => sql`
      (SELECT 'webhook_endpoints' AS "table", id, secret FROM webhook_endpoints WHERE secret IS NOT NULL
        ORDER BY created_at DESC LIMIT ${tried})
      UNION ALL
      (SELECT 'watches', id, secret FROM watches ORDER BY created_at DESC LIMIT ${tried})`
  })
})

/**
 * Fails if the database was filled with another secret key, because the current key then finds no API key and opens no webhook secret.
 *
 * Shape: the database stores the mark of its key, which does not reveal the key. The first start stores it; if there are sealed secrets
 * by then, at least one of the newest has to open. Without the row, the database accepts the next key.
 * Units: both keys have 32 bytes and are derived from the secret key: one for marks alone, the other to seal the webhook secrets.
 * Errors: `OtherSecretKey`. An unreachable database is a defect.
 */
export const layer = (keys: { readonly marking: Key; readonly sealing: Key }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { keep, newest, read } = statements(yield* SqlClient.SqlClient)
      const own = Sealed.mark(keys.marking, marked)
      const opens = ({ table, id, secret }: typeof SealedSecret.Type) =>
        Effect.isSuccess(Sealed.open(keys.sealing, { table, id, column: "secret" }, secret))
      const isOfAnother = Effect.gen(function* () {
        const secrets = yield* newest(undefined)
        return secrets.length > 0 && !(yield* Effect.forEach(secrets, opens)).includes(true)
      })

      const [kept] = yield* read(undefined)
      if (kept?.mark === own) return
      if (kept?.mark === null && (yield* isOfAnother)) return yield* new OtherSecretKey()
      const { mark } = yield* keep(own)
      if (mark !== own) return yield* new OtherSecretKey()
    }).pipe(Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die, NoSuchElementError: Effect.die }))
  )
