import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The index for pruning old deliveries, and free space beside each attempt for its end.
 *
 * A BRIN index is enough: deliveries are stored in the order of their creation, and only pruning searches them by time alone.
 */
export const deliveryRetention = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX deliveries_created_at ON deliveries USING brin (created_at) WITH (pages_per_range = 32)`
  yield* sql`ALTER TABLE attempts SET (fillfactor = 60)`
})
