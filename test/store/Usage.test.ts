/**
 * Planted faults, each seen red: `>` at the start, `<=` at the end; whole seconds; calls counted at their start; the session's time zone;
 * released holds counted, free calls not; calls of the other environment or of other accounts; the price instead of the amount; a filter
 * by endpoint or mode ignored; times sent to the database as text; buckets out of order, or with a row for each endpoint and mode.
 */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { credits, zero } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { Usage, type UsageWindow } from "@sightline/store/Usage"
import { Wallets } from "@sightline/store/Wallets"
import { ending, layerMoney, order, wallet } from "./purse.ts"

const at = (text: string) => DateTime.makeUnsafe(text)

/** A quick check in which `answered` of four platforms answered, as if it had ended at `moment`. */
const called = Effect.fnUntraced(function* (purse: Wallet, moment: string, answered = 4) {
  const charges = yield* Charges
  const call = order(purse)
  yield* charges.hold(call)
  yield* charges.settle({ id: call.id, ...ending(answered) })
  yield* SqlClient.SqlClient.use(
    (sql) => sql`UPDATE charges SET finished_at = ${moment}::timestamptz WHERE id = ${call.id}`
  )
})

const november = { start: at("2026-11-01T00:00:00Z"), end: at("2026-12-01T00:00:00Z"), granularity: "total" } as const

const counted = Effect.fnUntraced(function* (purse: Wallet, more: Partial<UsageWindow> = {}) {
  const usage = yield* Usage
  const { series } = yield* usage.of({ wallet: purse, ...november, ...more })
  return series.map(({ bucket, calls, cost }) => [bucket, calls, cost])
})

