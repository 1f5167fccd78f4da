/**
 * What checks saw is kept once.
 *
 * Planted faults, each seen red: what was seen written anew for each check, or sent anew; what the database has no more not sent again,
 * or with a part of its batch only; what was seen by a refused movement written; a hash that leaves out the ranks.
 */
import { assert, layer } from "@effect/vitest"
import { Charges } from "@sightline/store/Charges"
import type { CheckRecord, Seen } from "@sightline/store/Checks"
import { Array, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { anotherProcess, checkRow, checkSeeing, ending, layerMoney, order, wallet } from "./purse.ts"

/** How many of what such checks saw are kept. */
const kept = (...checks: ReadonlyArray<CheckRecord>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`SELECT FROM check_results WHERE encode(hash, 'hex') IN ${sql.in(checks.map(({ seen }) => seen.hash))}`,
      (rows) => rows.length
    )
  )

/** What a check saw, as its row tells it. */
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

layer(layerMoney, { excludeTestServices: true })("what checks saw", (it) => {
  it.effect("is kept once for all that saw the same, in one batch or another, by one process or several", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* Charges, yield* anotherProcess]
      const purse = yield* wallet(150 * 40)
      const seen = saying(randomUUID())
      const checks = Array.makeBy(40, () => checkSeeing(seen))
      yield* Effect.forEach(
        checks,
        (one, n) => (n % 2 === 0 ? mine : theirs).charge({ ...order(purse), ...ending(4), check: one }),
        all
      )
      assert.strictEqual(yield* kept(...checks), 1)
      const { texts: _, ...parts } = seen
      for (const one of checks) assert.deepEqual<unknown>(yield* told(one), parts)
    })
  )

  it.effect("travels once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const purse = yield* wallet(150 * 9)
      const seen = saying(randomUUID())
      // A row that is brought uses up a number, also where there is one like it.
      const numbers = Effect.map(
        sql`SELECT coalesce(pg_sequence_last_value('check_results_id_seq'), 0)::integer AS used`,
        ([row]) => Number(row?.used)
      )
      const before = yield* numbers
      for (let n = 0; n < 9; n++) yield* charges.charge({ ...order(purse), ...ending(4), check: checkSeeing(seen) })
      assert.strictEqual(yield* numbers, before + 1)
    })
  )

  it.effect("is told apart by each of its parts", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const purse = yield* wallet(150 * 8)
      const seen = saying(randomUUID())
      const others: ReadonlyArray<Partial<Seen>> = [
        {},
        { result: { said: "another" } },
        { platforms: ["chatgpt_live", "ai_mode"] },
        { mentioned: [true, false] },
        { ranks: [1, null] },
        { texts: ["cd".repeat(32), null] },
        { sites: ["a.com"] },
        { pages: ["-12", "8", "0"] }
      ]
      const checks = others.map((other) => checkSeeing({ ...seen, ...other }))
      yield* Effect.forEach(checks, (one) => charges.charge({ ...order(purse), ...ending(4), check: one }), all)
      assert.strictEqual(yield* kept(...checks), others.length)
      for (const [n, one] of checks.entries()) {
        const { texts: _, ...parts } = { ...seen, ...others[n] }
        assert.deepEqual<unknown>(yield* told(one), parts)
      }
    })
  )

  it.effect("of a movement that is refused is not kept, and is not thought to be", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const [poor, rich] = [yield* wallet(1), yield* wallet(150)]
      const seen = saying(randomUUID())
      const [refused, done] = [checkSeeing(seen), checkSeeing(seen)]
      const exit = yield* Effect.exit(charges.charge({ ...order(poor), ...ending(4), check: refused }))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(yield* kept(refused), 0)
      yield* charges.charge({ ...order(rich), ...ending(4), check: done })
      assert.strictEqual(yield* kept(done), 1)
      assert.deepInclude(yield* told(done), { result: seen.result })
    })
  )

  it.effect(
    "travels again where the database has it no more, and its neighbours in the batch are settled as well",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const charges = yield* Charges
        const purse = yield* wallet(150 * 9)
        const [seen, other] = [saying(randomUUID()), saying(randomUUID())]
        yield* charges.charge({ ...order(purse), ...ending(4), check: checkSeeing(seen) })
        // As where the database was set back to a moment before.
        yield* sql`DELETE FROM check_records WHERE account_id = ${purse.accountId}`
        yield* sql`DELETE FROM check_results WHERE encode(hash, 'hex') = ${checkSeeing(seen).seen.hash}`
        const checks = Array.makeBy(8, (n) => checkSeeing(n === 5 ? seen : other))
        yield* Effect.forEach(checks, (one) => charges.charge({ ...order(purse), ...ending(4), check: one }), all)
        for (const [n, one] of checks.entries())
          assert.deepInclude(yield* told(one), { result: (n === 5 ? seen : other).result })
        const [books] = yield* sql`SELECT available FROM wallets WHERE account_id = ${purse.accountId}`
        assert.deepEqual(books, { available: 0n })
      })
  )
})
