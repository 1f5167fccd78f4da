import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

// 2^43 credits in millicredits.
const balanceBound = "8796093022208000"

const recording = `        verdicts[m.place] := 'done';
        IF m.memo IS NOT NULL THEN
          INSERT INTO topups VALUES (m.account_id, m.environment, m.memo) ON CONFLICT DO NOTHING;
          CONTINUE WHEN NOT FOUND;
        END IF;
        kinds := '{topup}'`

const bounded = `        IF m.memo IS NOT NULL AND EXISTS (
          SELECT FROM topups t WHERE t.account_id = m.account_id AND t.environment = m.environment AND t.reference = m.memo
        ) THEN
          verdicts[m.place] := 'done';
          CONTINUE;
        END IF;
        CONTINUE WHEN w.available + w.held + m.amount >= ${balanceBound};
        IF m.memo IS NOT NULL THEN
          INSERT INTO topups VALUES (m.account_id, m.environment, m.memo);
        END IF;
        kinds := '{topup}'`

/**
 * No wallet holds more than a number can state exactly: a top-up beyond that is refused and changes nothing.
 *
 * The constraint applies to new values only: a wallet that is above the limit already must not keep the service from starting.
 */
export const walletBound = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* amend(sql, "post_movements", [[recording, bounded]])
  yield* sql.unsafe(
    `ALTER TABLE wallets ADD CONSTRAINT wallets_bound CHECK (available + held < ${balanceBound}) NOT VALID`
  )
})
