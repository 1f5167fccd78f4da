/**
 * What happens to the price of a call that does not finish.
 *
 * Planted faults, each seen red:
 * - a hold released only when the caller leaves, or only when the work fails
 * - a caller that leaves during the hold, which is then never released
 * - a charge of a cached call, a queued job and a settlement, each interrupted while the money moves
 */
import { assert, layer } from "@effect/vitest"
import { credits, zero } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Billing, type Conclusion } from "@sightline/engine/Billing"
import { Wallets } from "@sightline/store/Wallets"
import { Charges } from "@sightline/store/Charges"
import { plainReply } from "@sightline/store/Replies"
import { Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { keepOpen, untilLocked } from "../store/locks.ts"
import { ending, layerMoney, order, wallet } from "../store/purse.ts"
import { askJob } from "../store/queued.ts"

const purchaseOf = (purse: Wallet) => ({ wallet: purse, order: order(purse), claim: Option.none<string>() })

const balanceOf = (purse: Wallet) => Wallets.use((wallets) => wallets.balanceOf(purse))

/** The end of a call that every platform answered. */
const conclusionOf = (cached: boolean): Conclusion => ({
  outcomes: ending(4).outcomes,
  cached,
  render: () => ({ reply: plainReply(200, "{}") })
})

/** Interrupts a payment while another transaction locks the wallet. Whether it stayed until the money had moved. */
const isKept = Effect.fnUntraced(function* <A, E>(purse: Wallet, payment: Effect.Effect<A, E>) {
  const sql = yield* SqlClient.SqlClient
  const release = yield* keepOpen(sql`UPDATE wallets SET held = held WHERE account_id = ${purse.accountId}`)
  const call = yield* Effect.forkChild(payment)
  yield* untilLocked
  const leaving = yield* Effect.forkChild(Fiber.interrupt(call), { startImmediately: true })
  yield* untilLocked
  const kept = leaving.pollUnsafe() === undefined
  yield* release
  yield* Fiber.join(leaving)
  return kept
})

const whole = { available: credits(150), held: zero }

layer(Billing.layer.pipe(Layer.provideMerge(layerMoney)), { excludeTestServices: true })("a hold", (it) => {
  it.effect("is released in full when the work fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const { hold } = yield* Billing
      const purse = yield* wallet(150)
      for (const work of [Effect.fail("failed"), Effect.die("a bug"), Effect.interrupt]) {
        yield* Effect.exit(hold(purchaseOf(purse), work))
        assert.deepStrictEqual(yield* balanceOf(purse), whole)
      }
    })
  )

  it.effect("is released in full when the caller leaves while it is being made", () =>
    Effect.gen(function* () {
      const { hold } = yield* Billing
      const purse = yield* wallet(150)
      assert.isTrue(yield* isKept(purse, hold(purchaseOf(purse), Effect.never)))
      assert.deepStrictEqual(yield* balanceOf(purse), whole)
      // Entries are posted one at a time: after this one, none is pending.
      const other = yield* wallet(150)
      yield* Effect.exit(hold(purchaseOf(other), Effect.interrupt))
      assert.deepStrictEqual(yield* balanceOf(purse), whole)
    })
  )
})

layer(Billing.layer.pipe(Layer.provideMerge(layerMoney)), { excludeTestServices: true })(
  "a movement of money",
  (it) => {
    it.effect("is not interrupted before it ends, so that nothing paid is refunded or done again", () =>
      Effect.gen(function* () {
        const { charge, queue, settle } = yield* Billing
        const purse = yield* wallet(1000)
        const purchase = purchaseOf(purse)
        assert.isTrue(yield* isKept(purse, charge(purchase, conclusionOf(true))))
        assert.deepStrictEqual(yield* balanceOf(purse), { available: credits(995), held: zero })
        assert.isTrue(yield* isKept(purse, queue(purchaseOf(purse), askJob())))
        assert.deepStrictEqual(yield* balanceOf(purse), { available: credits(845), held: credits(150) })
        const held = order(purse)
        yield* (yield* Charges).hold(held)
        assert.isTrue(yield* isKept(purse, settle(held.id, held, conclusionOf(false))))
        assert.deepStrictEqual(yield* balanceOf(purse), { available: credits(695), held: credits(150) })
      })
    )
  }
)
