import { actionText } from "@sightline/domain/Action"
import { type Comparison, type Difference, unequal } from "@sightline/domain/Audit"
import { genesis } from "@sightline/domain/Ledger"
import type { FoundAction, FoundChain } from "@sightline/store/Books"
import { chained, type Link } from "./Chain.ts"

/** The record of actions, gone through row by row. */
export interface ActionReplay {
  readonly add: (action: FoundAction) => void
  /** Compares where the rows led with the chain's own head. */
  readonly end: (chain: FoundChain | undefined) => void
}

/** Starts a replay; whatever does not follow is handed to `report`. */
export const make = (report: (difference: Difference) => void): ActionReplay => {
  let last: Link = { sequence: 0, hash: genesis }

  const compare = (about: string, comparisons: ReadonlyArray<Comparison>, at: { readonly sequence?: number } = {}) => {
    for (const [part, expected, found] of unequal(comparisons))
      report({ kind: `${about}_${part}`, ...at, expected, found })
  }

  return {
    add: (action) => {
      const { sequence, hash } = action
      compare("action", chained(last, action, actionText(action)), { sequence })
      // Go on from what is written, so that one altered row is reported once and not for every row after it.
      last = { sequence, hash }
    },
    end: (chain) => {
      if (chain === undefined) return report({ kind: "action_chain_missing" })
      compare("action_chain", [
        ["actions", last.sequence, chain.actions],
        ["head", last.hash, chain.head]
      ])
    }
  }
}
