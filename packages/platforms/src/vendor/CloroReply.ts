import { Option, Result, Schema } from "effect"
import type { Answer, BrandEntity } from "@sightline/domain/Answer"
import type { Source } from "@sightline/platforms/Citations"
import { type Fault, type Refusal, surfaceFault } from "@sightline/platforms/Fault"
import { excerpt } from "@sightline/platforms/Bounds"
import { mayBeBrand } from "@sightline/platforms/BrandType"
import { citedFirst } from "@sightline/platforms/CitedFirst"
import { withoutMarkers } from "@sightline/platforms/Markers"
import { fitting, fittingOrNull, maybe } from "@sightline/platforms/Tolerant"
import { type Advert, surfaceAnswer } from "@sightline/platforms/SurfaceAnswer"

/** The surfaces that this vendor captures in the same sense as this service. Its Copilot is not the one of Bing. */
export type CloroSurface = "perplexity_live" | "chatgpt_live" | "gemini_live" | "ai_mode" | "ai_overview"

const list = Schema.optionalKey(Schema.Unknown)

const answerFields = {
  markdown: maybe(Schema.String),
  text: maybe(Schema.String),
  sources: list,
  citationPills: list,
  ads: list
}

const Shown = Schema.Struct({
  ...answerFields,
  model: maybe(Schema.String),
  searchQueries: list,
  related_queries: list,
  entities: list,
  aioverview: list
})

type Reply = typeof Shown.Type

const replyOf = fittingOrNull(Schema.Struct({ success: Schema.Literal(true), result: Shown }))

const overviewOf = fittingOrNull(Schema.Struct(answerFields))

const sourcesOf = fitting(
  Schema.Struct({
    position: maybe(Schema.Int),
    url: Schema.String,
    label: maybe(Schema.String),
    title: maybe(Schema.String),
    description: maybe(Schema.String)
  })
)

const pillsOf = fitting(Schema.Struct({ position: Schema.Int, url: maybe(Schema.String) }))
const queriesOf = fitting(Schema.String)
const entitiesOf = fitting(Schema.Struct({ name: Schema.String, type: maybe(Schema.String) }))

const unitsOf = fitting(
  Schema.Struct({
    brand: Schema.NullOr(Schema.Struct({ name: maybe(Schema.String) })),
    cards: list,
    rendered: maybe(Schema.Boolean)
  })
)

const cardsOf = fitting(Schema.Struct({ title: maybe(Schema.String), url: Schema.String }))

const listingsOf = fitting(
  Schema.Struct({ url: Schema.String, title: maybe(Schema.String), store: maybe(Schema.String) })
)

const sectionOf = fittingOrNull(Schema.Struct({ ads: Schema.Unknown }))

/** Google's click counter, whose address does not name the advertiser's site. */
const clickCounter = /^https?:\/\/[^/]*\bgoogle\.[a-z.]+\/aclk\b/

/** ChatGPT's advert unit, of which the first card with an address is the advert. */
const unitAdvert = ({ brand, cards, rendered }: ReturnType<typeof unitsOf>[number]): ReadonlyArray<Advert> => {
  const [card] = cardsOf(cards)
  return card === undefined ? [] : [{ ...card, advertiser: brand?.name, rendered: rendered ?? false }]
}

const listedAdvert = ({ store, title, url }: ReturnType<typeof listingsOf>[number]): Advert => ({
  title,
  url,
  advertiser: store,
  ...(clickCounter.test(url) && { domain: "" }),
  rendered: true
})

/** ChatGPT's adverts are units of cards. Google's are a plain list, which AI Mode puts below a heading. */
const advertsOf = (ads: unknown): ReadonlyArray<Advert> => [
  ...unitsOf(ads).flatMap(unitAdvert),
  ...listingsOf(sectionOf(ads)?.ads ?? ads).map(listedAdvert)
]

/** Source: contract, `perplexity_live`: 5–10 citations, 3–5 related questions. */
const relatedMax = 5

