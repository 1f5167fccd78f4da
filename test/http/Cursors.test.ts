/**
 * Planted faults, each seen red: the name of the list ignored; the check that a moment exists, or that a sequence number is safe, left
 * out.
 */
import { cursors, type Cursors } from "@sightline/server/handlers/Cursors"
import { Option } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"

const id = randomUUID()
const row = { at: "2026-01-31T23:59:59.123456Z", id }
const places = {
  actions: 7,
  charges: 7,
  checks: row,
  deliveries: row,
  ledger: { live: 7, test: Number.MAX_SAFE_INTEGER },
  runs: row,
  watches: row
}
type List = keyof typeof places

const strays = {
  sequence: ["", "-1", "1-1", "1.5", "x", "7 ", "9".repeat(16)],
  sequences: ["", "1", "1-", "a-b", "1-1-1", "-1-1", "9007199254740992-1", "1-9007199254740992", "99999999999999999-1"],
  position: [
    "",
    "x",
    `2026-02-30T00:00:00.000000Z ${id}`,
    `2026-13-45T00:00:00.000000Z ${id}`,
    `2026-01-01T25:00:00.000000Z ${id}`,
    `0000-01-01T00:00:00.000000Z ${id}`,
    `2026-01-01T00:00:00.000Z ${id}`,
    `2026-01-01T00:00:00.000000Z ${"-".repeat(36)}`,
    `2026-01-01T00:00:00.000000Z ${"a".repeat(36)}`,
    `2026-01-01T00:00:00.000000Z ${id}0`
  ]
}
const strayFor: Readonly<Record<List, ReadonlyArray<string>>> = {
  actions: strays.sequence,
  charges: strays.sequence,
  checks: strays.position,
  deliveries: strays.position,
  ledger: strays.sequences,
  runs: strays.position,
  watches: strays.position
}

const written: ReadonlyArray<readonly [List, string | null]> = [
  ["actions", cursors.actions.write(places.actions)],
  ["charges", cursors.charges.write(places.charges)],
  ["checks", cursors.checks.write(places.checks)],
  ["deliveries", cursors.deliveries.write(places.deliveries)],
  ["ledger", cursors.ledger.write(places.ledger)],
  ["runs", cursors.runs.write(places.runs)],
  ["watches", cursors.watches.write(places.watches)]
]

describe("A cursor", () => {
  it.each(written)("of %s states its place, and is unknown to every other list", (list, cursor) => {
    for (const [other] of written) {
      const { read }: Pick<Cursors<unknown>, "read"> = cursors[other]
      const expected = other === list ? Option.some(places[list]) : Option.none()
      assert.deepStrictEqual(read(cursor ?? assert.fail()), expected, `in ${other}`)
    }
  })

  it.each(written)("of %s is unknown if no page gave it", (list) => {
    for (const stray of strayFor[list])
      for (const cursor of [stray, Buffer.from(`${list} ${stray}`).toString("base64url")])
        assert.deepStrictEqual(cursors[list].read(cursor), Option.none(), stray)
  })

  it("is null at the end of a list", () => {
    assert.isNull(cursors.watches.write(null))
  })
})
