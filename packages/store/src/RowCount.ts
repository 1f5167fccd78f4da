import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { pruneRows } from "./Columns.ts"

/** How many rows a statement returns. A statement that fails is a defect. */
export const rowCount = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>): Effect.Effect<number> =>
  Effect.orDie(Effect.map(statement, (rows) => rows.length))

/** Deletes up to `most` rows of `table` that the SQL `which` selects and that are not locked. Returns how many. */
export const pruned = (sql: SqlClient.SqlClient, table: string, key: string, which: string, most = pruneRows) =>
  rowCount(sql`
    DELETE FROM ${sql.literal(table)} WHERE ${sql.literal(key)} IN (
      SELECT ${sql.literal(key)} FROM ${sql.literal(table)} WHERE ${sql.literal(which)}
      LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING 1`)
