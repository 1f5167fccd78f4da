/**
 * Faults planted once, and the tests that saw them:
 * - the lease ignored when a key is claimed ("exactly one"), or never over ("taken over")
 * - `renew` or `release` without the owner ("the former leader"), `release` by the owner that it first saw ("being taken over")
 * - a key claimed several times in a statement tried for each claim, won by the last, or by all ("the first of them")
 * - claims, releases or renewals in any order ("exactly one" and "never deadlocks")
 * - pruned as soon as the lease is over ("left behind")
 * - a lease that is ahead because the clock was set back waited for, or treated as one that is a second ahead ("was set back")
 */
import { assert, layer } from "@effect/vitest"
import { Config, Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, randomUUID } from "node:crypto"
import { AnswerKey } from "@sightline/store/AnswerKey"
import { Flights } from "@sightline/store/Flights"
import * as Postgres from "@sightline/store/Postgres"
import { layerDatabase } from "./database.ts"
import { keepOpen, untilLocked } from "./locks.ts"
import { newKey } from "./newKey.ts"

const newKeys = (count: number) => Array.from({ length: count }, newKey)

const sorted = (keys: ReadonlyArray<string>) => keys.toSorted()

/** Flights as other processes have them, each with a pool and batches of its own. */
const processes = (count: number) =>
  Effect.gen(function* () {
    const [row] = yield* SqlClient.SqlClient.use((sql) => sql`SELECT current_database() AS name`)
    const socket = yield* Config.String("SIGHTLINE_TEST_POSTGRES")
    const pool = Postgres.layer({ socket, database: String(row?.["name"]) }, { maxConnections: 3 })
    const one = Layer.build(Layer.fresh(Flights.layer.pipe(Layer.provide(pool))))
    return yield* Effect.replicateEffect(Effect.map(one, Context.get(Flights)), count)
  })

/** The keys for which the statement returns true, all asked concurrently. */
const which = (keys: ReadonlyArray<AnswerKey>, says: (key: AnswerKey) => Effect.Effect<boolean>) =>
  Effect.filter(keys, says, { concurrency: "unbounded" })

