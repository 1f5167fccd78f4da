import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"

/** How many actions there are. */
export const countActions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ count: number }>`SELECT count(*)::integer AS count FROM actions`
  return row?.count ?? 0
})

/** Re-hashes the record by the statement that the operators' page has for it: where it does not follow. */
export const broken = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [, statement = ""] = /```sql\n([^`]+);\n```/.exec(readFileSync("docs/operators/actions.md", "utf8")) ?? []
  const rows = yield* sql.unsafe<{ sequence: bigint }>(statement)
  return rows.map(({ sequence }) => Number(sequence))
})
