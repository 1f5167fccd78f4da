import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/**
 * Attempts at jobs that were given back do not count as tries.
 *
 * Shape: `given_back` is how many of a job's `attempts` were given back. During an upgrade, a program of the previous version counts
 * the jobs that it gives back as tries.
 */
export const givenBack = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE asks ADD COLUMN given_back integer NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE runs ADD COLUMN given_back integer NOT NULL DEFAULT 0`
  yield* amend(sql, "next_ask", [["attempts <> times", "attempts - given_back <> times"]])
  yield* amend(sql, "next_run", [["r.attempts <> times", "r.attempts - r.given_back <> times"]])
})
