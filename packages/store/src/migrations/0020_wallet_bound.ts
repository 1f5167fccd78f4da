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
 * No wallet holds more than can be stated exactly: a top-up beyond it is refused and leaves nothing behind.
 *
 * The constraint is for what is written from now on: a wallet that is above it already must not keep the service from starting.
 */
export const walletBound = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* amend(sql, "post_movements", [[recording, bounded]])
  yield* sql.unsafe(
    `ALTER TABLE wallets ADD CONSTRAINT wallets_bound CHECK (available + held < ${balanceBound}) NOT VALID`
  )
})