const entityOf = ({ name, type }: ReturnType<typeof entitiesOf>[number]): BrandEntity => ({
  name: excerpt(name),
  ...(type != null && type !== "" && { description: excerpt(type) })
})

const brandsOf = (entities: unknown): ReadonlyArray<BrandEntity> =>
  entitiesOf(entities)
    .filter(({ type }) => mayBeBrand(type))
    .map(entityOf)

const toSource = ({ description, label, title, url }: ReturnType<typeof sourcesOf>[number]): Source => ({
  url,
  title: label || title,
  snippet: description
})

const fanOutOf = (surface: CloroSurface, reply: Reply): ReadonlyArray<string> => {
  if (surface === "perplexity_live") return queriesOf(reply.related_queries).slice(0, relatedMax)
  return surface === "chatgpt_live" ? queriesOf(reply.searchQueries) : []
}

const answerIn = (surface: CloroSurface, reply: Reply, shown: Pick<Reply, keyof typeof answerFields>) => {
  const markdown = shown.markdown || shown.text || ""
  const found = sourcesOf(shown.sources)
  const byPosition = new Map(found.map((source, index) => [source.position ?? index + 1, source]))
  const { pointedAt, said } = withoutMarkers(markdown, (id) => byPosition.has(id))
  const byUrl = new Map(found.map((source) => [source.url, source]))
  // The address of a pill is certain. What its position counts is not, so it comes second.
  const pills = pillsOf(shown.citationPills).map(
    ({ position, url }) => byUrl.get(url ?? "") ?? byPosition.get(position)
  )
  const sources = found.map(toSource)
  const cited = [...pointedAt.map((position) => byPosition.get(position)), ...pills].flatMap((source) =>
    source === undefined ? [] : [toSource(source)]
  )
  return surfaceAnswer(surface, {
    markdown,
    said,
    sources: surface === "perplexity_live" ? citedFirst(cited, sources) : sources,
    fanOut: fanOutOf(surface, reply),
    entities: surface === "chatgpt_live" ? brandsOf(reply.entities) : [],
    adverts: advertsOf(shown.ads),
    model: reply.model
  })
}

/**
 * Reads a reply.
 *
 * Errors: a search page without an overview is `unavailable`. This vendor reports an absence, an overview that it could not
 * read and a country that it does not serve in the same way, and only the absence would be an answer.
 */
export const readReply =
  (surface: CloroSurface) =>
  (body: unknown): Result.Result<Answer, Fault> => {
    const reply = replyOf(body)?.result
    if (reply === undefined) return Result.fail(surfaceFault("parse_error", "reply"))
    if (surface !== "ai_overview") return answerIn(surface, reply, reply)
    const overview = overviewOf(reply.aioverview)
    return overview === null
      ? Result.fail(surfaceFault("unavailable", "no_overview"))
      : answerIn(surface, reply, overview)
  }

const complaintIn = fittingOrNull(Schema.Struct({ error: list, details: list }))
const errorIn = fittingOrNull(Schema.Struct({ code: maybe(Schema.String), details: list }))
const fieldsIn = fitting(Schema.Struct({ field: Schema.String }))

const refused: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 409])

/** The faults of the vendor's own refusals: of a country, or else of the account or the request. */
export const refusal = ({ body, status }: Refusal): Option.Option<Fault> => {
  const complaint = complaintIn(body)
  const error = errorIn(complaint?.error)
  const detail = error?.code ?? `${status}`
  if (!refused.has(status)) return Option.none()
  // The vendor lists the refused fields in its error, or beside it.
  const fields = [...fieldsIn(complaint?.details), ...fieldsIn(error?.details)]
  const misplaced = status === 400 && fields.some(({ field }) => /^(?:country|state)$/.test(field))
  return Option.some(misplaced ? surfaceFault("region", detail) : surfaceFault("refused", detail, { alarm: true }))
}
