/**
 * Faults planted once, and the tests that saw them:
 * - twice the refill ("at most burst")
 * - tokens refilled by whole seconds ("at least 99 %")
 * - `remaining` of a flush assigned in reverse, or the last takes admitted instead of the first ("in their order")
 * - a peek that needs a token ("takes nothing")
 * - local buckets that start full, or none at all ("continues from")
 * - the driver's shutdown waited for ("does not answer")
 * - no return from the local buckets ("returns to the store")
 * - `Retry-After` rounded down ("waits Retry-After")
 * - buckets pruned that are not full, or full under the previous limit, or used within the hour ("prunes")
 * - the oldest of several limits in a statement ("follows")
 * - the whole of each bucket for each process ("together")
 * - a look with the deadline of a take ("within a second")
 * - the time of a take set back to that of its statement ("goes back")
 * - rows locked in the order of the takes ("in the order of their names")
 * - takes during a lease's own take sent to the store, or those beyond it lost ("one by one")
 * - a lease of a small bucket ("of one below")
 * - a lease for a single take, or used by a peek, or not counted by it ("one by one")
 * - a lease that never expires, or outlives its limit or the lease size of the new limit ("a second")
 * - a lease that is used after its end ("counts its rest once")
 * - a hundredth of the leases kept ("keeps 10,000")
 * - the rest of a lease thrown away ("loses no leased token")
 * - time that stands still until a clock that was set back has caught up ("set back")
 * - a lease added to a full bucket ("more than its limit")
 */
import { assert, it, layer } from "@effect/vitest"
import { Clock, Context, Deferred, Duration, Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import type { RateLimit } from "@sightline/domain/ApiKey"
import * as Postgres from "@sightline/store/Postgres"
import { type Allowance, RateLimits } from "@sightline/store/RateLimits"
import { capacityOf } from "@sightline/store/TokenBucket"
import { TokenLeases } from "@sightline/store/TokenLeases"
import { layerDatabase, makeDatabase } from "./database.ts"
import { keepOpen, untilLocked } from "./locks.ts"
import { makeProxy } from "./proxy.ts"

/** An unused bucket that refills too slowly for a test to notice. */
const fresh = (name = "check:quick") => ({ keyId: randomUUID(), name })
const slow = (burst: number): RateLimit => ({ burst, perSecond: 0.0001 })

/** Asserts what an empty slow bucket reports that was full at `since` by this process's clock. */
const assertEmpty = ({ retryAfterSeconds, ...allowance }: Allowance, limit: number, since: number) => {
  assert.deepStrictEqual(allowance, { allowed: false, limit, remaining: 0 })
  assert.isAtMost(retryAfterSeconds, 10_000)
  assert.isAtLeast(retryAfterSeconds, 10_000 - (performance.now() - since) / 1000)
}

/** A process: a pool, and the batch and memory of its rate limits. */
const makePooled = (address: Postgres.Address) =>
  Layer.build(Layer.fresh(RateLimits.layer.pipe(Layer.provideMerge(Postgres.layer(address)))))

/** The rate limits of one process. */
const makeProcess = (address: Postgres.Address) =>
  Effect.map(makePooled(address), (context) => Context.get(context, RateLimits))

const databaseNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ now: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 AS now`
  return row?.now ?? 0
})

/** The whole tokens of a bucket in the store. */
const tokensOf = Effect.fnUntraced(function* ({ keyId, name }: { readonly keyId: string; readonly name: string }) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ tokens: number }>`
    SELECT floor(tokens / 1e12)::float8 AS tokens FROM rate_limits WHERE bucket = ${`${keyId}:${name}`}`
  return row?.tokens
})

/** Makes every bucket of the database one that was emptied this long ago. */
const emptied = (ago: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE rate_limits SET tokens = 0, updated_at = clock_timestamp() - ${ago}::interval`
  )

