/**
 * Planted faults, each seen red:
 * - references not looked up; looked up without environment
 * - a top-up of zero
 * - the bound of a wallet left to the constraint; held money left out of it
 * - a reference used up by a refused top-up; one repeated with another amount
 * - its amount looked up only in the column of its own, or only in the ledger
 * - a reference compared without its spaces or its case, or by half of it
 */
import { assert, describe, layer } from "@effect/vitest"
import { Credits, credits, toCents, zero } from "@sightline/domain/Credits"
import { balanceBound, ReferenceTaken, type Wallet, WalletFull } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { Array, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { randomUUID } from "node:crypto"
import { dump, layerMoney, order, wallet } from "./purse.ts"

layer(layerMoney, { excludeTestServices: true })("Wallets", (it) => {
  describe("a top-up", () => {
    it.effect("adds to the available balance and returns it", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const purse = yield* wallet(0)
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: zero, held: zero })
        assert.deepStrictEqual(yield* wallets.topUp({ wallet: purse, amount: credits(10) }), { available: credits(10) })
        assert.deepStrictEqual(yield* wallets.topUp({ wallet: purse, amount: credits(10) }), { available: credits(20) })
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(20), held: zero })
      })
    )

    it.effect("with a reference adds once, however often and concurrently it is made", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const purse = yield* wallet(0)
        const results = yield* Effect.forEach(
          Array.range(1, 20),
          () => wallets.topUp({ wallet: purse, amount: credits(7), reference: "invoice 12|a" }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          results,
          results.map(() => ({ available: credits(7) }))
        )
        assert.deepStrictEqual((yield* wallets.balanceOf(purse)).available, credits(7))
      })
    )

    it.effect("with a reference that was used for another amount is refused, however old the reference is", () =>
      Effect.gen(function* () {
        const [sql, wallets] = [yield* SqlClient.SqlClient, yield* Wallets]
        const purse = yield* wallet(8)
        const others: ReadonlyArray<Wallet> = [{ ...purse, environment: "test" }, yield* wallet(8)]
        for (const other of others) yield* wallets.topUp({ wallet: other, amount: credits(8), reference: "r" })
        yield* wallets.topUp({ wallet: purse, amount: credits(8), reference: "another" })
        const topUp = (whole: number) => wallets.topUp({ wallet: purse, amount: credits(whole), reference: "r" })
        yield* topUp(7)
        for (const known of ["in its row", "in the ledger"]) {
          assert.instanceOf(yield* Effect.flip(topUp(8)), ReferenceTaken, known)
          assert.deepStrictEqual(yield* topUp(7), { available: credits(23) })
          yield* sql`UPDATE topups SET amount = NULL WHERE account_id = ${purse.accountId}`
        }
      })
    )

    it.effect("with a reference of the account's other wallet adds to this one", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const live = yield* wallet(0)
        const test = { ...live, environment: "test" as const }
        yield* wallets.topUp({ wallet: live, amount: credits(3), reference: "r" })
        yield* wallets.topUp({ wallet: test, amount: credits(4), reference: "r" })
        assert.strictEqual((yield* wallets.balanceOf(live)).available, credits(3))
        assert.strictEqual((yield* wallets.balanceOf(test)).available, credits(4))
      })
    )

    it.effect("with a reference that differs in case, a space or its last character adds again", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const purse = yield* wallet(0)
        const long = "r".repeat(199)
        const references = ["r", "R", " r", "r ", `${long}1`, `${long}2`, long]
        for (const reference of [...references, ...references])
          yield* wallets.topUp({ wallet: purse, amount: credits(1), reference })
        assert.strictEqual((yield* wallets.balanceOf(purse)).available, credits(references.length))
      })
    )

    it.effect("of zero or less, or for an unknown account, dies", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const purse = yield* wallet(5)
        for (const amount of [0, -1]) {
          const exit = yield* Effect.exit(wallets.topUp({ wallet: purse, amount: Credits.make(amount) }))
          assert.isTrue(Exit.hasDies(exit))
        }
        const stranger = { accountId: AccountId.make(randomUUID()), environment: "live" as const }
        assert.isTrue(Exit.hasDies(yield* Effect.exit(wallets.topUp({ wallet: stranger, amount: credits(1) }))))
        assert.strictEqual((yield* wallets.balanceOf(purse)).available, credits(5))
      })
    )
  })

  describe("a wallet's bound", () => {
    const most = Credits.make(balanceBound - 1)

    it.effect("refuses a top-up beyond it, which changes nothing and leaves its reference free", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const purse = yield* wallet(150)
        yield* (yield* Charges).hold(order(purse))
        const rest = Credits.make(most - credits(150))
        const before = yield* dump(purse)
        const more = { wallet: purse, amount: Credits.make(rest + 1), reference: "r" }
        assert.instanceOf(yield* Effect.flip(wallets.topUp(more)), WalletFull)
        assert.deepStrictEqual(yield* dump(purse), before)
        assert.deepStrictEqual(yield* wallets.topUp({ ...more, amount: rest }), { available: rest })
        assert.deepStrictEqual(yield* wallets.topUp({ ...more, amount: rest }), { available: rest })
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: rest, held: credits(150) })
      })
    )

    it.effect("is enforced by the database for every write of the balance", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { accountId } = yield* wallet(1)
        const write = (available: number) =>
          Effect.exit(sql`UPDATE wallets SET available = ${available}, held = 1 WHERE account_id = ${accountId}`)
        assert.isTrue(Exit.isFailure(yield* write(most)))
        assert.isTrue(Exit.isSuccess(yield* write(most - 1)))
      })
    )

    it.effect("is low enough that every amount is an exact JSON number to the thousandth", () =>
      Effect.sync(() => {
        for (const amount of [most, Credits.make(most - 1), Credits.make(most - 2)])
          assert.strictEqual(Math.round(Number(JSON.stringify(toCents(amount))) * 1000), amount)
        assert.notStrictEqual(toCents(most), toCents(Credits.make(most - 1)))
      })
    )
  })

  it.effect("no balance can be below zero, however it is written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { accountId } = yield* wallet(1)
      for (const column of ["available", "held"]) {
        const exit = yield* Effect.exit(sql`UPDATE wallets SET ${sql(column)} = -1 WHERE account_id = ${accountId}`)
        assert.isTrue(Exit.isFailure(exit))
      }
    })
  )
})
