/**
 * What the simulated DataForSEO returns for one chat, field by field, since its adapter reads only some fields.
 *
 * Planted and seen red: sources lack the tag of their chat; a brand's address is lost; an advert is counted among the texts; retrieved
 * pages have the name of cited ones; kinds of items are listed twice; an empty container keeps its text.
 */
import { assert, describe, it } from "vitest"
import { resultOf } from "@sightline/sandbox/wire/DataForSeoResult"
import { sceneWith, staged } from "./Staged.ts"

const sourcesOf = (type: string, tag: string) => [
  {
    type,
    title: "Ara CRM",
    snippet: "Ara says so.",
    domain: "ara.example",
    url: `https://ara.example/crm${tag}`,
    thumbnail: null,
    source_name: "ara",
    publication_date: null,
    markdown: null
  },
  {
    type,
    title: "Five tested",
    snippet: "Boro costs little.",
    domain: "tests.example",
    url: `https://tests.example/crm${tag}`,
    thumbnail: null,
    source_name: "tests",
    publication_date: null,
    markdown: null
  }
]

const markdown = "**Ara** leads.\n\n- Boro is cheap"

const brand_entities = [
  {
    type: "chat_gpt_brand_entity",
    title: "Ara",
    category: "software",
    markdown: "**Ara**",
    urls: [{ type: "chat_gpt_url", url: "https://ara.example/", domain: "ara.example" }]
  },
  { type: "chat_gpt_brand_entity", title: "Boro", category: "company", markdown: "**Boro**", urls: null }
]

const search_results = [
  {
    type: "chatgpt_search_result",
    url: "https://ara.example/crm",
    domain: "ara.example",
    title: "Ara CRM",
    description: "Ara says so.",
    breadcrumb: "ara.example"
  },
  {
    type: "chatgpt_search_result",
    url: "https://tests.example/crm",
    domain: "tests.example",
    title: "Five tested",
    description: "Boro costs little.",
    breadcrumb: "tests.example"
  }
]

/** Adverts are ranked among adverts, and among all items, where the text comes first. */
const advert = (name: string, group: number, is_rendered: boolean) => ({
  type: "chat_gpt_ad",
  rank_group: group,
  rank_absolute: group + 1,
  is_rendered,
  title: `${name} for teams`,
  snippet: `See ${name}.`,
  url: `https://${name}.example/offer?utm_source=chatgpt`,
  domain: `${name}.example`,
  image_url: null,
  advertiser: { name: `${name} Ltd`, url: `https://${name}.example/`, favicon_url: null }
})

const cited = sourcesOf("chat_gpt_source", "?utm_source=chatgpt.com")

const chatGpt = {
  model: "a-model",
  check_url: "https://chatgpt.com/?hints=search",
  markdown,
  search_results,
  sources: cited,
  fan_out_queries: ["ara or boro?", "is boro cheap?"],
  brand_entities,
  se_results_count: 2,
  item_types: ["chat_gpt_text", "chat_gpt_ad"],
  items_count: 3,
  items: [
    { type: "chat_gpt_text", rank_group: 1, rank_absolute: 1, markdown, sources: cited, brand_entities },
    advert("cato", 1, true),
    advert("dero", 2, false)
  ]
}

const read = sourcesOf("gemini_source", "")

const gemini = {
  model: "a-model",
  markdown,
  sources: read,
  se_results_count: 0,
  item_types: ["gemini_text"],
  items_count: 1,
  items: [
    {
      type: "gemini_text",
      rank_group: 1,
      rank_absolute: 1,
      markdown,
      original_text: "Ara leads.\n\nBoro is cheap",
      sources: read
    }
  ]
}

const whole = [
  ["chatgpt_live", chatGpt],
  ["gemini_live", gemini]
] as const

describe("DataForSEO's result of a chat", () => {
  it.each(whole)("%s: has every field of its endpoint, each with its own value", (surface, expected) => {
    assert.deepStrictEqual(resultOf(surface, sceneWith(staged)), expected)
  })

  it.each(whole)("%s: an empty container has no text and no items", (surface, expected) => {
    const nothing = { markdown: null, item_types: [], items_count: 0, items: [] }
    assert.deepStrictEqual(resultOf(surface, sceneWith(staged, { kind: "container_empty" })), {
      ...expected,
      ...nothing
    })
  })

  it("lists only the kinds of items that occur", () => {
    assert.deepInclude(resultOf("chatgpt_live", sceneWith({ ...staged, adverts: [] })), {
      item_types: ["chat_gpt_text"],
      items_count: 1
    })
  })
})