layer(RateLimits.layer.pipe(Layer.provideMerge(layerDatabase)))("RateLimits", (it) => {
  it.effect("prunes buckets that are full and were not used for an hour, and only those", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const sql = yield* SqlClient.SqlClient
      const [full, filling, slowed] = [fresh("full"), fresh("filling"), fresh("slowed")]
      const [used, recent] = [fresh("used"), fresh("recent")]
      yield* limits.take(full, { burst: 5, perSecond: 1 })
      for (const perSecond of [1, 0.0001]) yield* limits.take(slowed, { burst: 5, perSecond })
      yield* limits.take(filling, { burst: 5, perSecond: 0.0001 })
      yield* limits.take(used, { burst: 5, perSecond: 1 })
      yield* emptied("2 hours")
      yield* sql`UPDATE rate_limits SET updated_at = updated_at + interval '61 minutes' WHERE bucket LIKE '%:used'`
      yield* limits.take(recent, { burst: 5, perSecond: 1000 })
      assert.strictEqual(yield* limits.prune, 1)
      const left = yield* sql<{ bucket: string }>`SELECT bucket FROM rate_limits ORDER BY bucket`
      const named = [filling, slowed, used, recent].map(({ keyId, name }) => `${keyId}:${name}`)
      assert.deepStrictEqual(left.map(({ bucket }) => bucket).sort(), named.sort())
    })
  )

  it.effect("admits concurrent requests of one process in their order", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const bucket = fresh()
      const since = performance.now()
      const all = yield* Effect.replicateEffect(limits.take(bucket, slow(10)), 450, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        all.map(({ allowed }) => allowed),
        all.map((_, at) => at < 10)
      )
      assert.deepStrictEqual(
        all.map(({ remaining }) => remaining),
        all.map((_, at) => Math.max(0, 9 - at))
      )
      assert.deepStrictEqual(new Set(all.map(({ limit }) => limit)), new Set([10]))
      assert.deepStrictEqual(new Set(all.slice(0, 10).map(({ retryAfterSeconds }) => retryAfterSeconds)), new Set([0]))
      for (const allowance of all.slice(10)) assertEmpty(allowance, 10, since)
    })
  )

  it.effect("counts keys and names in separate buckets", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const keyId = randomUUID()
      const buckets = [{ keyId, name: "ask" }, { keyId, name: "compare" }, fresh("ask")]
      for (const bucket of buckets) assert.isTrue((yield* limits.take(bucket, slow(1))).allowed)
      for (const bucket of buckets) assert.isFalse((yield* limits.take(bucket, slow(1))).allowed)
    })
  )

  it.effect("takes nothing when it only peeks", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const bucket = fresh()
      const full = { allowed: false, limit: 2, remaining: 2, retryAfterSeconds: 0 }
      assert.deepStrictEqual(yield* limits.peek(bucket, slow(2)), full)
      assert.deepStrictEqual(yield* limits.peek(bucket, slow(2)), full)
      const since = performance.now()
      assert.isTrue((yield* limits.take(bucket, slow(2))).allowed)
      assert.strictEqual((yield* limits.peek(bucket, slow(2))).remaining, 1)
      assert.isTrue((yield* limits.take(bucket, slow(2))).allowed)
      assertEmpty(yield* limits.peek(bucket, slow(2)), 2, since)
    })
  )

  it.effect("follows a key whose limit changes, up and down", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const bucket = fresh()
      assert.strictEqual((yield* limits.take(bucket, slow(10))).remaining, 9)
      assert.deepStrictEqual(yield* limits.take(bucket, slow(3)), {
        allowed: true,
        limit: 3,
        remaining: 2,
        retryAfterSeconds: 0
      })
      assert.strictEqual((yield* limits.take(bucket, slow(10))).remaining, 1)
      const changed = fresh()
      // They share one statement, in which the newest limit counts.
      const takes = [10, 10, 3].map((burst) => limits.take(changed, slow(burst)))
      yield* Effect.all(takes, { concurrency: "unbounded" })
      assert.strictEqual((yield* limits.peek(changed, slow(3))).remaining, 0)
    })
  )

  it.effect("admits a caller that waits Retry-After, and not one that waits a second less", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      for (const [perSecond, seconds] of [
        [0.0001, 10_000],
        [0.25, 4],
        [0.5, 2],
        [1 / 3, 4],
        [0.7, 2],
        [1, 1],
        [1000, 1]
      ] as const) {
        const limit = { burst: 7, perSecond }
        const bucket = fresh()
        yield* limits.take(bucket, limit)
        // Empty, with a time ahead of now, so that it does not refill.
        yield* emptied("-1 hour")
        assert.strictEqual((yield* limits.take(bucket, limit)).retryAfterSeconds, seconds, `at ${perSecond}`)
        if (perSecond <= 0.5 && perSecond !== 1 / 3) {
          // Repeated, because a slow machine can take the missing second to ask.
          const early = Effect.andThen(emptied(`${seconds - 1} seconds`), limits.take(bucket, limit))
          const { allowed } = yield* Effect.repeat(early, { until: (asked) => !asked.allowed, times: 20 })
          assert.isFalse(allowed, `at ${perSecond}`)
        }
        yield* emptied(`${seconds} seconds`)
        assert.isTrue((yield* limits.take(bucket, limit)).allowed, `at ${perSecond}`)
      }
    })
  )

  it.effect.each([
    ["never goes back in time, so that nothing is refilled twice", "-55 seconds", true],
    ["goes on from now after the database's clock was set back by more than a minute", "-1 hour", false]
  ] as const)("%s", ([, ago, ahead]) =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const sql = yield* SqlClient.SqlClient
      const bucket = fresh()
      yield* limits.take(bucket, slow(2))
      yield* emptied(ago)
      assert.isFalse((yield* limits.take(bucket, slow(2))).allowed)
      const [row] = yield* sql`
        SELECT updated_at > clock_timestamp() AS ahead FROM rate_limits WHERE bucket = ${`${bucket.keyId}:${bucket.name}`}`
      assert.deepStrictEqual(row, { ahead })
    })
  )

  it.effect("locks the buckets of concurrent takes in the order of their names, so that they cannot deadlock", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const sql = yield* SqlClient.SqlClient
      const keyId = randomUUID()
      const both = ["b", "a"].map((name) => limits.take({ keyId, name }, slow(3)))
      yield* Effect.all(both)
      const release = yield* keepOpen(sql`UPDATE rate_limits SET tokens = tokens WHERE bucket = ${`${keyId}:a`}`)
      const taking = yield* Effect.forkChild(Effect.all(both, { concurrency: "unbounded" }))
      yield* untilLocked
      const free = yield* sql`SELECT bucket FROM rate_limits WHERE bucket = ${`${keyId}:b`} FOR UPDATE SKIP LOCKED`
      yield* release
      assert.strictEqual(free.length, 1)
      assert.deepStrictEqual(
        (yield* Fiber.join(taking)).map(({ remaining }) => remaining),
        [1, 1]
      )
    })
  )

  it.effect("answers a busy key from a lease, and counts remaining down one by one", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const bucket = fresh()
      const limit = slow(1_000_000)
      const take = Effect.map(limits.take(bucket, limit), ({ allowed, remaining }) => (allowed ? remaining : -1))
      const together = (asks: number) => Effect.replicateEffect(take, asks, { concurrency: "unbounded" })
      const met = yield* together(16)
      assert.strictEqual((yield* limits.peek(bucket, limit)).remaining, 1_000_000 - 16)
      const leased = yield* Effect.replicateEffect(take, 240)
      assert.deepStrictEqual(
        [...met, ...leased],
        Array.from({ length: 256 }, (_, before) => 999_999 - before)
      )
      // Fifteen more for each of the 16 concurrent takes.
      assert.strictEqual(yield* tokensOf(bucket), 1_000_000 - 256)
      assert.strictEqual(yield* take, 999_743)
      assert.strictEqual(yield* tokensOf(bucket), 1_000_000 - 257)
      const sql = yield* SqlClient.SqlClient
      const release = yield* keepOpen(
        sql`UPDATE rate_limits SET tokens = tokens WHERE bucket = ${`${bucket.keyId}:${bucket.name}`}`
      )
      const taking = yield* Effect.forkChild(together(4), { startImmediately: true })
      yield* untilLocked
      // Ten more than the lease holds.
      const waiting = yield* Effect.forkChild(together(70), { startImmediately: true })
      yield* release
      assert.deepStrictEqual(
        [...(yield* Fiber.join(taking)), ...(yield* Fiber.join(waiting))],
        Array.from({ length: 74 }, (_, before) => 999_742 - before)
      )
      assert.strictEqual(yield* tokensOf(bucket), 1_000_000 - 257 - 4 * 16 - 10 * 16)
    })
  )

  it.effect("leases at most a thousandth of a bucket, and nothing of one below 1,024", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      for (const [burst, leased] of [
        [1023, 0],
        [1024, 1],
        [5000, 4]
      ] as const) {
        const bucket = fresh()
        yield* Effect.replicateEffect(limits.take(bucket, slow(burst)), 20, { concurrency: "unbounded" })
        assert.strictEqual(yield* tokensOf(bucket), burst - 20 - leased, `of ${burst}`)
      }
    })
  )

  it.effect("never reports more than its limit, even if the bucket filled up beside a lease", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const bucket = fresh()
      const limit = slow(1_000_000)
      yield* Effect.replicateEffect(limits.take(bucket, limit), 16, { concurrency: "unbounded" })
      yield* emptied("400 years")
      assert.strictEqual((yield* limits.peek(bucket, limit)).remaining, limit.burst)
    })
  )

  it.effect("never holds more than its burst, however long it was unused", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      for (const limit of [
        { burst: 1_000_000, perSecond: 1_000_000 },
        { burst: 1_000_000, perSecond: 0.0001 },
        { burst: 1, perSecond: 1_000_000 }
      ]) {
        const bucket = fresh()
        yield* limits.take(bucket, limit)
        yield* emptied("400 years")
        assert.strictEqual((yield* limits.peek(bucket, limit)).remaining, limit.burst)
      }
    })
  )
})

