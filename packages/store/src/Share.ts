/** After so many microseconds a draw counts half: slow buckets show who draws from them, and processes that are gone are forgotten. */
const halfLife = 300_000_000

/** Nobody's share is less: a caller whose requests come to one who drew nothing is kept waiting, but not for hours. */
const least = 1 / 32

/**
 * What part of the draws from something is this process's own, of late.
 *
 * Laws: 1 as long as nobody else draws; the shares of all who draw add up to 1, but for those that would be less than 1/32, once
 * they have seen a few draws.
 */
export class Share {
  #own = 0
  #all = 0
  #at = 0n

  /** Counts what was drawn here, and in all, up to a moment in microseconds. */
  draw(own: number, all: number, at: bigint): void {
    const kept = at > this.#at ? 0.5 ** (Number(at - this.#at) / halfLife) : 1
    this.#own = this.#own * kept + own
    this.#all = this.#all * kept + Math.max(own, all)
    if (at > this.#at) this.#at = at
  }

  /** The share; `expected` is what it is held for until something was seen, and weighs as much as one draw. */
  of(expected: number): number {
    return Math.max(least, (this.#own + expected) / (this.#all + 1))
  }
}
