import type { WalletLedger } from "@sightline/contract/WalletApi"
import { outcomeText } from "@sightline/dashboard/text/FailureWords"
import { platformText } from "@sightline/dashboard/text/Format"
import { Outcome } from "@sightline/domain/Proration"
import { Schema } from "effect"
import { callText } from "./Calculation.ts"

type Entry = Pick<WalletLedger["entries"][number], "kind" | "memo">

const isOutcome = Schema.is(Outcome)

/** A question of the ledger as text for people: `a:chatgpt_api` → `ChatGPT (a)`. */
const askedText = (asked: string): string => {
  const [platform = "", side] = asked.split(":").toReversed()
  const name = platformText(platform.replace(/_api$/, ""))
  return side === undefined ? name : `${name} (${side})`
}

const orderText = ([endpoint, mode, asked]: ReadonlyArray<string>): string | undefined =>
  endpoint === undefined || mode === undefined || asked === undefined
    ? undefined
    : `${callText({ endpoint, mode })}: ${asked.split(",").map(askedText).join(", ")}`

const endingText = ([outcomes = "", origin]: ReadonlyArray<string>): string | undefined => {
  if (origin !== "fresh" && origin !== "cached") return undefined
  const sentences = outcomes.split(",").map((one) => {
    const [asked = "", outcome] = one.split("=")
    return isOutcome(outcome) ? `${askedText(asked)}: ${outcomeText(outcome)}` : undefined
  })
  if (sentences.includes(undefined)) return undefined
  return [...sentences, ...(origin === "cached" ? ["All from cache."] : [])].join(" ")
}

/**
 * The origin of an entry's amount, in words; the memo itself if it has another form.
 *
 * Shape: the memo of a top-up is its reference, that of a hold the order, that of an ending the outcomes; a charge has the order first.
 */
export const memoText = ({ kind, memo }: Entry): string | null => {
  if (memo === undefined) return null
  const words = memo.split(" ")
  if (kind === "topup") return memo
  if (kind === "hold") return orderText(words) ?? memo
  return endingText(words.slice(-2)) ?? memo
}
