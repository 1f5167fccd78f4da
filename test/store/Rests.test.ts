/**
 * Faults planted once, and the tests that saw them: a rest that is never over ("until its seconds are over"), the environment
 * left out of the key ("nobody else"), a shorter rest in place of a longer one ("never cut short"), everything
 * pruned ("only those that are over").
 */
import { assert, layer } from "@effect/vitest"
import { Config, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "@sightline/store/Postgres"
import { type Resting, Rests } from "@sightline/store/Rests"
import { layerDatabase } from "./database.ts"

const one = (country: string): Resting => ({ environment: "live", platform: "ai_mode", country })

/** Lets so many seconds pass for every rest. */
const pass = (seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE capture_rests SET rests_until = rests_until - make_interval(secs => ${seconds})`
  )

layer(Rests.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })("Rests", (it) => {
  it.effect("what was sent to rest has seconds left until its seconds are over, in every process", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      const sql = yield* SqlClient.SqlClient
      const socket = yield* Config.String("SIGHTLINE_TEST_POSTGRES")
      const [row] = yield* sql`SELECT current_database() AS name`
      const pool = Postgres.layer({ socket, database: String(row?.["name"]) }, { maxConnections: 1 })
      const other = Context.get(yield* Layer.build(Layer.fresh(Rests.layer.pipe(Layer.provide(pool)))), Rests)

      assert.strictEqual(yield* rests.left(one("US")), 0)
      yield* rests.rest(one("US"), 30)
      for (const process of [rests, other]) assert.strictEqual(yield* process.left(one("US")), 30)
      yield* pass(10.5)
      for (const process of [rests, other]) assert.strictEqual(yield* process.left(one("US")), 20)
      yield* pass(19.5)
      for (const process of [rests, other]) assert.strictEqual(yield* process.left(one("US")), 0)
      yield* pass(60)
      assert.strictEqual(yield* rests.left(one("US")), 0)
    })
  )

  it.effect("nobody else rests: not another platform, country or environment, asked alone or all at once", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      const resting = one("GB")
      const others: ReadonlyArray<Resting> = [
        one("CA"),
        { ...resting, platform: "ai_overview" },
        { ...resting, environment: "test" }
      ]
      yield* rests.rest(resting, 30)
      const left = yield* Effect.forEach([resting, ...others, resting], rests.left, { concurrency: "unbounded" })
      assert.deepStrictEqual(left, [30, 0, 0, 0, 30])
      const rehearsing: Resting = { ...one("CA"), environment: "test" }
      yield* rests.rest(rehearsing, 30)
      assert.deepStrictEqual([yield* rests.left(rehearsing), yield* rests.left(one("CA"))], [30, 0])
    })
  )

  it.effect("a rest is never cut short by another, and may be made longer", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      yield* rests.rest(one("AU"), 30)
      yield* rests.rest(one("AU"), 5)
      assert.strictEqual(yield* rests.left(one("AU")), 30)
      yield* pass(20)
      yield* rests.rest(one("AU"), 30)
      assert.strictEqual(yield* rests.left(one("AU")), 30)
    })
  )

  it.effect("only those that are over are pruned", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM capture_rests`)
      yield* rests.rest(one("US"), 10)
      yield* rests.rest(one("GB"), 60)
      assert.strictEqual(yield* rests.prune, 0)
      yield* pass(11)
      assert.strictEqual(yield* rests.prune, 1)
      assert.strictEqual(yield* rests.left(one("GB")), 49)
    })
  )
})
