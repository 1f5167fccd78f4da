/** Planted and seen red: the process's clock; times rounded down. */
import { assert, layer } from "@effect/vitest"
import { DatabaseClock } from "@sightline/store/DatabaseClock"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { layerDatabase } from "./database.ts"

const decodeMoments = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ micros: Schema.Number })))

layer(DatabaseClock.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })(
  "DatabaseClock",
  (it) => {
    it.effect("is never before what was stored, and at most a millisecond after it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { now } = yield* DatabaseClock
        const stored = sql`SELECT extract(epoch FROM clock_timestamp())::float8 * 1e6 AS micros`
        const moment = Effect.map(Effect.flatMap(stored, decodeMoments), (rows) => rows[0]?.micros ?? 0)
        yield* Effect.replicateEffect(
          Effect.gen(function* () {
            const before = yield* moment
            const read = DateTime.toEpochMillis(yield* now) * 1000
            const after = yield* moment
            assert.isAtLeast(read, before)
            assert.isBelow(read, after + 1000)
          }),
          50
        )
      })
    )
  }
)
