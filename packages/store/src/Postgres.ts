import * as PgClient from "@effect/sql-pg/PgClient"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { Migrator, SqlClient, type SqlConnection, Statement } from "effect/sql"
import { connect, type NetConnectOpts, type Socket } from "node:net"
import { migrations } from "./Migrations.ts"
import { sqlError, sqlStateOf } from "./SqlState.ts"
import { makeWithTransaction } from "./Transactions.ts"

/** Where a Postgres is: a libpq URL, or the socket of an embedded server, reached as its superuser. */
export type Address = { readonly url: Redacted.Redacted } | { readonly socket: string; readonly database?: string }

/** How many connections one process may open, and how long each may be silent. */
export interface PoolOptions {
  readonly maxConnections?: number
  readonly silenceMax?: Duration.Input
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

/** Where a URL leads, as the driver reads it. */
const endOf = (text: string): NetConnectOpts => {
  const url = new URL(text)
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, "$1"))
  const port = Number(url.searchParams.get("port") ?? (url.port || 5432))
  return host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { host: host || "localhost", port, noDelay: true }
}

/** Connects; once nothing was heard or sent for so long, whoever waits for an answer is told that there will be none. */
const dial = (address: Address, silenceMax: Duration.Input) => (): Socket => {
  const socket = connect("url" in address ? endOf(Redacted.value(address.url)) : { path: address.socket })
  return socket.setTimeout(Duration.toMillis(silenceMax), () => {
    // A process that stood still has heard nothing either: what came meanwhile is read before the next immediate. So may a call
    // be, which asks a connection that nobody used for so long.
    const { bytesRead, bytesWritten } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten)
        socket.destroy(new Error("The database has been silent for too long"))
    })
  })
}

const crowded = sqlError("acquire", "No connection to the database was available in time")

/** The server writes nothing, as one that was replaced and is a standby now, as an SQLSTATE. */
const readOnlyState = "25006"

const isReadOnly = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  Option.exists(Cause.findErrorOption(exit.cause), (error) => sqlStateOf(error) === readOnlyState)

/** Ends a connection to a server that writes nothing: the next one may lead to whoever does. */
const leaveReadOnly = (connection: SqlConnection.Connection) =>
  Effect.addFinalizer((exit) =>
    isReadOnly(exit)
      ? Effect.ignore(connection.executeRaw("SELECT pg_terminate_backend(pg_backend_pid())", []))
      : Effect.void
  )

/**
 * A client of the pool's connections that lets no more callers to the pool than it has connections, and fails those that wait
 * longer than `patience`.
 *
 * Choice: not the pool's own queue. It has all who wait in it try to open connections each time that one could not be opened:
 * fifteen hundred calls that waited for a database which hung for a minute kept the process busy with that alone, for good.
 */
const makeClient = (pool: PgClient.PgClient, connections: number, patience: Duration.Input) => {
  const places = Semaphore.makeUnsafe(connections)
  const leave = Semaphore.release(places, 1)
  let waiting = 0
  const wait = Effect.timeoutOrElse(Semaphore.takeScoped(places, 1), {
    duration: patience,
    orElse: () => Effect.fail(crowded)
  })
  const queue = Effect.acquireUseRelease(
    Effect.sync(() => waiting++),
    () => wait,
    () => Effect.sync(() => waiting--)
  )
  // Whoever finds a place free, and nobody before them, pays for no timer.
  const free = Effect.suspend(() => (waiting === 0 ? Semaphore.takeIfAvailable(places, 1) : Effect.succeed(false)))
  const enter = Effect.uninterruptible(
    Effect.flatMap(free, (isFree) => (isFree ? Effect.addFinalizer(() => leave) : Effect.interruptible(queue)))
  )
  const acquirer: SqlConnection.Acquirer = Effect.tap(Effect.andThen(enter, pool.reserve), leaveReadOnly)
  const spanAttributes = [["db.system.name", "postgresql"]] as const
  const client = SqlClient.make({
    acquirer,
    compiler: PgClient.makeCompiler(toSnake, false),
    transformRows: Statement.defaultTransforms(toCamel, false).array,
    driver: "pg",
    spanAttributes
  })
  return Effect.map(client, (made) =>
    Object.assign(made, { withTransaction: makeWithTransaction(made, acquirer, spanAttributes) })
  )
}

/**
 * The pool of connections, opened lazily.
 *
 * Shape: columns are snake_case in SQL and camelCase in rows; keys inside JSON values are left as they were written.
 * Laws: a connection that nobody ends, to a server that is not there any more, holds nobody up for longer than `silenceMax`;
 * nor does a server that lets nobody in, however many calls wait for it. Connections are had in the order in which they were waited
 * for, whoever asks for one after another. A connection to a server that turned out to be read-only is not used again, nor is one
 * whose transaction could not be rolled back.
 * Units: a statement may take 15 s. A connection that is silent for 20 s, in a transaction or not, is ended here; a transaction
 * that idles all the same is ended by the server after 30 s.
 */
