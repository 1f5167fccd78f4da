import { Schema } from "effect"
import { createHash } from "node:crypto"
import { auditCharge, type Difference, type FoundCharge, type Leg, legOf } from "@sightline/domain/Audit"
import { add, type Credits, subtract, zero } from "@sightline/domain/Credits"
import { type Balance, chainText, EntryKind, genesis, movements, post } from "@sightline/domain/Ledger"
import type { FoundEntry, FoundWallet } from "@sightline/store/Books"

/** A charge whose hold was met and whose end was not, yet. */
interface OpenCharge {
  readonly sequence: number
  readonly legs: ReadonlyArray<Leg>
  readonly rest: Credits
}

/** One wallet's books, gone through entry by entry. Its memory is the holds open at one time, not the entries. */
export interface WalletReplay {
  /** Takes the next entry, with the charge it names as its row says. */
  readonly add: (entry: FoundEntry, charge: FoundCharge | undefined) => void
  /** The charges that are still open. */
  readonly open: () => ReadonlyArray<string>
  /** Compares what the entries came to with the wallet's row, and its open holds with their charges. */
  readonly end: (row: FoundWallet | undefined, charges: ReadonlyMap<string, FoundCharge>) => void
  /** Everything that was ever topped up and earned. */
  readonly totals: () => { readonly topups: Credits; readonly revenue: Credits }
}

const isKind = Schema.is(EntryKind)

const chainHash = (previous: string, entry: FoundEntry): string =>
  createHash("sha256").update(Buffer.from(previous, "hex")).update(chainText(entry), "utf8").digest("hex")

/** Starts a replay of the wallet named `wallet`; whatever does not follow is handed to `report`. */
export const make = (wallet: string, report: (difference: Difference) => void): WalletReplay => {
  let last = { sequence: 0, hash: genesis }
  let written: Balance = { available: zero, held: zero }
  let summed: Balance = written
  let topups = zero
  let revenue = zero
  const open = new Map<string, OpenCharge>()

  const compare = <A extends object>(about: string, due: A, found: NoInfer<A>, rest: Partial<Difference> = {}) => {
    for (const part of Object.keys(due) as Array<keyof A & string>) {
      if (due[part] === found[part]) continue
      report({ kind: `${about}_${part}`, wallet, ...rest, expected: due[part], found: found[part] })
    }
  }

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
        : { ...before, legs: [...before.legs, legOf(entry)], rest: subtract(before.rest, entry.amount) }
    const over = kind === "charge" || booked.rest <= 0
    if (over) judge(chargeId, booked, charge)
    if (over) open.delete(chargeId)
    else open.set(chargeId, booked)
  }

  return {
    add: (entry, charge) => {
      const { kind, amount, sequence, debit, credit, availableAfter, heldAfter, hash } = entry
      if (!isKind(kind)) {
        report({ kind: "entry_kind", wallet, sequence, found: kind })
      } else {
        const after = post(written, { kind, amount })
        const due = { availableAfter: after.available, heldAfter: after.held, ...movements[kind] }
        compare<Readonly<Record<string, unknown>>>(
          "entry",
          due,
          { availableAfter, heldAfter, debit, credit },
          { sequence }
        )
        summed = post(summed, { kind, amount })
        if (kind === "topup") topups = add(topups, amount)
        if (kind === "capture" || kind === "charge") revenue = add(revenue, amount)
        if (kind === "topup") compare("entry", { charge: null }, { charge: entry.chargeId as null }, { sequence })
        else follow(entry, charge)
      }
      compare(
        "entry",
        { sequence: last.sequence + 1, hash: chainHash(last.hash, entry) },
        { sequence, hash },
        { sequence }
      )
      // Go on from what is written, so that one altered entry is reported once and not for every entry after it.
      last = { sequence, hash }
      written = { available: availableAfter, held: heldAfter }
    },
    open: () => [...open.keys()],
    end: (row, charges) => {
      for (const [id, booked] of open) judge(id, booked, charges.get(id))
      if (row === undefined) return report({ kind: "wallet_missing", wallet })
      const held = [...open.values()].reduce<number>((sum, { rest }) => sum + rest, 0)
      const due = { available: summed.available, held: summed.held, entries: last.sequence, head: last.hash }
      compare<FoundWallet>("wallet", due, row)
      compare("wallet", { openHolds: held }, { openHolds: row.held })
    },
    totals: () => ({ topups, revenue })
  }
}
