/** Planted fault, seen red: a join that also compares the opening entry's sequence, for which the planner expects a single row. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ChargeRecords } from "@sightline/store/ChargeRecords"
import { layerMoney, wallet } from "./purse.ts"
import { rowsRead } from "./rowsRead.ts"

const layerRecords = Layer.provideMerge(ChargeRecords.layer, layerMoney)

/** Calls that were served from cache, without their money: the books do not add up. */
const called = Effect.fnUntraced(function* (calls: number) {
  const sql = yield* SqlClient.SqlClient
  const purse = yield* wallet(0)
  yield* sql`
    WITH made AS (
      INSERT INTO charges
      SELECT gen_random_uuid(), ${purse.accountId}, ${purse.environment}, n, 'check', 'quick', '{chatgpt_api}', 37500, 'settled', 1250,
        '{"chatgpt_api": "ok"}', true, NULL, moment, moment, moment
      FROM clock_timestamp() AS moment, generate_series(1, ${calls}::integer) n
      RETURNING *)
    INSERT INTO ledger_entries
    SELECT account_id, environment, sequence, id, 'charge', 'available', 'revenue', amount, 0, 0, '', created_at, '' FROM made`
  yield* sql`ANALYZE charges, ledger_entries`
  return purse
})

layer(layerRecords, { excludeTestServices: true })("ChargeRecords", (it) => {
  it.effect("a page reads only its own rows, however many calls there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const records = yield* ChargeRecords
      const purse = yield* called(20_000)
      const [page, read] = yield* sql.withTransaction(
        Effect.all([records.page(purse, { limit: 20 }), rowsRead("charges", "ledger_entries")])
      )
      assert.deepStrictEqual(page.next, 19981)
      assert.isAtMost(read, 100)
    })
  )
})
