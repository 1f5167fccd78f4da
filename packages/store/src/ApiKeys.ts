import { Array, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHmac, randomBytes, randomUUID } from "node:crypto"
import type { AccountId } from "@sightline/domain/Account"
import { Caller, formatKey, KeyId, parseKey, type RateLimit, secretBytes } from "@sightline/domain/ApiKey"
import type { Environment } from "@sightline/domain/Platform"

/** What a new key may do. */
export interface NewKey {
  readonly accountId: AccountId
  readonly environment: Environment
  readonly readOnly: boolean
  readonly rateLimits: Readonly<Record<string, RateLimit>>
}

/**
 * API keys, kept as HMAC-SHA256 under a pepper that is not in the database: a stolen table opens nothing.
 *
 * Laws: the text of a key exists in the answer of `create` and nowhere else; a key whose checksum is wrong is refused
 * without a database read. Nothing is cached here, so a revocation counts from its commit.
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly create: (key: NewKey) => Effect.Effect<{ readonly id: KeyId; readonly key: string }>
    /** Stores this very key unless it is there already, for a key that is derived instead of drawn. */
    readonly ensure: (key: string, as: NewKey) => Effect.Effect<void>
    /** Who the key stands for; none when it is unknown or revoked or its account is detached. */
    readonly find: (key: string) => Effect.Effect<Option.Option<Caller>>
    /** Whether there is such a key. Revoking twice is revoking once. */
    readonly revoke: (id: KeyId) => Effect.Effect<boolean>
  }
>()("@sightline/store/ApiKeys") {
  /** `pepper` is 32 bytes. With another one, every stored key is unknown. */
  static readonly layer = (pepper: Redacted.Redacted<Uint8Array>) =>
    Layer.effect(
      ApiKeys,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
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

        return ApiKeys.of({
          create: Effect.fn("ApiKeys.create")(function* (options) {
            const key = formatKey(options.environment, randomBytes(secretBytes))
            const row = rowOf(key, options)
            yield* sql`INSERT INTO api_keys ${sql.insert(row)}`
            return { id: row.id, key }
          }, Effect.orDie),
          ensure: (key, as) =>
            sql`INSERT INTO api_keys ${sql.insert(rowOf(key, as))} ON CONFLICT (hash) DO NOTHING`.pipe(
              Effect.asVoid,
              Effect.orDie
            ),
          find: Effect.fn("ApiKeys.find")(function* (key) {
            return Option.isSome(parseKey(key)) ? yield* findByHash(hash(key)) : Option.none()
          }, Effect.orDie),
          revoke: Effect.fn("ApiKeys.revoke")(function* (id) {
            const rows = yield* sql`
              UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ${id} RETURNING id`
            return Array.isReadonlyArrayNonEmpty(rows)
          }, Effect.orDie)
        })
      })
    )
}