/** A clock without deadlines: the store is waited for, however slow the machine. */
const patientClock = Effect.map(Clock.Clock, (clock): Clock.Clock => ({
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  sleep: () => Effect.never
}))

it.live(
  "admits at most burst + perSecond × span in four processes under many times its load, and at least 99 % of it",
  () =>
    Effect.gen(function* () {
      const address = yield* makeDatabase
      const run = Effect.gen(function* () {
        // Even if all processes stall, no bucket is full again within 4 s.
        const limit = { burst: 400, perSecond: 100 }
        const buckets = Array.from({ length: 3 }, () => fresh())
        const one = yield* makeProcess(address)
        const processes = [one, ...(yield* Effect.all(Array.from({ length: 3 }, () => makeProcess(address))))]
        const admitted = buckets.map(() => 0)
        const take = Effect.fnUntraced(function* (limits: typeof RateLimits.Service, nth: number) {
          const { allowed } = yield* limits.take(buckets[nth] ?? fresh(), limit)
          if (allowed) admitted[nth] = (admitted[nth] ?? 0) + 1
          return allowed
        })
        const before = yield* databaseNow
        for (const nth of buckets.keys()) yield* take(one, nth)
        const begun = yield* databaseNow
        const end = (yield* Clock.currentTimeMillis) + 1500
        const client = Effect.fnUntraced(function* (limits: typeof RateLimits.Service, at: number) {
          while ((yield* Clock.currentTimeMillis) < end) yield* take(limits, at % 3)
        })
        yield* Effect.forEach(
          processes.flatMap((limits) => Array.from({ length: 12 }, (_, at) => client(limits, at))),
          (client) => client,
          { concurrency: "unbounded", discard: true }
        )
        const now = yield* databaseNow
        const most = limit.burst + limit.perSecond * (now - before)
        const least = 0.99 * (limit.burst + limit.perSecond * (now - begun))
        for (const nth of buckets.keys()) {
          assert.isAtMost(admitted[nth] ?? 0, most)
          // Tokens that were refilled after the last request.
          while ((admitted[nth] ?? 0) < least) assert.isTrue(yield* take(one, nth), `${admitted[nth]} of ${least}`)
        }
      })
      yield* run.pipe(
        Effect.provideService(Clock.Clock, yield* patientClock),
        Effect.provide(Postgres.layerMigrations.pipe(Layer.provideMerge(Postgres.layer(address))), { local: true })
      )
    }).pipe(Effect.scoped)
)

