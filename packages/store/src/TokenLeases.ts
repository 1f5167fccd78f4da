import type { Clock } from "effect"
import { LRUCache } from "lru-cache"
import type { Taken } from "./LocalBuckets.ts"
import { type Capacity, token } from "./TokenBucket.ts"

/** A lease is at most this part of a bucket's burst, so smaller buckets are never leased from. */
const partOfBurst = 1024n

/** Tokens that are leased for each request of a busy flush. */
const tokensPerRequest = 15

const leaseMillis = 1000
const leasesMax = 10_000

interface Lease {
  readonly capacity: Capacity
  readonly tokens: bigint
  readonly until: number
  left: number
}

const leaseMax = ({ burst }: Capacity): number => Number(burst / token / partOfBurst)

/** Tokens to lease from a bucket beyond the requests of a flush. A single one leases none, because it shows no load. */
export const tokensToLease = (capacity: Capacity, requests: number): number =>
  requests < 2 ? 0 : Math.min(requests * tokensPerRequest, leaseMax(capacity))

/**
 * Tokens that this process has taken from buckets in advance, so that not every request of a busy key is a statement.
 *
 * Laws: a lease is used within a second of the process's clock, and with the limit it was taken with. Tokens that are left then serve
 * the next requests that need a statement, so that no token is lost. At most 10,000 leases are kept; the least recently used is lost first.
 */
export class TokenLeases {
  readonly #leases = new LRUCache<string, Lease>({ max: leasesMax })
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  #now(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe()) / 1e6
  }

  /** Keeps granted tokens that no request wanted. `tokens` is what the bucket has besides. */
  keep(id: string, capacity: Capacity, { granted, tokens }: Taken): void {
    if (granted > 0) this.#leases.set(id, { capacity, tokens, until: this.#now() + leaseMillis, left: granted })
  }

  /** Ends a lease. Returns its remaining tokens, at most as many as a bucket with this limit may lease. */
  end(id: string, capacity: Capacity): number {
    const left = this.#leases.get(id)?.left ?? 0
    this.#leases.delete(id)
    return Math.min(left, leaseMax(capacity))
  }

  /** Takes a token of a lease, if there is one. Returns the state before it was taken. */
  take(id: string, { burst, refill }: Capacity): Taken | undefined {
    const lease = this.#leases.get(id)
    if (lease === undefined || lease.left === 0 || lease.until <= this.#now()) return undefined
    if (lease.capacity.burst !== burst || lease.capacity.refill !== refill) return undefined
    const granted = lease.left--
    return { granted, tokens: lease.tokens }
  }
}
