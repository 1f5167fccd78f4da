/**
 * How long the patterns of the brand detector are: a process compiles each one while the first answer that needs it waits.
 *
 * Planted faults, each seen red here: the English denials in one pattern; those of each other language in one pattern.
 */
import { afterEach, assert, it, vi } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

afterEach(() => void vi.restoreAllMocks())

// Twice the alternatives take V8 more than twice the time.
const longest = 6000

it.each([
  ["English", "I searched for Velmora, but the results have nothing, and none of the lists mention it."],
  ["German", "Zu Velmora liegen mir leider nicht viele Preise vor."],
  ["French", "Je ne sais pas si Velmora est moins cher."],
  ["Spanish", "No me parece que Velmora sea barata."],
  ["Italian", "Velmora non costa poco."],
  ["Portuguese", "A Velmora nao custa pouco."],
  ["Dutch", "Velmora is niet duur."],
  ["Polish", "Velmora nie kosztuje dużo."],
  ["Swedish", "Velmora är inte dyrt."],
  ["Russian", "Velmora стоит не дорого."],
  ["Turkish", "Velmora pahalı degil."]
])("%s is read without a pattern longer than 6,000 characters", (_, text) => {
  const exec = vi.spyOn(RegExp.prototype, "exec")
  findBrand({ text, brandEntities: [] }, "Velmora")
  const sources = exec.mock.contexts.map((pattern) => (pattern instanceof RegExp ? pattern.source : ""))
  assert.isAbove(sources.length, 50)
  assert.deepStrictEqual(
    sources.filter(({ length }) => length > longest),
    []
  )
})
