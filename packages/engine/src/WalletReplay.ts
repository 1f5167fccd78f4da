import { Schema } from "effect"
import {
  auditCharge,
  type Comparison,
  type Difference,
  differencesOf,
  type FoundCharge,
  type Leg,
  legOf
} from "@sightline/domain/Audit"
import { chainText, EntryKind, type FoundBalance, genesis, movements, post } from "@sightline/domain/Ledger"
import type { FoundEntry, FoundWallet } from "@sightline/store/AuditRecords"
import { chained, type Link } from "./Chain.ts"

/** A charge whose hold has been read and whose end has not. */
interface OpenCharge {
  readonly sequence: number
  readonly legs: ReadonlyArray<Leg>
  readonly rest: number
}

/** Verifies one wallet's ledger entry by entry. It keeps only open holds in memory, not the entries. */
export interface WalletReplay {
  /** Takes the next entry, and the row of the charge that it names. */
  readonly add: (entry: FoundEntry, charge: FoundCharge | undefined) => void
  /** The charges that are still open. */
  readonly open: () => ReadonlyArray<string>
  /** Compares the sums of the entries with the wallet's row, and its open holds with their charges. */
  readonly end: (row: FoundWallet | undefined, charges: ReadonlyMap<string, FoundCharge>) => void
  /** All top-ups and all revenue so far. These may exceed the largest balance of a wallet. */
  readonly totals: () => { readonly topups: bigint; readonly revenue: bigint }
}

const isKind = Schema.is(EntryKind)

/** Compares an entry with what follows from its kind, its amount and the balance before it. */
const moved = (before: FoundBalance, { kind, amount, ...entry }: FoundEntry): ReadonlyArray<Comparison> => {
  if (!isKind(kind)) return [["kind", EntryKind.literals, kind]]
  const after = post(before, { kind, amount })
  return [
    ["availableAfter", after.available, entry.availableAfter],
    ["heldAfter", after.held, entry.heldAfter],
    ["debit", movements[kind].debit, entry.debit],
    ["credit", movements[kind].credit, entry.credit]
  ]
}

/** Starts a verification of the wallet named `wallet`; every difference is passed to `report`. */
export const make = (wallet: string, report: (difference: Difference) => void): WalletReplay => {
  let last: Link = { sequence: 0, hash: genesis }
  let written: FoundBalance = { available: 0, held: 0 }
  let summed = written
  let topups = 0n
  let revenue = 0n
  const open = new Map<string, OpenCharge>()

  const compareEntry = (sequence: number, comparisons: ReadonlyArray<Comparison>) =>
    differencesOf("entry", { wallet, sequence }, comparisons).forEach(report)

  const judge = (id: string, booked: OpenCharge, charge: FoundCharge | undefined) => {
    const { sequence, legs } = booked
    if (charge === undefined) report({ kind: "charge_missing", wallet, sequence, charge: id })
    else auditCharge(charge, { wallet, sequence, legs }).forEach(report)
  }

  const follow = (entry: FoundEntry, charge: FoundCharge | undefined) => {
    const { chargeId, sequence, kind } = entry
    const opens = kind === "hold" || kind === "charge"
    const before = chargeId === null ? undefined : open.get(chargeId)
    if (chargeId === null || opens === (before !== undefined)) {
      report({ kind: "entry_charge", wallet, sequence, found: chargeId })
      return
    }
    const booked: OpenCharge =
      before === undefined
        ? { sequence, legs: [legOf(entry)], rest: entry.amount }
        : { ...before, legs: [...before.legs, legOf(entry)], rest: before.rest - entry.amount }
    const over = kind === "charge" || booked.rest <= 0
    if (over) judge(chargeId, booked, charge)
    if (over) open.delete(chargeId)
    else open.set(chargeId, booked)
  }

  return {
    add: (entry, charge) => {
      const { kind, amount, sequence } = entry
      compareEntry(sequence, [...chained(last, entry, chainText(entry)), ...moved(written, entry)])
      if (isKind(kind)) summed = post(summed, { kind, amount })
      if (kind === "topup") topups += BigInt(amount)
      if (kind === "capture" || kind === "charge") revenue += BigInt(amount)
      if (kind === "topup") compareEntry(sequence, [["charge", null, entry.chargeId]])
      else follow(entry, charge)
      // Continue from the stored values, so that one altered entry is reported once and not for every entry after it.
      last = { sequence, hash: entry.hash }
      written = { available: entry.availableAfter, held: entry.heldAfter }
    },
    open: () => [...open.keys()],
    end: (row, charges) => {
      for (const [id, booked] of open) judge(id, booked, charges.get(id))
      if (row === undefined) return report({ kind: "wallet_missing", wallet })
      const held = [...open.values()].reduce<number>((sum, { rest }) => sum + rest, 0)
      differencesOf("wallet", { wallet }, [
        ["available", summed.available, row.available],
        ["held", summed.held, row.held],
        ["openHolds", held, row.held],
        ["entries", last.sequence, row.entries],
        ["head", last.hash, row.head]
      ]).forEach(report)
    },
    totals: () => ({ topups, revenue })
  }
}
