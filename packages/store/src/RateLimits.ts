import { Array, Clock, Context, type Duration, Effect, Fiber, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { RateLimit } from "@sightline/domain/ApiKey"
import * as Batch from "./Batch.ts"
import { LocalBuckets, type Taken } from "./LocalBuckets.ts"
import { pruned } from "./RowCount.ts"
import { type Ask, type Drawn, makeTake } from "./StoredBuckets.ts"
import { capacityOf, secondsToToken, token } from "./TokenBucket.ts"
import { TokenLeases } from "./TokenLeases.ts"

/** Whose bucket, and for what. */
export interface Bucket {
  readonly keyId: string
  readonly name: string
}

/**
 * What a bucket says to a request.
 *
 * Laws: `0 <= remaining <= limit`; a caller who alone waits `retryAfterSeconds` and asks again is admitted.
 */
export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly retryAfterSeconds: number
}

/** What an ask is told of a bucket that gave `taken` to all asks of a flush, `before` of which came first. */
const allowanceOf = ({ capacity, wanted }: Ask, { granted, tokens }: Taken, before: number): Allowance => {
  const allowed = wanted === 1 && before < granted
  const there = tokens + BigInt(Math.max(0, granted - before - wanted)) * token
  // A bucket may have filled up again beside what is leased of it.
  const left = there < capacity.burst ? there : capacity.burst
  return {
    allowed,
    limit: Number(capacity.burst / token),
    remaining: Number(left / token),
    retryAfterSeconds: allowed ? 0 : secondsToToken(left, capacity)
  }
}

/** First come, first served, of what the bucket gave and what was left of a lease; then what nobody asked for is leased. */
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

/** Longer than any healthy take; a store that is slower counts as away. */
const patience = "2 seconds"

/**
 * How often a store that is away is looked for, and how long each time: a look that waits for a lock is there when it is released,
 * and one that was sent into silence keeps no other from being sent.
 */
const look = "500 millis"

/**
 * Token buckets shared by all processes, by the database's clock.
 *
 * Laws: over any span, a bucket admits at most `burst + perSecond × span`, however many processes ask, and each of them what it has
 * leased besides: a thousandth of the burst at most. Requests that meet in one process are admitted in their order. While the store
 * is away each process goes on alone with the share of each bucket that it drew of late (`LocalBuckets`): never without a limit,
 * never with an error. What is admitted meanwhile is unknown to the store when it returns.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Takes a token, if there is one. */
    readonly take: (bucket: Bucket, limit: RateLimit) => Effect.Effect<Allowance>
    /** The bucket as it stands. */
    readonly peek: (bucket: Bucket, limit: RateLimit) => Effect.Effect<Allowance>
    /** Forgets buckets that are full again and were not used for an hour, up to 500. How many. */
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
          // Not waited for: over a dead network the driver's own way of giving up takes seconds.
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

      // The very statement that failed, on a bucket of nobody's: a store that answers but cannot write is still away.
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
      // Those who waited for a lease while it was taken come before whoever comes now.
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

      // A bucket that is not there is full. What a take has locked is skipped: to wait for it could be for ever.
      const full = `updated_at < clock_timestamp() - interval '1 hour'
        AND refilled(tokens, updated_at, burst, refill, clock_timestamp()) = burst`

      return RateLimits.of({ take: ask(1), peek: ask(0), prune: pruned(sql, "rate_limits", "bucket", full, 500) })
    })
  )
}
