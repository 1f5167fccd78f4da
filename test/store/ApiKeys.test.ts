/**
 * Faults planted once, and the tests that saw them: keys stored as plain SHA-256 ("reveals no key"); `revoked_at` ignored ("revoked");
 * `detached_at` ignored ("detached"); the look-up before the checksum ("without a read"); any key can create another, or one that is
 * being revoked can ("creates no other"); the keys of other accounts, or of the other environment, listed, counted towards the limit, or
 * displacing revoked ones ("only the owner's own").
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes, randomUUID } from "node:crypto"
import { AccountId } from "@sightline/domain/Account"
import { formatKey, KeyId, KeyRevoked } from "@sightline/domain/ApiKey"
import type { Wallet } from "@sightline/domain/Wallet"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import * as Postgres from "@sightline/store/Postgres"
import { layerDatabase } from "./database.ts"
import { keepOpen, untilLocked } from "./locks.ts"

const pepper = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))

const layerStore = Layer.mergeAll(Accounts.layer, ApiKeys.layer(pepper(1))).pipe(Layer.provideMerge(layerDatabase))

const newAccount = Accounts.use((accounts) => accounts.create("Acme"))

const newKey = Effect.gen(function* () {
  const account = yield* newAccount
  const keys = yield* ApiKeys
  const options = { accountId: account.id, environment: "test", readOnly: false, rateLimits: {} } as const
  return { account, ...(yield* keys.create(options)) }
})

layer(layerStore, { excludeTestServices: true })("ApiKeys", (it) => {
  it.effect("identifies exactly what it was created with", () =>
    Effect.gen(function* () {
      const { id: accountId } = yield* newAccount
      const keys = yield* ApiKeys
      const rateLimits = { "check:quick": { burst: 3, perSecond: 1 / 3 }, default: { burst: 1, perSecond: 0.0001 } }
      for (const environment of ["live", "test"] as const) {
        for (const readOnly of [true, false]) {
          const { id, key } = yield* keys.create({ accountId, environment, readOnly, rateLimits })
          assert.isTrue(key.startsWith(`lvk_${environment}_`))
          const caller = yield* keys.find(key)
          assert.deepStrictEqual(caller, Option.some({ keyId: id, accountId, environment, readOnly, rateLimits }))
        }
      }
    })
  )

  it.effect("is unknown once it is revoked, and only that key", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [one, two] = [yield* newKey, yield* newKey]
      assert.isTrue(yield* keys.revoke(one.id))
      assert.isTrue(yield* keys.revoke(one.id))
      assert.isTrue(Option.isNone(yield* keys.find(one.key)))
      assert.isTrue(Option.isSome(yield* keys.find(two.key)))
      assert.isFalse(yield* keys.revoke(KeyId.make(randomUUID())))
    })
  )

  it.effect("creates no other key once it is revoked, not even concurrently", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      for (const isOver of [true, false]) {
        const { account, id: maker } = yield* newKey
        const wallet = { accountId: account.id, environment: "test" } as const
        const revoked = yield* keepOpen(keys.revoke(maker))
        if (isOver) yield* revoked
        const making = yield* Effect.forkChild(Effect.flip(keys.createOwn(wallet, { maker, readOnly: false })))
        if (!isOver) yield* Effect.andThen(untilLocked, revoked)
        assert.deepStrictEqual(yield* Fiber.join(making), new KeyRevoked())
        assert.deepStrictEqual(
          (yield* keys.list(wallet)).map(({ id }) => id),
          [maker]
        )
      }
    })
  )

  it.effect("is listed and counts towards the limit with only the owner's own, of one environment", () =>
    Effect.gen(function* () {
      const [keys, sql] = [yield* ApiKeys, yield* SqlClient.SqlClient]
      const [{ account, id: maker }, revoked, stranger] = [yield* newKey, KeyId.make(randomUUID()), yield* newAccount]
      const wallet = { accountId: account.id, environment: "test" } as const
      const insert = (id: string, { accountId, environment }: Wallet, revokedAt: string | null, count: number) => sql`
        INSERT INTO api_keys (id, account_id, environment, hash, read_only, rate_limits, created_at, revoked_at)
        SELECT ${sql.literal(id)}, ${accountId}, ${environment}, sha256(uuid_send(gen_random_uuid())), false, '{}', '2030-01-01',
          ${revokedAt}::timestamptz
        FROM generate_series(1, ${count})`
      yield* insert(`'${revoked}'::uuid`, wallet, "2030-01-01", 1)
      for (const other of [
        { accountId: stranger.id, environment: "test" } as const,
        { ...wallet, environment: "live" } as const
      ])
        for (const revokedAt of [null, "2030-01-02"]) yield* insert("gen_random_uuid()", other, revokedAt, 100)
      const { record } = yield* keys.createOwn(wallet, { maker, readOnly: false })
      assert.deepStrictEqual(
        (yield* keys.list(wallet)).map(({ id }) => id),
        [revoked, record.id, maker]
      )
    })
  )

  it.effect("is unknown once its account is detached, and only that account's keys", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const accounts = yield* Accounts
      const [one, two] = [yield* newKey, yield* newKey]
      assert.isTrue(yield* accounts.detach(one.account.id))
      assert.isTrue(yield* accounts.detach(one.account.id))
      assert.isTrue(Option.isNone(yield* keys.find(one.key)))
      assert.isTrue(Option.isSome(yield* keys.find(two.key)))
      assert.isTrue(yield* accounts.exists(one.account.id))
    })
  )

  it.effect("an account that was never created does not exist", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const stranger = AccountId.make(randomUUID())
      assert.isFalse(yield* accounts.exists(stranger))
      assert.isFalse(yield* accounts.detach(stranger))
    })
  )

  it.effect("is unknown when its checksum is correct but it was never issued", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      assert.isTrue(Option.isNone(yield* keys.find(formatKey("live", randomBytes(32)))))
    })
  )

  it.effect("is refused without a read of the database when its checksum or length is wrong", () =>
    Effect.gen(function* () {
      const { key } = yield* newKey
      const unreachable = ApiKeys.layer(pepper(1)).pipe(Layer.provide(Postgres.layer({ socket: "/nowhere" })))
      const find = (text: string) =>
        ApiKeys.use((keys) => keys.find(text)).pipe(Effect.provide(unreachable, { local: true }), Effect.exit)
      const other = key.endsWith("0") ? "1" : "0"
      for (const wrong of [key.slice(0, -1) + other, key.slice(0, -1), `${key}0`, "lvk_test_0123456789abcdef", ""]) {
        assert.deepStrictEqual(yield* find(wrong), Exit.succeed(Option.none()))
      }
      assert.isTrue(Exit.hasDies(yield* find(key)))
    })
  )

  it.effect("the stored table reveals no key, and another pepper finds none", () =>
    Effect.gen(function* () {
      const { key } = yield* newKey
      const sql = yield* SqlClient.SqlClient
      const [dump] = yield* sql<{ text: string }>`SELECT string_agg(k::text, ' ') AS text FROM api_keys k`
      const secret = key.slice("lvk_test_".length)
      for (const form of [key, secret, Buffer.from(key).toString("hex"), Buffer.from(key).toString("base64")]) {
        assert.notInclude(dump?.text, form)
      }
      const elsewhere = ApiKeys.use((keys) => keys.find(key)).pipe(
        Effect.provide(ApiKeys.layer(pepper(2)), { local: true })
      )
      assert.isTrue(Option.isNone(yield* elsewhere))
    })
  )
})
