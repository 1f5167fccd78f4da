/**
 * How processes continue a bucket when the store is unreachable, after any history of draws.
 *
 * Faults planted once, and the laws that saw them:
 * - a bucket continued as full, or a share of the refill only ("add up")
 * - the whole burst for each process ("save up")
 * - every draw counted as another process's, or the process's time used as the database's ("exactly as the store would")
 * - an unseen bucket full for every process ("never seen")
 * - a share of nothing for a process that drew nothing ("no process waits")
 * - the shares of single buckets left out ("whatever others draw")
 * - no bucket forgotten, or the one that was first seen ("forgotten first")
 */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { LocalBuckets, type Taken } from "@sightline/store/LocalBuckets"
import {
  type Capacity,
  capacityOf,
  refill,
  secondsToToken,
  token,
  type TokenBucket
} from "@sightline/store/TokenBucket"

const second = 1_000_000n

/** A store with one bucket and a clock of its own. */
const makeStore = (capacity: Capacity) => {
  let bucket: TokenBucket = { tokens: capacity.burst, at: 0n }
  return {
    take: (wanted: number, at: bigint): Taken => {
      const { tokens } = refill(bucket, capacity, at)
      const granted = Math.min(wanted, Number(tokens / token))
      bucket = { tokens: tokens - BigInt(granted) * token, at: at > bucket.at ? at : bucket.at }
      return { granted, tokens: bucket.tokens }
    }
  }
}

const perSecond = fc.constantFrom(1 / 6, 1 / 3, 1, 10, 100)
const limits = fc.record({ burst: fc.integer({ min: 1, max: 200 }), perSecond })
/** Usual buckets are at least this large. A smaller one often overflows before a process sees what others drew. */
const usual = fc.record({ burst: fc.integer({ min: 10, max: 200 }), perSecond })

it("a process that draws alone continues exactly as the store would", () =>
  fc.assert(
    fc.property(
      limits,
      fc.array(fc.record({ wanted: fc.nat({ max: 5 }), after: fc.integer({ min: 0, max: 5_000_000 }) }), {
        minLength: 2
      }),
      fc.nat({ max: 100 }),
      fc.integer({ min: -1e12, max: 1e12 }),
      (limit, takes, split, offset) => {
        const capacity = capacityOf(limit)
        const [store, local] = [makeStore(capacity), new LocalBuckets()]
        let at = 0n
        takes.forEach(({ after, wanted }, turn) => {
          at += BigInt(after)
          const left = store.take(wanted, at)
          const here = at + BigInt(offset)
          if (turn <= split % takes.length) local.note("a", { ...left, capacity, at }, here)
          else assert.deepStrictEqual(local.take("a", capacity, wanted, here), left)
        })
      }
    )
  ))

/**
 * Processes that draw from a bucket ten times as fast as it refills, in the proportions of `weights`, until `tokens` are refilled; then,
 * after a pause of so many seconds, once each.
 */
const drawing = (capacity: Capacity, weights: ReadonlyArray<number>, tokens: number, pause: number) => {
  const store = makeStore(capacity)
  const processes = weights.map((weight) => ({ weight, local: new LocalBuckets(), owed: 0 }))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const perToken = token / capacity.refill
  let at = 0n
  for (let turn = 0; turn < tokens * 10; turn++) {
    at += perToken / 10n
    for (const process of processes) {
      process.owed += process.weight / whole
      if (process.owed < 1) continue
      process.owed -= 1
      process.local.note("a", { ...store.take(1, at), capacity, at }, at)
    }
  }
  at += BigInt(pause) * second
  for (const { local } of processes) local.note("a", { ...store.take(1, at), capacity, at }, at)
  const left = store.take(0, at).tokens
  /** What all of them admit together while `more` tokens refill, starting after `after`, with unlimited demand. */
  const alone = (id: string, more: number, after = 0): number => {
    let admitted = 0
    for (let turn = after * 20; turn <= (after + more) * 20; turn++)
      for (const { local } of processes)
        admitted += local.take(id, capacity, 1000, at + (perToken * BigInt(turn)) / 20n).granted
    return admitted
  }
  return { alone, left: Number(left / token) }
}

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })

it("the shares of processes in an emptied bucket add up to it: at most 1.25 times what it would give, and most of it", () =>
  fc.assert(
    fc.property(usual, weights, fc.nat({ max: 60 }), (limit, those, pause) => {
      const { alone, left } = drawing(capacityOf(limit), those, limit.burst + 100, pause)
      const admitted = alone("a", 200)
      assert.isAtMost(admitted, 1.25 * (left + 200))
      // Each process may still have most of a token.
      assert.isAtLeast(admitted, 0.9 * 200 - those.length)
    }),
    { numRuns: 40 }
  ))

it("processes that drew from a bucket save up its burst between them, however long the pause", () =>
  fc.assert(
    fc.property(usual, weights, (limit, those) => {
      const { alone } = drawing(capacityOf(limit), those, limit.burst + 100, 0)
      alone("a", 1)
      const saved = alone("a", 0, 10_000)
      assert.isAtMost(saved, 1.25 * limit.burst + those.length)
      assert.isAtLeast(saved, 0.9 * limit.burst - those.length)
    }),
    { numRuns: 40 }
  ))

it("a bucket that was never seen is shared like all others", () =>
  fc.assert(
    fc.property(usual, weights, (limit, those) => {
      const { alone } = drawing(capacityOf(limit), those, limit.burst + 100, 0)
      assert.isAtMost(alone("b", 100), 1.25 * (limit.burst + 100) + those.length)
    }),
    { numRuns: 40 }
  ))

it("no process waits more than 32 times as long as for the whole bucket, even if it never got anything from it", () =>
  fc.assert(
    fc.property(limits, fc.nat({ max: 500 }), (limit, others) => {
      const capacity = capacityOf(limit)
      const [store, local] = [makeStore(capacity), new LocalBuckets()]
      const end = BigInt(others) * second
      for (let at = 0n; at <= end; at += second) {
        store.take(1000, at)
        local.note("a", { ...store.take(0, at), capacity, at }, at)
      }
      local.take("a", capacity, 1, end)
      const wait = BigInt(32 * (secondsToToken(0n, capacity) + 1)) * second
      assert.strictEqual(local.take("a", capacity, 1, end + wait).granted, 1)
    })
  ))

it("a process that draws alone from a bucket keeps nearly the whole of it, whatever others draw from another", () => {
  const capacity = capacityOf({ burst: 200, perSecond: 1 })
  const [mine, theirs, local] = [makeStore(capacity), makeStore(capacity), new LocalBuckets()]
  for (let draw = 0; draw < 100; draw++) {
    local.note("mine", { ...mine.take(1, 0n), capacity, at: 0n }, 0n)
    theirs.take(1, 0n)
    local.note("theirs", { ...theirs.take(0, 0n), capacity, at: 0n }, 0n)
  }
  assert.strictEqual(local.take("mine", capacity, 200, 0n).granted, 99)
  assert.strictEqual(local.take("theirs", capacity, 200, 0n).granted, 3)
})

it("100 000 buckets are kept, and the least recently used one is forgotten first", () => {
  const capacity = capacityOf({ burst: 1, perSecond: 1 })
  const local = new LocalBuckets()
  const take = (id: string) => local.take(id, capacity, 1, 0n).granted
  assert.deepStrictEqual(["first", "second", "first"].map(take), [1, 1, 0])
  for (let other = 0; other < 99_999; other++) take(`other ${other}`)
  assert.deepStrictEqual(["first", "second"].map(take), [0, 1])
})
