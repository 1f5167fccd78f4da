/**
 * The check that another one is compared with.
 *
 * Planted and seen red, one at a time: each condition left out, of the account, environment, brand, query, mode, region and answer; a later
 * check, or the check itself, taken for an earlier one; the earliest check instead of the latest.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { credits } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { CheckHistory } from "@sightline/store/CheckHistory"
import type { CheckRecord } from "@sightline/store/Checks"
import { Wallets } from "@sightline/store/Wallets"
import { checkSeeing, ending, layerMoney, order, wallet } from "./purse.ts"

/** Saves a check at that time, in which one platform was asked. It named the brand, or showed no answer. */
const check = Effect.fnUntraced(function* (
  purse: Wallet,
  moment: string,
  {
    mode = "quick",
    mentioned = true,
    ...more
  }: Partial<CheckRecord> & { mode?: string; mentioned?: boolean | null } = {}
) {
  const snapshot = {
    result: { sightings: [], failures: [] },
    platforms: ["ai_mode"],
    mentioned: [mentioned],
    texts: [null]
  } as const
  const record = { ...checkSeeing(snapshot), ...more }
  yield* (yield* Charges).charge({ ...order(purse), ...ending(4), check: record })
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE check_records SET created_at = ${moment}::timestamptz, mode = ${mode} WHERE id = ${record.id}`
  return record.id
})

layer(CheckHistory.layer.pipe(Layer.provideMerge(layerMoney)), { excludeTestServices: true })("CheckHistory", (it) => {
  it.effect(
    "the previous check is the latest earlier one of the same wallet, brand, query, mode and region with an answer",
    () =>
      Effect.gen(function* () {
        const history = yield* CheckHistory
        const [own, stranger] = [yield* wallet(10_000, "test"), yield* wallet(10_000, "test")]
        const live: Wallet = { ...own, environment: "live" }
        yield* (yield* Wallets).topUp({ wallet: live, amount: credits(10_000) })
        const first = yield* check(own, "2026-01-01T00:00:00Z")
        const second = yield* check(own, "2026-01-01T01:00:00Z")
        const between = "2026-01-01T02:00:00Z"
        for (const other of [stranger, live]) yield* check(other, between)
        for (const other of [
          { brand: "Globex" },
          { query: "best boots" },
          { region: "uk" },
          { mode: "ai_mode" },
          { mentioned: null }
        ] as const)
          yield* check(own, between, other)
        const third = yield* check(own, "2026-01-01T03:00:00Z")
        const previousOf = (id: string) =>
          Effect.map(
            history.previous(id),
            Option.map((found) => found.id)
          )
        assert.deepStrictEqual(yield* Effect.forEach([first, second, third], previousOf), [
          Option.none(),
          Option.some(first),
          Option.some(second)
        ])
      })
  )
})
