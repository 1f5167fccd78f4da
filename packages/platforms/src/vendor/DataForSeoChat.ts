import { Result, Schema } from "effect"
import type { Answer, BrandEntity } from "@sightline/domain/Answer"
import { excerpt } from "@sightline/platforms/Bounds"
import type { Fault } from "@sightline/platforms/Fault"
import { fitting, known, maybe } from "@sightline/platforms/Tolerant"
import { shapedAs } from "./DataForSeoEnvelope.ts"
import { type Advert, bareHost, surfaceAnswer } from "@sightline/platforms/SurfaceAnswer"

const list = Schema.optionalKey(Schema.Unknown)

const shaped = shapedAs(
  Schema.Struct({
    markdown: maybe(Schema.String),
    model: maybe(Schema.String),
    sources: list,
    fan_out_queries: list,
    brand_entities: list,
    items: list
  })
)

const sourcesOf = fitting(
  Schema.Struct({ url: Schema.String, title: maybe(Schema.String), snippet: maybe(Schema.String) })
)

const queriesOf = fitting(Schema.String)

const entitiesOf = fitting(
  Schema.Struct({ title: Schema.String, category: maybe(Schema.String), urls: Schema.optionalKey(Schema.Unknown) })
)

const addressesOf = fitting(Schema.Struct({ domain: Schema.String }))

const advertsOf = known({
  chat_gpt_ad: Schema.Struct({
    is_rendered: maybe(Schema.Boolean),
    title: maybe(Schema.String),
    url: Schema.String,
    domain: maybe(Schema.String),
    advertiser: maybe(Schema.Struct({ name: maybe(Schema.String) }))
  })
})

const textsOf = fitting(Schema.Struct({ markdown: Schema.String }))
const partsOf = fitting(Schema.Struct({ sources: list, brand_entities: list }))

const entityOf = ({ category, title, urls }: ReturnType<typeof entitiesOf>[number]): BrandEntity => {
  const address = addressesOf(urls).find(({ domain }) => domain !== "")
  return {
    name: excerpt(title),
    ...(address !== undefined && { domain: bareHost(address.domain) }),
    ...(category != null && category !== "" && { description: excerpt(category) })
  }
}

const advertOf = ({ value }: ReturnType<typeof advertsOf>[number]): Advert => ({
  advertiser: value.advertiser?.name,
  title: value.title,
  url: value.url,
  domain: value.domain || undefined,
  // An advert that is not reported as rendered was still served.
  rendered: value.is_rendered ?? false
})

/** The list for the whole answer, or else the lists of its items. */
const named = <A>(whole: ReadonlyArray<A>, ofItems: () => ReadonlyArray<A>): ReadonlyArray<A> =>
  whole.length > 0 ? whole : ofItems()

/** Reads the result for a chat's page: ChatGPT's, or Gemini's, which shows neither searches, brands nor adverts. */
export const readChat =
  (surface: "chatgpt_live" | "gemini_live") =>
  (result: unknown): Result.Result<Answer, Fault> =>
    Result.flatMap(shaped(result), ({ brand_entities, fan_out_queries, items, markdown, model, sources }) => {
      const parts = partsOf(items)
      const entities = named(entitiesOf(brand_entities), () => parts.flatMap((part) => entitiesOf(part.brand_entities)))
      return surfaceAnswer(surface, {
        markdown:
          markdown ||
          textsOf(items)
            .map((item) => item.markdown)
            .join("\n\n"),
        sources: named(sourcesOf(sources), () => parts.flatMap((part) => sourcesOf(part.sources))),
        fanOut: queriesOf(fan_out_queries),
        entities: entities.map(entityOf),
        adverts: advertsOf(items).map(advertOf),
        model
      })
    })
