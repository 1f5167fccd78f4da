import { Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import type { Stored } from "./LocalBuckets.ts"
import { type Capacity, token } from "./TokenBucket.ts"
import { type TokenLeases, tokensToLease } from "./TokenLeases.ts"

/** What a request wants of a bucket: one token, or 0 to look only. */
export interface TokenRequest {
  readonly id: string
  readonly capacity: Capacity
  readonly wanted: 0 | 1
}

const Takes = Schema.Struct({
  ids: Schema.Array(Schema.String),
  bursts: Schema.Array(Schema.BigInt),
  refills: Schema.Array(Schema.BigInt),
  wanted: Schema.Array(Schema.Int)
})

/** The result of a take, and the tokens left of a lease that this process had. */
export interface Drawn extends Stored {
  readonly leased: number
}

const Row = Schema.Struct({ bucket: Schema.String, granted: Schema.Int, tokens: Schema.BigInt, at: Schema.BigInt })

/**
 * Takes tokens for many requests in one statement. Each bucket gives tokens for all of its requests together, and for a new lease. Tokens
 * left of old leases are used first.
 *
 * Laws: the time of a bucket never goes back, so no span of time refills it twice, in whatever order statements get its lock. The
 * exception is a database clock that was set back by more than a minute: the bucket continues from the new time, without waiting until
 * the clock has caught up. Rows are locked in the order of their names, so two of these statements cannot deadlock.
 */
export const makeTake = (sql: SqlClient.SqlClient, leases: TokenLeases) => {
  // `granted` is a column because RETURNING sees only the new row.
  const statement = SqlSchema.findAll({
    Request: Takes,
    Result: Row,
    execute: ({ ids, bursts, refills, wanted }) => sql`
      INSERT INTO rate_limits AS held (bucket, burst, refill, wanted, granted, tokens, updated_at)
      SELECT bucket, burst, refill, wanted, least(wanted, burst / ${token}),
        burst - ${token} * least(wanted, burst / ${token}), clock_timestamp()
      FROM unnest(${ids}::text[], ${bursts}::bigint[], ${refills}::bigint[], ${wanted}::integer[])
        AS asked (bucket, burst, refill, wanted)
      ORDER BY bucket
      ON CONFLICT (bucket) DO UPDATE SET
        burst = excluded.burst, refill = excluded.refill, wanted = excluded.wanted,
        granted = least(excluded.wanted,
          refilled(held.tokens, held.updated_at, excluded.burst, excluded.refill, excluded.updated_at) / ${token}),
        tokens = refilled(held.tokens, held.updated_at, excluded.burst, excluded.refill, excluded.updated_at)
          - ${token} * least(excluded.wanted,
            refilled(held.tokens, held.updated_at, excluded.burst, excluded.refill, excluded.updated_at) / ${token}),
        -- Nobody waits for a row for a minute: where it is further ahead, the clock was set back, and time goes on from now.
        updated_at = CASE WHEN held.updated_at > excluded.updated_at + interval '1 minute' THEN excluded.updated_at
          ELSE greatest(held.updated_at, excluded.updated_at) END
      RETURNING bucket, granted, tokens, (extract(epoch FROM updated_at) * 1000000)::bigint AS at`
  })

  return Effect.fnUntraced(function* (requests: ReadonlyArray<TokenRequest>) {
    const sums = new Map<string, { readonly capacity: Capacity; readonly wanted: number }>()
    // The newest request decides the capacity, in case the limits of the key have changed in between.
    for (const { id, capacity, wanted } of requests) {
      sums.set(id, { capacity, wanted: (sums.get(id)?.wanted ?? 0) + wanted })
    }
    const asked = new Map(
      [...sums].map(([id, { capacity, wanted }]) => {
        const leased = leases.end(id, capacity)
        return [id, { capacity, leased, wanted: Math.max(0, wanted + tokensToLease(capacity, wanted) - leased) }]
      })
    )
    const buckets = [...asked.values()]
    const rows = yield* statement({
      ids: [...asked.keys()],
      bursts: buckets.map(({ capacity }) => capacity.burst),
      refills: buckets.map(({ capacity }) => capacity.refill),
      wanted: buckets.map(({ wanted }) => wanted)
    })
    return new Map<string, Drawn>(
      rows.flatMap(({ bucket, ...taken }) => {
        const found = asked.get(bucket)
        return found === undefined ? [] : [[bucket, { ...taken, capacity: found.capacity, leased: found.leased }]]
      })
    )
  })
}
