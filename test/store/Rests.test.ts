/**
 * Faults planted once, and the tests that saw them: a rest that never ends ("until its time is over"); the environment left out of the
 * key ("nothing else"); the account left out of a test key's rest, or kept in a live one's ("for all live keys"); a shorter rest that
 * replaces a longer one ("never shortened"); everything pruned ("only rests that are over"); a rest of an hour kept ("set back").
 */
import { assert, layer } from "@effect/vitest"
import { Config, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import * as Postgres from "@sightline/store/Postgres"
import { type Resting, Rests } from "@sightline/store/Rests"
import { layerDatabase } from "./database.ts"

const [acme, umbrella] = [AccountId.make(crypto.randomUUID()), AccountId.make(crypto.randomUUID())]

const one = (country: string): Resting => ({
  wallet: { accountId: acme, environment: "live" },
  platform: "ai_mode",
  country
})

const rehearsing = (accountId: AccountId, country: string): Resting => ({
  ...one(country),
  wallet: { accountId, environment: "test" }
})

/** Moves the end of every rest this many seconds closer. */
const pass = (seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE capture_rests SET rests_until = rests_until - make_interval(secs => ${seconds})`
  )

layer(Rests.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })("Rests", (it) => {
  it.effect("a rest has seconds left until its time is over, in every process", () =>
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

  it.effect("nothing else rests: no other platform, country or environment, asked one by one or all at once", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      const resting = one("GB")
      const others: ReadonlyArray<Resting> = [
        one("CA"),
        { ...resting, platform: "ai_overview" },
        rehearsing(acme, "GB")
      ]
      yield* rests.rest(resting, 30)
      const left = yield* Effect.forEach([resting, ...others, resting], rests.left, { concurrency: "unbounded" })
      assert.deepStrictEqual(left, [30, 0, 0, 0, 30])
      yield* rests.rest(rehearsing(acme, "CA"), 30)
      const apart = yield* Effect.forEach([rehearsing(acme, "CA"), one("CA")], rests.left, { concurrency: "unbounded" })
      assert.deepStrictEqual(apart, [30, 0])
    })
  )

  it.effect("a live surface rests for all live keys, a sandbox surface for the test keys of its account only", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      yield* rests.rest(one("DE"), 30)
      const other: Resting = { ...one("DE"), wallet: { accountId: umbrella, environment: "live" } }
      assert.strictEqual(yield* rests.left(other), 30)
      yield* rests.rest(rehearsing(acme, "FR"), 30)
      const left = yield* Effect.forEach([acme, umbrella], (account) => rests.left(rehearsing(account, "FR")), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(left, [30, 0])
      yield* rests.rest(rehearsing(umbrella, "FR"), 20)
      assert.strictEqual(yield* rests.left(rehearsing(acme, "FR")), 30)
      assert.strictEqual(yield* rests.left(rehearsing(umbrella, "FR")), 20)
    })
  )

  it.effect("a rest is never shortened by another, and can be extended", () =>
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

  it.effect("a rest that is far ahead because the clock was set back is pruned", () =>
    Effect.gen(function* () {
      const rests = yield* Rests
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM capture_rests`)
      yield* rests.rest(one("US"), 30)
      yield* pass(-3600)
      yield* rests.rest(one("GB"), 30)
      yield* rests.rest(one("US"), 30)
      assert.strictEqual(yield* rests.prune, 1)
      assert.strictEqual(yield* rests.left(one("US")), 0)
      assert.strictEqual(yield* rests.left(one("GB")), 30)
    })
  )

  it.effect("only rests that are over are pruned", () =>
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
