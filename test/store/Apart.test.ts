/**
 * A group of movements in which one waits for a locked wallet: what happens to the others. And a group that gets no connection.
 *
 * Planted and seen red: each movement waiting for the lock again, one after another; no limit on the time of the single tries; a check's
 * result sent again within the transaction that failed without it; a connection that ends in such a transaction treated as a defect; a
 * second wait for a connection.
 */
import { assert, layer } from "@effect/vitest"
import { credits } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { sqlStateOf } from "@sightline/store/SqlState"
import { Cause, Clock, Context, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { keepOpen, untilLocked } from "./locks.ts"
import { checkSeeing, ending, inAnotherProcess, layerMoney, order, seenAs, wallet } from "./purse.ts"

/** The charges of a process whose clock advances by this much between two readings. */
const chargesBySlowClock = (nanos: bigint) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let now = 0n
    const slow: Clock.Clock = Object.create(clock, { monotonicTimeNanosUnsafe: { value: () => (now += nanos) } })
    return Context.get(yield* Effect.provideService(inAnotherProcess(Charges.layer), Clock.Clock, slow), Charges)
  })

/** Ends the statement that waits for a lock, as the database does after 15 s. */
const timeOut = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* untilLocked
  yield* sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
})

/** Runs two holds of a locked wallet and one call of another wallet in one group. Returns how each ended: "done" or its SQLSTATE. */
const ends = Effect.fnUntraced(function* (
  charges: Charges["Service"],
  kept: Wallet,
  call: Effect.Effect<unknown, unknown>
) {
  const sql = yield* SqlClient.SqlClient
  const release = yield* keepOpen(sql`SELECT FROM wallets WHERE account_id = ${kept.accountId} FOR UPDATE`)
  const hold = charges.hold(order(kept))
  // Alone it is sent at once, and the others gather behind it.
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

layer(layerMoney, { excludeTestServices: true })("a group that timed out on a locked wallet", (it) => {
  it.effect("completes the calls of free wallets, and waits for the locked one no longer", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      assert.deepStrictEqual(yield* ends(charges, kept, charges.hold(order(free))), ["55P03", "55P03", "done"])
      assert.strictEqual(yield* charges.hold(order(kept)), credits(850))
    })
  )

  it.effect("sends a check's result again if the database has lost it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      const seen = { result: { said: randomUUID() } }
      const paid = () => charges.charge({ ...order(free), ...ending(4), check: checkSeeing(seen) })
      yield* paid()
      // As if the database were restored to an earlier moment.
      yield* sql`DELETE FROM check_records WHERE account_id = ${free.accountId}`
      yield* sql`DELETE FROM check_results WHERE encode(hash, 'hex') = ${seenAs(seen).hash}`
      assert.deepStrictEqual(yield* ends(charges, kept, paid()), ["55P03", "55P03", "done"])
    })
  )

  it.effect("asks once more about a single call whose connection ended", () =>
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

  it.effect("gives up the single tries after 15 s in all", () =>
    Effect.gen(function* () {
      const charges = yield* chargesBySlowClock(10_000_000_000n)
      const [kept, free] = [yield* wallet(1000), yield* wallet(1000)]
      assert.deepStrictEqual(yield* ends(charges, kept, charges.hold(order(free))), ["55P03", "57014", "57014"])
      assert.strictEqual(yield* charges.hold(order(free)), credits(850))
    })
  )
})

layer(layerMoney)("a group for which no connection is free", (it) => {
  it.effect("fails when the wait for one is over, and is not tried one by one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const purse = yield* wallet(1000)
      const hold = charges.hold(order(purse))
      const releases = yield* Effect.replicateEffect(keepOpen(sql`SELECT`), 10)
      const first = yield* Effect.forkChild(Effect.exit(hold))
      yield* Effect.yieldNow
      const group = yield* Effect.forkChild(Effect.forEach([hold, hold], Effect.exit, { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(first)
      yield* TestClock.adjust("20 seconds")
      const exits = group.pollUnsafe()
      yield* Effect.all(releases)
      assert.isDefined(exits)
      assert.isTrue((yield* Fiber.join(group)).every(Exit.isFailure))
      assert.strictEqual(yield* charges.hold(order(purse)), credits(850))
    })
  )
})
