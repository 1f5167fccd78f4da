/**
 * Planted faults, each seen red: a release that leaves the held side; the sequence left out of the text; outcomes in a memo in
 * order of arrival; credits multiplied by a thousand in floating point.
 */
import { AccountId } from "@sightline/domain/Account"
import { Credits, credits, toCents } from "@sightline/domain/Credits"
import { chainText, type Entry, EntryKind, movements, outcomesMemo, post } from "@sightline/domain/Ledger"
import { Asked } from "@sightline/domain/Platform"
import { Outcome } from "@sightline/domain/Proration"
import { Record } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const amounts = fc.integer({ min: 1, max: 2 ** 43 }).map((amount) => Credits.make(amount))
const kinds = fc.constantFrom(...EntryKind.literals)

const entries: fc.Arbitrary<Entry> = fc.record({
  accountId: fc.uuid().map((id) => AccountId.make(id)),
  environment: fc.constantFrom("live", "test"),
  sequence: fc.integer({ min: 1, max: 1e9 }),
  chargeId: fc.option(fc.uuid()),
  kind: kinds,
  debit: fc.constantFrom("topups", "available", "held"),
  credit: fc.constantFrom("available", "held", "revenue"),
  amount: amounts,
  availableAfter: amounts,
  heldAfter: amounts,
  memo: fc.option(fc.string({ minLength: 1, unit: fc.constantFrom("|", "a", "1", " ", "=") })),
  createdAt: fc.constantFrom("2026-01-02T03:04:05.000006Z", "2026-01-02T03:04:05.000007Z"),
  hash: fc.constant("")
})

describe("post", () => {
  it("moves money and never creates it: available + held + revenue = topups after any entries", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, amounts), { maxLength: 30 }), (steps) => {
        const books = { topups: 0, available: 0, held: 0, revenue: 0 }
        let balance = { available: 0, held: 0 }
        for (const [kind, amount] of steps) {
          balance = post(balance, { kind, amount })
          books[movements[kind].debit] -= amount
          books[movements[kind].credit] += amount
        }
        assert.deepStrictEqual(balance, { available: books.available, held: books.held })
        assert.strictEqual(books.topups + books.available + books.held + books.revenue, 0)
      })
    )
  })

  it("has the effect of each kind on a wallet, by example", () => {
    const before = { available: Credits.make(100), held: Credits.make(40) }
    const after = (kind: EntryKind) => post(before, { kind, amount: Credits.make(7) })
    assert.deepEqual(after("topup"), { available: 107, held: 40 })
    assert.deepEqual(after("hold"), { available: 93, held: 47 })
    assert.deepEqual(after("capture"), { available: 100, held: 33 })
    assert.deepEqual(after("release"), { available: 107, held: 33 })
    assert.deepEqual(after("charge"), { available: 93, held: 40 })
    assert.deepEqual(
      EntryKind.literals.map((kind) => `${movements[kind].debit} to ${movements[kind].credit}`),
      ["topups to available", "available to held", "held to revenue", "held to available", "available to revenue"]
    )
  })
})

describe("outcomesMemo", () => {
  it("is the same for any order of the outcomes", () => {
    const outcomes = fc.dictionary(fc.constantFrom(...Asked.literals), fc.constantFrom(...Outcome.literals))
    fc.assert(
      fc.property(outcomes, fc.boolean(), (given, cached) => {
        const turned = Object.fromEntries(Object.entries(given).toReversed())
        assert.strictEqual(outcomesMemo({ outcomes: turned, cached }), outcomesMemo({ outcomes: given, cached }))
      })
    )
  })
})

describe("credits", () => {
  it("credits(n / 1000) = n for every amount up to 100 credits", () => {
    for (let amount = 0; amount <= 100_000; amount++) assert.strictEqual(credits(toCents(Credits.make(amount))), amount)
  })
})

describe("chainText", () => {
  it("differs for different entries", () => {
    fc.assert(
      fc.property(entries, entries, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b)
        assert.strictEqual(chainText(a) === chainText(b), same)
      }),
      { numRuns: 300 }
    )
  })

  it("changes with every single field", () => {
    fc.assert(
      fc.property(entries, entries, (a, b) => {
        for (const field of Record.keys(a)) {
          if (field === "hash" || a[field] === b[field]) continue
          assert.notStrictEqual(chainText({ ...a, [field]: b[field] }), chainText(a))
        }
      })
    )
  })
})
