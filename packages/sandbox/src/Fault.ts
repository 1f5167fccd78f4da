import type { Duration } from "effect"
import type { Outcome } from "./Composition.ts"
import { dice } from "./Dice.ts"
import type { VendorName } from "./Inquiry.ts"

/**
 * What happens instead of an ordinary answer.
 *
 * `status` is the vendor's own error for that status; `hang` never answers; `malformed` is a 200 whose body is no JSON;
 * `oversized` is the answer followed by blanks up to a size; `reset` breaks the connection in the middle of the body;
 * `outcome` is a 200 that turns out as asked for.
 */
export type Ending =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: "hang" }
  | { readonly kind: "malformed" }
  | { readonly kind: "oversized"; readonly bytes: number }
  | { readonly kind: "reset" }
  | { readonly kind: "outcome"; readonly outcome: Outcome }

/**
 * One line of a script: from which vendor, for how many tries of the same question, after how long, and with what ending.
 * What is left out is: any vendor, every try, at once, an ordinary answer.
 */
export interface Fault {
  readonly vendor?: VendorName
  readonly times?: number
  readonly latency?: Duration.Input
  readonly ending?: Ending
}

/** Questions whose tries are remembered; the oldest are forgotten first. */
const questionsMax = 10_000

/**
 * Counts how often each question met each fault that is limited to some tries, and picks the fault of the next try: the
 * first that is meant for the vendor and not used up. This count is the sandbox's only state.
 */
export const makeScript = () => {
  const met = new Map<string, number>()

  const spend = (key: string, times: number): boolean => {
    const count = met.get(key) ?? 0
    if (count >= times) return false
    met.delete(key)
    met.set(key, count + 1)
    const oldest = met.size > questionsMax ? met.keys().next().value : undefined
    if (oldest !== undefined) met.delete(oldest)
    return true
  }

  return (faults: ReadonlyArray<Fault>, vendor: VendorName, question: string): Fault =>
    faults.find(
      (fault, index) =>
        (fault.vendor === undefined || fault.vendor === vendor) &&
        (fault.times === undefined || spend(dice(vendor, index, question).hex(32), fault.times))
    ) ?? {}
}
