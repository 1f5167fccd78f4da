import type { Advert, LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import { withoutMarkdown } from "@sightline/sandbox/live/Wording"
import { nameOf, ranked } from "./DataForSeoItem.ts"

const chatSource =
  (type: string, tag: string) =>
  ({ url, host, title, snippet }: LiveSource) => ({
    type,
    title,
    snippet,
    domain: host,
    url: url + tag,
    thumbnail: null,
    source_name: nameOf(host),
    publication_date: null,
    markdown: null
  })

const entities = (answer: LiveAnswer) =>
  answer.entities.map(({ name, domain, category }) => ({
    type: "chat_gpt_brand_entity",
    title: name,
    category,
    markdown: `**${name}**`,
    urls: domain === undefined ? null : [{ type: "chat_gpt_url", url: `https://${domain}/`, domain }]
  }))

const advert = ({ advertiser, body, domain, rendered, title, url }: Advert) => ({
  type: "chat_gpt_ad",
  is_rendered: rendered,
  title,
  snippet: body,
  url: `${url}?utm_source=chatgpt`,
  domain,
  image_url: null,
  advertiser: { name: advertiser, url: `https://${domain}/`, favicon_url: null }
})

/** ChatGPT's answer in the format of the vendor's scraper. */
export const ofChatGpt = (answer: LiveAnswer) => {
  const sources = answer.sources.map(chatSource("chat_gpt_source", "?utm_source=chatgpt.com"))
  const items = ranked([
    {
      type: "chat_gpt_text",
      markdown: answer.markdown,
      sources,
      brand_entities: entities(answer)
    },
    ...answer.adverts.map(advert)
  ])
  return {
    model: answer.model,
    check_url: "https://chatgpt.com/?hints=search",
    markdown: answer.markdown,
    search_results: answer.sources.map(({ url, host, title, snippet }) => ({
      type: "chatgpt_search_result",
      url,
      domain: host,
      title,
      description: snippet,
      breadcrumb: host
    })),
    sources,
    fan_out_queries: answer.fanOut,
    brand_entities: entities(answer),
    se_results_count: answer.sources.length,
    item_types: Array.from(new Set(items.map(({ type }) => type))),
    items_count: items.length,
    items
  }
}

/** Gemini's answer in the format of the vendor's scraper. */
export const ofGemini = (answer: LiveAnswer) => {
  const sources = answer.sources.map(chatSource("gemini_source", ""))
  return {
    model: answer.model,
    markdown: answer.markdown,
    sources,
    se_results_count: 0,
    item_types: ["gemini_text"],
    items_count: 1,
    items: ranked([
      {
        type: "gemini_text",
        markdown: answer.markdown,
        original_text: withoutMarkdown(answer.markdown),
        sources
      }
    ])
  }
}
