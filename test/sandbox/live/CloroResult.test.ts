/**
 * What the simulated cloro returns for one answer, field by field, since its adapter reads only some fields.
 *
 * Planted and seen red: a source's title has another name, or its date is lost; a pill has the position of its neighbour; the
 * visibility of adverts is inverted; marks stand after the full stop; an overview is null where there is none.
 */
import { assert, describe, it } from "vitest"
import { resultOf, type Seen } from "@sightline/sandbox/wire/CloroResult"
import { sceneWith, staged } from "./Staged.ts"

const sources = [
  {
    position: 1,
    url: "https://ara.example/crm",
    label: "Ara CRM",
    description: "Ara says so.",
    datePublished: "2026-10-30"
  },
  { position: 2, url: "https://tests.example/crm", label: "Five tested", description: "Boro costs little." }
]

const pills = [
  {
    label: "Ara CRM",
    url: "https://ara.example/crm",
    domain: "ara.example",
    type: "searchResult",
    position: 1
  },
  {
    label: "Five tested",
    url: "https://tests.example/crm",
    domain: "tests.example",
    type: "searchResult",
    position: 2
  }
]

const words = { text: "Ara leads.\n\nBoro is cheap", markdown: "**Ara** leads.\n\n- Boro is cheap", sources }

const listings = [
  { position: 1, title: "cato for teams", url: "https://cato.example/offer", store: "cato Ltd" },
  { position: 2, title: "dero for teams", url: "https://dero.example/offer", store: "dero Ltd" }
]

const organicResults = [
  {
    position: 1,
    title: "Ara CRM",
    link: "https://ara.example/crm",
    displayedLink: "https://ara.example",
    snippet: "Ara says so.",
    page: 1
  },
  {
    position: 2,
    title: "Five tested",
    link: "https://tests.example/crm",
    displayedLink: "https://tests.example",
    snippet: "Boro costs little.",
    page: 1
  }
]

const besides = { organicResults, peopleAlsoAsk: [], relatedSearches: [] }

const units = [
  {
    brand: { name: "cato Ltd", url: "https://cato.example/" },
    cards: [{ title: "cato for teams", body: "See cato.", url: "https://cato.example/offer" }],
    visibility: "allowed",
    adsResponseIndex: 0,
    rendered: true
  },
  {
    brand: { name: "dero Ltd", url: "https://dero.example/" },
    cards: [{ title: "dero for teams", body: "See dero.", url: "https://dero.example/offer" }],
    visibility: "hidden",
    adsResponseIndex: 1,
    rendered: false
  }
]

/** The result of each surface's endpoint for the staged answer, without the ids of its pills. */
const whole: ReadonlyArray<readonly [Seen, object]> = [
  [
    "perplexity_live",
    {
      ...words,
      markdown: "**Ara** leads [1][2].\n\n- Boro is cheap [2]",
      citationPills: pills,
      model: "a-model",
      related_queries: ["ara or boro?", "is boro cheap?"],
      search_model_queries: [{ query: "best crm", engine: "web", limit: 8 }]
    }
  ],
  [
    "chatgpt_live",
    {
      ...words,
      citationPills: pills,
      model: "a-model",
      searchQueries: ["ara or boro?", "is boro cheap?"],
      entities: [
        { type: "software", name: "Ara" },
        { type: "company", name: "Boro" }
      ],
      shoppingCards: [],
      ads: units
    }
  ],
  ["gemini_live", { ...words, citationPills: pills, model: "a-model" }],
  ["ai_mode", { ...words, citationPills: pills, ads: { title: "Sponsored", ads: listings } }],
  ["ai_overview", { ...besides, aioverview: { ...words, ads: listings } }]
]

const pillsIn = (result: object): ReadonlyArray<object> => {
  const found: unknown = Reflect.get(result, "citationPills")
  return Array.isArray(found) ? found : []
}

/** A result without the ids of its pills, which only have to differ. */
const withoutIds = (result: object): object => ({
  ...result,
  ...("citationPills" in result && {
    citationPills: pillsIn(result).map((pill) => {
      const { citationPillId: _id, ...rest } = Object.assign({ citationPillId: 0 }, pill)
      return rest
    })
  })
})

const chats = ["perplexity_live", "chatgpt_live", "gemini_live", "ai_mode"] as const

describe("a result of cloro", () => {
  it.each(whole)("%s: has every field of its endpoint, each with its own value", (surface, expected) => {
    assert.deepStrictEqual(withoutIds(resultOf(surface, sceneWith(staged))), expected)
  })

  it.each(chats)("%s: pills have different ids", (surface) => {
    const ids = pillsIn(resultOf(surface, sceneWith(staged))).map((pill) => Reflect.get(pill, "citationPillId"))
    assert.isTrue(ids.every((id) => Number.isInteger(id)))
    assert.strictEqual(new Set(ids).size, staged.sources.length)
  })

  it.each(chats)("%s: an answer that was not found is empty in every field", (surface) => {
    assert.deepStrictEqual(resultOf(surface, sceneWith(undefined)), {
      text: "",
      markdown: "",
      sources: [],
      citationPills: []
    })
  })

  it.each(whole)("%s: an empty container has neither text nor sources", (surface) => {
    const result = resultOf(surface, sceneWith(staged, { kind: "container_empty" }))
    const shown = surface === "ai_overview" ? result["aioverview"] : result
    assert.deepInclude(shown, { text: "", markdown: "", sources: [] })
  })

  it("a page without an overview has the results beside it, but no overview field", () => {
    assert.deepStrictEqual(resultOf("ai_overview", sceneWith(undefined)), besides)
  })

  it("AI Mode has no adverts field where there are none", () => {
    assert.notProperty(resultOf("ai_mode", sceneWith({ ...staged, adverts: [] })), "ads")
  })
})
