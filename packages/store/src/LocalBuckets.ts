import { Share } from "./Share.ts"
import { type Capacity, refill, token, type TokenBucket } from "./TokenBucket.ts"

const bucketsMax = 100_000

/** The result of a take: how many tokens were granted, and how many are left. */
export interface Taken {
  readonly granted: number
  readonly tokens: bigint
}

/** The result of a take in the store, and its time in microseconds of the database's clock. */
export interface Stored extends Taken {
  readonly capacity: Capacity
  readonly at: bigint
}

/**
 * A bucket by this process's clock, and by the database's clock unless tokens were taken here since; and the share of it that is drawn
 * here.
 */
interface Known {
  readonly bucket: TokenBucket
  readonly stored: TokenBucket | undefined
  readonly share: Share
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/**
 * The buckets as this process last saw them, for use while the store is unreachable.
 *
 * Tokens that a bucket lost without a grant here went to other processes. From this follows the share of the bucket that is drawn here.
 * While the store is unreachable, this process has that share of the tokens left in the bucket, of its burst and of its refill. A
 * bucket that is not known, or is forgotten, starts full, with this process's share of all buckets together.
 * Laws: a process has the whole of each bucket if no other process draws between its own draws. If all processes draw from an empty
 * bucket, their shares add up to it. At most 100 000 buckets are kept; the least recently used is forgotten first.
 * Units: `at` in microseconds of this process's clock.
 */
export class LocalBuckets {
  readonly #known = new Map<string, Known>()
  readonly #share = new Share()

  /** Records the result of a take in the store. */
  note(id: string, { at: storedAt, capacity, granted, tokens }: Stored, at: bigint): void {
    const known = this.#known.get(id)
    const share = known?.share ?? new Share()
    if (known?.stored !== undefined) {
      const drawn = Number(refill(known.stored, capacity, storedAt).tokens - tokens) / Number(token)
      share.draw(granted, drawn, storedAt)
      this.#share.draw(granted, drawn, storedAt)
    }
    this.#keep(id, { bucket: { tokens, at }, stored: { tokens, at: storedAt }, share })
  }

  /** Takes up to `wanted` tokens. */
  take(id: string, capacity: Capacity, wanted: number, at: bigint): Taken {
    const known = this.#known.get(id)
    const share = known?.share ?? new Share()
    const millionths = BigInt(Math.round(share.of(this.#share.of(1)) * 1e6))
    const part = (whole: bigint) => (whole * millionths) / 1_000_000n
    // A bucket that holds less than one token would never grant anything.
    const own = { burst: larger(token, part(capacity.burst)), refill: part(capacity.refill) }
    const last = known?.bucket ?? { tokens: capacity.burst, at }
    const begun = known === undefined || known.stored !== undefined ? { tokens: part(last.tokens), at: last.at } : last
    const { tokens } = refill(begun, own, at)
    const granted = Math.min(wanted, Number(tokens / token))
    const left = tokens - BigInt(granted) * token
    this.#keep(id, { bucket: { tokens: left, at }, stored: undefined, share })
    return { granted, tokens: left }
  }

  #keep(id: string, known: Known): void {
    this.#known.delete(id)
    this.#known.set(id, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > bucketsMax && oldest !== undefined) this.#known.delete(oldest)
  }
}
