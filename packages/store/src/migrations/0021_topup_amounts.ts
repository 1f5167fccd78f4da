import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const amendments = [
  [
    `          verdicts[m.place] := 'done';
          CONTINUE;`,
    // References from before the column have their amount in the ledger only.
    `          verdicts[m.place] := CASE m.amount WHEN coalesce(
            (SELECT t.amount FROM topups t
              WHERE t.account_id = m.account_id AND t.environment = m.environment AND t.reference = m.memo),
            (SELECT e.amount FROM ledger_entries e
              WHERE e.account_id = m.account_id AND e.environment = m.environment AND e.kind = 'topup' AND e.memo = m.memo)
          ) THEN 'done' ELSE 'taken' END;
          CONTINUE;`
  ],
  [
    "INSERT INTO topups VALUES (m.account_id, m.environment, m.memo);",
    "INSERT INTO topups VALUES (m.account_id, m.environment, m.memo, m.amount);"
  ]
] as const

/** A reference stands for one amount: with another amount it is not a repetition of the same top-up. */
export const topupAmounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE topups ADD COLUMN amount bigint`
  yield* amend(sql, "post_movements", amendments)
})