/** Moves the end of every lease this many seconds closer. */
const pass = (seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE flights SET lease_expires_at = lease_expires_at - make_interval(secs => ${seconds})`
  )

layer(Flights.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })("Flights", (it) => {
  it.effect("gives each key to exactly one of many concurrent claims", () =>
    Effect.gen(function* () {
      const all = yield* processes(4)
      for (let round = 0; round < 5; round++) {
        const keys = newKeys(300)
        // Each claims half of the keys, in an order of its own, and none waits for another for ever.
        const claims = Array.from({ length: 40 }, (_, nth) => {
          const order = (key: string) => createHash("md5").update(`${nth}${key}`).digest("hex")
          const shuffled = keys.toSorted((a, b) => order(a).localeCompare(order(b)))
          const { claim } = all[nth % all.length] ?? assert.fail()
          const owner = randomUUID()
          return which(nth === 0 ? shuffled : shuffled.slice(150), (key) => claim(key, owner, "1 minute"))
        })
        const won = yield* Effect.all(claims, { concurrency: "unbounded" })
        assert.deepStrictEqual(sorted(won.flat()), sorted(keys))
      }
    })
  )

  it.effect("prunes what leaders left behind, and nothing that a leader may still renew", () =>
    Effect.gen(function* () {
      const flights = yield* Flights
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM flights`)
      const [left, late, led] = [newKeys(600), newKeys(3), newKeys(3)]
      const owner = randomUUID()
      const claim = (key: AnswerKey) => flights.claim(key, owner, "10 seconds")
      yield* which(left, claim)
      yield* pass(100)
      yield* which(late, claim)
      yield* pass(40)
      yield* which(led, claim)
      const forgotten = [yield* flights.prune, yield* flights.prune, yield* flights.prune]
      assert.deepStrictEqual(forgotten, [500, 100, 0])
      const kept = yield* which([...late, ...led], (key) => flights.renew(key, owner, "10 seconds"))
      assert.deepStrictEqual(kept, [...late, ...led])
    })
  )

  it.effect("never deadlocks: releases and renewals complete while others claim the same keys", () =>
    Effect.gen(function* () {
      const flights = yield* Flights
      const others = yield* processes(3)
      for (let round = 0; round < 30; round++) {
        const [keys, first] = [newKeys(200), randomUUID()]
        const backwards = sorted(keys)
          .toReversed()
          .map((key) => AnswerKey.make(key))
        yield* which(keys, (key) => flights.claim(key, first, "1 minute"))
        const touch = which(backwards, (key) =>
          round % 2 === 0 ? Effect.as(flights.release(key, first), true) : flights.renew(key, first, "1 minute")
        )
        const claims = others.map(({ claim }) => which(keys, (key) => claim(key, randomUUID(), "1 minute")))
        yield* Effect.all([touch, ...claims], { concurrency: "unbounded" })
      }
    })
  )

  it.effect("gives free keys, and a key that several claim in one statement goes to the first of them", () =>
    Effect.gen(function* () {
      const { claim } = yield* Flights
      const [taken, free] = [newKeys(2), newKeys(3)]
      yield* which(taken, (key) => claim(key, randomUUID(), "1 minute"))
      const won = yield* Effect.forEach([...taken, ...free, ...free], (key) => claim(key, randomUUID(), "1 minute"), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(won, [false, false, true, true, true, false, false, false])
    })
  )

  it.effect("is taken over when its lease is over, and not before", () =>
    Effect.gen(function* () {
      const flights = yield* Flights
      const key = newKey()
      yield* flights.claim(key, randomUUID(), "30 seconds")
      yield* pass(25)
      assert.isFalse(yield* flights.claim(key, randomUUID(), "30 seconds"))
      yield* pass(5)
      assert.isTrue(yield* flights.claim(key, randomUUID(), "30 seconds"))
    })
  )

  it.effect("is free if its lease is far ahead because the clock was set back, unless its leader renews it", () =>
    Effect.gen(function* () {
      const [flights, key, renewed] = [yield* Flights, newKey(), newKey()]
      const [leader, other] = [randomUUID(), randomUUID()]
      for (const one of [key, renewed]) assert.isTrue(yield* flights.claim(one, leader, "10 seconds"))
      yield* pass(-3600)
      assert.isTrue(yield* flights.renew(renewed, leader, "10 seconds"))
      assert.isFalse(yield* flights.claim(renewed, other, "10 seconds"))
      assert.isTrue(yield* flights.claim(key, other, "10 seconds"))
      yield* pass(-50)
      assert.isFalse(yield* flights.claim(key, leader, "10 seconds"))
    })
  )

  it.effect("keeps a key as long as its lease is renewed", () =>
    Effect.gen(function* () {
      const flights = yield* Flights
      const key = newKey()
      const owner = randomUUID()
      yield* flights.claim(key, owner, "30 seconds")
      for (let turn = 0; turn < 3; turn++) {
        yield* pass(25)
        assert.isTrue(yield* flights.renew(key, owner, "30 seconds"))
      }
      assert.isFalse(yield* flights.claim(key, randomUUID(), "30 seconds"))
    })
  )

  it.effect("that is being taken over is not released by the former leader", () =>
    Effect.gen(function* () {
      const [flights, sql, key] = [yield* Flights, yield* SqlClient.SqlClient, newKey()]
      const [late, heir] = [randomUUID(), randomUUID()]
      assert.isTrue(yield* flights.claim(key, late, "30 seconds"))
      const takeOver = yield* keepOpen(sql`UPDATE flights SET owner = ${heir} WHERE key = decode(${key}, 'hex')`)
      const releasing = yield* Effect.forkChild(flights.release(key, late))
      yield* untilLocked
      yield* takeOver
      yield* Fiber.join(releasing)
      assert.isTrue(yield* flights.renew(key, heir, "30 seconds"))
    })
  )

  it.effect("is the new owner's after a takeover: the former leader can neither renew nor release it", () =>
    Effect.gen(function* () {
      const flights = yield* Flights
      const key = newKey()
      const [late, heir] = [randomUUID(), randomUUID()]
      yield* flights.claim(key, late, "30 seconds")
      yield* pass(31)
      assert.isTrue(yield* flights.claim(key, heir, "30 seconds"))
      assert.isFalse(yield* flights.renew(key, late, "30 seconds"))
      yield* flights.release(key, late)
      assert.isFalse(yield* flights.claim(key, randomUUID(), "30 seconds"))
      yield* flights.release(key, heir)
      assert.isTrue(yield* flights.claim(key, randomUUID(), "30 seconds"))
      yield* pass(25)
      assert.isFalse(yield* flights.renew(key, late, "30 seconds"))
      yield* pass(5)
      assert.isTrue(yield* flights.claim(key, randomUUID(), "30 seconds"))
    })
  )
})
