import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "@sightline/store/Postgres"

/** Runs SQL on an installation's database, for states that only time or a person could cause. */
export const sqlOn = <A>(url: string, statement: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(SqlClient.SqlClient, statement).pipe(
      Effect.provide(Postgres.layer({ url: Redacted.make(url) }, { maxConnections: 1, silenceMax: "5 minutes" }))
    )
  )
