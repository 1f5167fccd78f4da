/**
 * Planted faults, each seen red: a page that starts with the last entry of the previous one; wallets merged by sequence; a page with one
 * entry more than the limit; a trigger on truncation only.
 */
import { assert, describe, layer } from "@effect/vitest"
import { credits } from "@sightline/domain/Credits"
import { Charges } from "@sightline/store/Charges"
import type { Entry } from "@sightline/domain/Ledger"
import type { Page } from "@sightline/store/Page"
import { Ledger, type LedgerPosition } from "@sightline/store/Ledger"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ending, layerMoney, order, wallet } from "./purse.ts"

const layerLedger = Ledger.layer.pipe(Layer.provideMerge(layerMoney))

/** An account with alternating entries in both wallets. */
const busy = Effect.gen(function* () {
  const charges = yield* Charges
  const { topUp } = yield* Wallets
  const live = yield* wallet(1000)
  const test = { ...live, environment: "test" as const }
  yield* topUp({ wallet: test, amount: credits(1000), reference: "play" })
  for (const purse of [live, test, test, live]) {
    const call = order(purse)
    yield* charges.hold(call)
    yield* charges.settle({ id: call.id, ...ending(3) })
  }
  yield* charges.charge({ ...order(live), ...ending(4, true) })
  return live.accountId
})

layer(layerLedger, { excludeTestServices: true })("Ledger", (it) => {
  describe("a page", () => {
    it.effect("shows the newest entries first, of both wallets or of one", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const accountId = yield* busy
        const both = yield* ledger.page({ accountId, limit: 100 })
        const times = both.rows.map(({ createdAt }) => createdAt)
        assert.deepStrictEqual(times, [...times].sort().toReversed())
        assert.strictEqual(both.next, null)
        const live = yield* ledger.page({ accountId, environment: "live", limit: 100 })
        assert.deepStrictEqual(
          live.rows,
          both.rows.filter(({ environment }) => environment === "live")
        )
        assert.deepStrictEqual(
          live.rows.map(({ sequence, kind }) => [sequence, kind]),
          [
            [8, "charge"],
            [7, "release"],
            [6, "capture"],
            [5, "hold"],
            [4, "release"],
            [3, "capture"],
            [2, "hold"],
            [1, "topup"]
          ]
        )
        const [newest] = live.rows
        assert.strictEqual(newest?.amount, credits(5))
        assert.strictEqual(newest?.availableAfter, credits(770))
      })
    )

    it.effect("leads to all entries, each once, with any limit, even while more are written", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { topUp } = yield* Wallets
        const accountId = yield* busy
        const all = (yield* ledger.page({ accountId, limit: 100 })).rows
        for (const limit of [1, 2, 3, 5, all.length - 1, all.length]) {
          let page: Page<Entry, LedgerPosition> = yield* ledger.page({ accountId, limit })
          const seen = [...page.rows]
          while (page.next !== null) {
            yield* topUp({ wallet: { accountId, environment: "live" }, amount: credits(1) })
            assert.lengthOf(page.rows, limit)
            page = yield* ledger.page({ accountId, limit, after: page.next })
            seen.push(...page.rows)
          }
          assert.includeDeepMembers(seen, [...all])
          assert.strictEqual(new Set(seen.map(({ hash }) => hash)).size, seen.length)
        }
      })
    )
  })

  it.effect("an entry can never be changed, deleted or truncated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* wallet(1)
      const attempts = [
        sql`UPDATE ledger_entries SET amount = amount + 1`,
        sql`DELETE FROM ledger_entries`,
        sql`TRUNCATE ledger_entries`
      ]
      for (const attempt of attempts) assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
    })
  )
})
