import { type Capacity, refill, token, type TokenBucket } from "./TokenBucket.ts"

const bucketsMax = 100_000

/** What a take left: as many as were granted, and the tokens after. */
export interface Taken {
  readonly granted: number
  readonly tokens: bigint
}

/**
 * The buckets as this process last saw them, to go on from while the store is away.
 *
 * Laws: at most 100 000 are kept; the one not used for longest is forgotten first, and starts full again.
 * Units: `at` in microseconds of this process's clock.
 */
export class LocalBuckets {
  readonly #buckets = new Map<string, TokenBucket>()

  /** Records what the store said. */
  note(id: string, tokens: bigint, at: bigint): void {
    this.#buckets.delete(id)
    this.#buckets.set(id, { tokens, at })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > bucketsMax && oldest !== undefined) this.#buckets.delete(oldest)
  }

  /** Takes up to `wanted` tokens. */
  take(id: string, capacity: Capacity, wanted: number, at: bigint): Taken {
    const { tokens } = refill(this.#buckets.get(id) ?? { tokens: capacity.burst, at }, capacity, at)
    const granted = Math.min(wanted, Number(tokens / token))
    const left = tokens - BigInt(granted) * token
    this.note(id, left, at)
    return { granted, tokens: left }
  }
}
