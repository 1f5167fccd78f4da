import { Array, Clock, Context, type Duration, Effect, Fiber, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { RateLimit } from "@sightline/domain/ApiKey"
import * as Batch from "./Batch.ts"
import { LocalBuckets, type Taken } from "./LocalBuckets.ts"
import { pruned } from "./RowCount.ts"
import { type Ask, type Drawn, makeTake } from "./StoredBuckets.ts"
import { capacityOf, secondsToToken, token } from "./TokenBucket.ts"
import { TokenLeases } from "./TokenLeases.ts"

/** A bucket: the key it belongs to, and the name of what it limits. */
export interface Bucket {
  readonly keyId: string
  readonly name: string
}

/**
 * The response of a bucket to a request.
 *
 * Laws: `0 <= remaining <= limit`; a caller that waits `retryAfterSeconds` and asks again is admitted, if no other caller takes from
 * the bucket.
 */
export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly retryAfterSeconds: number
}

/** The allowance of one ask. `taken` is what the bucket gave to all asks of a flush, and `before` is how much earlier ones wanted. */
const allowanceOf = ({ capacity, wanted }: Ask, { granted, tokens }: Taken, before: number): Allowance => {
  const allowed = wanted === 1 && before < granted
  const there = tokens + BigInt(Math.max(0, granted - before - wanted)) * token
  // A bucket may have refilled while some of its tokens were leased.
  const left = there < capacity.burst ? there : capacity.burst
  return {
    allowed,
    limit: Number(capacity.burst / token),
    remaining: Number(left / token),
    retryAfterSeconds: allowed ? 0 : secondsToToken(left, capacity)
  }
}

/** Serves asks in their order, from the tokens that the bucket gave and those left of a lease. Tokens that no ask wanted become a lease. */
const share = (
  asks: ReadonlyArray<Ask>,
  taken: ReadonlyMap<string, Drawn>,
  leases: TokenLeases
): ReadonlyArray<Allowance> => {
  const served = new Map<string, number>()
  const allowances = asks.map((ask) => {
    const before = served.get(ask.id) ?? 0
    served.set(ask.id, before + ask.wanted)
    const { granted, leased, tokens } = taken.get(ask.id) ?? { granted: 0, leased: 0, tokens: 0n }
    return allowanceOf(ask, { granted: granted + leased, tokens }, before)
  })
  for (const [id, { capacity, granted, leased, tokens }] of taken)
    leases.keep(id, capacity, { granted: granted + leased - (served.get(id) ?? 0), tokens })
  return allowances
}

const nowMicros = Effect.map(Clock.monotonicTimeNanos, (nanos) => nanos / 1000n)

/** Longer than any healthy take. A store that is slower counts as unreachable. */
const patience = "2 seconds"

/**
 * How often an unreachable store is probed, and the timeout of each probe. A probe that waits for a lock succeeds when it is released,
 * and a probe without a response does not delay the next one.
 */
const look = "500 millis"

/**
 * Token buckets shared by all processes, by the database's clock.
 *
 * Laws: over any span, a bucket admits at most `burst + perSecond × span` over all processes, and besides in each process what it has
 * leased: a thousandth of the burst at most. Concurrent requests in one process are admitted in their order. While the store is
 * unreachable, each process continues alone with the share of each bucket that it drew recently (`LocalBuckets`): never without a
 * limit, never with an error. The store does not learn what was admitted in the meantime.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Takes a token, if there is one. */
    readonly take: (bucket: Bucket, limit: RateLimit) => Effect.Effect<Allowance>
    /** The current state of the bucket; takes nothing. */
    readonly peek: (bucket: Bucket, limit: RateLimit) => Effect.Effect<Allowance>
    /** Deletes buckets that are full again and were not used for an hour, up to 500. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Effect.scope
      const local = new LocalBuckets()
      const leases = new TokenLeases(yield* Clock.Clock)
      const stored = makeTake(sql, leases)
      let away = false

      const takeStored = Effect.fnUntraced(function* (asks: ReadonlyArray<Ask>, patience: Duration.Input) {
        const statement = yield* Effect.forkIn(stored(asks), scope)
        const taken = yield* Fiber.join(statement).pipe(
          Effect.timeout(patience),
          // In the background: over a dead network, the driver takes seconds to give up.
          Effect.onError(() => Effect.forkIn(Fiber.interrupt(statement), scope))
        )
        const at = yield* nowMicros
        for (const [id, left] of taken) local.note(id, left, at)
        return share(asks, taken, leases)
      })

      const takeLocally = Effect.fnUntraced(function* (ask: Ask) {
        const taken = local.take(ask.id, ask.capacity, ask.wanted, yield* nowMicros)
        return allowanceOf(ask, taken, 0)
      })

      // The same statement that failed, on a bucket of no key: a store that responds but cannot write is still unreachable.
      const probes = [{ id: "probe", capacity: capacityOf({ burst: 1, perSecond: 1 }), wanted: 0 }] as const

      const goAway = Effect.fnUntraced(function* (cause: unknown) {
        away = true
        yield* Effect.logWarning("Rate limits are kept in this process: the store is unreachable", cause)
        yield* takeStored(probes, look).pipe(
          Effect.retry(Schedule.fixed(look)),
          Effect.andThen(Effect.sync(() => (away = false))),
          Effect.andThen(Effect.logInfo("Rate limits are in the store again")),
          Effect.forkIn(scope)
        )
      })

      const takeHere = (asks: ReadonlyArray<Ask>) => Effect.forEach(asks, takeLocally)
      const takeAnywhere = (asks: ReadonlyArray<Ask>): Effect.Effect<ReadonlyArray<Allowance>> =>
        away
          ? takeHere(asks)
          : takeStored(asks, patience).pipe(Effect.catch((error) => Effect.andThen(goAway(error), takeHere(asks))))

      const takeLeased = (ask: Ask): Allowance | undefined => {
        const taken = ask.wanted === 1 ? leases.take(ask.id, ask.capacity) : undefined
        return taken === undefined ? undefined : allowanceOf(ask, taken, 0)
      }
      // A lease that was taken while these asks waited serves them before it serves newer ones.
      const takeAll = (asks: ReadonlyArray<Ask>): Effect.Effect<ReadonlyArray<Allowance>> => {
        const leased = asks.map(takeLeased)
        const left = asks.filter((_, place) => leased[place] === undefined)
        if (left.length === asks.length) return takeAnywhere(asks)
        return Effect.map(left.length === 0 ? Effect.succeed([]) : takeAnywhere(left), (others) => {
          const next = others.values()
          return Array.getSomes(leased.map((one) => Option.fromUndefinedOr(one ?? next.next().value)))
        })
      }
      const batched = yield* Batch.make({ name: "rate_limits", max: 200, run: takeAll })

      const ask = (wanted: 0 | 1) => (bucket: Bucket, limit: RateLimit) =>
        Effect.suspend(() => {
          const ask = { id: `${bucket.keyId}:${bucket.name}`, capacity: capacityOf(limit), wanted }
          const allowance = takeLeased(ask)
          return allowance === undefined ? batched(ask) : Effect.succeed(allowance)
        })

      // A missing bucket counts as full. Rows that a take has locked are skipped: waiting for one might never end.
      const full = `updated_at < clock_timestamp() - interval '1 hour'
        AND refilled(tokens, updated_at, burst, refill, clock_timestamp()) = burst`

      return RateLimits.of({ take: ask(1), peek: ask(0), prune: pruned(sql, "rate_limits", "bucket", full, 500) })
    })
  )
}
