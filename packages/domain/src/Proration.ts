import { type Array, Result, Schema } from "effect"
import { add, Credits, subtract, zero } from "./Credits.ts"
import { Asked, FailureCode } from "./Platform.ts"
import { cachedPriceOf, type Order, priceOf } from "./PriceList.ts"

/** How a held price is settled: the part that is kept and the part that is returned. */
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

/** The outcome of one question in the books: an answer, one from cache (in an ask), or the code of its failure. */
export const Outcome = Schema.Literals(["ok", "cached", ...FailureCode.literals])
export type Outcome = typeof Outcome.Type

/** One outcome for each question of a call. */
export const Outcomes = Schema.Record(Asked, Schema.optionalKey(Outcome))
export type Outcomes = typeof Outcomes.Type

/** Everything a charge is computed from. */
export type Accountable = Order & { readonly outcomes: Outcomes; readonly cached: boolean }

/**
 * What a finished call costs: used both to settle it and, later, to audit it.
 *
 * Laws: a question that was not answered is not charged; the order of questions is irrelevant. A discovery costs its price
 * as soon as one engine answered; an ask costs each answer by where it came from.
 */
export const chargeOf = (call: Accountable): Credits => {
  const [first, ...rest] = call.platforms
  const sharing = (price: Credits, outcome: Outcome): Credits => {
    const result = (asked: Asked) => (call.outcomes[asked] === outcome ? Result.succeed(asked) : Result.fail(asked))
    return prorate(price, [result(first), ...rest.map(result)]).charge
  }
  if (call.endpoint === "ask") return add(sharing(priceOf(call), "ok"), sharing(cachedPriceOf(call), "cached"))
  const price = call.cached ? cachedPriceOf(call) : priceOf(call)
  if (call.endpoint === "discover") return call.platforms.some((asked) => call.outcomes[asked] === "ok") ? price : zero
  return sharing(price, "ok")
}
