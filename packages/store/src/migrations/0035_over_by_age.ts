import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * An index of finished deliveries by their age, for pruning. It is a B-tree: new deliveries are stored where old ones were deleted, so
 * a BRIN summary of a range of pages, which only ever widens, says nothing about their age.
 *
 * An index that an operator has built beforehand is used as it is.
 */
export const overByAge = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Dropped first: whoever reads deliveries and then begins attempts would wait for the building, and the dropping for them.
  yield* sql`DROP INDEX IF EXISTS deliveries_created_at`
  yield* sql`CREATE INDEX IF NOT EXISTS deliveries_over ON deliveries (created_at) WHERE status <> 'pending'`
})
