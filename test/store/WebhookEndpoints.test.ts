/**
 * Planted faults, each seen red:
 * - concurrent creations not serialised; 101 endpoints
 * - environment, account or deletion left out of the condition
 * - the secret kept when deleted; a rotation that keeps the old one
 * - every row changed; a description that cannot be removed; oldest first; `updated_at` left
 * - one secret for all; secrets stored in clear, or bound to no row
 * - pending deliveries of a disabled or deleted endpoint left pending; those of every endpoint of the account given up, or of another
 *   environment, or on any change
 * - all pending deliveries given up by one statement, or no more than one statement can, or given up though the change is rolled back
 */
import { assert, layer } from "@effect/vitest"
import { Array, Effect, Exit, Layer, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Wallet } from "@sightline/domain/Wallet"
import { TooManyWebhooks, WebhookId } from "@sightline/domain/Webhook"
import { Accounts } from "@sightline/store/Accounts"
import { Principal } from "@sightline/store/Principal"
import * as Sealed from "@sightline/store/Sealed"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "./database.ts"
import { deliveryRow, pass, write } from "./deliveries.ts"

const keyOf = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))

const layerStore = Layer.mergeAll(Accounts.layer, WebhookEndpoints.layer(keyOf(1))).pipe(
  Layer.provideMerge(layerDatabase)
)

const newWallet = Accounts.use((accounts) => accounts.create("Acme")).pipe(
  Effect.map(({ id }): Wallet => ({ accountId: id, environment: "live" }))
)

const wishes = {
  url: "https://hooks.acme.com/in",
  description: null,
  events: ["ask.completed"],
  enabled: true
} as const

const create = (wallet: Wallet, more: Partial<typeof wishes> | object = {}) =>
  WebhookEndpoints.use((endpoints) => endpoints.create(wallet, { ...wishes, ...more }))

/** The secret that attempts would be signed with. */
const secretOf = (id: WebhookId, key = keyOf(1)) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.gen(function* () {
      const [row] = yield* sql<{ secret: Uint8Array | null }>`SELECT secret FROM webhook_endpoints WHERE id = ${id}`
      if (row === undefined || row.secret === null) return Option.none<string>()
      const secret = yield* Sealed.open(key, { table: "webhook_endpoints", id, column: "secret" }, row.secret)
      return Option.some(Redacted.value(secret))
    }).pipe(Effect.orDie)
  )

const dumpOf = (id: WebhookId) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{ text: string }>`SELECT w::text AS text FROM webhook_endpoints w WHERE id = ${id}`,
      (rows) => rows[0]?.text ?? ""
    )
  )

