import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How many rows of some tables the transaction has read so far, or its connection of late. */
export const rowsRead = Effect.fnUntraced(function* (...tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [read] = yield* sql<{ readonly rows: number | null }>`
    SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables
    WHERE ${sql.in("relname", tables)}`
  return read?.rows ?? assert.fail("no such table")
})
