/**
 * Any mix of calls on real Postgres, counted over windows between any of their times, and compared with the ledger.
 *
 * Planted faults, each seen red:
 * - a sum that keeps only its last row; a breakdown that omits a row
 * - a bucket without a start
 * - calls counted at their start
 * - released holds counted, free calls not
 * - calls of the other environment or of other accounts
 * - the price instead of the amount
 * - a filter by endpoint or mode ignored
 * - asks left out
 *
 * The edges of a window are tested in `store/Usage.test.ts`: here no call ends on a whole millisecond.
 */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { describe, it } from "vitest"
import { Credits, credits, zero } from "@sightline/domain/Credits"
import { AskMode, CompareMode, Mode } from "@sightline/domain/Mode"
import { priceOf } from "@sightline/domain/PriceList"
import { chargeOf } from "@sightline/domain/Proration"
import { summarize, type UsageOfKind } from "@sightline/domain/Usage"
import type { Wallet } from "@sightline/domain/Wallet"
import { Auditor } from "@sightline/engine/Auditor"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Charges } from "@sightline/store/Charges"
import { Usage } from "@sightline/store/Usage"
import { Wallets } from "@sightline/store/Wallets"
import { layerMoney, wallet } from "../store/purse.ts"
import { anyCall } from "./orders.ts"

const sum = (amounts: Iterable<number>): number => {
  let total = 0
  for (const amount of amounts) total += amount
  return total
}

const start = "2026-11-01T00:00:00.000Z"

/** A total with each of its breakdowns. */
const breakdowns = ({ byEndpoint, byMode, series }: ReturnType<typeof summarize>) => [
  sum(Object.values(byEndpoint)),
  sum(Object.values(byMode)),
  sum(series.map(({ cost }) => cost))
]

describe("summarize", () => {
  const sums = { calls: fc.nat(1000), cost: fc.nat(2 ** 40).map((amount) => Credits.make(amount)) }
  const anyKind: fc.Arbitrary<UsageOfKind> = fc.record({
    endpoint: fc.constantFrom("check", "compare", "discover", "ask"),
    mode: fc.constantFrom(...Mode.literals, ...CompareMode.literals, ...AskMode.literals),
    ...sums
  })

  it("total = Σ by endpoint = Σ by mode, whatever the kinds of calls", () =>
    fc.assert(
      fc.property(fc.array(anyKind, { maxLength: 40 }), (kinds) => {
        const { byEndpoint, byMode, total } = summarize({ kinds, series: [] }, start)
        assert.deepStrictEqual(total, {
          calls: sum(kinds.map(({ calls }) => calls)),
          cost: Credits.make(sum(kinds.map(({ cost }) => cost)))
        })
        for (const costs of [byEndpoint, byMode]) assert.strictEqual(sum(Object.values(costs)), total.cost)
      })
    ))

  it("has the series as it was counted; without buckets it begins at the start", () => {
    const counted = { calls: 2, cost: credits(150) }
    const day = { bucket: "2026-11-02T00:00:00Z", ...counted }
    assert.deepStrictEqual(summarize({ kinds: [], series: [day] }, start).series, [day])
    const whole = summarize({ kinds: [], series: [{ bucket: null, ...counted }] }, start)
    assert.deepStrictEqual(whole.series, [{ bucket: start, ...counted }])
  })

  it("lists the cost of each endpoint and of each mode under its own name", () => {
    const kind = (endpoint: string, mode: string, cost: number): UsageOfKind => ({
      endpoint,
      mode,
      calls: 1,
      cost: credits(cost)
    })
    const { byEndpoint, byMode } = summarize(
      { kinds: [kind("check", "quick", 150), kind("compare", "quick", 75), kind("check", "ai_mode", 35)], series: [] },
      start
    )
    assert.deepStrictEqual(byEndpoint, { check: credits(185), compare: credits(75) })
    assert.deepStrictEqual(byMode, { quick: credits(225), ai_mode: credits(35) })
  })
})

const anyStep = fc.record({
  call: anyCall,
  way: fc.constantFrom("settle", "settle", "cache", "void", "open", "another account", "another environment")
})
type Step = typeof anyStep extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** Makes a call and ends it as planned. */
const perform = Effect.fnUntraced(function* (own: Wallet, { call, way }: Step) {
  const charges = yield* Charges
  const purse =
    way === "another account"
      ? yield* wallet(200)
      : way === "another environment"
        ? { ...own, environment: "test" as const }
        : own
  const { answered: _, recalled: __, ...accountable } = call
  const amount = chargeOf({ ...accountable, cached: way === "cache" })
  const cached = way === "cache" && amount > 0
  const order = { ...accountable, id: randomUUID(), wallet: purse, price: priceOf(call) }
  const ending = { amount, outcomes: call.outcomes, cached }
  if (cached) {
    yield* charges.charge({ ...order, ...ending })
    return
  }
  yield* charges.hold(order)
  if (way === "void") yield* charges.void(order.id)
  else if (way !== "open") yield* charges.settle({ id: order.id, ...ending })
})

