import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AnswerKey } from "./AnswerKey.ts"
import * as Batch from "./Batch.ts"
import { rowCount } from "./RowCount.ts"

const Row = Schema.Struct({ key: AnswerKey, owner: Schema.String })

/** One asker: whose keys, and for how long. */
interface Asked {
  readonly keys: ReadonlyArray<AnswerKey>
  readonly owner: string
  readonly lease: Duration.Input
}

const Terms = Schema.Struct({
  keys: Schema.Array(Schema.String),
  owners: Schema.Array(Schema.String),
  leases: Schema.Array(Schema.Finite)
})

/** What several ask, as columns. */
const termsOf = (asked: ReadonlyArray<Asked>): typeof Terms.Type => {
  const rows = asked.flatMap(({ keys, owner, lease }) =>
    keys.map((key) => ({ key, owner, lease: Duration.toSeconds(lease) }))
  )
  return {
    keys: rows.map(({ key }) => key),
    owners: rows.map(({ owner }) => owner),
    leases: rows.map(({ lease }) => lease)
  }
}

/**
 * Who is fetching which answer just now, over all processes: one leader per key.
 *
 * Laws: a key has at most one owner whose lease runs; the lease is measured by the database's clock. A leader that is
 * late is overtaken, never waited for. An answer may be stored between a look in the cache and a won claim, so the
 * winner looks once more before it asks a platform.
 */
export class Flights extends Context.Service<
  Flights,
  {
    /** The keys won: those that nobody holds, or whose lease is over. `owner` is a UUID, one per flight. */
    readonly claim: (
      keys: ReadonlyArray<AnswerKey>,
      owner: string,
      lease: Duration.Input
    ) => Effect.Effect<ReadonlyArray<AnswerKey>>
    /** The keys still held, with a fresh lease; the others were taken over. */
    readonly renew: (
      keys: ReadonlyArray<AnswerKey>,
      owner: string,
      lease: Duration.Input
    ) => Effect.Effect<ReadonlyArray<AnswerKey>>
    /** Gives up what `owner` holds of the keys; what was taken over stays with its new owner. */
    readonly release: (keys: ReadonlyArray<AnswerKey>, owner: string) => Effect.Effect<void>
    /** Forgets flights that their leaders left behind, up to 500. How many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Flights") {
  static readonly layer = Layer.effect(
    Flights,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // One row per key, the first asker's. Every statement takes its rows in the order of their keys, so that no two of
      // overlapping keys wait for each other.
      const claim = SqlSchema.findAll({
        Request: Terms,
        Result: Row,
        execute: ({ keys, owners, leases }) => sql`
          INSERT INTO flights AS held (key, owner, lease_expires_at)
          SELECT DISTINCT ON (key) decode(key, 'hex'), owner::uuid, clock_timestamp() + make_interval(secs => lease)
          FROM unnest(${keys}::text[], ${owners}::text[], ${leases}::float8[]) WITH ORDINALITY AS asked (key, owner, lease, nth)
          ORDER BY key, nth
          ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, lease_expires_at = excluded.lease_expires_at
            WHERE held.lease_expires_at <= clock_timestamp()
          RETURNING encode(key, 'hex') AS key, owner`
      })

      const renew = SqlSchema.findAll({
        Request: Terms,
        Result: Row,
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
        Result: Row,
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

      // No flight lasts for two minutes: whoever led one is gone, or could not say that it was over.
      const prune = sql`
        DELETE FROM flights WHERE key IN (
          SELECT key FROM flights WHERE lease_expires_at <= clock_timestamp() - interval '2 minutes'
          LIMIT 500 FOR UPDATE SKIP LOCKED)
        RETURNING 1`

      /** Many at a time in one statement; each asker is told which of its keys the statement touched in its name. */
      const grouped = (name: string, statement: typeof claim) =>
        Batch.make({
          name,
          max: 200,
          flushers: 1,
          run: (asked: ReadonlyArray<Asked>) =>
            Effect.map(statement(termsOf(asked)), (rows) =>
              asked.map(({ owner }) => rows.filter((row) => row.owner === owner).map(({ key }) => key))
            )
        })
      const claims = yield* grouped("flights_claimed", claim)
      const renewals = yield* grouped("flights_renewed", renew)
      const releases = yield* grouped("flights_released", release)

      return Flights.of({
        claim: (keys, owner, lease) => Effect.orDie(claims({ keys, owner, lease })),
        renew: (keys, owner, lease) => Effect.orDie(renewals({ keys, owner, lease })),
        release: (keys, owner) => releases({ keys, owner, lease: 0 }).pipe(Effect.asVoid, Effect.orDie),
        prune: rowCount(prune)
      })
    })
  )
}
