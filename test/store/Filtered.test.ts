/**
 * A filtered list reads only the rows it returns.
 *
 * Planted and seen red: each index of `0032_found_by` left out; a receiver looked up by `webhook_id` alone; a list that
 * begins above its end; a plan for accounts with few checks used for one with many.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Accounts } from "@sightline/store/Accounts"
import { CheckHistory } from "@sightline/store/CheckHistory"
import { isoTime } from "@sightline/store/Columns"
import { Deliveries } from "@sightline/store/Deliveries"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "./database.ts"
import { endpointOf, key, newEndpoint, write } from "./deliveries.ts"
import { blocksRead, rowsRead } from "./rowsRead.ts"

const layerStore = Layer.mergeAll(
  Accounts.layer,
  CheckHistory.layer,
  Deliveries.layer,
  WebhookEndpoints.layer(key)
).pipe(Layer.provideMerge(layerDatabase))

const many = 5000

/** Runs a query, and counts what it reads. */
const readBy = Effect.fnUntraced(function* <A, E, R>(
  counted: Effect.Effect<number, unknown, SqlClient.SqlClient>,
  find: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const [before, found, after] = yield* sql.withTransaction(Effect.all([counted, find, counted]))
  return { found, read: after - before }
})

layer(layerStore, { excludeTestServices: true })("a filtered list reads only what it returns", (it) => {
  it.effect("of deliveries, by endpoint, by watch, and as failed", () =>
    Effect.gen(function* () {
      const [sql, deliveries] = [yield* SqlClient.SqlClient, yield* Deliveries]
      const busy = yield* newEndpoint("https://hooks.acme.com/in")
      const quiet = yield* endpointOf(busy.wallet.accountId, "https://hooks.acme.com/quiet")
      const rare = yield* write(quiet, 2)
      yield* write(busy, many)
      yield* sql`UPDATE deliveries SET status = 'delivered', next_attempt_at = NULL`
      yield* sql`UPDATE deliveries SET status = 'failed' WHERE id = ${rare[0] ?? ""}`
      yield* sql`VACUUM ANALYZE deliveries`
      const page = (filter: Parameters<typeof deliveries.page>[1]) =>
        readBy(rowsRead("deliveries"), deliveries.page(busy.wallet, filter, { limit: 20 }))
      const [ofEndpoint, failed, both, ofWatch] = [
        yield* page({ webhookId: quiet.id }),
        yield* page({ status: "failed" }),
        yield* page({ webhookId: busy.id, status: "failed" }),
        yield* page({ watchId: quiet.id })
      ]
      assert.sameMembers(
        ofEndpoint.found.rows.map(({ id }) => id),
        rare
      )
      assert.deepStrictEqual(
        failed.found.rows.map(({ id }) => id),
        rare.slice(0, 1)
      )
      assert.lengthOf([...both.found.rows, ...ofWatch.found.rows], 0)
      for (const { read } of [ofEndpoint, failed, both, ofWatch]) assert.isAtMost(read, 10)
    })
  )

  it.effect("of checks, by question, by mode and by end time", () =>
    Effect.gen(function* () {
      const [sql, history] = [yield* SqlClient.SqlClient, yield* CheckHistory]
      const { id: accountId } = yield* (yield* Accounts).create("Acme")
      const [chargeId, rare] = [randomUUID(), randomUUID()]
      yield* sql`
        INSERT INTO charges (id, account_id, environment, sequence, endpoint, mode, platforms, price, state, lease_expires_at, created_at)
        VALUES (${chargeId}, ${accountId}, 'live', 1, 'check', 'quick', '{}', 0, 'settled', now(), now())`
      yield* sql`
        INSERT INTO check_records (id, charge_id, account_id, environment, mode, query, brand, request, result, platforms, mentioned,
          ranks, texts, sites, pages, created_at, duration_ms, region)
        SELECT CASE n WHEN 1 THEN ${rare}::uuid ELSE gen_random_uuid() END, ${chargeId}::uuid, ${accountId}::uuid, 'live',
          CASE n WHEN 1 THEN 'ai_mode' ELSE 'quick' END, CASE n WHEN 1 THEN 'a rare question' ELSE 'a question' END, 'Acme', '{}',
          '{"failures": []}', '{}', '{}', '{}', '{}', '{}', '{}', now() + n * interval '1 second', 1, 'us'
        FROM generate_series(1, ${many}::integer) n`
      yield* sql`VACUUM ANALYZE check_records`
      for (const filter of [{ query: "a rare question" }, { mode: "ai_mode" }] as const) {
        const page = history.page({ accountId, environment: "live" }, filter, { limit: 20 })
        const { found, read } = yield* readBy(rowsRead("check_records"), page)
        assert.deepStrictEqual(
          found.rows.map(({ id }) => id),
          [rare]
        )
        assert.isAtMost(read, 10)
      }
      const places = yield* sql<{ readonly at: string; readonly id: string; readonly micros: number }>`
        SELECT ${sql.literal(isoTime("created_at"))} AS at, id, (extract(epoch FROM created_at) * 1e6)::float8 AS micros
        FROM check_records ORDER BY created_at LIMIT 2`
      const { micros, ...after } = places[1] ?? assert.fail()
      for (const asked of [
        { end: micros, limit: 20 },
        { end: micros + many * 1e6, limit: 20, after }
      ]) {
        const page = history.page({ accountId, environment: "live" }, { end: asked.end }, asked)
        const { found, read } = yield* readBy(blocksRead("checks_owner"), page)
        assert.deepStrictEqual(
          found.rows.map(({ id }) => id),
          [rare]
        )
        assert.isAtMost(read, 10)
      }
    })
  )

  it.effect("of checks, the newest of an owner who has more than all others, however often they are asked for", () =>
    Effect.gen(function* () {
      const [sql, history] = [yield* SqlClient.SqlClient, yield* CheckHistory]
      const { id: accountId } = yield* (yield* Accounts).create("Acme")
      const owner = sql`CASE n % 2 WHEN 0 THEN ${accountId}::uuid ELSE gen_random_uuid() END`
      yield* sql`
        INSERT INTO charges (id, account_id, environment, sequence, endpoint, mode, platforms, price, state, lease_expires_at, created_at)
        SELECT gen_random_uuid(), ${owner}, 'live', n, 'check', 'quick', '{}', 0, 'settled', now(), now()
        FROM generate_series(1, ${2 * many}::integer) n`
      yield* sql`
        INSERT INTO check_records (id, charge_id, account_id, environment, mode, query, brand, request, result, platforms, mentioned,
          ranks, texts, sites, pages, created_at, duration_ms, region)
        SELECT gen_random_uuid(), id, account_id, 'live', 'quick', 'a question', 'Acme', '{}', '{"failures": []}', '{}', '{}', '{}', '{}',
          '{}', '{}', now() + sequence * interval '1 second', 1, 'us'
        FROM charges`
      yield* sql`VACUUM ANALYZE charges, check_records, runs`
      const page = history.page({ accountId, environment: "live" }, {}, { limit: 20 })
      // From the sixth time on Postgres goes by a plan for any owner.
      const { found, read } = yield* readBy(rowsRead("check_records", "charges"), Effect.replicateEffect(page, 8))
      assert.isTrue(found.every(({ rows }) => rows.length === 20))
      assert.isAtMost(read, 1000)
    })
  )
})
