import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const Row = Schema.Struct({ millis: Schema.Number })

/**
 * The database's clock, which dates everything that is stored.
 *
 * Shape: whole milliseconds, rounded up. Laws: `now` is not before anything that was stored before the call, whatever the process's own
 * clock says. Errors: an unreachable database is a defect.
 */
export class DatabaseClock extends Context.Service<DatabaseClock, { readonly now: Effect.Effect<DateTime.Utc> }>()(
  "@sightline/store/DatabaseClock"
) {
  static readonly layer = Layer.effect(
    DatabaseClock,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const read = SqlSchema.findOne({
        Request: Schema.Void,
        Result: Row,
        execute: () => sql`SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`
      })
      const now = Effect.map(read(undefined), ({ millis }) => DateTime.makeUnsafe(millis))
      return DatabaseClock.of({ now: Effect.orDie(now) })
    })
  )
}