export const layer = (
  address: Address,
  { maxConnections = 10, silenceMax = "20 seconds" }: PoolOptions = {}
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pool = yield* PgClient.make({
        ...target(address),
        // More than a statement may take, so that a server that is there has always spoken before.
        stream: dial(address, silenceMax),
        applicationName: "sightline",
        maxConnections,
        connectTimeout: "5 seconds",
        transformQueryNames: toSnake,
        transformResultNames: toCamel,
        transformJson: false,
        startupParameters: { statement_timeout: "15000", idle_in_transaction_session_timeout: "30000", timezone: "UTC" }
      })
      const client = yield* makeClient(pool, maxConnections, silenceMax)
      return Context.make(PgClient.PgClient, pool).pipe(Context.add(SqlClient.SqlClient, client))
    })
  ).pipe(Layer.provide(Reactivity.layer), Layer.orDie)

/** The database cannot be used as it is. `message` is one line for the operator. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  message: Schema.String
}) {}

/** What lies at the bottom of an error, in one line. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message.replaceAll(/\s+/g, " ")
}

const unusable = (reason: string) => new DatabaseUnusable({ message: `The database cannot be used: ${reason}` })

/** The changes that the database has seen; none where it has no table of them yet. */
const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly exists: boolean }>`SELECT to_regclass('migrations') IS NOT NULL AS exists`
  if (table?.exists !== true) return []
  const rows = yield* sql<{ readonly name: string }>`
    SELECT to_char(migration_id, 'FM0000') || '_' || name AS name FROM migrations ORDER BY migration_id`
  return rows.map(({ name }) => name)
})

/** The session has no such statement prepared, as an SQLSTATE. */
const unpreparedState = "26000"

const execute = (connection: SqlConnection.Connection, statement: string) => connection.executeRaw(statement, [])

const inTransaction = <A, E>(connection: SqlConnection.Connection, doing: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    execute(connection, "BEGIN"),
    () => doing,
    () => Effect.ignore(execute(connection, "ROLLBACK"))
  )

/**
 * Whether a connection leads to another session once another connection is in a transaction, in which what it has prepared is not
 * there: a pooler gives sessions out by the transaction. Single statements go on all the same, transactions do not.
 */
const isPooled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [one, other] = yield* Effect.all([sql.reserve, sql.reserve])
  const prepared = execute(one, "SELECT 1")
  yield* prepared
  yield* inTransaction(other, inTransaction(one, prepared))
}).pipe(
  Effect.scoped,
  // That there is no second connection, say, is no word of a pooler.
  Effect.match({ onSuccess: () => false, onFailure: (error) => sqlStateOf(error) === unpreparedState })
)

/** What keeps the service from writing to the database whatever it has to, if anything does. */
const obstacle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly encoding: string; readonly isReadOnly: boolean; readonly isolation: string }>`
    SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only')::boolean AS is_read_only,
      current_setting('transaction_isolation') AS isolation`
  if (row?.isReadOnly === true) return "it is read-only, as a standby is"
  // Statements that wait for each other are written to go on with what the other one left; by a stricter default they fail.
  if (row !== undefined && row.isolation !== "read committed")
    return `its default_transaction_isolation is ${row.isolation}, by which calls fail that meet`
  if (yield* isPooled) return "the pooler before it has to keep sessions (PgBouncer: pool_mode = session)"
  // SQL_ASCII is no encoding: it keeps the bytes that it is given.
  return row === undefined || ["UTF8", "SQL_ASCII"].includes(row.encoding)
    ? undefined
    : `its encoding is ${row.encoding}, which lacks characters of UTF8`
})

const migrate = Effect.gen(function* () {
  const found = yield* obstacle
  if (found !== undefined) return yield* unusable(found)
  const seen = new Set(yield* recorded)
  // The migrator locks its table before it looks, which whoever copies the database keeps it from for as long as the copy takes.
  if (Object.keys(migrations).some((name) => !seen.has(name)))
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })
  const strange = (yield* recorded).find((name) => migrations[name] === undefined)
  if (strange !== undefined) return yield* unusable(`a newer Sightline has changed its schema (${strange})`)
})

/**
 * Brings the schema up to date before anything else uses it.
 *
 * Laws: processes that start at once run every migration exactly once; those that wait see it done. Where there is nothing to
 * change, nothing is locked.
 * Errors: one line that says why the database cannot be reached or changed, that it or some text cannot be written, that a pooler
 * spreads our transactions over sessions, or that it belongs to a newer program.
 */
export const layerMigrations: Layer.Layer<never, DatabaseUnusable, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.mapError(migrate, (error) => (error._tag === "DatabaseUnusable" ? error : unusable(reasonOf(error))))
)
