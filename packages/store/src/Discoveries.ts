import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { hash } from "node:crypto"
import { Candidate, type Discovery } from "@sightline/domain/Discover"
import { Outcomes } from "@sightline/domain/Proration"
import { words } from "./AnswerKey.ts"
import { olderThan } from "./Columns.ts"
import { pruned } from "./RowCount.ts"

/** The candidates of a discovery, and the outcomes of the engines they came from. */
export interface Discovered {
  readonly candidates: ReadonlyArray<Candidate>
  readonly outcomes: Outcomes
}

const Row = Schema.Struct({ candidates: Schema.Array(Candidate), outcomes: Outcomes })

/** The key of everything that decides the result. `scope` separates the sandbox's results from those of real engines. */
const keyOf = (scope: string, { brand, industry, count, language }: Discovery): string =>
  hash("sha256", JSON.stringify([scope, words(brand), words(industry), count, language.toLowerCase()]))

/**
 * Discoveries of the last 7 days, shared by all accounts.
 *
 * Laws: a found discovery is the one that was stored for the same brand, industry, count, language and scope. A row is a miss if it can
 * no longer be read, or if it lies more than a minute in the future because the clock was set back.
 * Source: decisions U2.
 */
export class Discoveries extends Context.Service<
  Discoveries,
  {
    readonly find: (scope: string, discovery: Discovery) => Effect.Effect<Option.Option<Discovered>>
    readonly store: (scope: string, discovery: Discovery, discovered: Discovered) => Effect.Effect<void>
    /** Deletes discoveries that are too old to be found, a thousand at a time. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Discoveries") {
  static readonly layer = Layer.effect(
    Discoveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const select = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Row,
        execute: (key) => sql`
          SELECT candidates, outcomes FROM discoveries
          WHERE key = decode(${key}, 'hex') AND stored_at > clock_timestamp() - interval '7 days'
            AND stored_at <= clock_timestamp() + interval '1 minute'`
      })
      const insert = SqlSchema.void({
        Request: Schema.Struct({ key: Schema.String, candidates: Schema.String, outcomes: Schema.String }),
        execute: ({ key, candidates, outcomes }) => sql`
          INSERT INTO discoveries VALUES (decode(${key}, 'hex'), ${candidates}::json, ${outcomes}::json, clock_timestamp())
          ON CONFLICT (key) DO UPDATE
          SET candidates = excluded.candidates, outcomes = excluded.outcomes, stored_at = excluded.stored_at`
      })
      return Discoveries.of({
        find: (scope, discovery) =>
          select(keyOf(scope, discovery)).pipe(
            Effect.catchTag("SchemaError", () => Effect.succeedNone),
            Effect.orDie
          ),
        store: (scope, discovery, { candidates, outcomes }) =>
          Effect.orDie(
            insert({
              key: keyOf(scope, discovery),
              candidates: JSON.stringify(candidates),
              outcomes: JSON.stringify(outcomes)
            })
          ),
        prune: pruned(sql, "discoveries", "key", `${olderThan("stored_at", "7 days")} ORDER BY stored_at`)
      })
    })
  )
}
