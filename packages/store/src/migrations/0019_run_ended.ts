import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/** `keep_runs` refuses a run that has ended already with an error code of its own, so that callers need not read the message. */
export const runEnded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const words = "'the run % has ended already', one.id"
  yield* amend(sql, "keep_runs", [[`${words};`, `${words} USING ERRCODE = 'SL001';`]])
})
