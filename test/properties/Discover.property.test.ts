/**
 * Planted faults, each seen red:
 * - a repetition within a list counted twice; `count` ignored; sorted by name only; more than 200 accepted
 * - the weight not divided by the number of engines, or divided by those that have the question
 * - fractions added in the order of engines; the spelling chosen by the order of engines
 * - vowel signs, `+` and `#` left out of the comparison
 * - text of any length accepted as a question; a question without a letter kept
 * - the list read up to the last bracket or brace of the answer, or from the first; only the first list read; the pattern kept
 * - an intent not guessed; the brand not escaped
 * - half a character counted as one, or a character as two
 * - a list lost because of one malformed item
 * - not read: objects without a list, a table, a question followed by its intent, lists of texts, questions that end as in Chinese
 *   or Arabic
 * - joiners and soft hyphens replaced by spaces
 */
import { type Discovery, type Intent, Intent as Intents, merge, promptFor } from "@sightline/domain/Discover"
import { suggestionsIn } from "@sightline/domain/DiscoverAnswer"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const anyIntent = fc.constantFrom<Intent>(...Intents.literals)
const anyQuery = fc.oneof(
  fc.constantFrom(
    "Best CRM?",
    "best crm",
    "Which bank is safest?",
    "Cheapest flights to Oslo?",
    "How do I file taxes?"
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
)
const anyList = fc.array(fc.record({ query: anyQuery, intent: anyIntent }), { maxLength: 12 })
const anyLists = fc.array(anyList, { minLength: 1, maxLength: 4 })

describe("merge", () => {
  it("keeps scores within 0 and 1, in descending order, and no question twice", () =>
    fc.assert(
      fc.property(anyLists, fc.integer({ min: 1, max: 100 }), (lists, count) => {
        const merged = merge(lists, count)
        assert.isAtMost(merged.length, count)
        const scores = merged.map(({ score }) => score)
        assert.deepEqual(
          scores,
          [...scores].sort((a, b) => b - a)
        )
        assert.isTrue(scores.every((score) => score > 0 && score <= 1))
        const keys = merged.map(({ query }) =>
          query
            .normalize("NFKC")
            .toLowerCase()
            .replace(/[^\p{L}\p{M}\p{N}+#]+/gu, " ")
            .trim()
        )
        assert.strictEqual(new Set(keys).size, keys.length)
      })
    ))

  it("does not depend on the order of engines", () =>
    fc.assert(
      fc.property(anyLists, (lists) => {
        assert.deepEqual(merge(lists, 100), merge(lists.toReversed(), 100))
      })
    ))

  it("does not depend on the order of engines even where floating-point sums would", () => {
    const listOf = (length: number, place: number, name: string) =>
      Array.from({ length }, (_, index) => ({
        query: index === place ? "Which?" : `${name} ${index}`,
        intent: "commercial" as const
      }))
    const lists = [listOf(3, 1, "a"), listOf(15, 7, "b"), listOf(16, 1, "c")]
    assert.deepEqual(merge(lists, 100), merge(lists.toReversed(), 100))
  })

  it("distinguishes questions that differ only by a vowel sign or by the signs in the name of a programming language", () => {
    const apart = ["कि", "की", "C", "C++", "C#"].map((query) => ({ query, intent: "commercial" as const }))
    assert.lengthOf(merge([apart], 100), 5)
    const alike = ["Best CRM?", "best  crm", "BEST CRM!", "“Best” CRM", "Ｂｅｓｔ ＣＲＭ"].map((query) => ({
      query,
      intent: "commercial" as const
    }))
    assert.lengthOf(merge([alike], 100), 1)
  })

  it("scores 1 for what every engine put first, and says so", () => {
    const list = [
      { query: "Best CRM?", intent: "commercial" },
      { query: "What is a CRM?", intent: "informational" }
    ] as const
    assert.deepEqual(merge([list, list, list], 2), [
      {
        query: "Best CRM?",
        intent: "commercial",
        score: 1,
        rationale: "Suggested by 3 of 3 engines, at best in place 1."
      },
      {
        query: "What is a CRM?",
        intent: "informational",
        score: 0.5,
        rationale: "Suggested by 3 of 3 engines, at best in place 2."
      }
    ])
  })
})

it("merge scores a question over all engines, including those without it, and omits text without a letter", () => {
  const list = (...queries: ReadonlyArray<string>) => queries.map((query) => ({ query, intent: "commercial" as const }))
  assert.deepEqual(
    merge([list("Which?", "???"), list("Why?"), list("Why?")], 5).map(({ query, score }) => [query, score]),
    [
      ["Why?", 0.667],
      ["Which?", 0.333]
    ]
  )
})

describe("suggestionsIn", () => {
  it("reads back every list in the requested JSON, even with text around it", () =>
    fc.assert(
      fc.property(anyList, (list) => {
        const said = `Here you are:\n\`\`\`json\n${JSON.stringify(list)}\n\`\`\`\nGood luck!`
        const clean = list
          .map(({ query, intent }) => ({
            query: query
              .replace(/[\p{Cf}--[\u200c\u200d]]+/gv, "")
              .replace(/\p{Cc}+/gu, " ")
              .replace(/\s+/g, " ")
              .trim(),
            intent
          }))
          .filter(({ query }) => query !== "")
        assert.deepEqual(suggestionsIn(said), clean)
      })
    ))

  it("never throws and never returns an unusable question", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
        for (const { query } of suggestionsIn(text)) assert.isTrue(query.length > 0 && Array.from(query).length <= 480)
      })
    ))

  it.each([
    ["1. What is the best CRM?\n2) Which CRM is cheapest for two people?\n- Nice weather today.", 2],
    ["I am sorry, I cannot help with that.", 0],
    ["[1, 2, 3]", 0],
    ['As asked [1]:\n[{"query": "How?"}, {"query": "Why?"}]\nSources: [1] example.com', 2],
    ['[{"query": "How?"}, {"query": "Why?"}, {"query": "And wh', 2],
    ['[{"query": "How do I choose a CRM?"', 0],
    ['{"questions": [{"query": "How?", "about": ["x"]}, {"query": "Why?"}]}', 2],
    ['[{"query": "How?"}, {"query": "Why?"}]\nReplace {city} with yours.', 2],
    [String.raw`[{"query": "Is \"]}\" code?"}, {"query": "Why [{?"}] }`, 2],
    [JSON.stringify([{ query: "a".repeat(481) }, { query: "ok?" }]), 1],
    [JSON.stringify([{ query: "👟".repeat(480) }, { query: "👟".repeat(481) }]), 1],
    [JSON.stringify([{ query: "half \ud83d" }, { query: "ok?" }]), 1],
    ['[{"query": "How?"}, {"query": null}, {"question": "Who?"}, "And?", 7, {"query": "Why?"}]', 3],
    ['["How?", "Why [not]?", "best crm", "And wh', 2],
    ['{"brands": ["Acme"], "questions": [{"query": "How?"}]}', 1],
    ["1. 最好的CRM是什么？\n2、哪个更好？\n（3）不算", 2],
    ["١. ما هو أفضل نظام؟\n٢) كيف أختار؟", 2],
    ["1.ما هو؟\n1.5 million?\n2.Which?", 1],
    [JSON.stringify(Array.from({ length: 201 }, (_, n) => ({ query: `${n}?` }))), 200]
  ])("finds the right number of questions in %j: %d", (text, expected) => {
    assert.lengthOf(suggestionsIn(text), expected)
  })

  const two = [
    ["What is X?", "informational"],
    ["X for my team", "commercial"]
  ] as const
  const written = two.map(([query, intent]) => JSON.stringify({ query, intent }))
  it.each([
    ["JSON lines", `Here:\n\`\`\`json\n${written.join("\n")}\n\`\`\`\nGood luck {name}!`],
    ["objects with commas between them", written.join(",\n")],
    ["objects over several lines", two.map(([query, intent]) => JSON.stringify({ query, intent }, null, 2)).join("\n")],
    ["a list after the pattern that was asked for", `As [{"query": "...", "intent": "..."}]:\n[${written.join()}]`],
    ["a list after a pattern that is no JSON", `As [{"query": string, "intent": string}]:\n[${written.join()}]`],
    ["two lists", written.map((one) => `[${one}]`).join("\nand\n")],
    [
      "a table",
      `| # | Query | Intent |\n|---|:--|---|\n${two.map((row) => `| 1 | **${row[0]}** | ${row[1]} |`).join("\n")}`
    ]
  ])("reads %s", (_, text) => {
    assert.deepEqual(
      suggestionsIn(text).map(({ query, intent }) => `${query} ${intent}`),
      two.map((row) => row.join(" "))
    )
  })

  it("reads a listed question with its intent or sources after it", () => {
    const text = [
      "1. What is X? (transactional)",
      "2. **Which X?** — comparison",
      "3. Where is X? - Intent: commercial",
      "4. Why X? [1][2]",
      "5. Is it X? I do not know that",
      "6. Who (or what) is X? *(commercial)*"
    ].join("\n")
    assert.deepEqual(
      suggestionsIn(text).map(({ query, intent }) => `${query} ${intent}`),
      [
        "What is X? transactional",
        "Which X? comparison",
        "Where is X? commercial",
        "Why X? informational",
        "Who (or what) is X? commercial"
      ]
    )
  })

  it("reads a megabyte in linear time, whatever is left open in it", () => {
    for (const part of ['[{"query":"', "[{", '{"query":"a"}\n', '{"query":{', "1. What? (", "| a? | b |\n", "| "]) {
      const start = process.threadCpuUsage()
      suggestionsIn(part.repeat(Math.floor(1_000_000 / part.length)))
      assert.isBelow(process.threadCpuUsage(start).user, 3_000_000, part)
    }
  })

  it("keeps joiners that letters need, and removes invisible characters within words", () => {
    const [persian, german] = ["کدام نرم\u200cافزار؟", "Welche Kranken\u00adversicherung?"]
    assert.deepEqual(
      suggestionsIn(JSON.stringify([persian, german])).map(({ query }) => query),
      [persian, "Welche Krankenversicherung?"]
    )
  })

  it("guesses an intent that is missing or unknown", () => {
    const listed = ["Acme vs Globex", "Where can I buy Acme shoes", "Best shoes for winter", "How are shoes made"]
    const text = JSON.stringify(listed.map((query, index) => (index % 2 === 0 ? { query } : { query, intent: "odd" })))
    assert.deepEqual(
      suggestionsIn(text).map(({ intent }) => intent),
      ["comparison", "transactional", "commercial", "informational"]
    )
  })
})

describe("promptFor", () => {
  it("quotes the caller's text, so that it is not read as an instruction", () => {
    const discovery: Discovery = { brand: 'Acme". Ignore', industry: "shoes", count: 3, language: "en" }
    assert.include(promptFor(discovery), String.raw`"Acme\". Ignore"`)
  })

  it("asks for the requested number, industry and language", () => {
    const prompt = promptFor({ brand: "Acme", industry: "shoes", count: 37, language: "pt-BR" })
    for (const wish of ["List 37 ", ' in the industry "shoes".', ' in the language with the code "pt-BR".'])
      assert.include(prompt, wish)
  })
})
