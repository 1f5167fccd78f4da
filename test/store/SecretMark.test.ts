/**
 * Which databases a secret key fits.
 *
 * Planted and seen red: the mark not compared; the newer mark kept; no secret tried if there is no mark; all of the secrets, or only the
 * newest, required to open; the mark kept of a key that is then refused; a missing row treated as one without a mark.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "@sightline/store/Accounts"
import * as SecretMark from "@sightline/store/SecretMark"
import { Watches } from "@sightline/store/Watches"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "./database.ts"
import { secret, wishes } from "./watching.ts"

const keyOf = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))

/** Whether a program with this secret key starts. */
const starts = (key: number) =>
  Effect.isSuccess(
    Layer.build(Layer.fresh(SecretMark.layer({ marking: keyOf(100 + key), sealing: keyOf(key) }))).pipe(Effect.scoped)
  )

const customer = Effect.map(
  Accounts.use((accounts) => accounts.create("Acme")),
  ({ id }) => ({ accountId: id, environment: "live" }) as const
).pipe(Effect.provide(Accounts.layer))

/** A secret that is sealed under the key, in either table. */
const sealing = (table: "webhook_endpoints" | "watches", key: number) =>
  Effect.gen(function* () {
    const wallet = yield* customer
    const endpoint = { url: "https://hooks.acme.com/in", description: null, enabled: true }
    if (table === "watches") return void (yield* (yield* Watches).create(wallet, wishes(), secret))
    yield* (yield* WebhookEndpoints).create(wallet, { ...endpoint, events: ["ask.completed"] })
  }).pipe(Effect.provide(Layer.fresh(Layer.merge(Watches.layer(keyOf(key)), WebhookEndpoints.layer(keyOf(key))))))

const forget = SqlClient.SqlClient.use((sql) => sql`DELETE FROM secret_mark`)

const mark = SqlClient.SqlClient.use((sql) => sql<{ mark: string | null }>`SELECT mark FROM secret_mark`)

const fresh = Effect.provide(layerDatabase, { local: true })

it.live("the first key becomes the database's: it starts again, and no other does, even after others have tried", () =>
  Effect.gen(function* () {
    assert.isTrue(yield* starts(1))
    assert.isFalse(yield* starts(2))
    assert.isFalse(yield* starts(2))
    assert.isTrue(yield* starts(1))
  }).pipe(fresh)
)

it.live("of keys that are tried concurrently one becomes the database's, in every process", () =>
  Effect.gen(function* () {
    const tries = yield* Effect.forEach([1, 2, 1, 2, 1, 2], (key) => Effect.map(starts(key), (ok) => ({ key, ok })), {
      concurrency: "unbounded"
    })
    const winner = (yield* starts(1)) ? 1 : 2
    assert.deepEqual(
      tries.map(({ ok }) => ok),
      tries.map(({ key }) => key === winner)
    )
    assert.notStrictEqual(yield* starts(1), yield* starts(2))
  }).pipe(fresh)
)

it.live.each(["webhook_endpoints", "watches"] as const)(
  "a database with secrets but no mark accepts a key that opens one of them in %s, and keeps no other",
  (table) =>
    Effect.gen(function* () {
      yield* sealing(table, 1)
      yield* sealing(table, 3)
      assert.isFalse(yield* starts(2))
      assert.deepEqual(yield* mark, [{ mark: null }])
      assert.isTrue(yield* starts(1))
      assert.isFalse(yield* starts(3))
    }).pipe(fresh)
)

it.live("once the row of the mark is deleted any key starts, whatever is sealed, and becomes the database's", () =>
  Effect.gen(function* () {
    assert.isTrue(yield* starts(1))
    yield* sealing("watches", 1)
    assert.isFalse(yield* starts(2))
    yield* forget
    assert.isTrue(yield* starts(2))
    assert.isFalse(yield* starts(1))
  }).pipe(fresh)
)
