import { Array } from "effect"
import * as fc from "fast-check"
import { AskMode, CompareMode, Mode } from "@sightline/domain/Mode"
import { FailureCode, LlmPlatform } from "@sightline/domain/Platform"
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

const asks = AskMode.literals.flatMap((mode) =>
  Array.makeBy(2 ** LlmPlatform.literals.length - 1, (bits) =>
    LlmPlatform.literals.filter((_, place) => ((bits + 1) >> place) & 1)
  )
    .filter(Array.isArrayNonEmpty)
    .map((platforms): Order => ({ endpoint: "ask", mode, platforms }))
)

/** All orders: each mode of each endpoint with all of its questions; `quick` checks and asks with any subset of them. */
export const orders: ReadonlyArray<Order> = [...checks, ...comparisons, discovery, ...asks]

const answering = (order: Order, drawn: ReadonlyArray<Outcome>) => {
  const outcomes: Outcomes = Object.fromEntries(order.platforms.map((asked, place) => [asked, drawn[place]]))
  const count = (kind: Outcome) => Object.values(outcomes).filter((outcome) => outcome === kind).length
  return { ...order, outcomes, answered: count("ok"), recalled: count("cached") }
}

const anyFailure: fc.Arbitrary<Outcome> = fc.constantFrom(...FailureCode.literals)

/** An order with an outcome for each of its questions. */
export const anyCall = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...checks),
      fc.constantFrom(...comparisons),
      fc.constant(discovery),
      fc.constantFrom(...asks)
    ),
    fc.array(fc.oneof(fc.constantFrom("ok" as const, "cached" as const), anyFailure), { minLength: 8, maxLength: 8 })
  )
  .map(([order, drawn]) => answering(order, drawn))
