/**
 * What becomes of the price of a call that does not come to its end.
 *
 * Planted faults, each seen red: a hold given back where the caller leaves only, or where the work fails only; a caller who leaves
 * while the price is set aside, and it stays so.
 */
import { assert, layer } from "@effect/vitest"
import { credits, zero } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Billing } from "@sightline/engine/Billing"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { keepOpen, untilLocked } from "../store/locks.ts"
import { layerMoney, order, wallet } from "../store/purse.ts"

const purchaseOf = (purse: Wallet) => ({ wallet: purse, order: order(purse), claim: Option.none<string>() })

const balanceOf = (purse: Wallet) => Wallets.use((wallets) => wallets.balanceOf(purse))

const whole = { available: credits(150), held: zero }

layer(Billing.layer.pipe(Layer.provideMerge(layerMoney)), { excludeTestServices: true })("a hold", (it) => {
  it.effect("is given back whole when the work fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const { hold } = yield* Billing
      const purse = yield* wallet(150)
      for (const work of [Effect.fail("failed"), Effect.die("a bug"), Effect.interrupt]) {
        yield* Effect.exit(hold(purchaseOf(purse), work))
        assert.deepStrictEqual(yield* balanceOf(purse), whole)
      }
    })
  )

  it.effect("is given back whole when the caller leaves while it is set aside", () =>
    Effect.gen(function* () {
      const { hold } = yield* Billing
      const sql = yield* SqlClient.SqlClient
      const purse = yield* wallet(150)
      const release = yield* keepOpen(sql`UPDATE wallets SET held = held WHERE account_id = ${purse.accountId}`)
      const call = yield* Effect.forkChild(hold(purchaseOf(purse), Effect.never))
      yield* untilLocked
      const leaving = yield* Effect.forkChild(Fiber.interrupt(call), { startImmediately: true })
      yield* release
      yield* Fiber.join(leaving)
      assert.deepStrictEqual(yield* balanceOf(purse), whole)
      // One at a time is posted: by now nothing is under way.
      const other = yield* wallet(150)
      yield* Effect.exit(hold(purchaseOf(other), Effect.interrupt))
      assert.deepStrictEqual(yield* balanceOf(purse), whole)
    })
  )
})
