import type { LiveSurface } from "@sightline/domain/Platform"
import type { Advert, LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { cited, withoutMarkdown } from "@sightline/sandbox/live/Wording"

/** The surfaces that this vendor captures. */
export type Seen = Exclude<LiveSurface, "bing_copilot">

const sourcesOf = ({ sources }: LiveAnswer) =>
  sources.map(({ date, snippet, title, url }, index) => ({
    position: index + 1,
    url,
    label: title,
    description: snippet,
    ...(date !== undefined && { datePublished: date })
  }))

const pillsOf = ({ sources }: LiveAnswer) =>
  sources.map(({ host, title, url }, index) => ({
    label: title,
    citationPillId: index + 1,
    url,
    domain: host,
    type: "searchResult",
    position: index + 1
  }))

/** An advert unit: the cards of one advertiser. */
const unit = ({ advertiser, body, domain, rendered, title, url }: Advert, index: number) => ({
  brand: { name: advertiser, url: `https://${domain}/` },
  cards: [{ title, body, url }],
  visibility: rendered ? "allowed" : "hidden",
  adsResponseIndex: index,
  rendered
})

const listing = ({ advertiser, title, url }: Advert, index: number) => ({
  position: index + 1,
  title,
  url,
  store: advertiser
})

/** The vendor's text, markdown and sources of an answer. All are empty if the container is. */
const wordsOf = (answer: LiveAnswer, { ending }: Scene, markdown: string) =>
  ending?.kind === "container_empty"
    ? { text: "", markdown: "", sources: [] }
    : { text: withoutMarkdown(answer.markdown), markdown, sources: sourcesOf(answer) }

const withMarkers = (answer: LiveAnswer): string =>
  cited(
    answer,
    (_source, position) => `[${position}]`,
    (text, marks) => (/[.!?]$/.test(text) ? `${text.slice(0, -1)} ${marks}${text.slice(-1)}` : `${text} ${marks}`)
  )

const ofGoogle = (scene: Scene) => ({
  organicResults: scene.results.map(({ host, snippet, title, url }: LiveSource, index) => ({
    position: index + 1,
    title,
    link: url,
    displayedLink: `https://${host}`,
    snippet,
    page: 1
  })),
  peopleAlsoAsk: [],
  relatedSearches: [],
  ...(scene.answer !== undefined && {
    aioverview: {
      ...wordsOf(scene.answer, scene, scene.answer.markdown),
      ads: scene.answer.adverts.map(listing)
    }
  })
})

const nothingSaid = { text: "", markdown: "", sources: [], citationPills: [] }

/** What the vendor reports for a surface, in the format of the surface's endpoint. */
export const resultOf = (surface: Seen, scene: Scene): Readonly<Record<string, unknown>> => {
  const { answer } = scene
  if (surface === "ai_overview") return ofGoogle(scene)
  if (answer === undefined) return nothingSaid
  const words = wordsOf(answer, scene, surface === "perplexity_live" ? withMarkers(answer) : answer.markdown)
  const common = { ...words, citationPills: pillsOf(answer) }
  switch (surface) {
    case "perplexity_live":
      return {
        ...common,
        model: answer.model,
        related_queries: answer.fanOut,
        search_model_queries: [{ query: scene.question, engine: "web", limit: 8 }]
      }
    case "chatgpt_live":
      return {
        ...common,
        model: answer.model,
        searchQueries: answer.fanOut,
        entities: answer.entities.map(({ category, name }) => ({ type: category, name })),
        shoppingCards: [],
        ads: answer.adverts.map(unit)
      }
    case "ai_mode":
      return {
        ...common,
        ...(answer.adverts.length > 0 && { ads: { title: "Sponsored", ads: answer.adverts.map(listing) } })
      }
    default:
      return { ...common, model: answer.model }
  }
}
