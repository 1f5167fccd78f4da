import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The rows of some tables that the transaction, or lately its connection, has read so far. */
export const rowsRead = Effect.fnUntraced(function* (...tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [read] = yield* sql<{ readonly rows: number | null }>`
    SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables
    WHERE ${sql.in("relname", tables)}`
  return read?.rows ?? assert.fail("no such table")
})

/** The blocks of an index that the transaction, or lately its connection, has read so far, including skipped entries. */
export const blocksRead = Effect.fnUntraced(function* (index: string) {
  const sql = yield* SqlClient.SqlClient
  const [read] = yield* sql<{ readonly blocks: number }>`
    SELECT pg_stat_get_xact_blocks_fetched(${index}::regclass)::integer AS blocks`
  return read?.blocks ?? assert.fail("no such index")
})
