/**
 * A group of movements in which one waits for a wallet that somebody keeps: what becomes of the others.
 *
 * Planted and seen red: each movement waiting for the lock again, one after the other; no end to what they may take one by one; what a
 * check saw sent again within the transaction that has failed without it; a connection that ends within such a transaction as a defect.
 */
import { assert, layer } from "@effect/vitest"
import { credits } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { sqlStateOf } from "@sightline/store/SqlState"
import { Cause, Clock, Context, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { keepOpen, untilLocked } from "./locks.ts"
import { checkSeeing, ending, inAnotherProcess, layerMoney, order, seenAs, wallet } from "./purse.ts"

/** The charges of a process by whose clock each look at it comes so long after the last. */
const chargesBySlowClock = (nanos: bigint) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let now = 0n
    const slow: Clock.Clock = Object.create(clock, { monotonicTimeNanosUnsafe: { value: () => (now += nanos) } })
    return Context.get(yield* Effect.provideService(inAnotherProcess(Charges.layer), Clock.Clock, slow), Charges)
  })

/** Ends the statement that waits for a lock, as the database does when it has taken 15 s. */
const timeOut = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* untilLocked
  yield* sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
})

/**
 * What comes of two holds of a wallet that somebody keeps and of a call of another one, all in one group, by the SQLSTATE of those
 * that failed.
 */
const ends = Effect.fnUntraced(function* (
  charges: Charges["Service"],
  kept: Wallet,
  call: Effect.Effect<unknown, unknown>
) {
  const sql = yield* SqlClient.SqlClient
  const release = yield* keepOpen(sql`SELECT FROM wallets WHERE account_id = ${kept.accountId} FOR UPDATE`)
  const hold = charges.hold(order(kept))
  // With none under way it travels alone, and the others gather behind it.
  const first = yield* Effect.forkChild(Effect.exit(hold))
  yield* untilLocked
  const group = yield* Effect.forkChild(Effect.forEach([hold, hold, call], Effect.exit, { concurrency: "unbounded" }))
  yield* Effect.yieldNow
  yield* timeOut
  yield* Fiber.join(first)
  yield* timeOut
  const exits = yield* Fiber.join(group)
  yield* release
  return exits.map((exit) => (Exit.isSuccess(exit) ? "done" : sqlStateOf(Cause.squash(exit.cause))))
})

layer(layerMoney, { excludeTestServices: true })("a group that has waited in vain for somebody's wallet", (it) => {
  it.effect("takes none with it whose own wallet is free, and waits for that one no longer", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      assert.deepStrictEqual(yield* ends(charges, kept, charges.hold(order(free))), ["55P03", "55P03", "done"])
      assert.strictEqual(yield* charges.hold(order(kept)), credits(850))
    })
  )

  it.effect("sends what a check saw again where the database has it no more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      const seen = { result: { said: randomUUID() } }
      const paid = () => charges.charge({ ...order(free), ...ending(4), check: checkSeeing(seen) })
      yield* paid()
      // As where the database was set back to a moment before.
      yield* sql`DELETE FROM check_records WHERE account_id = ${free.accountId}`
      yield* sql`DELETE FROM check_results WHERE encode(hash, 'hex') = ${seenAs(seen).hash}`
      assert.deepStrictEqual(yield* ends(charges, kept, paid()), ["55P03", "55P03", "done"])
    })
  )

  it.effect("asks once more for what it does not hear of one by one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      yield* sql`
        CREATE FUNCTION end_apart() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF current_setting('lock_timeout') = '250ms' THEN PERFORM pg_terminate_backend(pg_backend_pid(), 5000); END IF;
          RETURN NULL;
        END $$`
      yield* sql`CREATE TRIGGER ended AFTER INSERT ON charges EXECUTE FUNCTION end_apart()`
      const come = yield* ends(charges, kept, charges.hold(order(free)))
      yield* sql`DROP FUNCTION end_apart CASCADE`
      assert.deepStrictEqual(come, ["55P03", "55P03", "done"])
      assert.strictEqual(yield* charges.hold(order(free)), credits(700))
    })
  )

  it.effect("is given up after 15 s one by one", () =>
    Effect.gen(function* () {
      const charges = yield* chargesBySlowClock(10_000_000_000n)
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      assert.deepStrictEqual(yield* ends(charges, kept, charges.hold(order(free))), ["55P03", "57014", "57014"])
      assert.strictEqual(yield* charges.hold(order(free)), credits(850))
    })
  )
})
