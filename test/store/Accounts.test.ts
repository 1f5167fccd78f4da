/** Planted faults, each seen red: creations that ignore a detachment; a top-up that does not take the account's lock. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { AccountDetached } from "@sightline/domain/Account"
import { credits } from "@sightline/domain/Credits"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "./database.ts"
import { keepOpen, untilLocked, untilLockedOut } from "./locks.ts"
import { secret, wishes } from "./watching.ts"

const key = Redacted.make(new Uint8Array(32).fill(1))

const layerStore = Layer.mergeAll(
  Accounts.layer,
  ApiKeys.layer(key),
  Wallets.layer,
  Watches.layer(key),
  WebhookEndpoints.layer(key)
).pipe(Layer.provideMerge(layerDatabase))

const newWallet = Effect.map(
  Accounts.use((accounts) => accounts.create("Acme")),
  ({ id }) => ({ accountId: id, environment: "test" }) as const
)

layer(layerStore, { excludeTestServices: true })("Accounts", (it) => {
  it.effect("nothing is created or resumed for an account that is being detached", () =>
    Effect.gen(function* () {
      const [accounts, keys, watches] = [yield* Accounts, yield* ApiKeys, yield* Watches]
      const wallet = yield* newWallet
      const { id: maker } = yield* keys.create({ ...wallet, readOnly: false, rateLimits: {} })
      const { id } = yield* watches.create(wallet, wishes(), secret)
      yield* watches.pause(wallet, id)
      const detach = yield* keepOpen(accounts.detach(wallet.accountId))
      const hook = {
        url: "https://hooks.acme.com/in",
        description: null,
        events: ["ask.completed"],
        enabled: true
      } as const
      const making = yield* Effect.forkChild(
        Effect.all(
          [
            watches.create(wallet, wishes(), secret),
            watches.resume(wallet, id),
            keys.createOwn(wallet, { maker, readOnly: false }),
            (yield* WebhookEndpoints).create(wallet, hook),
            accounts.whileOpen(wallet.accountId, (yield* Wallets).topUp({ wallet, amount: credits(1) }))
          ],
          { concurrency: "unbounded", mode: "result" }
        )
      )
      yield* untilLockedOut(5)
      yield* detach
      for (const made of yield* Fiber.join(making)) assert.deepEqual(made, Result.fail(new AccountDetached()))
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`SELECT id FROM watches WHERE account_id = ${wallet.accountId} AND enabled`, 0)
      assert.lengthOf(yield* sql`SELECT 1 FROM wallets WHERE account_id = ${wallet.accountId}`, 0)
    })
  )

  it.effect("a detachment waits for a top-up under way", () =>
    Effect.gen(function* () {
      const [accounts, wallets, wallet] = [yield* Accounts, yield* Wallets, yield* newWallet]
      const toppedUp = wallets.topUp({ wallet, amount: credits(1) })
      const finish = yield* keepOpen(accounts.whileOpen(wallet.accountId, toppedUp))
      const detaching = yield* Effect.forkChild(accounts.detach(wallet.accountId))
      yield* untilLocked
      yield* finish
      assert.isTrue(yield* Fiber.join(detaching))
      assert.strictEqual((yield* wallets.balanceOf(wallet)).available, credits(1))
      const refused = yield* Effect.result(accounts.whileOpen(wallet.accountId, toppedUp))
      assert.deepEqual(refused, Result.fail(new AccountDetached()))
    })
  )
})
