import { Array, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type Account, AccountDetached, AccountId } from "@sightline/domain/Account"
import type { Wallet } from "@sightline/domain/Wallet"
import { recorded } from "./Actions.ts"

/**
 * Does something in a transaction of its own, by turns with all else that takes turns for the account: two creations that count
 * at once would both find room, and one that began before the account was detached would outlast it.
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

/** Customers. A detached account keeps its records, but its keys open nothing any more. */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly create: (name: string) => Effect.Effect<Account>
    /** Creates this very account unless it is there already. */
    readonly ensure: (account: Account) => Effect.Effect<void>
    /** Whether there is such an account. Detaching twice is detaching once. */
    readonly detach: (id: AccountId) => Effect.Effect<boolean>
    /** Whether there is such an account, detached or not. */
    readonly exists: (id: AccountId) => Effect.Effect<boolean>
    /** Does something for an account that is not detached before it is done. */
    readonly whileOpen: <A, E, R>(
      id: AccountId,
      act: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | AccountDetached, R>
    /** What an account that is there is called. */
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
