import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Indexes for the filters of lists: deliveries by their receiver or as failed, checks by their query or mode. Without them, a search
 * for a few rows reads all rows of the account.
 *
 * An index that an operator has built beforehand is used as it is: `CREATE INDEX CONCURRENTLY` builds it without blocking anybody.
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
