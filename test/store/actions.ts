import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"

/** The number of actions. */
export const countActions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number }>`SELECT count(*)::integer AS count FROM actions`
  return row?.count ?? 0
})

/** Re-hashes the record with the statement of the operators' page. Returns the rows that do not follow. */
export const broken = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [, statement = ""] = /```sql\n([^`]+);\n```/.exec(readFileSync("docs/operators/actions.md", "utf8")) ?? []
  const rows = yield* sql.unsafe<{ sequence: bigint }>(statement)
  return rows.map(({ sequence }) => Number(sequence))
})
