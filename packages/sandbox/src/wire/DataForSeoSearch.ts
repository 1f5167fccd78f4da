import type { Advert, LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { cited, withoutMarkdown } from "@sightline/sandbox/live/Wording"
import { nameOf, ranked } from "./DataForSeoItem.ts"

/** The surfaces that are part of a page of search results. */
type SearchSurface = "ai_overview" | "ai_mode" | "bing_copilot"

const references = (answer: LiveAnswer) =>
  answer.sources.map(({ url, host, title, snippet }, index) => ({
    type: "ai_overview_reference",
    position: `${index + 1}`,
    source: nameOf(host),
    domain: host,
    url,
    title,
    text: snippet
  }))

const paidBlock = (adverts: LiveAnswer["adverts"]) => ({
  type: "ai_overview_paid",
  text: "Sponsored",
  markdown: null,
  items: adverts.map(({ advertiser, body, domain, title, url }) => ({
    type: "ai_overview_paid_element",
    title,
    url: `${url}?gclid=sandbox`,
    domain,
    ad_aclk: "/aclk?sa=l&ai=sandbox",
    website_name: advertiser,
    breadcrumb: domain,
    snippet: body,
    images: null
  }))
})

const placed = { page: 1, position: "left" }

const overview = (surface: SearchSurface, answer: LiveAnswer) => {
  const markdown = `${cited(answer, ({ url }, position) => `[[${position}]](${url})`)}\n`
  const within = surface !== "bing_copilot" && answer.adverts.length > 0 ? [paidBlock(answer.adverts)] : []
  return {
    type: "ai_overview",
    ...placed,
    ...(surface === "ai_overview" && { asynchronous_ai_overview: true }),
    markdown,
    items: [
      {
        type: "ai_overview_element",
        position: "left",
        title: null,
        text: withoutMarkdown(answer.markdown),
        markdown: answer.markdown,
        links: null,
        images: null,
        references: references(answer)
      },
      ...within
    ],
    references: references(answer)
  }
}

/** An AI answer without content. Google's overview is marked as loaded later. */
const unloaded = (surface: SearchSurface) => ({
  type: "ai_overview",
  ...placed,
  ...(surface === "ai_overview" && { asynchronous_ai_overview: true }),
  markdown: null,
  items: null,
  references: null
})

const paid = ({ body, domain, title, url }: Advert) => ({
  type: "paid",
  ...placed,
  title,
  domain,
  url,
  description: body,
  breadcrumb: domain
})

const organic = ({ url, host, title, snippet }: LiveSource) => ({
  type: "organic",
  ...placed,
  domain: host,
  title,
  url,
  description: snippet,
  breadcrumb: `https://${host}`,
  is_image: false,
  is_video: false
})

/** A page of search results, including the AI answer, in the format of the vendor's SERP endpoint. */
export const ofSearch = (surface: SearchSurface, { answer, ending, results }: Scene) => {
  const shown =
    answer === undefined ? [] : [ending?.kind === "container_empty" ? unloaded(surface) : overview(surface, answer)]
  const items = ranked([
    ...(surface === "bing_copilot" ? (answer?.adverts ?? []).map(paid) : []),
    ...shown,
    ...(surface === "ai_mode" ? [] : results.map(organic))
  ])
  return {
    type: surface === "ai_mode" ? "ai_mode" : "organic",
    se_domain: surface === "bing_copilot" ? "bing.com" : "google.com",
    check_url: `https://www.${surface === "bing_copilot" ? "bing" : "google"}.com/search`,
    spell: null,
    refinement_chips: null,
    item_types: Array.from(new Set(items.map(({ type }) => type))),
    se_results_count: 31_200_000,
    ...(surface !== "ai_mode" && { pages_count: 1 }),
    items_count: items.length,
    items
  }
}
