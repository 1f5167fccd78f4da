import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Wallet } from "@sightline/domain/Wallet"

/** Runs a statement that waits at most 250 ms for a lock, because other calls wait for the statement in the meantime. */
export const withLockTimeout =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(sending: Effect.Effect<A, E, R>) =>
    sql.withTransaction(Effect.andThen(sql`SET LOCAL lock_timeout = '250ms'`, sending))

const isLockTimeout = ({ reason }: SqlError.SqlError): boolean => reason._tag === "LockTimeoutError"

/** The most locked wallets that one sweep waits for. */
const lockedWalletsMax = 20

/** The most holds that one statement voids. */
const sweptMax = 500

/**
 * Void expired holds. `sweepExpired` voids those of all wallets that are not locked. If there are none, it goes through the locked
 * wallets one by one, and waits for each as long as a busy wallet's movements take to let another in. `sweepWallet` voids those of one
 * wallet.
 */
export const makeSweeps = (sql: SqlClient.SqlClient) => {
  // The condition looks up the single ask of a charge, not the open asks: if many are queued that the statistics do not know of, each
  // charge would read them all.
  const expired = sql.literal(`(lease_expires_at <= clock_timestamp()
    OR (claim IS NOT NULL AND NOT EXISTS (SELECT FROM replies r WHERE r.token = c.claim)))
    AND (SELECT a.finished_at IS NULL FROM asks a WHERE a.charge_id = c.id) IS NOT TRUE`)
  // Expiry is tested first, so that no wallet without an expired hold is locked.
  const voidWhere = (which: Statement.Fragment) =>
    sql<{ readonly swept: number }>`
      SELECT coalesce(cardinality(array_positions(verdicts, 'done')), 0) AS swept FROM post_movements((
        SELECT json_agg(json_build_object('kind', 'void', 'charge_id', id, 'amount', 0)) FROM (
          SELECT id FROM charges c WHERE finished_at IS NULL AND CASE WHEN ${expired} THEN ${which} END LIMIT ${sweptMax}
        ) expired
      ))`.pipe(Effect.map(([row]) => row?.swept ?? 0))
  const isUnlocked = sql`EXISTS (SELECT FROM wallets w
    WHERE w.account_id = c.account_id AND w.environment = c.environment FOR UPDATE SKIP LOCKED)`
  const lockedWallets = sql<Wallet>`
    SELECT DISTINCT account_id, environment FROM charges c WHERE finished_at IS NULL AND ${expired}
    ORDER BY account_id, environment LIMIT ${lockedWalletsMax}`
  const voidSome = ({ accountId, environment }: Wallet) =>
    voidWhere(sql`c.account_id = ${accountId} AND c.environment = ${environment}`).pipe(
      withLockTimeout(sql),
      Effect.catchIf(isLockTimeout, () => Effect.succeed(0))
    )
  const voidAll = (wallet: Wallet): Effect.Effect<number, SqlError.SqlError> =>
    Effect.flatMap(voidSome(wallet), (swept) =>
      swept < sweptMax ? Effect.succeed(swept) : Effect.map(voidAll(wallet), (more) => swept + more)
    )
  const sweepExpired = Effect.gen(function* () {
    const swept = yield* voidWhere(isUnlocked)
    if (swept > 0) return swept
    return (yield* Effect.forEach(yield* lockedWallets, voidSome)).reduce((sum, more) => sum + more, 0)
  })
  return {
    sweepExpired: Effect.orDie(sweepExpired),
    sweepWallet: (wallet: Wallet) => Effect.orDie(voidAll(wallet))
  }
}
