import * as PgClient from "@effect/sql-pg/PgClient"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { Migrator, SqlClient, type SqlConnection, Statement } from "effect/sql"
import { connect, type NetConnectOpts, type Socket } from "node:net"
import { migrations } from "./Migrations.ts"
import { poolExhausted, sqlStateOf } from "./SqlState.ts"
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

// Cached, because it is called for each column of each row, and there are only a few hundred names.
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

/** The network address of a URL, as the driver reads it. */
const endOf = (text: string): NetConnectOpts => {
  const url = new URL(text)
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, "$1"))
  const port = Number(url.searchParams.get("port") ?? (url.port || 5432))
  return host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { host: host || "localhost", port, noDelay: true }
}

/** Connects. After `silenceMax` without any traffic the connection is destroyed, so that calls that wait for a response fail. */
const dial = (address: Address, silenceMax: Duration.Input) => (): Socket => {
  const socket = connect("url" in address ? endOf(Redacted.value(address.url)) : { path: address.socket })
  return socket.setTimeout(Duration.toMillis(silenceMax), () => {
    // A suspended process has received nothing either: data that arrived meanwhile is read before the next immediate. A call that has
    // just begun to use a connection after so long a silence has written to it by then.
    const { bytesRead, bytesWritten } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten)
        socket.destroy(new Error("The database has been silent for too long"))
    })
  })
}

/** The SQLSTATE of a server that is read-only, such as a former primary that is a standby now. */
const readOnlyState = "25006"

const isReadOnly = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  Option.exists(Cause.findErrorOption(exit.cause), (error) => sqlStateOf(error) === readOnlyState)

/** Ends a connection to a read-only server: the next one may reach the primary. */
const leaveReadOnly = (connection: SqlConnection.Connection) =>
  Effect.addFinalizer((exit) =>
    isReadOnly(exit)
      ? Effect.ignore(connection.executeRaw("SELECT pg_terminate_backend(pg_backend_pid())", []))
      : Effect.void
  )

/**
 * A client that admits no more callers to the pool than it has connections, and fails those that wait longer than `acquireTimeout`.
 *
 * Choice: not the pool's own queue. After each failed try to open a connection, all callers in that queue try to open one. When a
 * database hung for a minute, 1500 waiting calls kept the process busy with that alone, for good.
 */
const makeClient = (pool: PgClient.PgClient, connections: number, acquireTimeout: Duration.Input) => {
  const places = Semaphore.makeUnsafe(connections)
  const leave = Semaphore.release(places, 1)
  let waiting = 0
  const wait = Effect.timeoutOrElse(Semaphore.takeScoped(places, 1), {
    duration: acquireTimeout,
    orElse: () => Effect.fail(poolExhausted)
  })
  const queue = Effect.acquireUseRelease(
    Effect.sync(() => waiting++),
    () => wait,
    () => Effect.sync(() => waiting--)
  )
  // A caller that finds a free place, while no other caller waits, needs no timer.
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
 * Laws: a dead connection delays no caller for longer than `silenceMax`, and neither does a server that accepts no connection, however
 * many calls wait for it. Callers get connections in the order in which they began to wait, even if one of them asks for one after
 * another. A connection to a server that turned out to be read-only is not used again, nor is one whose transaction could not be rolled
 * back.
 * Units: a statement may take 15 s. A connection that is silent for 20 s, in a transaction or not, is closed here. If that fails, the
 * server ends an idle transaction after 30 s.
 */
export const layer = (
  address: Address,
  { maxConnections = 10, silenceMax = "20 seconds" }: PoolOptions = {}
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pool = yield* PgClient.make({
        ...target(address),
        // Longer than a statement may take, so that a live server has always responded before.
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

/** The root cause of an error, in one line. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message.replaceAll(/\s+/g, " ")
}

const unusable = (reason: string) => new DatabaseUnusable({ message: `The database cannot be used: ${reason}` })

/** The migrations that the database has had; none if it has no table of them yet. */
const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly exists: boolean }>`SELECT to_regclass('migrations') IS NOT NULL AS exists`
  if (table?.exists !== true) return []
  const rows = yield* sql<{ readonly name: string }>`
    SELECT to_char(migration_id, 'FM0000') || '_' || name AS name FROM migrations ORDER BY migration_id`
  return rows.map(({ name }) => name)
})

/** The SQLSTATE of a session that has not prepared the statement. */
const unpreparedState = "26000"

const execute = (connection: SqlConnection.Connection, statement: string) => connection.executeRaw(statement, [])

const inTransaction = <A, E>(connection: SqlConnection.Connection, doing: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    execute(connection, "BEGIN"),
    () => doing,
    () => Effect.ignore(execute(connection, "ROLLBACK"))
  )

/**
 * Whether a pooler assigns sessions by transaction. If so, a connection gets another session while a second connection is in a
 * transaction, and its prepared statement is missing there. Single statements still work then, but transactions do not.
 */
const isPooled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [one, other] = yield* Effect.all([sql.reserve, sql.reserve])
  const prepared = execute(one, "SELECT 1")
  yield* prepared
  yield* inTransaction(other, inTransaction(one, prepared))
}).pipe(
  Effect.scoped,
  // Any other failure, such as the lack of a second connection, does not indicate a pooler.
  Effect.match({ onSuccess: () => false, onFailure: (error) => sqlStateOf(error) === unpreparedState })
)

/** The reason why the service cannot write all it has to, if there is one. */
const obstacle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly encoding: string; readonly isReadOnly: boolean; readonly isolation: string }>`
    SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only')::boolean AS is_read_only,
      current_setting('transaction_isolation') AS isolation`
  if (row?.isReadOnly === true) return "it is read-only, as a standby is"
  // Statements that wait for a lock are written to continue with the rows as the other transaction left them. At a stricter isolation
  // level they fail.
  if (row !== undefined && row.isolation !== "read committed")
    return `its default_transaction_isolation is ${row.isolation}, by which calls fail that meet`
  if (yield* isPooled) return "the pooler before it has to keep sessions (PgBouncer: pool_mode = session)"
  // SQL_ASCII means no encoding: the bytes are kept as given.
  return row === undefined || ["UTF8", "SQL_ASCII"].includes(row.encoding)
    ? undefined
    : `its encoding is ${row.encoding}, which lacks characters of UTF8`
})

const migrate = Effect.gen(function* () {
  const found = yield* obstacle
  if (found !== undefined) return yield* unusable(found)
  const seen = new Set(yield* recorded)
  // The migrator locks its table before it reads it, and a backup in progress blocks that lock until it ends.
  if (Object.keys(migrations).some((name) => !seen.has(name)))
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })
  const unknownMigration = (yield* recorded).find((name) => migrations[name] === undefined)
  if (unknownMigration !== undefined)
    return yield* unusable(`a newer Sightline has changed its schema (${unknownMigration})`)
})

/**
 * Brings the schema up to date before anything else uses it.
 *
 * Laws: if several processes start at once, every migration runs exactly once, and the others wait until it is done. If there is
 * nothing to change, nothing is locked.
 * Errors: one line with the reason: the database cannot be reached or changed, it or some text cannot be written, its isolation level
 * is too strict, its pooler does not keep sessions, or it belongs to a newer program.
 */
export const layerMigrations: Layer.Layer<never, DatabaseUnusable, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.mapError(migrate, (error) => (error._tag === "DatabaseUnusable" ? error : unusable(reasonOf(error))))
)
