import { Share } from "./Share.ts"
import { type Capacity, refill, token, type TokenBucket } from "./TokenBucket.ts"

const bucketsMax = 100_000

/** What a take left: as many as were granted, and the tokens after. */
export interface Taken {
  readonly granted: number
  readonly tokens: bigint
}

/** What a take in the store left, and when, in microseconds of the database's clock. */
export interface Stored extends Taken {
  readonly capacity: Capacity
  readonly at: bigint
}

/** A bucket by this process's clock, and by the database's unless something was taken here since; whose draws it saw. */
interface Known {
  readonly bucket: TokenBucket
  readonly stored: TokenBucket | undefined
  readonly share: Share
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/**
 * The buckets as this process last saw them, to go on from while the store is away.
 *
 * What a bucket sank beyond what was granted here went to other processes. From that follows the share of it that is drawn here:
 * so much of what was left in it, and of its burst and refill, is this process's own while the store is away. A bucket that was
 * never seen, or is forgotten, starts full, with the share that this process has of all of them.
 * Laws: a process whose draws nobody else's come between has the whole of each bucket; where all draw from an emptied one, their
 * shares add up to it. At most 100 000 are kept; the one not used for longest is forgotten first.
 * Units: `at` in microseconds of this process's clock.
 */
export class LocalBuckets {
  readonly #known = new Map<string, Known>()
  readonly #share = new Share()

  /** Records what the store said. */
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
    // Of a bucket that holds less than one token nobody would ever get anything.
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
