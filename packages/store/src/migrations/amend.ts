import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Replaces lines of a database function and leaves the rest as it is. Dies if a line is missing. */
export const amend = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  name: string,
  lines: ReadonlyArray<readonly [line: string, becomes: string]>
) {
  const [written] = yield* sql<{ readonly source: string }>`
    SELECT pg_get_functiondef(${name}::text::regproc) AS source`
  let source = written?.source ?? ""
  for (const [line, becomes] of lines) {
    if (!source.includes(line)) return yield* Effect.die(new Error(`${name} has no line ${line}`))
    source = source.replace(line, () => becomes)
  }
  yield* sql.unsafe(source)
})
