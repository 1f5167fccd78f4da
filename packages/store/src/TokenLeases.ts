import type { Clock } from "effect"
import { LRUCache } from "lru-cache"
import type { Taken } from "./LocalBuckets.ts"
import { type Capacity, token } from "./TokenBucket.ts"

/** A lease is at most this part of a bucket's burst, so smaller buckets are never leased from. */
const partOfBurst = 1024n

/** Tokens that are leased for each ask of a busy flush. */
const tokensPerAsk = 15

const leaseMillis = 1000
const leasesMax = 10_000

interface Lease {
  readonly capacity: Capacity
  readonly tokens: bigint
  readonly until: number
  left: number
}

const leaseMax = ({ burst }: Capacity): number => Number(burst / token / partOfBurst)

/** Tokens to have of a bucket beyond the asks that met in a flush: none for a lone one, which shows no haste. */
export const tokensToLease = (capacity: Capacity, asks: number): number =>
  asks < 2 ? 0 : Math.min(asks * tokensPerAsk, leaseMax(capacity))

/**
 * Tokens that this process has taken from buckets for whoever asks next, so that not every ask of a busy key is a statement.
 *
 * Laws: a lease is used within a second of the process's clock, and under the limit it was taken under; what is left of it then serves
 * the next who come with a statement, so that no token is lost. At most 10,000 are kept; the one not used for longest is lost first.
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

  /** Keeps tokens that were granted and asked for by nobody; `tokens` is what the bucket has besides. */
  keep(id: string, capacity: Capacity, { granted, tokens }: Taken): void {
    if (granted > 0) this.#leases.set(id, { capacity, tokens, until: this.#now() + leaseMillis, left: granted })
  }

  /** Ends a lease, whatever became of it: the tokens that were left of it, and that a bucket of this limit may have out. */
  end(id: string, capacity: Capacity): number {
    const left = this.#leases.get(id)?.left ?? 0
    this.#leases.delete(id)
    return Math.min(left, leaseMax(capacity))
  }

  /** A token of a lease: what there was before it was taken, if there was any. */
  take(id: string, { burst, refill }: Capacity): Taken | undefined {
    const lease = this.#leases.get(id)
    if (lease === undefined || lease.left === 0 || lease.until <= this.#now()) return undefined
    if (lease.capacity.burst !== burst || lease.capacity.refill !== refill) return undefined
    const granted = lease.left--
    return { granted, tokens: lease.tokens }
  }
}
