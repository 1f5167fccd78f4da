import type { Advert, LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"

/** The page of a brand in the answer, with its publication date. */
const own: LiveSource = {
  url: "https://ara.example/crm",
  host: "ara.example",
  title: "Ara CRM",
  snippet: "Ara says so.",
  date: "2026-10-30",
  brand: "Ara"
}

/** A page without a publication date. */
const review: LiveSource = {
  url: "https://tests.example/crm",
  host: "tests.example",
  title: "Five tested",
  snippet: "Boro costs little.",
  date: undefined,
  brand: undefined
}

const advert = (name: string, rendered: boolean): Advert => ({
  advertiser: `${name} Ltd`,
  title: `${name} for teams`,
  body: `See ${name}.`,
  url: `https://${name}.example/offer`,
  domain: `${name}.example`,
  rendered
})

/**
 * An answer in which no two values are equal, so that swapped values are noticed.
 *
 * Shape: the first span ends with a full stop and has two sources, the second ends without and has one; only the first
 * source has a date, only the first brand a site, only the first advert is shown.
 */
export const staged: LiveAnswer = {
  markdown: "**Ara** leads.\n\n- Boro is cheap",
  spans: [
    { text: "**Ara** leads.", cites: [0, 1] },
    { text: "\n\n- Boro is cheap", cites: [1] }
  ],
  sources: [own, review],
  fanOut: ["ara or boro?", "is boro cheap?"],
  entities: [
    { name: "Ara", domain: "ara.example", category: "software" },
    { name: "Boro", category: "company" }
  ],
  adverts: [advert("cato", true), advert("dero", false)],
  model: "a-model"
}

/** The scene of an answer, or of none, above two ordinary results. */
export const sceneWith = (answer: LiveAnswer | undefined, ending?: Scene["ending"]): Scene => ({
  question: "best crm",
  latencyMillis: 0,
  slowMillis: 0,
  ending,
  answer,
  results: [own, review]
})
