import { type Array, Result, Schema } from "effect"
import { Credits, subtract } from "./Credits.ts"
import type { Mode } from "./Mode.ts"
import { FailureCode, type Platform } from "./Platform.ts"
import { cachedPriceOf, priceOf } from "./PriceList.ts"

/** How a held price ends: what is kept and what goes back. */
export interface Settlement {
  readonly charge: Credits
  readonly refund: Credits
}

/**
 * Splits a price by the share of platforms that answered.
 *
 *     prorate(credits(165), [succeed, succeed, fail, fail, fail, fail])
 *     // => { charge: 55 000, refund: 110 000 }
 *
 * Shape: one price and one outcome per asked platform (at least one), in any order.
 * Laws: `charge + refund = price`; `charge × asked = price × answered`.
 * Errors: none. A price that does not divide exactly is a defect in the price list.
 * Source: contract, "Partial-success refund"; decisions M3.
 */
export const prorate = <A, E>(
  price: Credits,
  outcomes: Array.NonEmptyReadonlyArray<Result.Result<A, E>>
): Settlement => {
  const answered = outcomes.filter(Result.isSuccess).length
  const charge = Credits.make((price * answered) / outcomes.length)
  return { charge, refund: subtract(price, charge) }
}

/** What came of one platform, as the books record it: an answer, or the code of its failure. */
export const Outcome = Schema.Literals(["ok", ...FailureCode.literals])
export type Outcome = typeof Outcome.Type

/** One outcome for each platform of a call. */
export type Outcomes = Readonly<Partial<Record<Platform, Outcome>>>

/** The endpoints that are charged for. */
export const Endpoint = Schema.Literals(["check"])
export type Endpoint = typeof Endpoint.Type

/** Everything a charge is computed from. */
export interface Accountable {
  readonly endpoint: Endpoint
  readonly mode: Mode
  readonly platforms: Array.NonEmptyReadonlyArray<Platform>
  readonly outcomes: Outcomes
  readonly cached: boolean
}

/**
 * What a finished call costs: used both to settle it and, later, to audit it.
 *
 * Laws: a platform without the outcome `ok` is not charged; the order of platforms is irrelevant.
 */
export const chargeOf = (call: Accountable): Credits => {
  const [first, ...rest] = call.platforms
  const result = (platform: Platform) =>
    call.outcomes[platform] === "ok" ? Result.succeed(platform) : Result.fail(call.outcomes[platform])
  const price = call.cached ? cachedPriceOf(call) : priceOf(call)
  return prorate(price, [result(first), ...rest.map(result)]).charge
}
