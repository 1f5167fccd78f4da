/**
 * Equal results of checks are stored once.
 *
 * Planted faults, each seen red: a result written again for each check, or sent again; a result that the database has lost not sent
 * again, or only with a part of its batch; the result of a refused movement written; a hash that leaves out the ranks.
 */
import { assert, layer } from "@effect/vitest"
import { Charges } from "@sightline/store/Charges"
import type { CheckRecord, CheckSnapshot } from "@sightline/store/Checks"
import { Array, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { anotherProcess, checkRow, checkSeeing, ending, layerMoney, order, wallet } from "./purse.ts"

/** The number of stored results of these checks. */
const kept = (...checks: ReadonlyArray<CheckRecord>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`SELECT FROM check_results WHERE encode(hash, 'hex') IN ${sql.in(checks.map(({ snapshot }) => snapshot.hash))}`,
      (rows) => rows.length
    )
  )

/** The result of a check, read from its row. */
const told = Effect.fnUntraced(function* ({ id }: CheckRecord) {
  const { result, platforms, mentioned, ranks, sites, pages } = Option.getOrThrow(yield* checkRow(id))
  return { result, platforms, mentioned, ranks, sites, pages: globalThis.Array.isArray(pages) ? pages.map(String) : [] }
})

const saying = (said: string) => ({
  result: { said: `${said} \u0000 \ud800 \n "☂"` },
  platforms: ["ai_mode", "chatgpt_live"] as const,
  mentioned: [true, null],
  ranks: [2, null],
  texts: ["ab".repeat(32), null],
  sites: ["a.com", "b.com"],
  pages: ["-12", "9", "0"]
})

const all = { concurrency: "unbounded" } as const

layer(layerMoney, { excludeTestServices: true })("the result of a check", (it) => {
  it.effect("is stored once for all equal ones, in one batch or several, by one process or several", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* Charges, yield* anotherProcess]
      const purse = yield* wallet(150 * 40)
      const snapshot = saying(randomUUID())
      const checks = Array.makeBy(40, () => checkSeeing(snapshot))
      yield* Effect.forEach(
        checks,
        (one, n) => (n % 2 === 0 ? mine : theirs).charge({ ...order(purse), ...ending(4), check: one }),
        all
      )
      assert.strictEqual(yield* kept(...checks), 1)
      const { texts: _, ...parts } = snapshot
      for (const one of checks) assert.deepEqual<unknown>(yield* told(one), parts)
    })
  )

  it.effect("is sent once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const purse = yield* wallet(150 * 9)
      const snapshot = saying(randomUUID())
      // Each inserted row uses up a number of the sequence, even if an equal row exists.
      const numbers = Effect.map(
        sql`SELECT coalesce(pg_sequence_last_value('check_results_id_seq'), 0)::integer AS used`,
        ([row]) => Number(row?.used)
      )
      const before = yield* numbers
      for (let n = 0; n < 9; n++) yield* charges.charge({ ...order(purse), ...ending(4), check: checkSeeing(snapshot) })
      assert.strictEqual(yield* numbers, before + 1)
    })
  )

  it.effect("differs from another if any of its parts does", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const purse = yield* wallet(150 * 8)
      const snapshot = saying(randomUUID())
      const others: ReadonlyArray<Partial<CheckSnapshot>> = [
        {},
        { result: { said: "another" } },
        { platforms: ["chatgpt_live", "ai_mode"] },
        { mentioned: [true, false] },
        { ranks: [1, null] },
        { texts: ["cd".repeat(32), null] },
        { sites: ["a.com"] },
        { pages: ["-12", "8", "0"] }
      ]
      const checks = others.map((other) => checkSeeing({ ...snapshot, ...other }))
      yield* Effect.forEach(checks, (one) => charges.charge({ ...order(purse), ...ending(4), check: one }), all)
      assert.strictEqual(yield* kept(...checks), others.length)
      for (const [n, one] of checks.entries()) {
        const { texts: _, ...parts } = { ...snapshot, ...others[n] }
        assert.deepEqual<unknown>(yield* told(one), parts)
      }
    })
  )

  it.effect("of a refused movement is not stored, and not remembered as stored", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const [poor, rich] = [yield* wallet(1), yield* wallet(150)]
      const snapshot = saying(randomUUID())
      const [refused, done] = [checkSeeing(snapshot), checkSeeing(snapshot)]
      const exit = yield* Effect.exit(charges.charge({ ...order(poor), ...ending(4), check: refused }))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(yield* kept(refused), 0)
      yield* charges.charge({ ...order(rich), ...ending(4), check: done })
      assert.strictEqual(yield* kept(done), 1)
      assert.deepInclude(yield* told(done), { result: snapshot.result })
    })
  )

  it.effect("is sent again if the database has lost it, and the others in its batch are settled as well", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const purse = yield* wallet(150 * 9)
      const [snapshot, other] = [saying(randomUUID()), saying(randomUUID())]
      yield* charges.charge({ ...order(purse), ...ending(4), check: checkSeeing(snapshot) })
      // As if the database were restored to an earlier moment.
      yield* sql`DELETE FROM check_records WHERE account_id = ${purse.accountId}`
      yield* sql`DELETE FROM check_results WHERE encode(hash, 'hex') = ${checkSeeing(snapshot).snapshot.hash}`
      const checks = Array.makeBy(8, (n) => checkSeeing(n === 5 ? snapshot : other))
      yield* Effect.forEach(checks, (one) => charges.charge({ ...order(purse), ...ending(4), check: one }), all)
      for (const [n, one] of checks.entries())
        assert.deepInclude(yield* told(one), { result: (n === 5 ? snapshot : other).result })
      const [books] = yield* sql`SELECT available FROM wallets WHERE account_id = ${purse.accountId}`
      assert.deepEqual(books, { available: 0n })
    })
  )
})
