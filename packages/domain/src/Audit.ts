import { Option, Schema } from "effect"
import { Credits, zero } from "./Credits.ts"
import { type Entry, orderMemo, outcomesMemo } from "./Ledger.ts"
import { Order, priceOf } from "./PriceList.ts"
import { chargeOf, Outcomes } from "./Proration.ts"

/** A charge as it is found in the books, which may differ from what was written. A timestamp that is no moment (`infinity`) is null. */
export const FoundCharge = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  environment: Schema.String,
  sequence: Schema.Number,
  endpoint: Schema.String,
  mode: Schema.String,
  platforms: Schema.Unknown,
  price: Schema.Number,
  state: Schema.String,
  amount: Schema.NullOr(Schema.Number),
  outcomes: Schema.NullOr(Schema.Json),
  cached: Schema.NullOr(Schema.Boolean),
  leaseSeconds: Schema.NullOr(Schema.Number),
  createdAt: Schema.NullOr(Schema.String),
  finishedAt: Schema.NullOr(Schema.String)
})
export type FoundCharge = typeof FoundCharge.Type

/** What one entry says of the charge it belongs to. */
export interface Leg {
  readonly kind: string
  readonly amount: number
  readonly memo: string | null
  readonly createdAt: string | null
}

/** One value in the books that does not follow from the rest of them. */
export interface Difference {
  readonly kind: string
  readonly wallet?: string
  readonly sequence?: number
  readonly charge?: string
  readonly expected?: unknown
  readonly found?: unknown
}

/** What a part of the books should say and what it says. */
export type Comparison = readonly [part: string, expected: unknown, found: unknown]

/** The comparisons whose two sides differ as JSON, each as a difference of the kind `about_part` at one place of the books. */
export const differencesOf = (
  about: string,
  place: Pick<Difference, "wallet" | "sequence" | "charge">,
  comparisons: ReadonlyArray<Comparison>
): ReadonlyArray<Difference> =>
  comparisons.flatMap(([part, expected, found]) =>
    JSON.stringify(expected) === JSON.stringify(found) ? [] : [{ kind: `${about}_${part}`, ...place, expected, found }]
  )

/** The longest lease of a hold. It is shorter if the clock was set back since: the sweeper then ends it 150 s from now. */
const leaseSecondsMax = 150

const decodeOrder = Schema.decodeUnknownOption(Order)
const decodeOutcomes = Schema.decodeUnknownOption(Outcomes)

/** An entry's part in its charge. */
export const legOf = ({ kind, amount, memo, createdAt }: Leg | Entry): Leg => ({ kind, amount, memo, createdAt })

/** The price, amount, state and ledger entries that a charge must have, recomputed from its own order and outcomes. */
const recompute = (charge: FoundCharge, atOnce: boolean) =>
  Option.map(decodeOrder(charge), (order) => {
    const price = priceOf(order)
    const ending = Option.map(decodeOutcomes(charge.outcomes), (outcomes) => ({
      outcomes,
      cached: charge.cached === true
    }))
    const amount = Option.match(ending, { onNone: () => zero, onSome: (end) => chargeOf({ ...order, ...end }) })
    const endMemo = Option.getOrNull(Option.map(ending, outcomesMemo))
    const opening = { createdAt: charge.createdAt, memo: orderMemo(order) }
    if (atOnce) {
      const memo = `${opening.memo} ${endMemo}`
      return { price, amount, state: "settled", legs: [{ ...opening, kind: "charge", amount, memo }] }
    }
    const hold = { ...opening, kind: "hold", amount: price }
    if (charge.finishedAt === null) return { price, amount: null, state: "held", legs: [hold] }
    const end = { createdAt: charge.finishedAt, memo: endMemo }
    const ends = [
      { ...end, kind: "capture", amount },
      { ...end, kind: "release", amount: Credits.make(price - amount) }
    ].filter((leg) => leg.amount > 0)
    return { price, amount, state: amount > 0 ? "settled" : "voided", legs: [hold, ...ends] }
  })

/**
 * Recomputes one charge from its recorded outcomes and compares it with its row and with the entries it left.
 *
 * Shape: `legs` are the charge's entries in order, the first of them at `sequence` of the wallet `wallet`.
 * Laws: no difference if and only if price, amount, state, place and every entry follow from order and outcomes, and the lease is not
 * too long.
 */
export const auditCharge = (
  charge: FoundCharge,
  booked: { readonly wallet: string; readonly sequence: number; readonly legs: ReadonlyArray<Leg> }
): ReadonlyArray<Difference> =>
  Option.match(recompute(charge, booked.legs[0]?.kind === "charge"), {
    onNone: () => [{ kind: "charge_unreadable", wallet: booked.wallet, charge: charge.id }],
    onSome: (expected) =>
      differencesOf("charge", { wallet: booked.wallet, charge: charge.id }, [
        ["wallet", booked.wallet, `${charge.accountId} ${charge.environment}`],
        ["sequence", booked.sequence, charge.sequence],
        ["price", expected.price, charge.price],
        ["amount", expected.amount, charge.amount],
        ["state", expected.state, charge.state],
        ["lease", Math.min(leaseSecondsMax, charge.leaseSeconds ?? leaseSecondsMax), charge.leaseSeconds],
        ["entries", expected.legs.map(legOf), booked.legs.map(legOf)]
      ])
  })
