import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted, Schema } from "effect"
import { Migrator, type SqlClient } from "effect/sql"
import { migrations } from "./Migrations.ts"

/** Where a Postgres is: a libpq URL, or the socket of an embedded server, reached as its superuser. */
export type Address = { readonly url: Redacted.Redacted } | { readonly socket: string; readonly database?: string }

/** How many connections one process may open, and the name the server shows for them. */
export interface PoolOptions {
  readonly maxConnections?: number
  readonly applicationName?: string
}

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const camelNames = new Map<string, string>()

// Each column of each row asks, and our statements have a few hundred names between them.
const toCamel = (name: string): string => {
  let camel = camelNames.get(name)
  if (camel === undefined) {
    camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, camel)
  }
  return camel
}

const target = (address: Address) =>
  "url" in address
    ? { url: address.url }
    : { path: address.socket, username: "postgres", database: address.database ?? "postgres" }

/**
 * The pool of connections, opened lazily.
 *
 * Shape: columns are snake_case in SQL and camelCase in rows; keys inside JSON values are left as they were written.
 * Units: a statement may take 15 s, an idle transaction 30 s; then the server ends it.
 */
export const layer = (
  address: Address,
  options: PoolOptions = {}
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient> =>
  PgClient.layer({
    ...target(address),
    applicationName: options.applicationName ?? "sightline",
    maxConnections: options.maxConnections ?? 10,
    connectTimeout: "5 seconds",
    transformQueryNames: toSnake,
    transformResultNames: toCamel,
    transformJson: false,
    startupParameters: { statement_timeout: "15000", idle_in_transaction_session_timeout: "30000", timezone: "UTC" }
  }).pipe(Layer.orDie)

/** The database cannot be used as it is. `message` is one line for the operator. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  message: Schema.String
}) {}

/** What lies at the bottom of an error, in one line. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message.replaceAll(/\s+/g, " ")
}

/**
 * Brings the schema up to date before anything else uses it.
 *
 * Laws: processes that start at once run every migration exactly once; those that wait see it done.
 * Errors: one line that says why the database cannot be reached or changed.
 */
export const layerMigrations: Layer.Layer<never, DatabaseUnusable, SqlClient.SqlClient> = Layer.effectDiscard(
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" }).pipe(
    Effect.mapError((error) => new DatabaseUnusable({ message: `The database cannot be used: ${reasonOf(error)}` }))
  )
)