/** A process behind a proxy, and what it logged about its store. */
const makeFragile = Effect.gen(function* () {
  const { socket, database } = yield* makeDatabase
  yield* Layer.build(Layer.fresh(Postgres.layerMigrations.pipe(Layer.provide(Postgres.layer({ socket, database })))))
  const proxy = yield* makeProxy(socket)
  const logged: Array<string> = []
  const back = yield* Deferred.make<void>()
  const logger = Logger.make(({ message }) => {
    const text = String(message)
    logged.push(text.includes("store is unreachable") ? "away" : text.includes("store again") ? "back" : text)
    if (logged.at(-1) === "back") Deferred.doneUnsafe(back, Effect.void)
  })
  const process = yield* makePooled({ socket: proxy.socket, database }).pipe(Effect.provide(Logger.layer([logger])))
  const [limits, sql] = [Context.get(process, RateLimits), Context.get(process, SqlClient.SqlClient)]
  return { proxy, limits, sql, logged, back: Deferred.await(back) }
})

/** The store is looked for every 0.5 s; the rest allows for a slow machine. */
const lookMaxMillis = 10_000

it.live(
  "continues from the last known state while the store is unreachable, and returns to the store once it is back",
  () =>
    Effect.gen(function* () {
      const { proxy, limits, logged, back } = yield* makeFragile
      const bucket = fresh()
      const take = limits.take(bucket, slow(10))
      const since = performance.now()
      yield* Effect.replicateEffect(take, 4)
      yield* proxy.cut
      const alone = yield* Effect.replicateEffect(take, 300, { concurrency: "unbounded" })
      assert.strictEqual(alone.filter(({ allowed }) => allowed).length, 6)
      assertEmpty(yield* limits.peek(bucket, slow(10)), 10, since)
      assert.strictEqual((yield* limits.take(fresh(), slow(3))).remaining, 2)
      yield* proxy.mend
      const [lasted] = yield* Effect.timed(back)
      assert.isAtMost(Duration.toMillis(lasted), lookMaxMillis)
      // The store knows of the first four takes only.
      assert.strictEqual((yield* take).remaining, 5)
      assert.deepStrictEqual(logged, ["away", "back"])
    }).pipe(Effect.scoped)
)

