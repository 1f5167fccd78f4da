import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Token buckets. Each row is the state after the last take. Unlogged: they are not money, and when a crash of the server empties the
 * table, this only refills every bucket.
 *
 * Units: `tokens` and `burst` in 10^-12 tokens, `refill` in those per microsecond: a microsecond's refill is whole, so nothing is lost
 * or gained however often a bucket is read.
 */
export const rateLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE UNLOGGED TABLE rate_limits (
      bucket text PRIMARY KEY,
      burst bigint NOT NULL CHECK (burst > 0),
      refill bigint NOT NULL CHECK (refill > 0),
      wanted integer NOT NULL CHECK (wanted >= 0),
      granted integer NOT NULL CHECK (granted BETWEEN 0 AND wanted),
      tokens bigint NOT NULL CHECK (tokens BETWEEN 0 AND burst),
      updated_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  // The time counted is capped at what fills the bucket, so that the product cannot overflow.
  yield* sql`
    CREATE FUNCTION refilled(tokens bigint, since timestamptz, burst bigint, refill bigint, at timestamptz)
    RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN least(
      burst,
      tokens + refill * least(burst / refill + 1, greatest(0, extract(epoch FROM at - since) * 1000000))::bigint
    )`
})
