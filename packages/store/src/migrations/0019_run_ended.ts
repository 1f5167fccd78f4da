import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/** `keep_runs` refuses a run that has ended already by a code of its own: whoever calls it need not read the words. */
export const runEnded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const words = "'the run % has ended already', one.id"
  yield* amend(sql, "keep_runs", [[`${words};`, `${words} USING ERRCODE = 'SL001';`]])
})
