import { Array, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type Account, AccountDetached, AccountId } from "@sightline/domain/Account"
import type { Wallet } from "@sightline/domain/Wallet"
import { recorded } from "./Actions.ts"

/**
 * Runs `act` in its own transaction, which locks the row of the account. Without the lock, two concurrent creations would both count
 * below the limit, and a creation could commit after the account is detached.
 */
export const inTurn =
  (sql: SqlClient.SqlClient, { accountId }: Pick<Wallet, "accountId">) =>
  <A, E, R>(act: Effect.Effect<A, E, R>) =>
    sql`SELECT id FROM accounts WHERE id = ${accountId} AND detached_at IS NULL FOR NO KEY UPDATE`.pipe(
      Effect.flatMap((rows): Effect.Effect<A, E | AccountDetached, R> =>
        Array.isReadonlyArrayNonEmpty(rows) ? act : Effect.fail(new AccountDetached())
      ),
      sql.withTransaction,
      Effect.catchIf(SqlError.isSqlError, Effect.die)
    )

/** Customers. A detached account keeps its records, but its keys are no longer valid. */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly create: (name: string) => Effect.Effect<Account>
    /** Creates this account unless it exists. */
    readonly ensure: (account: Account) => Effect.Effect<void>
    /** Detaches the account, at most once. Returns whether the account exists. */
    readonly detach: (id: AccountId) => Effect.Effect<boolean>
    /** Whether there is such an account, detached or not. */
    readonly exists: (id: AccountId) => Effect.Effect<boolean>
    /** Runs `act` for an account that is not detached. The lock on the account keeps it so until `act` is committed. */
    readonly whileOpen: <A, E, R>(
      id: AccountId,
      act: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | AccountDetached, R>
    /** The name of an account that exists. */
    readonly nameOf: (id: AccountId) => Effect.Effect<string>
  }
>()("@sightline/store/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const nameOf = SqlSchema.findOne({
        Request: Schema.String,
        Result: Schema.Struct({ name: Schema.String }),
        execute: (id) => sql`SELECT name FROM accounts WHERE id = ${id}`
      })
      const ensure = Effect.fn("Accounts.ensure")(function* ({ id, name }: Account) {
        const record = yield* recorded(sql, "account_created", { name }, "id, id::text")
        yield* sql`INSERT INTO accounts ${sql.insert({ id, name })} ON CONFLICT (id) DO NOTHING RETURNING ${record}`
      }, Effect.orDie)

      return Accounts.of({
        create: Effect.fn("Accounts.create")(function* (name) {
          const account = { id: AccountId.make(randomUUID()), name }
          yield* ensure(account)
          return account
        }),
        ensure,
        detach: Effect.fn("Accounts.detach")(function* (id) {
          const record = yield* recorded(sql, "account_detached", {}, "id, id::text")
          const rows = yield* sql`
            WITH detached AS (
              UPDATE accounts SET detached_at = now() WHERE id = ${id} AND detached_at IS NULL RETURNING ${record})
            SELECT id FROM accounts WHERE id = ${id}`
          return Array.isReadonlyArrayNonEmpty(rows)
        }, Effect.orDie),
        exists: Effect.fn("Accounts.exists")(function* (id) {
          return Array.isReadonlyArrayNonEmpty(yield* sql`SELECT id FROM accounts WHERE id = ${id}`)
        }, Effect.orDie),
        whileOpen: (accountId, act) => inTurn(sql, { accountId })(act),
        nameOf: (id) => Effect.orDie(Effect.map(nameOf(id), ({ name }) => name))
      })
    })
  )
}
