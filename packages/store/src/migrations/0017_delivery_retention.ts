import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What forgetting old deliveries needs, and room beside each attempt for its end.
 *
 * A BRIN index is enough: deliveries lie in the order of their making, and nobody but the pruning looks for them by time alone.
 */
export const deliveryRetention = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX deliveries_created_at ON deliveries USING brin (created_at) WITH (pages_per_range = 32)`
  yield* sql`ALTER TABLE attempts SET (fillfactor = 60)`
})
