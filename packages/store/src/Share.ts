/**
 * After this many microseconds a draw counts half: late enough to see who draws from slow buckets, and soon enough to forget processes
 * that are gone.
 */
const halfLife = 300_000_000

/** The smallest share. A caller whose requests reach a process that drew nothing has to wait, but not for hours. */
const least = 1 / 32

/**
 * The recent share of this process in all draws.
 *
 * Laws: it is 1 as long as no other process draws. After a few draws, the shares of all processes that draw add up to 1, apart from
 * those that are raised to 1/32.
 */
export class Share {
  #own = 0
  #all = 0
  #at = 0n

  /** Counts the draws of this process and of all processes, up to `at` in microseconds. */
  draw(own: number, all: number, at: bigint): void {
    const kept = at > this.#at ? 0.5 ** (Number(at - this.#at) / halfLife) : 1
    this.#own = this.#own * kept + own
    this.#all = this.#all * kept + Math.max(own, all)
    if (at > this.#at) this.#at = at
  }

  /** The share. `expected` is the value assumed before any draw, and weighs as much as one draw. */
  of(expected: number): number {
    return Math.max(least, (this.#own + expected) / (this.#all + 1))
  }
}
