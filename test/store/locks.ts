import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"

/** Runs a statement in a transaction that stays open, with its locks, until the returned effect is run. */
export const keepOpen = Effect.fnUntraced(function* <A, E, R>(statement: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const [done, told] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const transaction = yield* statement.pipe(
    Effect.andThen(Deferred.succeed(done, undefined)),
    Effect.andThen(Deferred.await(told)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(done)
  return Effect.andThen(Deferred.succeed(told, undefined), Fiber.join(transaction))
})

/** Waits until at least this many statements wait for locks. */
export const untilLockedOut = (least: number) =>
  SqlClient.SqlClient.use((sql) => {
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    return Effect.repeat(waiting, { until: (rows) => rows.length >= least })
  })

/** Waits until a statement waits for a lock. */
export const untilLocked = untilLockedOut(1)

/** Ends the connections whose statements wait for locks, as soon as there are any. */
export const endLocked = SqlClient.SqlClient.use((sql) => {
  const end = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  return Effect.repeat(end, { until: (rows) => rows.length > 0 })
})

/** Makes each transaction with such a change, for example `INSERT ON runs`, wait at its COMMIT for the advisory lock 1. */
export const slowCommits = Effect.fnUntraced(function* (change: string, when = "true") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(1);
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE CONSTRAINT TRIGGER slowly AFTER ${sql.literal(change)} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (${sql.literal(when)}) EXECUTE FUNCTION commit_slowly()`
  return sql`DROP FUNCTION commit_slowly CASCADE`
})

/** Holds the lock that slow commits wait for, until the returned effect is run. */
export const holdCommits = SqlClient.SqlClient.use((sql) => keepOpen(sql`SELECT pg_advisory_xact_lock(1)`))
