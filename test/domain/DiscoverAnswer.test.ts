/**
 * Which questions are read from the forms in which engines answer, one fact at a time.
 *
 * Planted and seen red:
 * - lists after the second are not read, or in another order
 * - a brace in a text is taken for the end of an object
 * - control characters are kept
 * - only bullets of one kind, or numbers up to 99, are read
 * - only sources of one digit are removed
 * - long table rows are dropped
 * - an intent is read only in the spelling of the prompt
 * - a purchase wins over a comparison
 * - the prompt leaves out an intent
 * - the rationale counts the engines that were asked as those that suggest
 */
import { merge, promptFor } from "@sightline/domain/Discover"
import { suggestionsIn } from "@sightline/domain/DiscoverAnswer"
import { assert, describe, it } from "vitest"

const read = (text: string) => suggestionsIn(text).map(({ query, intent }) => `${query} ${intent}`)
const asked = (text: string) => suggestionsIn(text).map(({ query }) => query)

describe("the questions of an answer", () => {
  it("are those of all its lists, even with one list for each intent", () => {
    const lists = ["informational", "commercial", "comparison", "transactional"].map((intent) => {
      const of = (query: string) => JSON.stringify({ query, intent })
      return `## ${intent}\n[${of(`First ${intent}`)}, ${of(`Second ${intent}`)}]`
    })
    assert.lengthOf(suggestionsIn(lists.join("\n\n")), 8)
  })

  it("do not include the pattern from the prompt, even where the list after it is cut off", () => {
    const pattern = '[{"query": "...", "intent": "..."}]'
    assert.deepEqual(asked(`As ${pattern}:\n[{"query": "How?"}, {"query": "Why?"}, {"query": "And wh`), [
      "How?",
      "Why?"
    ])
  })

  it("are those of both lists where two lists have one question each", () => {
    assert.deepEqual(asked('[{"query": "How?"}]\nand\n[{"query": "Why?"}]'), ["How?", "Why?"])
  })

  it("are read from objects whose texts hold quotes and braces, and past a brace too many between objects", () => {
    const quoted = String.raw`{"query": "Is \"}{\" code?"}`
    assert.deepEqual(asked(`${quoted}\n{"query": "Why?"}`), ['Is "}{" code?', "Why?"])
    assert.deepEqual(asked('{"query": "How?"}}\n{"query": "Why?"}'), ["How?", "Why?"])
  })

  it("are those of the objects, not the other texts in them", () => {
    assert.deepEqual(asked('{"query": "Which X?", "similar": ["Who makes X?"]}\n{"query": "Why X?"}'), [
      "Which X?",
      "Why X?"
    ])
  })

  it("contain no control characters, and may have blanks after their question mark", () => {
    assert.deepEqual(asked(JSON.stringify([{ query: "What\u0000is\u0007X?" }])), ["What is X?"])
    assert.deepEqual(asked(JSON.stringify(["What is X? ", "Why X?\n"])), ["What is X?", "Why X?"])
  })

  it("are read from lists with bullets of any kind and numbers up to 999", () => {
    assert.deepEqual(asked("• What?\n* Why?\n- Where?\n100. Who?\n1000. Never?"), ["What?", "Why?", "Where?", "Who?"])
  })

  it("are read without the sources after them, even those of two or three digits", () => {
    assert.deepEqual(read("1. Why X? [12][103]"), ["Why X? informational"])
  })

  it("are read from tables, even long ones", () => {
    const long = `Which X is best for ${"a very ".repeat(40)}small team?`
    assert.deepEqual(read(`| Query | Intent |\n|---|---|\n| ${long} | Comparison |`), [`${long} comparison`])
  })
})

describe("the intent of a question", () => {
  it("is the one that the engine gives, however it spells it", () => {
    const items = [" Comparison ", "TRANSACTIONAL"].map((intent) => ({ query: "What is X?", intent }))
    assert.deepEqual(read(JSON.stringify(items)), ["What is X? comparison", "What is X? transactional"])
  })

  it("is read from its words where the engine gives none: comparison before purchase before choice", () => {
    const intents = [
      ["Where to buy Acme vs Globex?", "comparison"],
      ["Difference between Acme and Globex?", "comparison"],
      ["Where to buy the best shoes?", "transactional"],
      ["Is there a coupon for Acme?", "transactional"],
      ["Which shoes last?", "commercial"],
      ["Are Acme shoes worth it?", "commercial"],
      ["Should I wear Acme?", "commercial"],
      ["How are topics bookmarked?", "informational"]
    ] as const
    assert.deepEqual(
      read(JSON.stringify(intents.map(([query]) => query))),
      intents.map((pair) => pair.join(" "))
    )
  })
})

it("a rationale says how many of the engines suggest a question, and its best place", () => {
  const list = (...queries: ReadonlyArray<string>) => queries.map((query) => ({ query, intent: "commercial" as const }))
  const rationales = (...lists: ReadonlyArray<ReturnType<typeof list>>) =>
    merge(lists, 9).map(({ query, rationale }) => `${query} ${rationale}`)
  assert.deepEqual(rationales(list("What?", "Who?"), list("Why?"), list("Who?", "Where?", "What?")), [
    "Who? Suggested by 2 of 3 engines, at best in place 1.",
    "What? Suggested by 2 of 3 engines, at best in place 1.",
    "Why? Suggested by 1 of 3 engines, at best in place 1.",
    "Where? Suggested by 1 of 3 engines, at best in place 2."
  ])
  assert.deepEqual(rationales(list("Why?")), ["Why? Suggested by 1 of 1 engine, at best in place 1."])
})

it("a prompt asks for questions without the brand, and for one of the four intents", () => {
  const prompt = promptFor({ brand: "Acme", count: 9, language: "en" })
  assert.include(prompt, 'Most of them should not name "Acme".')
  assert.include(prompt, 'one of "informational", "commercial", "comparison", "transactional".')
})
