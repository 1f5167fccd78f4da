import { Array } from "effect"
import * as fc from "fast-check"
import { CompareMode, Mode } from "@sightline/domain/Mode"
import { FailureCode } from "@sightline/domain/Platform"
import { checkOffers, compareOffers, discoverOffer, type Order } from "@sightline/domain/PriceList"
import type { Outcome, Outcomes } from "@sightline/domain/Proration"

const checks = Mode.literals.flatMap((mode): ReadonlyArray<Order> => {
  const { platforms } = checkOffers[mode]
  const subsets = mode === "quick" ? 2 ** platforms.length - 1 : 0
  const chosen = Array.makeBy(subsets, (bits) => platforms.filter((_, place) => ((bits + 1) >> place) & 1))
  return [platforms, ...chosen]
    .filter(Array.isReadonlyArrayNonEmpty)
    .map((some) => ({ endpoint: "check", mode, platforms: some }))
})

const comparisons = CompareMode.literals.map((mode): Order => {
  const { platforms } = compareOffers[mode]
  return { endpoint: "compare", mode, platforms }
})

const discovery: Order = { endpoint: "discover", mode: "quick", platforms: discoverOffer.platforms }

/** Every order there can be: each mode of each endpoint with all of its questions, and `quick` checks with any of them. */
export const orders: ReadonlyArray<Order> = [...checks, ...comparisons, discovery]

const answering = (order: Order, drawn: ReadonlyArray<Outcome>) => {
  const outcomes: Outcomes = Object.fromEntries(order.platforms.map((asked, place) => [asked, drawn[place]]))
  return { ...order, outcomes, answered: Object.values(outcomes).filter((outcome) => outcome === "ok").length }
}

const anyFailure: fc.Arbitrary<Outcome> = fc.constantFrom(...FailureCode.literals)

/** An order with some outcome for each of its questions. */
export const anyCall = fc
  .tuple(
    fc.oneof(fc.constantFrom(...checks), fc.constantFrom(...comparisons), fc.constant(discovery)),
    fc.array(fc.oneof(fc.constant("ok" as const), anyFailure), { minLength: 8, maxLength: 8 })
  )
  .map(([order, drawn]) => answering(order, drawn))
