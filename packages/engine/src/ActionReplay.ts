import { actionText } from "@sightline/domain/Action"
import { type Difference, differencesOf } from "@sightline/domain/Audit"
import { genesis } from "@sightline/domain/Ledger"
import type { FoundAction, FoundChain } from "@sightline/store/AuditRecords"
import { chained, type Link } from "./Chain.ts"

/** Verifies the record of actions row by row. */
export interface ActionReplay {
  readonly add: (action: FoundAction) => void
  /** Compares the last row with the head of the chain. */
  readonly end: (chain: FoundChain | undefined) => void
}

/** Starts a verification; every difference is passed to `report`. */
export const make = (report: (difference: Difference) => void): ActionReplay => {
  let last: Link = { sequence: 0, hash: genesis }

  return {
    add: (action) => {
      const { sequence, hash } = action
      differencesOf("action", { sequence }, chained(last, action, actionText(action))).forEach(report)
      // Continue from the stored values, so that one altered row is reported once and not for every row after it.
      last = { sequence, hash }
    },
    end: (chain) => {
      if (chain === undefined) return report({ kind: "action_chain_missing" })
      differencesOf("action_chain", {}, [
        ["actions", last.sequence, chain.actions],
        ["head", last.hash, chain.head]
      ]).forEach(report)
    }
  }
}
