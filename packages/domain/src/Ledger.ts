import { Schema } from "effect"
import { AccountId } from "./Account.ts"
import { Credits } from "./Credits.ts"
import { Environment } from "./Platform.ts"
import type { Order } from "./PriceList.ts"
import type { Outcomes } from "./Proration.ts"

/** The four books money moves between: a wallet's own two, and the two that all wallets share. */
export type Book = "topups" | "available" | "held" | "revenue"

/** Which book each kind of entry takes from (debit) and which it gives to (credit). */
export const movements = {
  topup: { debit: "topups", credit: "available" },
  hold: { debit: "available", credit: "held" },
  capture: { debit: "held", credit: "revenue" },
  release: { debit: "held", credit: "available" },
  charge: { debit: "available", credit: "revenue" }
} as const satisfies Record<string, { readonly debit: Book; readonly credit: Book }>

/** What an entry does with its amount; `charge` is a hold and a capture in one, for calls served from cache. */
export const EntryKind = Schema.Literals(["topup", "hold", "capture", "release", "charge"])
export type EntryKind = typeof EntryKind.Type

/** The state of a charge: its price is held, it was settled at its final amount, or all of it was returned. */
export const ChargeState = Schema.Literals(["held", "settled", "voided"])

/** What a wallet has: to spend, and set aside for calls in progress. */
export interface Balance {
  readonly available: Credits
  readonly held: Credits
}

/**
 * One row of the books: an amount moved from one book to another, and what the wallet had afterwards.
 *
 * Shape: `sequence` counts a wallet's entries from 1. `memo` is what the amount follows from: a top-up's reference, a
 * hold's order, an ending's outcomes. `hash` is hexadecimal. `createdAt` is ISO 8601 in UTC with microseconds.
 * Laws: `hash = sha256(hash of the entry before, 32 zero bytes for the first · UTF-8 of chainText)`.
 */
export const Entry = Schema.Struct({
  accountId: AccountId,
  environment: Environment,
  sequence: Schema.Int,
  chargeId: Schema.NullOr(Schema.String),
  kind: EntryKind,
  debit: Schema.String,
  credit: Schema.String,
  amount: Credits,
  availableAfter: Credits,
  heldAfter: Credits,
  memo: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  hash: Schema.String
})
export type Entry = typeof Entry.Type

/** The hash before a wallet's first entry: 32 zero bytes. */
export const genesis = "0".repeat(64)

/** An entry as the text its hash covers. The memo is last, because it alone may hold the separator. */
export const chainText = (entry: {
  readonly [Field in keyof Omit<Entry, "hash">]: Entry[Field] extends number ? number : string | null
}): string =>
  [
    entry.accountId,
    entry.environment,
    entry.sequence,
    entry.chargeId ?? "",
    entry.kind,
    entry.debit,
    entry.credit,
    entry.amount,
    entry.availableAfter,
    entry.heldAfter,
    entry.createdAt,
    entry.memo ?? ""
  ].join("|")

/** A wallet's balance as an auditor finds or computes it, which may be any numbers. */
export interface FoundBalance {
  readonly available: number
  readonly held: number
}

/** The balance after an entry: the book that it debits has less by its amount, the book that it credits has more. */
export const post = (
  balance: FoundBalance,
  { kind, amount }: { readonly kind: EntryKind; readonly amount: number }
): FoundBalance => {
  const after = (book: Book, before: number): number => {
    const { debit, credit }: { readonly debit: Book; readonly credit: Book } = movements[kind]
    if (debit === book) return before - amount
    return credit === book ? before + amount : before
  }
  return { available: after("available", balance.available), held: after("held", balance.held) }
}

/** The memo of a hold: what was ordered. */
export const orderMemo = ({ endpoint, mode, platforms }: Order): string => `${endpoint} ${mode} ${platforms.join(",")}`

/** The memo of an ending: the outcome of each platform, by name, and whether it came from cache. */
export const outcomesMemo = ({ outcomes, cached }: { readonly outcomes: Outcomes; readonly cached: boolean }): string =>
  `${Object.entries(outcomes)
    .map(([platform, outcome]) => `${platform}=${outcome}`)
    .sort()
    .join(",")} ${cached ? "cached" : "fresh"}`
