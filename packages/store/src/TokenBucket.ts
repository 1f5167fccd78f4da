import type { RateLimit } from "@sightline/domain/ApiKey"

/**
 * A limit in whole numbers.
 *
 * Units: `burst` in 10^-12 tokens, `refill` in those per microsecond, rounded down so that it never gives more.
 */
export interface Capacity {
  readonly burst: bigint
  readonly refill: bigint
}

/** A bucket as it was at a moment. Units: `tokens` as in `Capacity`, `at` in microseconds of any one clock. */
export interface TokenBucket {
  readonly tokens: bigint
  readonly at: bigint
}

/** One token. */
export const token = 1_000_000_000_000n

/** The limit in whole numbers. The tiny addend corrects rounding: a million times 0.0157 is slightly too small as a float. */
export const capacityOf = ({ burst, perSecond }: RateLimit): Capacity => ({
  burst: BigInt(burst) * token,
  refill: BigInt(Math.floor(perSecond * 1e6 + 1e-6))
})

/** The bucket at a later moment; an earlier one leaves it as it is. The same arithmetic as `refilled` in the database. */
export const refill = (bucket: TokenBucket, capacity: Capacity, at: bigint): TokenBucket => {
  if (at <= bucket.at) return bucket
  const tokens = bucket.tokens + capacity.refill * (at - bucket.at)
  return { tokens: tokens < capacity.burst ? tokens : capacity.burst, at }
}

/** Whole seconds until the bucket has a token again. */
export const secondsToToken = (tokens: bigint, capacity: Capacity): number =>
  tokens >= token ? 0 : Number((token - tokens + capacity.refill * 1_000_000n - 1n) / (capacity.refill * 1_000_000n))
