/**
 * Faults planted once, and the tests that saw them: a cooldown that never ends ("until its time is over"); the environment left out of
 * the key ("nothing else"); the account left out of a test key's cooldown, or kept in a live one's ("for all live keys"); a shorter one
 * that replaces a longer one ("never shortened"); everything pruned ("only cooldowns that are over"); one of an hour kept ("set back").
 */
import { assert, layer } from "@effect/vitest"
import { Config, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import * as Postgres from "@sightline/store/Postgres"
import { type CooldownScope, Cooldowns } from "@sightline/store/Cooldowns"
import { layerDatabase } from "./database.ts"

const [acme, umbrella] = [AccountId.make(crypto.randomUUID()), AccountId.make(crypto.randomUUID())]

const one = (country: string): CooldownScope => ({
  wallet: { accountId: acme, environment: "live" },
  platform: "ai_mode",
  country
})

const rehearsing = (accountId: AccountId, country: string): CooldownScope => ({
  ...one(country),
  wallet: { accountId, environment: "test" }
})

/** Moves the end of every cooldown this many seconds closer. */
const pass = (seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE capture_rests SET rests_until = rests_until - make_interval(secs => ${seconds})`
  )

layer(Cooldowns.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })("Cooldowns", (it) => {
  it.effect("a cooldown has seconds left until its time is over, in every process", () =>
    Effect.gen(function* () {
      const cooldowns = yield* Cooldowns
      const sql = yield* SqlClient.SqlClient
      const socket = yield* Config.String("SIGHTLINE_TEST_POSTGRES")
      const [row] = yield* sql`SELECT current_database() AS name`
      const pool = Postgres.layer({ socket, database: String(row?.["name"]) }, { maxConnections: 1 })
      const other = Context.get(yield* Layer.build(Layer.fresh(Cooldowns.layer.pipe(Layer.provide(pool)))), Cooldowns)

      assert.strictEqual(yield* cooldowns.secondsLeft(one("US")), 0)
      yield* cooldowns.start(one("US"), 30)
      for (const process of [cooldowns, other]) assert.strictEqual(yield* process.secondsLeft(one("US")), 30)
      yield* pass(10.5)
      for (const process of [cooldowns, other]) assert.strictEqual(yield* process.secondsLeft(one("US")), 20)
      yield* pass(19.5)
      for (const process of [cooldowns, other]) assert.strictEqual(yield* process.secondsLeft(one("US")), 0)
      yield* pass(60)
      assert.strictEqual(yield* cooldowns.secondsLeft(one("US")), 0)
    })
  )

  it.effect("nothing else cools down: no other platform, country or environment, asked one by one or all at once", () =>
    Effect.gen(function* () {
      const cooldowns = yield* Cooldowns
      const cooldownScope = one("GB")
      const others: ReadonlyArray<CooldownScope> = [
        one("CA"),
        { ...cooldownScope, platform: "ai_overview" },
        rehearsing(acme, "GB")
      ]
      yield* cooldowns.start(cooldownScope, 30)
      const secondsLeft = yield* Effect.forEach([cooldownScope, ...others, cooldownScope], cooldowns.secondsLeft, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(secondsLeft, [30, 0, 0, 0, 30])
      yield* cooldowns.start(rehearsing(acme, "CA"), 30)
      const apart = yield* Effect.forEach([rehearsing(acme, "CA"), one("CA")], cooldowns.secondsLeft, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(apart, [30, 0])
    })
  )

  it.effect(
    "a live surface cools down for all live keys, a sandbox surface for the test keys of its account only",
    () =>
      Effect.gen(function* () {
        const cooldowns = yield* Cooldowns
        yield* cooldowns.start(one("DE"), 30)
        const other: CooldownScope = { ...one("DE"), wallet: { accountId: umbrella, environment: "live" } }
        assert.strictEqual(yield* cooldowns.secondsLeft(other), 30)
        yield* cooldowns.start(rehearsing(acme, "FR"), 30)
        const secondsLeft = yield* Effect.forEach(
          [acme, umbrella],
          (account) => cooldowns.secondsLeft(rehearsing(account, "FR")),
          {
            concurrency: "unbounded"
          }
        )
        assert.deepStrictEqual(secondsLeft, [30, 0])
        yield* cooldowns.start(rehearsing(umbrella, "FR"), 20)
        assert.strictEqual(yield* cooldowns.secondsLeft(rehearsing(acme, "FR")), 30)
        assert.strictEqual(yield* cooldowns.secondsLeft(rehearsing(umbrella, "FR")), 20)
      })
  )

  it.effect("a cooldown is never shortened by another, and can be extended", () =>
    Effect.gen(function* () {
      const cooldowns = yield* Cooldowns
      yield* cooldowns.start(one("AU"), 30)
      yield* cooldowns.start(one("AU"), 5)
      assert.strictEqual(yield* cooldowns.secondsLeft(one("AU")), 30)
      yield* pass(20)
      yield* cooldowns.start(one("AU"), 30)
      assert.strictEqual(yield* cooldowns.secondsLeft(one("AU")), 30)
    })
  )

  it.effect("a cooldown that is far ahead because the clock was set back is pruned", () =>
    Effect.gen(function* () {
      const cooldowns = yield* Cooldowns
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM capture_rests`)
      yield* cooldowns.start(one("US"), 30)
      yield* pass(-3600)
      yield* cooldowns.start(one("GB"), 30)
      yield* cooldowns.start(one("US"), 30)
      assert.strictEqual(yield* cooldowns.prune, 1)
      assert.strictEqual(yield* cooldowns.secondsLeft(one("US")), 0)
      assert.strictEqual(yield* cooldowns.secondsLeft(one("GB")), 30)
    })
  )

  it.effect("only cooldowns that are over are pruned", () =>
    Effect.gen(function* () {
      const cooldowns = yield* Cooldowns
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM capture_rests`)
      yield* cooldowns.start(one("US"), 10)
      yield* cooldowns.start(one("GB"), 60)
      assert.strictEqual(yield* cooldowns.prune, 0)
      yield* pass(11)
      assert.strictEqual(yield* cooldowns.prune, 1)
      assert.strictEqual(yield* cooldowns.secondsLeft(one("GB")), 49)
    })
  )
})
