/** A planted fault, seen red: the name of the list ignored. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { AccountId } from "@sightline/domain/Account"
import { Actions } from "@sightline/store/Actions"
import { ChargeRecords } from "@sightline/store/ChargeRecords"
import { CheckHistory } from "@sightline/store/CheckHistory"
import { cursorOf, type CursorUnknown } from "@sightline/store/Cursor"
import { Deliveries } from "@sightline/store/Deliveries"
import { Ledger } from "@sightline/store/Ledger"
import { Runs } from "@sightline/store/Runs"
import { Visibility } from "@sightline/store/Visibility"
import { Watches } from "@sightline/store/Watches"
import { layerDatabase } from "./database.ts"

const services = Layer.mergeAll(
  Actions.layer,
  ChargeRecords.layer,
  CheckHistory.layer,
  Deliveries.layer,
  Ledger.layer,
  Runs.layer,
  Visibility.layer,
  Watches.layer(Redacted.make(new Uint8Array(32)))
).pipe(Layer.provideMerge(layerDatabase))

const at = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const row = `2026-01-01T00:00:00.000000Z ${randomUUID()}`

interface List {
  readonly name: string
  readonly place: string
  readonly read: (cursor: string) => Effect.Effect<unknown, CursorUnknown>
}

layer(services, { excludeTestServices: true })("A cursor", (it) => {
  it.effect("belongs to its own list, and is unknown to every other", () =>
    Effect.gen(function* () {
      const wallet = { accountId: AccountId.make(randomUUID()), environment: "live" } as const
      const [actions, charges, checks] = [yield* Actions, yield* ChargeRecords, yield* CheckHistory]
      const [deliveries, ledger, runs] = [yield* Deliveries, yield* Ledger, yield* Runs]
      const [visibility, watches] = [yield* Visibility, yield* Watches]
      const window = { wallet, brand: "Acme", query: "best shoes", start: at, end: at }
      const lists: ReadonlyArray<List> = [
        { name: "actions", place: "7", read: (cursor) => actions.page({ cursor, limit: 1 }) },
        { name: "charges", place: "7", read: (cursor) => charges.page(wallet, { cursor, limit: 1 }) },
        { name: "ledger", place: "7-7", read: (cursor) => ledger.page({ ...wallet, cursor, limit: 1 }) },
        { name: "checks", place: row, read: (cursor) => checks.page(wallet, {}, { cursor, limit: 1 }) },
        { name: "deliveries", place: row, read: (cursor) => deliveries.page(wallet, {}, { cursor, limit: 1 }) },
        { name: "runs", place: row, read: (cursor) => runs.page(randomUUID(), { cursor, limit: 1 }) },
        { name: "steps", place: row, read: (cursor) => visibility.steps(window, cursor) },
        { name: "watches", place: row, read: (cursor) => watches.list(wallet, { cursor, limit: 1 }) }
      ]
      for (const { name, read } of lists)
        for (const given of lists) {
          const found = yield* Effect.result(read(cursorOf(given.name, given.place)))
          assert.strictEqual(found._tag, given.name === name ? "Success" : "Failure", `${given.name} in ${name}`)
        }
    })
  )
})
