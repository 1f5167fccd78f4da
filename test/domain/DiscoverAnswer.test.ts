/**
 * Which questions are read from the ways in which engines answer, one fact at a time.
 *
 * Planted and seen red: lists after the second unread, or in another order; a brace in a text taken for an object's; controls kept; a
 * bullet of one kind, numbers to 99; sources of one figure; long rows dropped; an intent only as it is asked for; a purchase before a
 * comparison; an intent that the prompt leaves out; who suggests for who was asked.
 */
import { merge, promptFor } from "@sightline/domain/Discover"
import { suggestionsIn } from "@sightline/domain/DiscoverAnswer"
import { assert, describe, it } from "vitest"

const read = (text: string) => suggestionsIn(text).map(({ query, intent }) => `${query} ${intent}`)
const asked = (text: string) => suggestionsIn(text).map(({ query }) => query)

describe("the questions of an answer", () => {
  it("are those of all its lists, one for each intent as well", () => {
    const lists = ["informational", "commercial", "comparison", "transactional"].map((intent) => {
      const of = (query: string) => JSON.stringify({ query, intent })
      return `## ${intent}\n[${of(`First ${intent}`)}, ${of(`Second ${intent}`)}]`
    })
    assert.lengthOf(suggestionsIn(lists.join("\n\n")), 8)
  })

  it("are not the pattern that was asked for, where the list after it was cut off", () => {
    const pattern = '[{"query": "...", "intent": "..."}]'
    assert.deepEqual(asked(`As ${pattern}:\n[{"query": "How?"}, {"query": "Why?"}, {"query": "And wh`), [
      "How?",
      "Why?"
    ])
  })

  it("are two of one question each where two lists have one", () => {
    assert.deepEqual(asked('[{"query": "How?"}]\nand\n[{"query": "Why?"}]'), ["How?", "Why?"])
  })

  it("stand in objects whose texts hold quotes and braces, and between which a brace is too many", () => {
    const quoted = String.raw`{"query": "Is \"}{\" code?"}`
    assert.deepEqual(asked(`${quoted}\n{"query": "Why?"}`), ['Is "}{" code?', "Why?"])
    assert.deepEqual(asked('{"query": "How?"}}\n{"query": "Why?"}'), ["How?", "Why?"])
  })

  it("are those of the objects, not the texts that an object lists besides", () => {
    assert.deepEqual(asked('{"query": "Which X?", "similar": ["Who makes X?"]}\n{"query": "Why X?"}'), [
      "Which X?",
      "Why X?"
    ])
  })

  it("have no control left in them, and count with blanks behind their mark", () => {
    assert.deepEqual(asked(JSON.stringify([{ query: "What\u0000is\u0007X?" }])), ["What is X?"])
    assert.deepEqual(asked(JSON.stringify(["What is X? ", "Why X?\n"])), ["What is X?", "Why X?"])
  })

  it("stand in a list behind bullets of any kind and numbers up to 999", () => {
    assert.deepEqual(asked("• What?\n* Why?\n- Where?\n100. Who?\n1000. Never?"), ["What?", "Why?", "Where?", "Who?"])
  })

  it("stand before the sources of a line, also the tenth", () => {
    assert.deepEqual(read("1. Why X? [12][103]"), ["Why X? informational"])
  })

  it("stand in a table, long ones too", () => {
    const long = `Which X is best for ${"a very ".repeat(40)}small team?`
    assert.deepEqual(read(`| Query | Intent |\n|---|---|\n| ${long} | Comparison |`), [`${long} comparison`])
  })
})

describe("the intent of a question", () => {
  it("is the one an engine says, however it writes it", () => {
    const items = [" Comparison ", "TRANSACTIONAL"].map((intent) => ({ query: "What is X?", intent }))
    assert.deepEqual(read(JSON.stringify(items)), ["What is X? comparison", "What is X? transactional"])
  })

  it("is told by its words where the engine does not say: a comparison before a purchase before a choice", () => {
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

it("a rationale says how many engines suggest a question, of how many, and its best place", () => {
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
