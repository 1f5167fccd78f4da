import type { ChargeFound } from "@sightline/contract/WalletApi"
import { creditsText, countText, wordText } from "@sightline/dashboard/text/Format"

/** A charge, as the API returns it. */
export type Charge = ChargeFound["charge"]

const isAnswer = (outcome: Charge["outcomes"][number]["outcome"]) => outcome === "ok" || outcome === "cached"

/** How many of a call's questions were answered. */
export const answeredOf = ({ outcomes }: Charge): number => outcomes.filter(({ outcome }) => isAnswer(outcome)).length

// A charge does not say which of its surfaces showed no answer, so this is said of every charge with such surfaces.
const absence = " A page that was looked at and shows no AI answer counts as answered."

const whyOf = (charge: Charge): string => {
  const { state, endpoint, mode, outcomes, cached } = charge
  const [answered, asked] = [answeredOf(charge), outcomes.length]
  if (state === "held") return "The price is set aside until the call ends."
  // A call with only failures is voided as well, but has outcomes.
  if (state === "voided" && outcomes.every(({ outcome }) => outcome === null))
    return "The call was given up, so nothing was charged."
  if (answered === 0) return "No question was answered, so nothing was charged."
  if (endpoint === "discover") return "A discovery costs its price as soon as one engine answered."
  if (endpoint === "ask") return "An ask costs each answer by where it came from; a question without an answer is free."
  const more = cached ? " It came from cache, which has a price of its own." : mode === "quick" ? "" : absence
  if (asked === 1) return `The one question was answered.${more}`
  return answered === asked
    ? `All ${countText(asked)} questions were answered.${more}`
    : `${countText(answered)} of ${countText(asked)} questions were answered; the others are not charged.${more}`
}

/** The calculation of a charge in the reader's number format, like the figures beside it. */
export const sumText = (sum: string): string =>
  sum.replaceAll(/\d+(?:\.\d+)?/g, (number) => creditsText(Number(number)))

/**
 * The explanation of a charge, with calculations that a person can redo.
 *
 * Shape: `why` is the reason; `sums` are the calculations of the charge and of the refund. One that is not known yet is left out.
 */
export const calculationOf = (charge: Charge): { readonly why: string; readonly sums: ReadonlyArray<string> } => {
  const { sum, price_cents: price, charged_cents: charged, refunded_cents: refunded } = charge
  const back =
    charged === null || refunded === null || refunded === 0
      ? []
      : [`${creditsText(price)} − ${creditsText(charged)} = ${creditsText(refunded)} given back`]
  return { why: whyOf(charge), sums: [...(sum === null ? [] : [`${sumText(sum)} charged`]), ...back] }
}

/** The name of a call, in words: `check, all live`. */
export const callText = ({ endpoint, mode }: { readonly endpoint: string; readonly mode: string }): string =>
  `${endpoint}, ${wordText(mode)}`
