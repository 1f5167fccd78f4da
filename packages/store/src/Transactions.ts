import { Effect, Predicate } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { sqlError } from "./SqlState.ts"

type Connection = SqlConnection.Connection

const control = (connection: Connection, statement: string) => connection.execute(statement, [], undefined)

const rolledBack = sqlError("commit", "COMMIT ended a transaction that had failed")

// Where a statement has failed and nobody said so, COMMIT succeeds and takes back all of it.
const commit = (connection: Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
  )

// The driver ends a connection that is given back with a statement under way, and the server then rolls back by itself.
const rollback = (connection: Connection): Effect.Effect<void> =>
  Effect.catchCause(control(connection, "ROLLBACK"), () =>
    Effect.forkDetach(Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)), {
      startImmediately: true
    })
  )

const savepoint = (id: number): string => `inner_${id}`

/**
 * What does something in a transaction of the client, or in a part of the one that is open.
 *
 * Laws: what failed fails by its own error, however its transaction ends. Where there is no rolling back, since the connection has
 * ended or for any other reason, the connection is not used again: the server takes back what it did not commit. What was done in
 * a transaction of which a statement failed unheard is not told as done.
 *
 * Choice: not the client's own, by which a ROLLBACK that fails is a defect, and hides from its caller that the connection ended.
 */
export const makeWithTransaction = (
  client: SqlClient.SqlClient,
  acquirer: SqlConnection.Acquirer,
  spanAttributes: ReadonlyArray<readonly [string, unknown]>
) =>
  SqlClient.makeWithTransaction({
    transactionService: client.transactionService,
    spanAttributes,
    acquireConnection: (restore) => restore(acquirer),
    begin: (connection, statement = "BEGIN") => control(connection, statement),
    commit,
    rollback,
    savepoint: (connection, id) => control(connection, `SAVEPOINT ${savepoint(id)}`),
    // Where these fail, so does the COMMIT of the whole.
    rollbackSavepoint: (connection, id) => Effect.ignore(control(connection, `ROLLBACK TO SAVEPOINT ${savepoint(id)}`)),
    releaseSavepoint: (connection, id) => Effect.ignore(control(connection, `RELEASE SAVEPOINT ${savepoint(id)}`))
  })