it.live("gives up a store that does not answer, and asks no more until it does again", () =>
  Effect.gen(function* () {
    const { proxy, limits, back } = yield* makeFragile
    const take = limits.take(fresh(), slow(2))
    yield* take
    yield* proxy.clog
    // Its deadline is 2 s; the driver's own deadline, or ten more of 2 s, would exceed what a slow machine adds.
    const [lasted, allowance] = yield* Effect.timed(take)
    assert.isTrue(allowance.allowed)
    assert.isAtMost(Duration.toMillis(lasted), 10_000)
    const [next, refused] = yield* Effect.timed(Effect.replicateEffect(take, 10))
    assert.isTrue(refused.every(({ allowed }) => !allowed))
    assert.isAtMost(Duration.toMillis(next), 10_000)
    yield* proxy.mend
    const [away] = yield* Effect.timed(back)
    assert.isAtMost(Duration.toMillis(away), lookMaxMillis)
  }).pipe(Effect.scoped)
)

it.effect("uses a lease for a second at most, and only under the limit it was taken with", () =>
  Effect.gen(function* () {
    const { limits, sql } = yield* makeFragile
    for (const [later, limit, allowed, remaining] of [
      ["999 millis", slow(5000), true, 5000 - 21],
      ["1 second", slow(5000), true, 3],
      ["0 millis", { burst: 5000, perSecond: 0.0002 }, true, 3],
      ["0 millis", slow(4000), true, 2],
      ["0 millis", slow(1000), false, 0]
    ] as const) {
      const bucket = fresh()
      yield* Effect.replicateEffect(limits.take(bucket, slow(5000)), 20, { concurrency: "unbounded" })
      // Other processes have taken the rest meanwhile.
      yield* Effect.provideService(emptied("-1 hour"), SqlClient.SqlClient, sql)
      yield* TestClock.adjust(later)
      const taken = yield* limits.take(bucket, limit)
      assert.deepStrictEqual([taken.allowed, taken.remaining], [allowed, remaining], `${later}, of ${limit.burst}`)
    }
  }).pipe(Effect.scoped)
)

