/**
 * Replays a wallet's entries one by one. Their hash chain is intact, but what they say of their charges may be inconsistent.
 *
 * Planted faults, each seen red: a second hold of an open charge counted as its end; an end without a hold, or after the end, counted as
 * a part of it; a charge left open although more ended than was held; an altered amount reported for every later entry; the holds of
 * open charges not compared with the wallet.
 */
import type { Difference } from "@sightline/domain/Audit"
import { chainText, type EntryKind, genesis, movements, post } from "@sightline/domain/Ledger"
import { make } from "@sightline/engine/WalletReplay"
import { createHash } from "node:crypto"
import { assert, it } from "vitest"

type Entry = Parameters<ReturnType<typeof make>["add"]>[0]
type Step = readonly [kind: EntryKind, amount: number, chargeId?: string]

const chainedTo = (before: string, entry: Omit<Entry, "hash">): Entry => ({
  ...entry,
  hash: createHash("sha256").update(Buffer.from(before, "hex")).update(chainText(entry), "utf8").digest("hex")
})

/** The entries of these steps, each consistent with the one before it. */
const entriesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  let balance = { available: 0, held: 0 }
  for (const [kind, amount, chargeId = null] of steps) {
    balance = post(balance, { kind, amount })
    const sequence = entries.length + 1
    const entry = {
      accountId: "4f9b1c70-6a5e-4d0c-9f5e-0a4c1f7d2b11",
      environment: "live",
      place: BigInt(sequence),
      sequence,
      chargeId,
      kind,
      ...movements[kind],
      amount,
      availableAfter: balance.available,
      heldAfter: balance.held,
      memo: null,
      createdAt: "2026-01-01T00:00:00.000000Z"
    }
    entries.push(chainedTo(entries.at(-1)?.hash ?? genesis, entry))
  }
  return entries
}

/** The differences a replay reports, except charges without a row, and the charges it leaves open. */
const replayed = (entries: ReadonlyArray<Entry>) => {
  const reported: Array<Difference> = []
  const replay = make("wallet", (difference) => reported.push(difference))
  for (const entry of entries) replay.add(entry, undefined)
  const open = replay.open()
  const last = entries.at(-1) ?? assert.fail("no entries")
  const row = { available: last.availableAfter, held: last.heldAfter, entries: last.sequence, head: last.hash }
  replay.end(row, new Map())
  return { open, reported: reported.filter(({ kind }) => kind !== "charge_missing") }
}

const topUp: Step = ["topup", 100]

it.each([
  ["a second hold", 3, [topUp, ["hold", 10, "a"], ["hold", 10, "a"]]],
  ["a charge at once of what is held", 3, [topUp, ["hold", 10, "a"], ["charge", 10, "a"]]],
  ["an end of another's hold", 3, [topUp, ["hold", 10, "a"], ["capture", 10, "b"]]],
  ["a second end", 4, [topUp, ["hold", 10, "a"], ["release", 10, "a"], ["release", 0, "a"]]],
  ["a hold of nobody", 2, [topUp, ["hold", 10]]]
] as const)("%s is reported at its entry", (_, sequence, steps) => {
  const { reported } = replayed(entriesOf(steps))
  assert.deepInclude(reported[0], { kind: "entry_charge", wallet: "wallet", sequence })
})

it("a charge is over once all that was held has ended, or more", () => {
  const openOf = (...ends: ReadonlyArray<Step>) => replayed(entriesOf([topUp, ["hold", 10, "a"], ...ends])).open
  assert.deepStrictEqual(openOf(), ["a"])
  assert.deepStrictEqual(openOf(["capture", 4, "a"]), ["a"])
  assert.deepStrictEqual(openOf(["capture", 4, "a"], ["release", 6, "a"]), [])
  assert.deepStrictEqual(openOf(["capture", 11, "a"]), [])
})

it("the holds of open charges add up to what the wallet holds", () => {
  const steps: ReadonlyArray<Step> = [topUp, ["hold", 10, "a"], ["hold", 5, "b"]]
  assert.deepStrictEqual(replayed(entriesOf(steps)).reported, [])
  assert.deepStrictEqual(replayed(entriesOf([...steps, ["release", 10, "b"]])).reported, [
    { kind: "wallet_openHolds", wallet: "wallet", expected: 10, found: 5 }
  ])
})

it("an altered amount is reported for its own entry only", () => {
  const [first = assert.fail("no entries"), ...rest] = entriesOf([
    topUp,
    ["hold", 10, "a"],
    ["capture", 10, "a"],
    topUp
  ])
  const { reported } = replayed([{ ...first, amount: 101 }, ...rest])
  assert.deepStrictEqual(
    reported.map(({ kind, sequence }) => [kind, sequence]),
    [
      ["entry_hash", 1],
      ["entry_availableAfter", 1],
      ["wallet_available", undefined]
    ]
  )
})