layer(layerStore, { excludeTestServices: true })("WebhookEndpoints", (it) => {
  it.effect("are found as they were created, newest first, each with a secret of its own", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const first = yield* create(wallet)
      const second = yield* create(wallet, {
        url: "https://8.8.8.8/",
        description: 'd\u2028"}',
        events: ["watch.fired", "ask.completed"],
        enabled: false
      })
      const { id, createdAt, updatedAt, ...rest } = second.endpoint
      assert.deepStrictEqual(rest, {
        url: "https://8.8.8.8/",
        description: 'd\u2028"}',
        events: ["watch.fired", "ask.completed"],
        enabled: false
      })
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      assert.strictEqual(updatedAt, createdAt)
      assert.deepStrictEqual(yield* endpoints.list(wallet), [second.endpoint, first.endpoint])
      for (const { endpoint, secret } of [first, second]) {
        assert.deepStrictEqual(yield* endpoints.find(wallet, endpoint.id), Option.some(endpoint))
        assert.match(Redacted.value(secret), /^[0-9a-f]{64}$/)
        assert.deepStrictEqual(yield* secretOf(endpoint.id), Option.some(Redacted.value(secret)))
      }
      assert.notStrictEqual(Redacted.value(first.secret), Redacted.value(second.secret))
      assert.deepStrictEqual(yield* secretOf(WebhookId.make(randomUUID())), Option.none())
      assert.notStrictEqual(id, first.endpoint.id)
    })
  )

  it.effect("change only in the fields that are named", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const { endpoint, secret } = yield* create(wallet, { description: "mine" })
      const bystander = yield* create(wallet)
      const changes = [
        { url: "https://9.9.9.9/" },
        { description: null },
        { description: "" },
        { description: "again" },
        { events: ["watch.fired"] },
        { enabled: false },
        { enabled: true },
        {},
        { url: "https://1.1.1.1/", description: "all", events: ["ask.completed", "watch.fired"], enabled: false }
      ] as const
      const expected = { ...endpoint }
      for (const change of changes) {
        const updated = Option.getOrThrow(yield* endpoints.update(wallet, endpoint.id, change))
        const { updatedAt } = updated.endpoint
        assert.isTrue(updatedAt > expected.updatedAt)
        Object.assign(expected, change, { updatedAt })
        assert.deepStrictEqual(updated, { endpoint: expected, secret: Option.none() })
        assert.deepStrictEqual(yield* endpoints.find(wallet, endpoint.id), Option.some(expected))
      }
      assert.deepStrictEqual(yield* secretOf(endpoint.id), Option.some(Redacted.value(secret)))
      assert.deepStrictEqual(yield* endpoints.find(wallet, bystander.endpoint.id), Option.some(bystander.endpoint))
    })
  )

  it.effect("sign with the new secret only, once it was rotated", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const { endpoint, secret } = yield* create(wallet)
      const bystander = yield* create(wallet)
      const change = { enabled: false, rotateSecret: true }
      const rotated = Option.getOrThrow(yield* endpoints.update(wallet, endpoint.id, change))
      const made = Redacted.value(Option.getOrThrow(rotated.secret))
      assert.isFalse(rotated.endpoint.enabled)
      assert.match(made, /^[0-9a-f]{64}$/)
      assert.notStrictEqual(made, Redacted.value(secret))
      assert.deepStrictEqual(yield* secretOf(endpoint.id), Option.some(made))
      assert.deepStrictEqual(yield* secretOf(bystander.endpoint.id), Option.some(Redacted.value(bystander.secret)))
    })
  )

  it.effect("are visible to their own account and environment only", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const { endpoint, secret } = yield* create(wallet)
      const { id } = endpoint
      for (const other of [yield* newWallet, { ...wallet, environment: "test" } as const]) {
        assert.deepStrictEqual(yield* endpoints.find(other, id), Option.none())
        assert.deepStrictEqual(
          yield* endpoints.update(other, id, { enabled: false, rotateSecret: true }),
          Option.none()
        )
        assert.isFalse(yield* endpoints.remove(other, id))
        assert.deepStrictEqual(yield* endpoints.list(other), [])
      }
      assert.deepStrictEqual(yield* endpoints.list(wallet), [endpoint])
      assert.deepStrictEqual(yield* secretOf(id), Option.some(Redacted.value(secret)))
    })
  )

  it.effect("are unknown once deleted; the row keeps the URL, and no secret", () =>
    Effect.gen(function* () {
      const [endpoints, wallet, sql] = [yield* WebhookEndpoints, yield* newWallet, yield* SqlClient.SqlClient]
      const { endpoint } = yield* create(wallet)
      const kept = yield* create(wallet)
      const { id } = endpoint
      assert.isTrue(yield* endpoints.remove(wallet, id))
      assert.isFalse(yield* endpoints.remove(wallet, id))
      assert.deepStrictEqual(yield* endpoints.find(wallet, id), Option.none())
      assert.deepStrictEqual(yield* endpoints.update(wallet, id, { enabled: true, rotateSecret: true }), Option.none())
      assert.deepStrictEqual(yield* endpoints.list(wallet), [kept.endpoint])
      assert.deepStrictEqual(yield* secretOf(id), Option.none())
      assert.deepStrictEqual(
        yield* sql`SELECT url, enabled, secret, deleted_at IS NOT NULL AS gone FROM webhook_endpoints WHERE id = ${id}`,
        [{ url: endpoint.url, enabled: false, secret: null, gone: true }]
      )
    })
  )

  it.effect.each(["deleted", "disabled"])(
    "once %s have no pending deliveries: they have failed for that reason",
    (how) =>
      Effect.gen(function* () {
        const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
        const [{ id }, bystander] = [(yield* create(wallet)).endpoint, (yield* create(wallet)).endpoint]
        const stop = (by: Wallet): Effect.Effect<unknown> =>
          how === "deleted" ? endpoints.remove(by, id) : endpoints.update(by, id, { enabled: false })
        const own = yield* write({ wallet, id }, 2)
        const [other = ""] = yield* write({ wallet, id: bystander.id })
        yield* pass(-300)
        const waiting = { status: "pending", reason: null }
        for (const stranger of [yield* newWallet, { ...wallet, environment: "test" } as const]) yield* stop(stranger)
        for (const delivery of own) assert.deepInclude(yield* deliveryRow(delivery), waiting)
        const unstorable = { kind: "service", keyId: null, requestId: "\u0000" } as const
        const unrecorded = Effect.provideService(stop(wallet), Principal, unstorable)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(unrecorded)))
        for (const delivery of own) assert.deepInclude(yield* deliveryRow(delivery), waiting)

        yield* stop(wallet)
        const given = { status: "failed", reason: "endpoint_disabled", attempts: 0, waits: null, leased: false }
        for (const delivery of own) assert.deepInclude(yield* deliveryRow(delivery), given)
        assert.deepInclude(yield* deliveryRow(other), waiting)
        yield* stop(wallet)
        yield* endpoints.update(wallet, id, { enabled: true })
        for (const delivery of own) assert.deepInclude(yield* deliveryRow(delivery), given)
      })
  )

  it.effect("with more pending deliveries than one statement can handle give them up in parts, all or none", () =>
    Effect.gen(function* () {
      const [sql, endpoints, wallet] = [yield* SqlClient.SqlClient, yield* WebhookEndpoints, yield* newWallet]
      const { id } = (yield* create(wallet)).endpoint
      yield* write({ wallet, id }, 12_000)
      yield* sql.unsafe(`CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF (SELECT count(*) FROM changed) > 5000 THEN RAISE EXCEPTION 'too many at once'; END IF;
          RETURN NULL;
        END $$`)
      yield* sql`CREATE TRIGGER refuse_many AFTER UPDATE ON deliveries REFERENCING NEW TABLE AS changed EXECUTE FUNCTION refuse_many()`
      const waiting = Effect.map(
        sql`SELECT FROM deliveries WHERE webhook_id = ${id} AND status = 'pending'`,
        (rows) => rows.length
      )
      const disable = endpoints.update(wallet, id, { enabled: false })
      yield* Effect.exit(sql.withTransaction(Effect.andThen(disable, Effect.die("taken back"))))
      assert.strictEqual(yield* waiting, 12_000)
      yield* disable
      assert.strictEqual(yield* waiting, 0)
      yield* sql`DROP TRIGGER refuse_many ON deliveries`
    })
  )

  it.effect("keep their pending deliveries when anything else changes", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const { id } = (yield* create(wallet)).endpoint
      const [delivery = ""] = yield* write({ wallet, id })
      const changes = [
        { rotateSecret: true },
        { url: "https://9.9.9.9/", description: "new", events: ["watch.fired"] },
        { enabled: true },
        {}
      ] as const
      for (const change of changes) {
        yield* endpoints.update(wallet, id, change)
        assert.deepInclude(yield* deliveryRow(delivery), { status: "pending", reason: null })
      }
    })
  )

  it.effect("are 100 at most, however many are created concurrently; a deleted one makes room", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const attempts = yield* Effect.forEach(Array.range(1, 120), () => Effect.result(create(wallet)), {
        concurrency: 10
      })
      const [refused, created] = [Array.getFailures(attempts), Array.getSuccesses(attempts)]
      assert.lengthOf(created, 100)
      for (const reason of refused) assert.deepEqual(reason, new TooManyWebhooks({ most: 100 }))
      assert.lengthOf(yield* endpoints.list(wallet), 100)
      assert.isTrue(Result.isSuccess(yield* Effect.result(create({ ...wallet, environment: "test" }))))
      const [one] = created
      assert.isTrue(one !== undefined && (yield* endpoints.remove(wallet, one.endpoint.id)))
      assert.isTrue(Result.isSuccess(yield* Effect.result(create(wallet))))
      assert.isTrue(Result.isFailure(yield* Effect.result(create(wallet))))
    })
  )

  it.effect("contain no secret in their rows, in any form, before and after a rotation", () =>
    Effect.gen(function* () {
      const [endpoints, wallet] = [yield* WebhookEndpoints, yield* newWallet]
      const { endpoint, secret } = yield* create(wallet)
      const before = yield* dumpOf(endpoint.id)
      const rotated = Option.getOrThrow(yield* endpoints.update(wallet, endpoint.id, { rotateSecret: true }))
      const dumps = before + (yield* dumpOf(endpoint.id))
      assert.include(dumps, endpoint.url)
      for (const text of [secret, Option.getOrThrow(rotated.secret)].map(Redacted.value))
        for (const bytes of [Buffer.from(text), Buffer.from(text, "hex")])
          for (const encoding of ["latin1", "hex", "base64", "base64url"] as const)
            assert.notInclude(dumps, bytes.toString(encoding).replace(/=+$/, ""))
    })
  )

  it.effect("do not sign when a secret was moved between rows, was altered, or is sealed under another key", () =>
    Effect.gen(function* () {
      const [wallet, sql] = [yield* newWallet, yield* SqlClient.SqlClient]
      const [one, two] = [(yield* create(wallet)).endpoint.id, (yield* create(wallet)).endpoint.id]
      assert.isTrue(Exit.hasDies(yield* Effect.exit(secretOf(one, keyOf(2)))))
      yield* sql`
        UPDATE webhook_endpoints w SET secret = other.secret FROM webhook_endpoints other
        WHERE (w.id = ${one} AND other.id = ${two}) OR (w.id = ${two} AND other.id = ${one})`
      assert.isTrue(Exit.hasDies(yield* Effect.exit(secretOf(one))))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(secretOf(two))))
      const three = (yield* create(wallet)).endpoint.id
      yield* sql`UPDATE webhook_endpoints SET secret = set_byte(secret, 20, get_byte(secret, 20) # 1) WHERE id = ${three}`
      assert.isTrue(Exit.hasDies(yield* Effect.exit(secretOf(three))))
    })
  )
})
