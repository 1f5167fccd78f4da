/**
 * Faults planted once, and the laws that saw them: the database's cap on the counted time left out ("refilled" overflowed); `refill`
 * without its check for an earlier time ("refilled"), or that goes back to it ("its time too"); `secondsToToken` rounded down, or a
 * second too long ("is the least"); the refill rounded up, or from a hundredth below ("never gives more"), or down from its float
 * representation ("exactly those").
 */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { capacityOf, refill, secondsToToken, token } from "@sightline/store/TokenBucket"
import { layerDatabase } from "./database.ts"

const limits = fc.record({
  burst: fc.oneof(fc.constantFrom(1, 1_000_000), fc.integer({ min: 1, max: 1_000_000 })),
  perSecond: fc.oneof(
    fc.constantFrom(0.0001, 1 / 6, 1 / 3, 1, 10, 1_000_000),
    fc.double({ min: 0.0001, max: 1_000_000, noNaN: true })
  )
})
const fraction = fc.integer({ min: 0, max: 1_000_000 })
const moments = fc.oneof(fc.integer({ min: -10, max: 10 }), fc.integer({ min: -1e9, max: 4e15 }))

layer(layerDatabase, { excludeTestServices: true })("TokenBucket", (it) => {
  it.effect("refilled in the database = refill in the process, for every bucket and every span", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cases = fc.sample(fc.tuple(limits, fraction, moments), 3000).map(([limit, part, at]) => {
        const capacity = capacityOf(limit)
        const tokens = (capacity.burst * BigInt(part)) / 1_000_000n
        const span = BigInt(at)
        return { capacity, tokens, span, local: refill({ tokens, at: 0n }, capacity, span).tokens }
      })
      const rows = yield* sql<{ stored: bigint }>`
        SELECT refilled(tokens, 'epoch', burst, refill,
          to_timestamp(0) + (span / 1000000) * interval '1 second' + (span % 1000000) * interval '1 microsecond') AS stored
        FROM unnest(
          ${cases.map(({ tokens }) => tokens)}::bigint[],
          ${cases.map(({ capacity }) => capacity.burst)}::bigint[],
          ${cases.map(({ capacity }) => capacity.refill)}::bigint[],
          ${cases.map(({ span }) => span)}::bigint[]
        ) WITH ORDINALITY AS asked (tokens, burst, refill, span, place)
        ORDER BY place`
      assert.deepStrictEqual(
        rows.map(({ stored }) => stored),
        cases.map(({ local }) => local)
      )
    })
  )
})

it("refill(refill(bucket, a), b) = refill(bucket, b): an intermediate look changes nothing", () =>
  fc.assert(
    fc.property(limits, fraction, fc.array(fc.integer({ min: 0, max: 1_000_000_000 })), (limit, part, looks) => {
      const capacity = capacityOf(limit)
      const start = { tokens: (capacity.burst * BigInt(part)) / 1_000_000n, at: 0n }
      const times = looks.toSorted((a, b) => a - b).map(BigInt)
      const seen = times.reduce((bucket, at) => refill(bucket, capacity, at), start)
      assert.deepStrictEqual(seen, refill(start, capacity, times.at(-1) ?? 0n))
    })
  ))

it("refill(bucket, at) = bucket, with its time too, if at is not later", () =>
  fc.assert(
    fc.property(limits, fraction, fc.nat(), (limit, part, earlier) => {
      const capacity = capacityOf(limit)
      const bucket = { tokens: (capacity.burst * BigInt(part)) / 1_000_000n, at: 0n }
      assert.deepStrictEqual(refill(bucket, capacity, BigInt(-earlier)), bucket)
    })
  ))

it("secondsToToken is the least whole number of seconds after which a token is available", () =>
  fc.assert(
    fc.property(limits, fraction, (limit, part) => {
      const capacity = capacityOf(limit)
      const tokens = (token * BigInt(part)) / 1_000_000n
      const seconds = secondsToToken(tokens, capacity)
      const after = (span: number) => refill({ tokens, at: 0n }, capacity, BigInt(span) * 1_000_000n).tokens >= token
      assert.isTrue(after(seconds))
      assert.isTrue(seconds === 0 || !after(seconds - 1))
    }),
    { examples: [[{ burst: 1, perSecond: 1 }, 0]] }
  ))

it("a limit of n millionths of a token per second refills exactly those", () =>
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1e9 }), (millionths) => {
      assert.strictEqual(capacityOf({ burst: 1, perSecond: millionths / 1e6 }).refill, BigInt(millionths))
    }),
    { examples: [[15_700]] }
  ))

it("a limit converted to whole numbers never gives more than the limit", () =>
  fc.assert(
    fc.property(limits, (limit) => {
      const { burst, refill } = capacityOf(limit)
      assert.strictEqual(burst, BigInt(limit.burst) * token)
      assert.isAtMost(Number(refill), limit.perSecond * 1e6 * (1 + 1e-8))
      assert.isAtLeast(Number(refill), limit.perSecond * 1e6 - 1)
    }),
    { examples: [[{ burst: 1, perSecond: 0.000199995 }]] }
  ))
