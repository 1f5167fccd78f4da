import { Result, Schema } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { type Fault, surfaceFault } from "@sightline/platforms/Fault"
import { fitting, known, maybe } from "@sightline/platforms/Tolerant"
import { shapedAs } from "./DataForSeoEnvelope.ts"
import { absent, type Advert, surfaceAnswer } from "@sightline/platforms/SurfaceAnswer"

const list = Schema.optionalKey(Schema.Unknown)

const shaped = shapedAs(Schema.Struct({ item_types: list, items: list }))

const Site = Schema.Struct({ url: Schema.String, title: maybe(Schema.String), domain: maybe(Schema.String) })

const itemsOf = known({
  ai_overview: Schema.Struct({
    asynchronous_ai_overview: maybe(Schema.Boolean),
    markdown: maybe(Schema.String),
    items: list,
    references: list
  }),
  paid: Site
})

type Overview = Extract<ReturnType<typeof itemsOf>[number], { readonly type: "ai_overview" }>["value"]

const referencesOf = fitting(Schema.Struct({ ...Site.fields, text: maybe(Schema.String) }))

const Element = Schema.Struct({
  title: maybe(Schema.String),
  text: maybe(Schema.String),
  markdown: maybe(Schema.String),
  references: list,
  components: list
})

type Element = typeof Element.Type

/** The elements that contain the answer's words. Videos, shopping and adverts are in the same list. */
const elementsOf = known({
  ai_overview_element: Element,
  ai_overview_expanded_element: Element,
  ai_overview_table_element: Element
})

const componentsOf = fitting(Element)

const blocksOf = known({ ai_overview_paid: Schema.Struct({ items: list }) })

const paidOf = fitting(Schema.Struct({ ...Site.fields, website_name: maybe(Schema.String) }))

/** A paid element counts as rendered. Without a name, the site stands for its advertiser. */
const advertOf = ({ domain, website_name, ...site }: ReturnType<typeof paidOf>[number]): Advert => ({
  ...site,
  domain: domain || undefined,
  advertiser: website_name,
  rendered: true
})

/** Adverts inside the answer. */
const paidWithin = (overview: Overview): ReadonlyArray<Advert> =>
  blocksOf(overview.items)
    .flatMap(({ value }) => paidOf(value.items))
    .map(advertOf)

/** An element and its components. */
const partsOf = ({ value }: { readonly value: Element }): ReadonlyArray<Element> => [
  value,
  ...componentsOf(value.components)
]

const wordsOf = ({ markdown, text, title }: Element): string =>
  [title ?? "", markdown || text || ""].filter((part) => part !== "").join("\n\n")

const answerOf = (
  surface: "ai_overview" | "ai_mode" | "bing_copilot",
  overview: Overview,
  beside: ReadonlyArray<Advert>
): Result.Result<Answer, Fault> => {
  if (overview.markdown == null && overview.items == null) {
    // An overview that its page loads late may be there on a retry.
    const transient = overview.asynchronous_ai_overview === true
    return Result.fail(surfaceFault("container_empty", "not_loaded", { transient }))
  }
  const parts = elementsOf(overview.items).flatMap(partsOf)
  const cited = [overview, ...parts].flatMap(({ references }) => referencesOf(references))
  return surfaceAnswer(surface, {
    markdown: overview.markdown || parts.map(wordsOf).join("\n\n"),
    sources: cited.map(({ text, title, url }) => ({ url, title, snippet: text })),
    adverts: [...paidWithin(overview), ...beside]
  })
}

/**
 * Reads the AI answer on a page of search results.
 *
 * Laws: the answer is absent only if the vendor lists the kinds of results that it saw and an answer is not among them.
 */
export const readOverview =
  (surface: "ai_overview" | "ai_mode" | "bing_copilot") =>
  (result: unknown): Result.Result<Answer, Fault> =>
    Result.flatMap(shaped(result), ({ item_types, items }) => {
      const found = itemsOf(items)
      const overview = found.find((item) => item.type === "ai_overview")
      if (overview === undefined) {
        return Array.isArray(item_types) && !item_types.includes("ai_overview")
          ? Result.succeed(absent(surface))
          : Result.fail(surfaceFault("parse_error", "overview"))
      }
      // Choice: Bing's adverts beside its answer count as the slot's. Google's adverts beside an overview do not.
      const paid = surface === "bing_copilot" ? found.flatMap((item) => (item.type === "paid" ? [item.value] : [])) : []
      return answerOf(surface, overview.value, paid.map(advertOf))
    })
