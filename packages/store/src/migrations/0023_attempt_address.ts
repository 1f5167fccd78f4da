import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const amendments = [
  ["response_excerpt = e.response_excerpt", "response_excerpt = e.response_excerpt, remote_address = e.remote_address"],
  ["error text, response_excerpt text)", "error text, response_excerpt text, remote_address text)"]
] as const

/** An attempt records the address that its connection went to. It has none if it is ended by a program version that does not report it. */
export const attemptAddress = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE attempts ADD COLUMN remote_address text`
  yield* amend(sql, "end_attempts", amendments)
})
