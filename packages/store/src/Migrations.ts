import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { accounts } from "./migrations/0001_accounts.ts"
import { rateLimits } from "./migrations/0002_rate_limits.ts"
import { answers } from "./migrations/0003_answers.ts"
import { money } from "./migrations/0004_money.ts"
import { checks } from "./migrations/0005_checks.ts"
import { replies } from "./migrations/0006_replies.ts"
import { movements } from "./migrations/0007_movements.ts"
import { captures } from "./migrations/0008_captures.ts"
import { discoveries } from "./migrations/0009_discoveries.ts"
import { webhookEndpoints } from "./migrations/0010_webhook_endpoints.ts"
import { asks } from "./migrations/0011_asks.ts"
import { watchesAndRuns } from "./migrations/0012_watches.ts"
import { attempts } from "./migrations/0013_attempts.ts"
import { history } from "./migrations/0015_history.ts"
import { sessions } from "./migrations/0016_sessions.ts"
import { deliveryRetention } from "./migrations/0017_delivery_retention.ts"
import { accountSlots } from "./migrations/0018_account_slots.ts"
import { runEnded } from "./migrations/0019_run_ended.ts"
import { walletBound } from "./migrations/0020_wallet_bound.ts"
import { topupAmounts } from "./migrations/0021_topup_amounts.ts"
import { actions } from "./migrations/0022_actions.ts"
import { attemptAddress } from "./migrations/0023_attempt_address.ts"
import { keepingChecks } from "./migrations/0024_keep_checks.ts"
import { lanes } from "./migrations/0025_lanes.ts"
import { givenBack } from "./migrations/0026_given_back.ts"
import { checkResultsApart } from "./migrations/0027_check_results.ts"
import { entriesAtOnce } from "./migrations/0028_entries_at_once.ts"
import { toldBy } from "./migrations/0029_told_by.ts"
import { disabledMeanwhile } from "./migrations/0030_disabled_meanwhile.ts"
import { lateEnds } from "./migrations/0031_late_ends.ts"
import { foundBy } from "./migrations/0032_found_by.ts"
import { claimsFound } from "./migrations/0033_claims_found.ts"
import { secretMark } from "./migrations/0034_secret_mark.ts"
import { overByAge } from "./migrations/0035_over_by_age.ts"
import { statesOnce } from "./migrations/0036_states_once.ts"
import { rowsAtHand } from "./migrations/0037_rows_at_hand.ts"

/** Every change of the schema, in order. A migration that was released is never edited: a later one amends it. */
export const migrations: Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>> = {
  "0001_accounts": accounts,
  "0002_rate_limits": rateLimits,
  "0003_answers": answers,
  "0004_money": money,
  "0005_checks": checks,
  "0006_replies": replies,
  "0007_movements": movements,
  "0008_captures": captures,
  "0009_discoveries": discoveries,
  "0010_webhook_endpoints": webhookEndpoints,
  "0011_asks": asks,
  "0012_watches": watchesAndRuns,
  "0013_attempts": attempts,
  "0015_history": history,
  "0016_sessions": sessions,
  "0017_delivery_retention": deliveryRetention,
  "0018_account_slots": accountSlots,
  "0019_run_ended": runEnded,
  "0020_wallet_bound": walletBound,
  "0021_topup_amounts": topupAmounts,
  "0022_actions": actions,
  "0023_attempt_address": attemptAddress,
  "0024_keep_checks": keepingChecks,
  "0025_lanes": lanes,
  "0026_given_back": givenBack,
  "0027_check_results": checkResultsApart,
  "0028_entries_at_once": entriesAtOnce,
  "0029_told_by": toldBy,
  "0030_disabled_meanwhile": disabledMeanwhile,
  "0031_late_ends": lateEnds,
  "0032_found_by": foundBy,
  "0033_claims_found": claimsFound,
  "0034_secret_mark": secretMark,
  "0035_over_by_age": overByAge,
  "0036_states_once": statesOnce,
  "0037_rows_at_hand": rowsAtHand
}