const Booked = Schema.Struct({ moments: Schema.Array(Schema.Finite), calls: Schema.Finite, cost: Schema.Finite })

const layerUsage = Layer.merge(Usage.layer, Layer.provide(Auditor.layer, AuditRecords.layer)).pipe(
  Layer.provideMerge(layerMoney)
)

layer(layerUsage, { excludeTestServices: true })("usage", (test) => {
  /** The ledger of a wallet between two times: answered calls, and what they cost. */
  const booked = Effect.fnUntraced(function* ({ accountId, environment }: Wallet, from: number, to: number) {
    const sql = yield* SqlClient.SqlClient
    const within = (column: string) => sql`
      account_id = ${accountId} AND environment = ${environment}
      AND extract(epoch FROM ${sql(column)}) * 1000 >= ${from} AND extract(epoch FROM ${sql(column)}) * 1000 < ${to}`
    const [row] = yield* sql`
      SELECT (SELECT coalesce(sum(amount), 0)::float8 FROM ledger_entries
          WHERE kind IN ('capture', 'charge') AND ${within("created_at")}) AS cost,
        (SELECT count(*)::float8 FROM charges
          WHERE state <> 'held' AND outcomes IS NOT NULL AND ${within("finished_at")}) AS calls,
        (SELECT array_agg(DISTINCT floor(extract(epoch FROM created_at) * 1000)::float8) FROM ledger_entries
          WHERE account_id = ${accountId}) AS moments`
    return yield* Schema.decodeUnknownEffect(Booked)(row)
  })

  const reported = Effect.fnUntraced(function* (own: Wallet, from: number, to: number) {
    const usage = yield* Usage
    const window = { wallet: own, start: DateTime.makeUnsafe(from), end: DateTime.makeUnsafe(to) }
    const { calls, cost } = yield* booked(own, from, to)
    for (const granularity of ["total", "day", "hour"] as const) {
      const report = summarize(yield* usage.of({ ...window, granularity }), start)
      assert.deepStrictEqual(report.total, { calls, cost: Credits.make(cost) })
      assert.strictEqual(sum(report.series.map((bucket) => bucket.calls)), calls)
      for (const broken of breakdowns(report)) assert.strictEqual(broken, cost)
      const narrowed = (narrow: object) =>
        Effect.map(usage.of({ ...window, granularity, ...narrow }), (counted) => summarize(counted, start).total.cost)
      for (const [endpoint, own] of Object.entries(report.byEndpoint))
        assert.strictEqual(yield* narrowed({ endpoint }), own)
      for (const [mode, own] of Object.entries(report.byMode)) assert.strictEqual(yield* narrowed({ mode }), own)
      assert.strictEqual(yield* narrowed({ endpoint: "nothing" }), zero)
    }
  })

  test.effect(
    "usage = ledger, and total = Σ series = Σ of each breakdown, over any window and any mix of calls; the audit agrees",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Charges | Usage | Wallets | SqlClient.SqlClient>()
        const run = Effect.runPromiseWith(context)
        const law = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, [one, other]: readonly [number, number]) {
          const own = yield* wallet(10_000)
          yield* (yield* Wallets).topUp({ wallet: { ...own, environment: "test" }, amount: credits(10_000) })
          yield* Effect.forEach(steps, (step) => perform(own, step))
          const { moments } = yield* booked(own, 0, 0)
          const at = (share: number) => moments.toSorted((a, b) => a - b)[Math.floor(share * moments.length)] ?? 0
          const [from, to] = [Math.min(at(one), at(other)), Math.max(at(one), at(other))]
          yield* reported(own, from, to)
          yield* reported(own, 0, to + 60_000)
        })
        const share = fc.double({ min: 0, max: 0.999, noNaN: true })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(anyStep, { minLength: 1, maxLength: 15 }),
              fc.tuple(share, share),
              (steps, shares) => run(law(steps, shares))
            ),
            { numRuns: 40 }
          )
        )
        assert.deepStrictEqual((yield* (yield* Auditor).audit).differences, [])
      }),
    120_000
  )
})
