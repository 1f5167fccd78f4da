import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What is over, by its age, for forgetting old deliveries. A B-tree: those that are new lie where others were forgotten, so that a summary
 * of a range of pages, which only ever widens, tells nothing of their age.
 *
 * An index that an operator has built beforehand is taken as it is.
 */
export const overByAge = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Dropped first: whoever reads deliveries and then begins attempts would wait for the building, and the dropping for them.
  yield* sql`DROP INDEX IF EXISTS deliveries_created_at`
  yield* sql`CREATE INDEX IF NOT EXISTS deliveries_over ON deliveries (created_at) WHERE status <> 'pending'`
})
