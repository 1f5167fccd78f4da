/**
 * The source of every choice in the sandbox.
 *
 * Planted and seen red: the parts of a key are run together; the last character of a key is left out; an item is never picked, or a
 * shuffle moves none; hexadecimal digits stop at nine.
 */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { dice } from "@sightline/sandbox/Dice"

const parts = fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.integer()), { minLength: 1, maxLength: 4 })

it("dice(a) = dice(b) where a = b, part by part, and nowhere else", () =>
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const isSame = one.length === other.length && one.every((part, at) => String(part) === String(other[at]))
      assert.strictEqual(dice(...one).hex(32) === dice(...other).hex(32), isSame)
      assert.strictEqual(dice(...one).hex(32), dice(...one).hex(32))
    }),
    {
      examples: [
        [
          ["ab", "c"],
          ["a", "bc"]
        ],
        [["best crm 1"], ["best crm 2"]]
      ]
    }
  ))

it("each of six values comes up for a sixth of the keys: by pick, below, the first of a shuffle, and a chance of a sixth", () => {
  const six = [0, 1, 2, 3, 4, 5] as const
  const keys = Array.from({ length: 3000 }, (_, key) => key)
  const draws = [
    (key: number) => dice("picked", key).pick([...six]),
    (key: number) => dice("below", key).below(6),
    (key: number) => dice("shuffled", key).shuffle(six)[0],
    (key: number) => (dice("chance", key).chance(1 / 6) ? 0 : undefined)
  ]
  for (const [nth, draw] of draws.entries()) {
    const drawn = keys.map(draw)
    for (const value of nth === 3 ? [0] : six)
      assert.closeTo(drawn.filter((each) => each === value).length / keys.length, 1 / 6, 0.04, `${nth}: ${value}`)
  }
})

it("a shuffle loses and adds nothing, and hexadecimal text has all its digits", () => {
  const items = Array.from({ length: 40 }, (_, item) => item)
  const shuffled = dice("items").shuffle(items)
  assert.sameMembers([...shuffled], items)
  assert.lengthOf(new Set(dice("digits").hex(400)), 16)
})
