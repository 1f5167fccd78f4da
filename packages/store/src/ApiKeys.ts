import { Array, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import { createHmac, randomBytes, randomUUID } from "node:crypto"
import type { AccountDetached, AccountId } from "@sightline/domain/Account"
import {
  Caller,
  formatKey,
  KeyId,
  KeyRevoked,
  parseKey,
  type RateLimit,
  secretBytes,
  TooManyKeys
} from "@sightline/domain/ApiKey"
import { Environment } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { inTurn } from "./Accounts.ts"
import { recorded } from "./Actions.ts"
import { isoTime } from "./Columns.ts"
import { isOwnedBy } from "./Ownership.ts"

/** What a new key may do. */
export interface NewKey {
  readonly accountId: AccountId
  readonly environment: Environment
  readonly readOnly: boolean
  readonly rateLimits: Readonly<Record<string, RateLimit>>
}

/** A key as its owner may see it at any time. */
const KeyRecord = Schema.Struct({
  id: KeyId,
  environment: Environment,
  readOnly: Schema.Boolean,
  createdAt: Schema.String,
  revokedAt: Schema.NullOr(Schema.String)
})
export type KeyRecord = typeof KeyRecord.Type

const decodeRecords = Schema.decodeUnknownEffect(Schema.Array(KeyRecord))

const columns = `id, environment, read_only, ${isoTime("api_keys.created_at")} AS created_at,
  ${isoTime("revoked_at")} AS revoked_at`

const ownMax = 100

/** How many revoked keys an owner is shown. */
const revokedShown = 100

/** A key that is made with another key: the maker, and what the new key may do. */
interface OwnKey {
  readonly maker: KeyId
  readonly readOnly: boolean
}

/** The statements for the keys of an owner. Each is limited to one environment. */
const ownStatements = (sql: SqlClient.SqlClient) => {
  const shown = sql.literal(columns)
  return {
    select: (wallet: Wallet) => sql`
      SELECT ${shown} FROM api_keys
      WHERE ${isOwnedBy(sql, wallet)} AND (revoked_at IS NULL OR id IN (
        SELECT id FROM api_keys WHERE ${isOwnedBy(sql, wallet)} AND revoked_at IS NOT NULL ORDER BY revoked_at DESC LIMIT ${revokedShown}))
      ORDER BY api_keys.created_at DESC, id DESC`,
    // The lock on the maker orders this statement and a revocation of the maker: an earlier revocation prevents the new key, a later
    // one waits.
    insert: (
      wallet: Wallet,
      id: KeyId,
      hash: Uint8Array,
      { maker, readOnly }: OwnKey,
      record: Statement.Fragment
    ) => sql`
      INSERT INTO api_keys (id, account_id, environment, hash, read_only, rate_limits, created_at)
      SELECT ${id}::uuid, ${wallet.accountId}::uuid, ${wallet.environment}, ${hash}::bytea, ${readOnly}::boolean, rate_limits, clock_timestamp()
      FROM api_keys made_by
      WHERE made_by.id = ${maker} AND made_by.revoked_at IS NULL
        AND (SELECT count(*) FROM api_keys WHERE ${isOwnedBy(sql, wallet)} AND revoked_at IS NULL) < ${ownMax}
      FOR SHARE OF made_by
      RETURNING ${shown}, ${record}`,
    revoked: (id: KeyId) => sql`SELECT id FROM api_keys WHERE id = ${id} AND revoked_at IS NOT NULL`
  }
}

/** The facts that are recorded of a new key. */
const factsOf = ({ environment, readOnly }: Pick<NewKey, "environment" | "readOnly">) => ({
  environment,
  read_only: readOnly
})

/**
 * API keys, stored as HMAC-SHA256 with a pepper that is not in the database: a stolen table contains no usable key.
 *
 * Laws: the text of a key exists only in the answer that created it. A key with a wrong checksum is refused without a database read.
 * Nothing is cached here, so a revocation takes effect at its commit.
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly create: (key: NewKey) => Effect.Effect<{ readonly id: KeyId; readonly key: string }>
    /** Stores this key unless it exists, for keys that are derived instead of random. Returns whether the key is valid. */
    readonly ensure: (key: string, as: NewKey) => Effect.Effect<boolean>
    /** The caller that the key identifies. None if the key is unknown or revoked, or its account is detached. */
    readonly find: (key: string) => Effect.Effect<Option.Option<Caller>>
    /** Revokes the key, at most once. Returns whether the key exists. */
    readonly revoke: (id: KeyId) => Effect.Effect<boolean>
    /** An owner's keys, newest first: all that are valid, and the last hundred that were revoked. */
    readonly list: (wallet: Wallet) => Effect.Effect<ReadonlyArray<KeyRecord>>
    /** Creates a key of an owner with another valid key, and with the same rate limits. A wallet has at most 100 valid keys. */
    readonly createOwn: (
      wallet: Wallet,
      options: OwnKey
    ) => Effect.Effect<{ readonly record: KeyRecord; readonly key: string }, TooManyKeys | KeyRevoked | AccountDetached>
    /** Revokes a key of an owner, at most once. Returns whether the owner has such a key. */
    readonly revokeOwn: (wallet: Wallet, id: KeyId) => Effect.Effect<boolean>
  }
