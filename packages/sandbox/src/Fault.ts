import type { Duration } from "effect"
import type { Outcome } from "./Composition.ts"
import { dice } from "./Dice.ts"
import type { Target } from "./Inquiry.ts"

/**
 * Endings that only a live surface can have.
 *
 * `no_answer` shows results without an AI answer. `consent`, `captcha`, `login_wall` and `region` are the pages of these
 * names. `container_empty` shows the answer's container with nothing in it. `broken` is an answer that cannot be read:
 * escaped markup or an unreadable stream.
 */
export type LiveEnding = "no_answer" | "consent" | "captcha" | "login_wall" | "region" | "container_empty" | "broken"

/**
 * What happens instead of an ordinary answer.
 *
 * `status` is the vendor's own error for that status. `hang` never answers. `malformed` is a 200 whose body is not JSON.
 * `oversized` is the answer followed by blanks up to a size. `reset` breaks the connection in the middle of the body.
 * `outcome` is a 200 with the given outcome. The endings of live surfaces have no effect on an LLM API.
 */
export type Ending =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: "hang" }
  | { readonly kind: "malformed" }
  | { readonly kind: "oversized"; readonly bytes: number }
  | { readonly kind: "reset" }
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: LiveEnding }

/**
 * One entry of a script: from which target, for how many tries of the same question, after how long, and with what ending. By default:
 * from any target, for every try, at once, with an ordinary answer. `slow` is how long a live surface takes to stream its answer.
 */
export interface Fault {
  readonly target?: Target
  readonly times?: number
  readonly latency?: Duration.Input
  readonly slow?: Duration.Input
  readonly ending?: Ending
}

/** The most counts that are remembered. The count that was increased longest ago is forgotten first. */
const questionsMax = 10_000

/**
 * Counts how often each question met each fault with a limited number of tries, and picks the fault of the next try: the first one
 * that is for one of the targets and is not used up. Apart from the scenes of pages, these counts are the sandbox's only state.
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

  return (faults: ReadonlyArray<Fault>, targets: ReadonlyArray<Target>, question: string): Fault =>
    faults.find(
      (fault, index) =>
        (fault.target === undefined || targets.includes(fault.target)) &&
        (fault.times === undefined || spend(dice(...targets, index, question).hex(32), fault.times))
    ) ?? {}
}

/** Picks the fault for the next try of a question. A fault for any one of `targets` applies. */
export type Script = ReturnType<typeof makeScript>
