import { toCents } from "./Credits.ts"
import { cachedPriceOf, checkOffers, compareOffers, type Order, priceOf } from "./PriceList.ts"
import { type Accountable, chargeOf, type Outcome } from "./Proration.ts"

const answered = ({ platforms, outcomes }: Accountable, outcome: Outcome): number =>
  platforms.filter((asked) => outcomes[asked] === outcome).length

/** Answers × price of one, for each price that applies; the fresh price where there is no answer. */
const askTerms = (call: Accountable): string => {
  const [first] = call.platforms
  const one: Order = { ...call, platforms: [first] }
  const [fresh, cached] = [answered(call, "ok"), answered(call, "cached")]
  return [
    ...(fresh > 0 || cached === 0 ? [`${fresh} × ${toCents(priceOf(one))}`] : []),
    ...(cached > 0 ? [`${cached} × ${toCents(cachedPriceOf(one))}`] : [])
  ].join(" + ")
}

/** The listed price × answers / questions of the whole mode, also for an order of some of its platforms. */
const shareTerms = (call: Extract<Accountable, { readonly endpoint: "check" | "compare" }>): string => {
  const { platforms } = call.endpoint === "check" ? checkOffers[call.mode] : compareOffers[call.mode]
  const whole: Order = { ...call, platforms }
  const price = call.cached ? cachedPriceOf(whole) : priceOf(whole)
  return `${toCents(price)} × ${answered(call, "ok")} / ${platforms.length}`
}

/**
 * The cost of a finished call as a sum that a person can check with the price list.
 *
 *     a check of all_live, four of six answered              // => "165 × 4 / 6 = 110"
 *     a quick check of two engines, both from cache          // => "5 × 2 / 4 = 2.5"
 *     an ask of three, one of them from cache                // => "2 × 10 + 1 × 1 = 21"
 *     a discovery                                            // => "50 = 50", or "0" when no engine answered
 *
 * Units: credits.
 * Laws: evaluated from left to right it gives exactly `chargeOf`, and ends with it.
 */
export const sumInWords = (call: Accountable): string => {
  const charge = toCents(chargeOf(call))
  switch (call.endpoint) {
    case "discover":
      return charge === 0 ? "0" : `${charge} = ${charge}`
    case "ask":
      return `${askTerms(call)} = ${charge}`
    case "check":
    case "compare":
      return `${shareTerms(call)} = ${charge}`
  }
}
