/**
 * Which movements wait for the disk.
 *
 * Planted faults, each seen red: every statement committed without waiting; a hold beside a settlement committed like one alone; holds
 * that wait; the setting left to the connection.
 */
import { assert, layer } from "@effect/vitest"
import { Charges } from "@sightline/store/Charges"
import * as Postgres from "@sightline/store/Postgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeDatabase } from "./database.ts"
import { ending, layerMoneyOf, order, wallet } from "./purse.ts"
import { enqueued } from "./queued.ts"

/** A database that waits for the disk, unlike the run's shared server, and records for each entry how it was committed. */
const layerWaiting = Layer.unwrap(
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const wait = SqlClient.SqlClient.use(
      (sql) => sql`ALTER DATABASE ${sql(address.database)} SET synchronous_commit = on`
    )
    yield* Effect.provide(wait, Postgres.layer(address, { maxConnections: 1 }), { local: true })
    const noting = Layer.effectDiscard(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE commits (place integer GENERATED ALWAYS AS IDENTITY, kind text, waits text)`
        yield* sql`
          CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO commits (kind, waits) VALUES (NEW.kind, current_setting('synchronous_commit'));
            RETURN NULL;
          END $$`
        yield* sql`
          CREATE CONSTRAINT TRIGGER note_commit AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION note_commit()`
      })
    )
    return noting.pipe(Layer.provideMerge(Postgres.layerMigrations), Layer.provideMerge(Postgres.layer(address)))
  })
)

/** The entries since the last look, and whether they waited for the disk. */
const committed = SqlClient.SqlClient.use((sql) =>
  Effect.map(sql`WITH seen AS (DELETE FROM commits RETURNING *) SELECT kind, waits FROM seen ORDER BY place`, (rows) =>
    rows.map(({ kind, waits }) => `${String(kind)} ${String(waits)}`)
  )
)

layer(layerMoneyOf(layerWaiting), { excludeTestServices: true })("durability", (it) => {
  it.effect(
    "a hold alone does not wait for the disk; every end of a hold does, and so does a hold in the same statement",
    () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150 * 9)
        assert.deepStrictEqual(yield* committed, ["topup on"])
        const [one, other, third] = [order(purse), order(purse), order(purse)]
        yield* charges.hold(one)
        yield* charges.hold(other)
        assert.deepStrictEqual(yield* committed, ["hold off", "hold off"])
        yield* charges.settle({ id: one.id, ...ending(3) })
        assert.deepStrictEqual(yield* committed, ["capture on", "release on"])
        yield* Effect.all([charges.hold(third), charges.settle({ id: other.id, ...ending(4) })], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* committed, ["hold on", "capture on"])
        yield* charges.void(third.id)
        yield* charges.charge({ ...order(purse), ...ending(4, true) })
        assert.deepStrictEqual(yield* committed, ["release on", "charge on"])
      })
  )

  it.effect("the hold of a queued ask waits, because its acknowledgment is a response", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(150)
      yield* enqueued(purse)
      assert.deepStrictEqual(yield* committed, ["topup on", "hold on"])
    })
  )
})
