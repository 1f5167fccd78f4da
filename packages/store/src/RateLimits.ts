import { Array, Clock, Context, type Duration, Effect, Fiber, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { RateLimit } from "@sightline/domain/ApiKey"
import * as Batch from "./Batch.ts"
import { LocalBuckets, type Taken } from "./LocalBuckets.ts"
import { pruned } from "./RowCount.ts"
import { type TokenRequest, type Drawn, makeTake } from "./StoredBuckets.ts"
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

/** The allowance of one request. `taken` is what the bucket gave to all of a flush, and `before` is how much earlier ones wanted. */
const allowanceOf = ({ capacity, wanted }: TokenRequest, { granted, tokens }: Taken, before: number): Allowance => {
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

/** Serves requests in their order, from what the bucket gave and what is left of a lease. Tokens that none wanted become a lease. */
const share = (
  requests: ReadonlyArray<TokenRequest>,
  taken: ReadonlyMap<string, Drawn>,
  leases: TokenLeases
): ReadonlyArray<Allowance> => {
  const served = new Map<string, number>()
  const allowances = requests.map((request) => {
    const before = served.get(request.id) ?? 0
    served.set(request.id, before + request.wanted)
    const { granted, leased, tokens } = taken.get(request.id) ?? { granted: 0, leased: 0, tokens: 0n }
    return allowanceOf(request, { granted: granted + leased, tokens }, before)
  })
  for (const [id, { capacity, granted, leased, tokens }] of taken)
    leases.keep(id, capacity, { granted: granted + leased - (served.get(id) ?? 0), tokens })
  return allowances
}

const nowMicros = Effect.map(Clock.monotonicTimeNanos, (nanos) => nanos / 1000n)

/** Longer than any healthy take. A store that is slower counts as unreachable. */
const storeTimeout = "2 seconds"

/**
 * How often an unreachable store is probed, and the timeout of each probe. A probe that waits for a lock succeeds when it is released,
 * and a probe without a response does not delay the next one.
 */
const probeInterval = "500 millis"

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
      let isStoreDown = false

      const takeStored = Effect.fnUntraced(function* (
        requests: ReadonlyArray<TokenRequest>,
        storeTimeout: Duration.Input
      ) {
        const statement = yield* Effect.forkIn(stored(requests), scope)
        const taken = yield* Fiber.join(statement).pipe(
          Effect.timeout(storeTimeout),
          // In the background: over a dead network, the driver takes seconds to give up.
          Effect.onError(() => Effect.forkIn(Fiber.interrupt(statement), scope))
        )
        const at = yield* nowMicros
        for (const [id, left] of taken) local.note(id, left, at)
        return share(requests, taken, leases)
      })

      const takeLocally = Effect.fnUntraced(function* (request: TokenRequest) {
        const taken = local.take(request.id, request.capacity, request.wanted, yield* nowMicros)
        return allowanceOf(request, taken, 0)
      })

      // The same statement that failed, on a bucket of no key: a store that responds but cannot write is still unreachable.
      const probes = [{ id: "probe", capacity: capacityOf({ burst: 1, perSecond: 1 }), wanted: 0 }] as const

      const goLocal = Effect.fnUntraced(function* (cause: unknown) {
        isStoreDown = true
        yield* Effect.logWarning("Rate limits are kept in this process: the store is unreachable", cause)
        yield* takeStored(probes, probeInterval).pipe(
          Effect.retry(Schedule.fixed(probeInterval)),
          Effect.andThen(Effect.sync(() => (isStoreDown = false))),
          Effect.andThen(Effect.logInfo("Rate limits are in the store again")),
          Effect.forkIn(scope)
        )
      })

      const takeAllLocally = (requests: ReadonlyArray<TokenRequest>) => Effect.forEach(requests, takeLocally)
      const takeAnywhere = (requests: ReadonlyArray<TokenRequest>): Effect.Effect<ReadonlyArray<Allowance>> =>
        isStoreDown
          ? takeAllLocally(requests)
          : takeStored(requests, storeTimeout).pipe(
              Effect.catch((error) => Effect.andThen(goLocal(error), takeAllLocally(requests)))
            )

      const takeLeased = (request: TokenRequest): Allowance | undefined => {
        const taken = request.wanted === 1 ? leases.take(request.id, request.capacity) : undefined
        return taken === undefined ? undefined : allowanceOf(request, taken, 0)
      }
      // A lease that was taken while these requests waited serves them before it serves newer ones.
      const takeAll = (requests: ReadonlyArray<TokenRequest>): Effect.Effect<ReadonlyArray<Allowance>> => {
        const leased = requests.map(takeLeased)
        const left = requests.filter((_, place) => leased[place] === undefined)
        if (left.length === requests.length) return takeAnywhere(requests)
        return Effect.map(left.length === 0 ? Effect.succeed([]) : takeAnywhere(left), (others) => {
          const next = others.values()
          return Array.getSomes(leased.map((one) => Option.fromUndefinedOr(one ?? next.next().value)))
        })
      }
      const batched = yield* Batch.make({ name: "rate_limits", max: 200, run: takeAll })

      const request = (wanted: 0 | 1) => (bucket: Bucket, limit: RateLimit) =>
        Effect.suspend(() => {
          const request = { id: `${bucket.keyId}:${bucket.name}`, capacity: capacityOf(limit), wanted }
          const allowance = takeLeased(request)
          return allowance === undefined ? batched(request) : Effect.succeed(allowance)
        })

      // A missing bucket counts as full. Rows that a take has locked are skipped: waiting for one might never end.
      const full = `updated_at < clock_timestamp() - interval '1 hour'
        AND refilled(tokens, updated_at, burst, refill, clock_timestamp()) = burst`

      return RateLimits.of({
        take: request(1),
        peek: request(0),
        prune: pruned(sql, "rate_limits", "bucket", full, 500)
      })
    })
  )
}
