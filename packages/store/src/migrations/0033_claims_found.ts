import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/** A claim is looked up only for a movement that has one: in a single expression the look-up is started for every movement. */
const claimed = [
  [
    `        IF m.claim IS NOT NULL AND NOT EXISTS (SELECT FROM replies r WHERE r.token = m.claim AND r.status IS NULL) THEN
          verdicts[m.place] := 'fenced';
          CONTINUE;
        END IF;`,
    `        IF m.claim IS NOT NULL THEN
          IF NOT EXISTS (SELECT FROM replies r WHERE r.token = m.claim AND r.status IS NULL) THEN
            verdicts[m.place] := 'fenced';
            CONTINUE;
          END IF;
        END IF;`
  ]
] as const

/** A movement without a claim causes no look-up of a claim. */
export const claimsFound = SqlClient.SqlClient.use((sql) => amend(sql, "post_movements", claimed))
