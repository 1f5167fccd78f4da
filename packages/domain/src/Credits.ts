import { Schema } from "effect"

/**
 * Money: a whole number of thousandths of a credit ("millicredits"), never a float.
 *
 * Shape: a branded integer; negative only as the difference of two amounts.
 * Units: 1 credit = 1 000 = one cent of `cost_cents`.
 * Laws: every price on the list divides by every platform count of its mode, so no share is ever rounded.
 */
export const Credits = Schema.Int.pipe(Schema.brand("Credits"))
export type Credits = typeof Credits.Type

/** The amount of `whole` credits; a value that is not a whole number of millicredits is a defect of the caller. */
export const credits = (whole: number): Credits => Credits.make(Math.round(whole * 1000 * 1e6) / 1e6)

/** The same amount as the JSON number of credits customers see: 27 500 → 27.5. Exact for every amount below 2^43. */
export const toCents = (amount: Credits): number => amount / 1000

/** Nothing. */
export const zero: Credits = Credits.make(0)

/** `a + b`. */
export const add = (a: Credits, b: Credits): Credits => Credits.make(a + b)

/** `a - b`. */
export const subtract = (a: Credits, b: Credits): Credits => Credits.make(a - b)
