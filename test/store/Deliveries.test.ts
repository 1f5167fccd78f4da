/**
 * How long deliveries are kept, and how they are paged. What owners see of them is tested in `test/http/deliveries.test.ts`.
 *
 * Planted faults, each seen red: attempts left behind; pending ones deleted too; 29 days; more than a thousand at a time; those of one
 * moment in an order that pages do not follow; concurrent replays not serialised, or a replay beside a pending one; a
 * replay by another account, or from the other environment, refused because of what is pending.
 */
import { assert, layer } from "@effect/vitest"
import { Array, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { Accounts } from "@sightline/store/Accounts"
import type { Position } from "@sightline/store/Page"
import { Deliveries } from "@sightline/store/Deliveries"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "./database.ts"
import { attemptRows, key, newEndpoint, write, writeForWatch } from "./deliveries.ts"
import { inAnotherProcess } from "./purse.ts"

const layerStore = Layer.mergeAll(Accounts.layer, Deliveries.layer, WebhookEndpoints.layer(key)).pipe(
  Layer.provideMerge(layerDatabase)
)

/** Deliveries with this status and age, with one attempt each. */
const made = Effect.fnUntraced(function* (status: string, ago: string, count = 1) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* write(yield* newEndpoint("https://hooks.acme.com/in"), count)
  yield* sql`UPDATE deliveries SET status = ${status}, created_at = clock_timestamp() - ${ago}::interval
    WHERE id IN ${sql.in(ids)}`
  yield* sql`INSERT INTO attempts (id, delivery_id, number, started_at)
    SELECT gen_random_uuid(), id, 1, created_at FROM deliveries WHERE id IN ${sql.in(ids)}`
  return ids
})

const left = (ids: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(sql`SELECT 1 FROM deliveries WHERE id IN ${sql.in(ids)}`, (rows) => rows.length)
  )

layer(layerStore, { excludeTestServices: true })("Deliveries", (it) => {
  it.effect("of the same moment, like those of one batch, appear on one page each", () =>
    Effect.gen(function* () {
      const { page } = yield* Deliveries
      const endpoint = yield* newEndpoint("https://hooks.acme.com/in")
      const ids = yield* write(endpoint, 5)
      const seen: Array<string> = []
      for (let after: Position | null | undefined; after !== null;) {
        const { next, rows } = yield* page(endpoint.wallet, {}, { limit: 2, ...(after && { after }) })
        seen.push(...rows.map(({ id }) => id))
        after = next
      }
      assert.sameMembers(seen, ids)
      assert.lengthOf(seen, 5)
    })
  )

  for (const event of ["ask.completed", "watch.fired"] as const)
    it.effect(`of one ${event} are replayed one at a time, with sixty concurrent replays in three processes`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const of = Effect.gen(function* () {
          if (event === "watch.fired") {
            const { accountId, deliveryId } = yield* writeForWatch("https://hooks.acme.com/in")
            return {
              wallet: { accountId: AccountId.make(accountId), environment: "live" } as const,
              first: deliveryId
            }
          }
          const endpoint = yield* newEndpoint("https://hooks.acme.com/in")
          const [first = assert.fail()] = yield* write(endpoint)
          return { wallet: endpoint.wallet, first }
        })
        const { first, wallet } = yield* of
        const other = yield* of
        const processes = yield* Effect.replicateEffect(inAnotherProcess(Deliveries.layer), 3)
        const ids = [first]
        for (let round = 0; round < 5; round++) {
          yield* sql`UPDATE deliveries SET status = 'delivered', next_attempt_at = NULL WHERE id IN ${sql.in(ids)}`
          const made = yield* Effect.forEach(
            Array.range(1, 60),
            (n) => {
              const { replay } = Context.get(processes[n % 3] ?? assert.fail(), Deliveries)
              return Effect.result(replay(wallet, ids[n % ids.length] ?? first))
            },
            { concurrency: "unbounded" }
          )
          const [second = assert.fail(), ...more] = Array.getSomes(Array.getSuccesses(made))
          assert.lengthOf(more, 0)
          assert.deepStrictEqual(
            Array.getFailures(made).map((reason) => [reason._tag, "id" in reason && reason.id]),
            Array.replicate(["DeliveryPending", second.id], 59)
          )
          ids.push(second.id)
        }
        const { replay } = yield* Deliveries
        // No other wallet learns that the event has a pending delivery.
        for (const stranger of [other.wallet, { ...wallet, environment: "test" } as const])
          assert.deepStrictEqual(yield* replay(stranger, first), Option.none())
        // A pending delivery can be replayed once more, and pending deliveries of others do not count.
        assert.isTrue(Option.isSome(yield* replay(wallet, ids.at(-1) ?? first)))
        assert.isTrue(Option.isSome(yield* replay(other.wallet, other.first)))
      })
    )

  it.effect("are pruned with their attempts 30 days after they were written, once they are over", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const gone = [...(yield* made("delivered", "30 days 1 minute")), ...(yield* made("failed", "31 days"))]
      const kept = [
        ...(yield* made("delivered", "29 days 23 hours")),
        ...(yield* made("failed", "1 minute")),
        ...(yield* made("pending", "90 days"))
      ]
      assert.strictEqual(yield* deliveries.prune, gone.length)
      assert.strictEqual(yield* left(gone), 0)
      for (const id of gone) assert.lengthOf(yield* attemptRows(id), 0)
      assert.strictEqual(yield* left(kept), kept.length)
      for (const id of kept) assert.lengthOf(yield* attemptRows(id), 1)
      assert.strictEqual(yield* deliveries.prune, 0)
    })
  )

  it.effect("are pruned a thousand at a time", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      yield* made("delivered", "40 days", 1200)
      assert.deepStrictEqual(
        [yield* deliveries.prune, yield* deliveries.prune, yield* deliveries.prune],
        [1000, 200, 0]
      )
    })
  )
})