>()("@sightline/store/ApiKeys") {
  /** `pepper` is 32 bytes. With another one, every stored key is unknown. */
  static readonly layer = (pepper: Redacted.Redacted<Uint8Array>) =>
    Layer.effect(
      ApiKeys,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const own = ownStatements(sql)
        const hash = (key: string): Uint8Array =>
          createHmac("sha256", Redacted.value(pepper)).update(key, "utf8").digest()

        const findByHash = SqlSchema.findOneOption({
          Request: Schema.Uint8Array,
          Result: Caller,
          execute: (stored) => sql`
            SELECT k.id AS key_id, k.account_id, k.environment, k.read_only, k.rate_limits
            FROM api_keys k JOIN accounts a ON a.id = k.account_id
            WHERE k.hash = ${stored} AND k.revoked_at IS NULL AND a.detached_at IS NULL`
        })

        const rowOf = (key: string, options: NewKey) => ({
          id: KeyId.make(randomUUID()),
          ...options,
          rateLimits: JSON.stringify(options.rateLimits),
          hash: hash(key)
        })

        /** Revokes the key that meets the condition, unless it is revoked. Returns whether there is one. */
        const revoke = Effect.fn("ApiKeys.revoke")(function* (isMeant: Statement.Fragment) {
          const record = yield* recorded(sql, "key_revoked")
          const rows = yield* sql`
            WITH revoked AS (
              UPDATE api_keys SET revoked_at = now() WHERE ${isMeant} AND revoked_at IS NULL RETURNING ${record})
            SELECT id FROM api_keys WHERE ${isMeant}`
          return Array.isReadonlyArrayNonEmpty(rows)
        }, Effect.orDie)

        return ApiKeys.of({
          create: Effect.fn("ApiKeys.create")(function* (options) {
            const key = formatKey(options.environment, randomBytes(secretBytes))
            const row = rowOf(key, options)
            const record = yield* recorded(sql, "key_created", factsOf(options))
            yield* sql`INSERT INTO api_keys ${sql.insert(row)} RETURNING ${record}`
            return { id: row.id, key }
          }, Effect.orDie),
          ensure: Effect.fn("ApiKeys.ensure")(function* (key, options) {
            const row = rowOf(key, options)
            const record = yield* recorded(sql, "key_created", factsOf(options))
            const revoked = yield* sql`
              WITH made AS (INSERT INTO api_keys ${sql.insert(row)} ON CONFLICT (hash) DO NOTHING RETURNING ${record})
              SELECT id FROM api_keys WHERE hash = ${row.hash} AND revoked_at IS NOT NULL`
            return Array.isReadonlyArrayEmpty(revoked)
          }, Effect.orDie),
          find: Effect.fn("ApiKeys.find")(function* (key) {
            return Option.isSome(parseKey(key)) ? yield* findByHash(hash(key)) : Option.none()
          }, Effect.orDie),
          revoke: (id) => revoke(sql`id = ${id}`),
          list: (wallet) => own.select(wallet).pipe(Effect.flatMap(decodeRecords), Effect.orDie),
          createOwn: Effect.fn("ApiKeys.createOwn")(function* (wallet, options) {
            const key = formatKey(wallet.environment, randomBytes(secretBytes))
            const facts = factsOf({ ...wallet, ...options })
            const recording = yield* recorded(sql, "key_created", facts)
            const [record] = yield* own
              .insert(wallet, KeyId.make(randomUUID()), hash(key), options, recording)
              .pipe(Effect.flatMap(decodeRecords), Effect.orDie, inTurn(sql, wallet))
            if (record !== undefined) return { record, key }
            const revoked = yield* Effect.orDie(own.revoked(options.maker))
            return yield* revoked.length > 0 ? new KeyRevoked() : new TooManyKeys({ most: ownMax })
          }),
          revokeOwn: (wallet, id) => revoke(sql`${isOwnedBy(sql, wallet)} AND id = ${id}`)
        })
      })
    )
}
