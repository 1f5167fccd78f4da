import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const taken = (account: string) => `coalesce((busy->>${account}::text)::bigint, 0)`

const amendments = [
  ["delays double precision[])", "delays double precision[], busy jsonb DEFAULT '{}')"],
  ["delivery_id uuid, number integer", "delivery_id uuid, account_id uuid, number integer"],
  [
    "1 AS seen, (next_attempt_at <= moment)::integer AS due",
    `1 AS seen, (next_attempt_at <= moment)::integer AS due, ${taken("account_id")} AS taken`
  ],
  [
    "r.seen + 1, r.due + (n.next_attempt_at <= moment)::integer",
    `r.seen + 1, r.due + (n.next_attempt_at <= moment)::integer, ${taken("n.account_id")}`
  ],
  ["SELECT r.account_id, d.*", "SELECT r.account_id, r.taken, d.*"],
  [
    "count(*) FILTER (WHERE leased) OVER (PARTITION BY account_id)",
    "greatest(taken, count(*) FILTER (WHERE leased) OVER (PARTITION BY account_id))"
  ],
  ["d.id AS delivery_id, d.attempts AS number", "d.id AS delivery_id, d.account_id, d.attempts AS number"],
  ["b.id, b.delivery_id, b.number", "b.id, b.delivery_id, b.account_id, b.number"]
] as const

/**
 * `begin_attempts` takes the number of attempts in progress by account, because the receivers of one step show only a part of those of
 * a large account. It also returns the account of each attempt.
 */
export const accountSlots = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* amend(sql, "begin_attempts", amendments)
  // Whoever calls it without the counts gets the amended one.
  yield* sql`DROP FUNCTION begin_attempts(uuid, uuid, integer, float8[])`
})