layer(Layer.provideMerge(Usage.layer, layerMoney), { excludeTestServices: true })("Usage", (it) => {
  it.effect("counts from the start of a window up to, but not including, its end", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1000)
      yield* called(purse, "2026-10-31T23:59:59.999999Z", 3)
      assert.deepStrictEqual(yield* counted(purse), [])
      yield* called(purse, "2026-11-01T00:00:00Z", 1)
      assert.deepStrictEqual(yield* counted(purse), [[null, 1, credits(37.5)]])
      yield* called(purse, "2026-11-30T23:59:59.999999Z", 2)
      assert.deepStrictEqual(yield* counted(purse), [[null, 2, credits(112.5)]])
      yield* called(purse, "2026-12-01T00:00:00Z")
      assert.deepStrictEqual(yield* counted(purse), [[null, 2, credits(112.5)]])
    })
  )

  it.effect("adjacent windows count each call once, to the millisecond", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1000)
      for (const moment of ["2026-11-07T12:00:00.122999Z", "2026-11-07T12:00:00.123Z", "2026-11-07T12:00:00.123001Z"])
        yield* called(purse, moment, 1)
      const seam = at("2026-11-07T12:00:00.123Z")
      assert.deepStrictEqual(yield* counted(purse, { end: seam }), [[null, 1, credits(37.5)]])
      assert.deepStrictEqual(yield* counted(purse, { start: seam }), [[null, 2, credits(75)]])
    })
  )

  it.effect("divides by the UTC day and hour, whatever the session's time zone, and omits empty ones", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const purse = yield* wallet(1000)
      for (const moment of [
        "2026-11-03T23:59:59Z",
        "2026-11-04T00:00:00Z",
        "2026-11-04T00:59:59Z",
        "2026-11-06T05:00:00Z"
      ])
        yield* called(purse, moment, 1)
      const each = credits(37.5)
      for (const zone of ["UTC", "Asia/Kathmandu", "America/St_Johns"]) {
        const [days, hours] = yield* Effect.all([
          counted(purse, { granularity: "day" }),
          counted(purse, { granularity: "hour" })
        ]).pipe((both) => Effect.andThen(sql`SELECT set_config('TimeZone', ${zone}, true)`, both), sql.withTransaction)
        assert.deepStrictEqual(days, [
          ["2026-11-03T00:00:00Z", 1, each],
          ["2026-11-04T00:00:00Z", 2, credits(75)],
          ["2026-11-06T00:00:00Z", 1, each]
        ])
        assert.deepStrictEqual(hours, [
          ["2026-11-03T23:00:00Z", 1, each],
          ["2026-11-04T00:00:00Z", 2, credits(75)],
          ["2026-11-06T05:00:00Z", 1, each]
        ])
      }
    })
  )

  it.effect("a call without answers counts and costs nothing; a released or open hold does not count", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const purse = yield* wallet(1000)
      yield* called(purse, "2026-11-02T00:00:00Z", 0)
      const [lost, open] = [order(purse), order(purse)]
      yield* charges.hold(lost)
      yield* charges.void(lost.id)
      yield* charges.hold(open)
      const everything = { start: at("2000-01-01"), end: at("2100-01-01") }
      assert.deepStrictEqual(yield* counted(purse, everything), [[null, 1, zero]])
    })
  )

  it.effect("a call is counted when it ended, not when it began", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1000)
      yield* called(purse, "2026-11-02T00:00:00Z")
      yield* SqlClient.SqlClient.use(
        (sql) => sql`UPDATE charges SET created_at = '2026-10-31T23:59:00Z' WHERE account_id = ${purse.accountId}`
      )
      assert.deepStrictEqual(yield* counted(purse), [[null, 1, credits(150)]])
    })
  )

  it.effect("counts one wallet: neither the account's other wallet nor another account's", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1000)
      const play = { ...purse, environment: "test" as const }
      yield* (yield* Wallets).topUp({ wallet: play, amount: credits(1000) })
      yield* called(play, "2026-11-02T00:00:00Z", 1)
      yield* called(yield* wallet(1000), "2026-11-02T00:00:00Z", 2)
      assert.deepStrictEqual(yield* counted(purse), [])
      assert.deepStrictEqual(yield* counted(play), [[null, 1, credits(37.5)]])
    })
  )

  it.effect("separates endpoints and modes, and can be filtered by both", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const usage = yield* Usage
      const purse = yield* wallet(1000)
      const price = credits(150)
      for (const mode of ["quick", "perplexity_live"] as const) {
        const platforms = mode === "quick" ? (["a:claude_api"] as const) : (["a:perplexity_live"] as const)
        const call = { id: randomUUID(), wallet: purse, endpoint: "compare", mode, platforms, price } as const
        yield* charges.hold(call)
        yield* charges.settle({ id: call.id, amount: price, outcomes: {}, cached: false })
      }
      yield* charges.charge({ ...order(purse), ...ending(4, true) })
      const today = { wallet: purse, start: at("2000-01-01"), end: at("2100-01-01"), granularity: "total" } as const
      const kinds = (more: Partial<UsageWindow>) =>
        Effect.map(usage.of({ ...today, ...more }), (counted) =>
          counted.kinds.map(({ endpoint, mode, cost }) => `${endpoint} ${mode} ${cost}`)
        )
      const [check, live, quick] = ["check quick 5000", "compare perplexity_live 150000", "compare quick 150000"]
      assert.deepStrictEqual(yield* kinds({}), [check, live, quick])
      assert.deepStrictEqual(yield* kinds({ endpoint: "compare" }), [live, quick])
      assert.deepStrictEqual(yield* kinds({ mode: "quick" }), [check, quick])
      assert.deepStrictEqual(yield* kinds({ endpoint: "check", mode: "perplexity_live" }), [])
    })
  )

  it.effect("has one row for each hour and one for each kind of call, and both count all calls", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      const usage = yield* Usage
      const purse = yield* wallet(1000)
      for (const answered of [2, 4]) yield* charges.charge({ ...order(purse), ...ending(answered) })
      const asked = { endpoint: "compare", mode: "quick", platforms: ["a:claude_api"] } as const
      yield* charges.charge({ ...order(purse), ...ending(4), ...asked })
      yield* SqlClient.SqlClient.use(
        (sql) => sql`UPDATE charges SET finished_at = '2026-11-02T00:00:00Z' WHERE account_id = ${purse.accountId}`
      )
      const { kinds, series } = yield* usage.of({ wallet: purse, ...november, granularity: "hour" })
      assert.deepStrictEqual(
        kinds.map(({ endpoint, calls }) => [endpoint, calls]),
        [
          ["check", 2],
          ["compare", 1]
        ]
      )
      assert.deepStrictEqual(
        series.map(({ bucket, calls }) => [bucket, calls]),
        [["2026-11-02T00:00:00Z", 3]]
      )
    })
  )

  it.effect("accepts any time, even before the year 1 and after the year 9999", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1000)
      yield* called(purse, "2026-11-02T00:00:00Z")
      const far = { start: at("-000001-01-01T00:00:00Z"), end: at("+010000-01-01T00:00:00Z") }
      assert.deepStrictEqual(yield* counted(purse, far), [[null, 1, credits(150)]])
    })
  )
})