it.effect("answers nothing from a lease that was ended, and counts its rest once", () =>
  Effect.gen(function* () {
    const leases = new TokenLeases(yield* Clock.Clock)
    const capacity = capacityOf(slow(5000))
    leases.keep("a", capacity, { granted: 3, tokens: 0n })
    assert.isDefined(leases.take("a", capacity))
    assert.deepStrictEqual([leases.end("a", capacity), leases.end("a", capacity)], [2, 0])
    assert.isUndefined(leases.take("a", capacity))
  })
)

it.effect("keeps 10,000 leases, and drops the least recently used one first", () =>
  Effect.gen(function* () {
    const leases = new TokenLeases(yield* Clock.Clock)
    const capacity = capacityOf(slow(5000))
    const keep = (id: number) => leases.keep(`${id}`, capacity, { granted: 4, tokens: 0n })
    for (let id = 0; id < 10_000; id++) keep(id)
    assert.isDefined(leases.take("0", capacity))
    keep(10_000)
    assert.deepStrictEqual([leases.end("0", capacity), leases.end("1", capacity), leases.end("2", capacity)], [3, 0, 4])
  })
)

it.effect("loses no leased token, however a key's takes coincide", () =>
  Effect.gen(function* () {
    const { limits, sql } = yield* makeFragile
    const bucket = fresh()
    for (const together of [2, 2, 1, 3, 1, 1, 2]) {
      yield* Effect.replicateEffect(limits.take(bucket, slow(5000)), together, { concurrency: "unbounded" })
      yield* TestClock.adjust("2 seconds")
    }
    const left = yield* Effect.provideService(tokensOf(bucket), SqlClient.SqlClient, sql)
    // Twelve were taken, and four more are leased.
    assert.strictEqual(left, 5000 - 12 - 4)
    assert.strictEqual((yield* limits.peek(bucket, slow(5000))).remaining, 5000 - 12)
  }).pipe(Effect.scoped)
)

it.effect(
  "four processes without their store admit together at most 1.25 times what it would give, and most of it",
  () =>
    Effect.gen(function* () {
      const { socket, database } = yield* makeDatabase
      yield* Layer.build(
        Layer.fresh(Postgres.layerMigrations.pipe(Layer.provide(Postgres.layer({ socket, database }))))
      )
      const proxy = yield* makeProxy(socket)
      const processes = yield* Effect.replicateEffect(makeProcess({ socket: proxy.socket, database }), 4)
      const limit = { burst: 120, perSecond: 5 }
      const bucket = fresh()
      const admit = (times: number) =>
        Effect.map(
          Effect.forEach(processes, (limits) => Effect.replicateEffect(limits.take(bucket, limit), times), {
            concurrency: "unbounded"
          }),
          (taken) => taken.flat().filter(({ allowed }) => allowed).length
        )
      while ((yield* admit(10)) > 20);
      yield* proxy.cut
      let admitted = 0
      for (let second = 0; second < 30; second++) {
        admitted += yield* admit(10)
        yield* TestClock.adjust("1 second")
      }
      assert.isAtMost(admitted, 1.25 * 30 * limit.perSecond)
      assert.isAtLeast(admitted, 0.9 * 30 * limit.perSecond)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)

it.effect("returns to the store within a second of its recovery, even if the previous look got no answer", () =>
  Effect.gen(function* () {
    const { proxy, limits, sql, back } = yield* makeFragile
    const take = limits.take(fresh(), slow(2))
    // Two connections: one for the take that gets no answer, one for the first look.
    yield* Effect.replicateEffect(sql`SELECT pg_sleep(0.05)`, 2, { concurrency: "unbounded" })
    yield* take
    yield* proxy.clog
    const taken = yield* Effect.forkChild(take, { startImmediately: true })
    yield* Effect.replicateEffect(Effect.yieldNow, 50)
    yield* TestClock.adjust("2 seconds")
    assert.isTrue((yield* Fiber.join(taken)).allowed)
    yield* proxy.replace
    yield* TestClock.adjust("500 millis")
    yield* TestClock.adjust("500 millis")
    yield* back
  }).pipe(Effect.scoped)
)
