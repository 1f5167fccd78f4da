import { Effect, Predicate } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { sqlError } from "./SqlState.ts"

type Connection = SqlConnection.Connection

const control = (connection: Connection, statement: string) => connection.execute(statement, [], undefined)

const rolledBack = sqlError("commit", "COMMIT ended a transaction that had failed")

// If a statement failed and its failure was not reported, COMMIT succeeds but rolls everything back.
const commit = (connection: Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
  )

// After a failed ROLLBACK another one is started and not awaited: the driver closes a connection that is released with a running
// statement, and the server then rolls back.
const rollback = (connection: Connection): Effect.Effect<void> =>
  Effect.catchCause(control(connection, "ROLLBACK"), () =>
    Effect.forkDetach(Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)), {
      startImmediately: true
    })
  )

const savepoint = (id: number): string => `inner_${id}`

/**
 * Makes the function that runs an effect in a transaction of the client, or in a savepoint of the open one.
 *
 * Laws: a failed effect fails with its own error, however its transaction ends. If the rollback fails, because the connection has ended
 * or for any other reason, the connection is not used again: the server discards what is not committed. A transaction with a failed
 * statement is never reported as committed.
 *
 * Choice: not the client's own function: there, a ROLLBACK that fails is a defect, and hides from its caller that the connection ended.
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
    // If one of these fails, so does the COMMIT of the whole.
    rollbackSavepoint: (connection, id) => Effect.ignore(control(connection, `ROLLBACK TO SAVEPOINT ${savepoint(id)}`)),
    releaseSavepoint: (connection, id) => Effect.ignore(control(connection, `RELEASE SAVEPOINT ${savepoint(id)}`))
  })
