/** A rate with its confidence interval: 95 % of such intervals contain the true rate. Units: 0 to 1. */
export interface Estimate {
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The 97.5th percentile of the normal distribution. */
const z = 1.959963984540054
const squared = z * z

/**
 * The confidence interval of a rate that was seen `hits` times in `trials`: Wilson's score interval, without correction.
 *
 *     wilson(8, 10)   // => { rate: 0.8, low: 0.4902, high: 0.9433 }
 *     wilson(0, 0)    // => null
 *
 * Shape: `hits` is from 0 to `trials`.
 * Laws: 0 ≤ low ≤ rate ≤ high ≤ 1, low < high; low is 0 exactly where nothing was hit and high 1 where everything was; more trials of the
 * same rate give a narrower interval; misses in place of hits mirror it.
 * Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".
 */
export const wilson = (hits: number, trials: number): Estimate | null => {
  if (trials === 0) return null
  const rate = hits / trials
  const scale = trials + squared
  const centre = (hits + squared / 2) / scale
  const reach = (z / scale) * Math.sqrt((hits * (trials - hits)) / trials + squared / 4)
  // Rounding may leave the bounds just outside of these limits.
  return {
    rate,
    low: Math.min(rate, Math.max(0, centre - reach)),
    high: Math.max(rate, Math.min(1, centre + reach))
  }
}
