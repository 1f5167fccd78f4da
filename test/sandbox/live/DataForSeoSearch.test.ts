/**
 * What the simulated DataForSEO returns for one page of search results, field by field, since its adapter reads only some fields.
 *
 * Planted and seen red: references are counted from zero; marks do not lead to their page; an advert lacks its snippet; the overview's
 * flag is on another page; AI Mode has results; Bing's page has Google's address; ranks do not count up.
 */
import { assert, describe, it } from "vitest"
import type { Advert } from "@sightline/sandbox/live/LiveAnswer"
import { resultOf } from "@sightline/sandbox/wire/DataForSeoResult"
import { sceneWith, staged } from "./Staged.ts"

const references = [
  {
    type: "ai_overview_reference",
    position: "1",
    source: "ara",
    domain: "ara.example",
    url: "https://ara.example/crm",
    title: "Ara CRM",
    text: "Ara says so."
  },
  {
    type: "ai_overview_reference",
    position: "2",
    source: "tests",
    domain: "tests.example",
    url: "https://tests.example/crm",
    title: "Five tested",
    text: "Boro costs little."
  }
]

const element = {
  type: "ai_overview_element",
  position: "left",
  title: null,
  text: "Ara leads.\n\nBoro is cheap",
  markdown: "**Ara** leads.\n\n- Boro is cheap",
  links: null,
  images: null,
  references
}

const paidElement = ({ advertiser, body, domain, title }: Advert) => ({
  type: "ai_overview_paid_element",
  title,
  url: `https://${domain}/offer?gclid=sandbox`,
  domain,
  ad_aclk: "/aclk?sa=l&ai=sandbox",
  website_name: advertiser,
  breadcrumb: domain,
  snippet: body,
  images: null
})

/** Google's adverts stand inside the answer. */
const block = {
  type: "ai_overview_paid",
  text: "Sponsored",
  markdown: null,
  items: staged.adverts.map(paidElement)
}

const left = { page: 1, position: "left" }

const [one, two] = ["https://ara.example/crm", "https://tests.example/crm"]

const overview = {
  type: "ai_overview",
  ...left,
  markdown: `**Ara** leads.[[1]](${one})[[2]](${two})\n\n- Boro is cheap[[2]](${two})\n`,
  references
}

const unloaded = { type: "ai_overview", ...left, markdown: null, items: null, references: null }

/** Only Google's overview loads later than its place on the page. */
const late = { asynchronous_ai_overview: true }

const organic = [
  {
    type: "organic",
    ...left,
    domain: "ara.example",
    title: "Ara CRM",
    url: one,
    description: "Ara says so.",
    breadcrumb: "https://ara.example",
    is_image: false,
    is_video: false
  },
  {
    type: "organic",
    ...left,
    domain: "tests.example",
    title: "Five tested",
    url: two,
    description: "Boro costs little.",
    breadcrumb: "https://tests.example",
    is_image: false,
    is_video: false
  }
]

/** Bing's adverts stand above the answer. */
const paid = staged.adverts.map(({ body, domain, title, url }) => ({
  type: "paid",
  ...left,
  title,
  domain,
  url,
  description: body,
  breadcrumb: domain
}))

const google = { se_domain: "google.com", check_url: "https://www.google.com/search" }
const bing = { se_domain: "bing.com", check_url: "https://www.bing.com/search" }

const common = { spell: null, refinement_chips: null, se_results_count: 31_200_000 }

/** What each page has beside its items, and the items with the answer, with an empty container, and without one. */
const pages = [
  {
    surface: "ai_overview",
    page: { ...common, ...google, type: "organic", pages_count: 1 },
    answered: [{ ...overview, ...late, items: [element, block] }, ...organic],
    empty: [{ ...unloaded, ...late }, ...organic],
    absent: organic
  },
  {
    surface: "ai_mode",
    page: { ...common, ...google, type: "ai_mode" },
    answered: [{ ...overview, items: [element, block] }],
    empty: [unloaded],
    absent: []
  },
  {
    surface: "bing_copilot",
    page: { ...common, ...bing, type: "organic", pages_count: 1 },
    answered: [...paid, { ...overview, items: [element] }, ...organic],
    empty: [...paid, unloaded, ...organic],
    absent: organic
  }
] as const

/** The list of items, separated from the result. */
const opened = (result: object) => {
  const { items, ...page } = { items: undefined, ...result }
  const list: ReadonlyArray<object> = Array.isArray(items) ? items : []
  return { page, items: list.map((item) => Object.assign({ rank_group: 0, rank_absolute: 0 }, item)) }
}

const ways = ["answered", "empty", "absent"] as const

describe.each(pages)("DataForSEO's result for a page: $surface", (expected) => {
  const { surface } = expected
  const scenes = {
    answered: sceneWith(staged),
    empty: sceneWith(staged, { kind: "container_empty" }),
    absent: sceneWith(undefined)
  }

  it.each(ways)("has every field of its endpoint, each with its own value: %s", (way) => {
    const { items, page } = opened(resultOf(surface, scenes[way]) ?? {})
    assert.deepStrictEqual(
      items.map(({ rank_absolute: _absolute, rank_group: _group, ...item }) => item),
      Array.from<object>(expected[way])
    )
    assert.deepStrictEqual(page, {
      ...expected.page,
      item_types: Array.from(new Set(expected[way].map(({ type }) => type))),
      items_count: expected[way].length
    })
  })

  it.each(ways)("numbers its items from one, in the order of the page and of each type: %s", (way) => {
    const { items } = opened(resultOf(surface, scenes[way]) ?? {})
    const types = expected[way].map(({ type }) => type)
    assert.deepStrictEqual(
      items.map(({ rank_absolute, rank_group }) => [rank_absolute, rank_group]),
      types.map((type, index) => [index + 1, types.slice(0, index + 1).filter((other) => other === type).length])
    )
  })

  it("has no block of adverts where there are none", () => {
    const { items } = opened(resultOf(surface, sceneWith({ ...staged, adverts: [] })) ?? {})
    assert.notInclude(JSON.stringify(items), "paid")
  })
})
