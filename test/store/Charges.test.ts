import { assert, describe, layer } from "@effect/vitest"
import { credits } from "@sightline/domain/Credits"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Layer } from "effect"
import { layerDatabase } from "./database.ts"
import { dump, ending, order, wallet } from "./purse.ts"

const layerMoney = Layer.mergeAll(Charges.layer, Wallets.layer).pipe(Layer.provideMerge(layerDatabase))

layer(layerMoney, { excludeTestServices: true })("Charges", (it) => {
  describe("a hold", () => {
    it.effect("moves its price from available to held, and a settlement keeps the charge and gives the rest back", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const wallets = yield* Wallets
        const purse = yield* wallet(200)
        const call = order(purse)
        assert.strictEqual(yield* charges.hold(call), credits(50))
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(50), held: credits(150) })
        assert.strictEqual(yield* charges.settle({ id: call.id, ...ending(3) }), credits(87.5))
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(87.5), held: credits(0) })
        console.log(yield* dump(purse))
        assert.deepStrictEqual(
          yield* Effect.flip(charges.settle({ id: call.id, ...ending(3) })),
          new HoldLost({ id: call.id })
        )
      })
    )
  })
})
