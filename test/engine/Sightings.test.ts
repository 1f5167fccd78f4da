/** Planted and seen red: findings remembered by brand alone; no bound; a bound that forgets the newest. */
import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { sightingOf } from "@sightline/engine/Sightings"
import { answer } from "./scripted.ts"

const brands = ["Acme", "Bolt", "Corvane", "acme", "Acme Corp"]
const saying = (text: string) => ({ ...answer, text })

it("a finding equals what the detector finds, in any order of answers and brands", () => {
  const order = fc.array(fc.tuple(fc.nat(2), fc.constantFrom(...brands)), { maxLength: 30 })
  fc.assert(
    fc.property(order, (asked) => {
      const answers = ["1. Acme\n2. Bolt", "Bolt is better than Acme Corp.", "Nobody knows Corvane."].map(saying)
      for (const [place, brand] of asked) {
        const one = answers[place] ?? answer
        assert.deepEqual(sightingOf("ai_mode", one, brand).visibility, findBrand(one, brand))
      }
    })
  )
})

it("an answer remembers the findings of its last eight brands", () => {
  const names = Array.from({ length: 9 }, (_, n) => `Acme ${n}`)
  const one = saying(names.join(", "))
  const first = names.map((name) => sightingOf("ai_mode", one, name))
  const again = names.toReversed().map((name) => sightingOf("ai_mode", one, name) === first[names.indexOf(name)])
  assert.deepEqual(again, [true, true, true, true, true, true, true, true, false])
})
