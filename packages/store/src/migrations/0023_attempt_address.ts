import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const amendments = [
  ["response_excerpt = e.response_excerpt", "response_excerpt = e.response_excerpt, remote_address = e.remote_address"],
  ["error text, response_excerpt text)", "error text, response_excerpt text, remote_address text)"]
] as const

/** An attempt says which address its connection went to. One that is ended by a program which does not tell has none. */
export const attemptAddress = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE attempts ADD COLUMN remote_address text`
  yield* amend(sql, "end_attempts", amendments)
})
