import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AnswerKey } from "./AnswerKey.ts"

const Row = Schema.Struct({ key: AnswerKey })

const Claim = Schema.Struct({ keys: Schema.Array(Schema.String), owner: Schema.String, leaseSeconds: Schema.Finite })

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
  }
>()("@sightline/store/Flights") {
  static readonly layer = Layer.effect(
    Flights,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // Sorted, so that two claims of overlapping keys cannot wait for each other.
      const claim = SqlSchema.findAll({
        Request: Claim,
        Result: Row,
        execute: ({ keys, owner, leaseSeconds }) => sql`
          INSERT INTO flights AS held (key, owner, lease_expires_at)
          SELECT decode(key, 'hex'), ${owner}::uuid, clock_timestamp() + make_interval(secs => ${leaseSeconds})
          FROM (SELECT DISTINCT key FROM unnest(${keys}::text[]) AS key) AS asked ORDER BY key
          ON CONFLICT (key) DO UPDATE
            SET owner = excluded.owner, lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
            WHERE held.lease_expires_at <= clock_timestamp()
          RETURNING encode(key, 'hex') AS key`
      })

      const renew = SqlSchema.findAll({
        Request: Claim,
        Result: Row,
        execute: ({ keys, owner, leaseSeconds }) => sql`
          UPDATE flights SET lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
          WHERE owner = ${owner}::uuid AND key IN (SELECT decode(key, 'hex') FROM unnest(${keys}::text[]) AS key)
          RETURNING encode(key, 'hex') AS key`
      })

      const held =
        (statement: typeof claim) => (keys: ReadonlyArray<AnswerKey>, owner: string, lease: Duration.Input) =>
          statement({ keys, owner, leaseSeconds: Duration.toSeconds(lease) }).pipe(
            Effect.map((rows) => rows.map(({ key }) => key)),
            Effect.orDie
          )

      return Flights.of({
        claim: held(claim),
        renew: held(renew),
        release: (keys, owner) =>
          sql`
            DELETE FROM flights
            WHERE owner = ${owner}::uuid AND key IN (SELECT decode(key, 'hex') FROM unnest(${keys}::text[]) AS key)
          `.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
