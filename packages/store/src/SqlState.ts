import { Predicate } from "effect"
import { SqlError } from "effect/sql"

/** The SQLSTATE that the database failed with, if it was the database that failed. */
export const sqlStateOf = (error: unknown): string | undefined =>
  SqlError.isSqlError(error) && Predicate.hasProperty(error.reason.cause, "code")
    ? String(error.reason.cause.code)
    : undefined

/** An SQL error that the database has not reported itself. */
export const sqlError = (operation: string, message: string) =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(message), message, operation }) })

/** No connection became free in time. Nothing was sent. */
export const poolExhausted = sqlError("acquire", "No connection to the database was available in time")
