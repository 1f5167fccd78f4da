import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { AnswerKey } from "./AnswerKey.ts"
import * as Batch from "./Batch.ts"
import { pruned } from "./RowCount.ts"

/** A request about a flight: its key, its owner, and the length of its lease. */
interface Asked {
  readonly key: AnswerKey
  readonly owner: string
  readonly lease: Duration.Input
}

const Terms = Schema.Struct({
  keys: Schema.Array(Schema.String),
  owners: Schema.Array(Schema.String),
  leases: Schema.Array(Schema.Finite)
})

const Touched = Schema.Struct({ key: Schema.String, owner: Schema.String })

/** Several requests as columns. */
const termsOf = (asked: ReadonlyArray<Asked>): typeof Terms.Type => ({
  keys: asked.map(({ key }) => key),
  owners: asked.map(({ owner }) => owner),
  leases: asked.map(({ lease }) => Duration.toSeconds(lease))
})

const nameOf = ({ key, owner }: typeof Touched.Type): string => `${key} ${owner}`

/**
 * The answers that are being fetched now, over all processes: one leader per key.
 *
 * Laws: a key has at most one owner with a running lease, by the database's clock. A leader whose lease has expired is replaced without
 * waiting for it. An answer may be stored between a lookup in the cache and a won claim, so the winner looks again before it asks a
 * platform.
 */
export class Flights extends Context.Service<
  Flights,
  {
    /** Claims the key. True if nobody holds it, or the holder's lease has expired. `owner` is a UUID, one per flight. */
    readonly claim: (key: AnswerKey, owner: string, lease: Duration.Input) => Effect.Effect<boolean>
    /** Starts the lease anew. False: another owner has taken the key over. */
    readonly renew: (key: AnswerKey, owner: string, lease: Duration.Input) => Effect.Effect<boolean>
    /** Releases the key, unless another owner has taken it over. */
    readonly release: (key: AnswerKey, owner: string) => Effect.Effect<void>
    /** Deletes flights that their leaders abandoned, up to 500. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Flights") {
  static readonly layer = Layer.effect(
    Flights,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // One row per key, that of the first caller. Every statement locks its rows in the order of their keys, so that no two of them
      // deadlock.
      const claim = SqlSchema.findAll({
        Request: Terms,
        Result: Touched,
        execute: ({ keys, owners, leases }) => sql`
          INSERT INTO flights AS held (key, owner, lease_expires_at)
          SELECT DISTINCT ON (key) decode(key, 'hex'), owner::uuid, clock_timestamp() + make_interval(secs => lease)
          FROM unnest(${keys}::text[], ${owners}::text[], ${leases}::float8[]) WITH ORDINALITY AS asked (key, owner, lease, nth)
          ORDER BY key, nth
          ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, lease_expires_at = excluded.lease_expires_at
            WHERE held.lease_expires_at <= clock_timestamp()
              -- The clock was set back since, and no lease outlives ours by so much.
              OR held.lease_expires_at > excluded.lease_expires_at + interval '1 minute'
          RETURNING encode(key, 'hex') AS key, owner`
      })

      const renew = SqlSchema.findAll({
        Request: Terms,
        Result: Touched,
        execute: ({ keys, owners, leases }) => sql`
          WITH own AS MATERIALIZED (
            SELECT held.key, lease FROM flights held
            JOIN unnest(${keys}::text[], ${owners}::text[], ${leases}::float8[]) AS asked (key, owner, lease)
              ON held.key = decode(asked.key, 'hex') AND held.owner = asked.owner::uuid
            ORDER BY held.key FOR UPDATE OF held
          )
          UPDATE flights SET lease_expires_at = clock_timestamp() + make_interval(secs => lease)
          FROM own WHERE flights.key = own.key
          RETURNING encode(flights.key, 'hex') AS key, flights.owner`
      })

      const release = SqlSchema.findAll({
        Request: Terms,
        Result: Touched,
        execute: ({ keys, owners }) => sql`
          WITH own AS MATERIALIZED (
            SELECT held.key FROM flights held
            JOIN unnest(${keys}::text[], ${owners}::text[]) AS asked (key, owner)
              ON held.key = decode(asked.key, 'hex') AND held.owner = asked.owner::uuid
            ORDER BY held.key FOR UPDATE OF held
          )
          DELETE FROM flights USING own WHERE flights.key = own.key
          RETURNING encode(flights.key, 'hex') AS key, flights.owner`
      })

      /** Puts concurrent calls into one statement. Each caller learns whether the statement changed its key for its owner. */
      const grouped = (name: string, statement: typeof claim) =>
        Batch.make({
          name,
          max: 200,
          run: (asked: ReadonlyArray<Asked>) =>
            Effect.map(statement(termsOf(asked)), (rows) => {
              const touched = new Set(rows.map(nameOf))
              return asked.map((one) => touched.has(nameOf(one)))
            })
        })
      const claims = yield* grouped("flights_claimed", claim)
      const renewals = yield* grouped("flights_renewed", renew)
      const releases = yield* grouped("flights_released", release)

      return Flights.of({
        claim: (key, owner, lease) => Effect.orDie(claims({ key, owner, lease })),
        renew: (key, owner, lease) => Effect.orDie(renewals({ key, owner, lease })),
        release: (key, owner) => releases({ key, owner, lease: 0 }).pipe(Effect.asVoid, Effect.orDie),
        // No flight lasts for two minutes: the leader is gone, or could not release it.
        prune: pruned(sql, "flights", "key", "lease_expires_at <= clock_timestamp() - interval '2 minutes'", 500)
      })
    })
  )
}
