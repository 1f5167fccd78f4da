import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What lists are filtered by: deliveries by their receiver or as failed, checks by their question or mode. Without an index of them,
 * who looks for few reads all that the account has.
 *
 * An index that an operator has built beforehand, which `CREATE INDEX CONCURRENTLY` does without keeping anybody waiting, is taken as it is.
 */
export const foundBy = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Checks first, because a settlement writes its checks before its deliveries: the other way round they would wait for each other.
  yield* sql`CREATE INDEX IF NOT EXISTS checks_query ON check_records (account_id, environment, query, created_at)`
  yield* sql`CREATE INDEX IF NOT EXISTS checks_mode ON check_records (account_id, environment, mode, created_at)`
  yield* sql`CREATE INDEX IF NOT EXISTS deliveries_receiver ON deliveries (receiver_id, created_at)`
  yield* sql`
    CREATE INDEX IF NOT EXISTS deliveries_failed ON deliveries (account_id, environment, created_at) WHERE status = 'failed'`
})
