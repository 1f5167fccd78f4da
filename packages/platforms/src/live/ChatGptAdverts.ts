import { Option, Predicate, Schema } from "effect"
import type { Sponsored } from "@sightline/domain/Answer"
import { excerpt } from "@sightline/platforms/Bounds"
import { citationsOf } from "@sightline/platforms/Citations"
import { maybe } from "@sightline/platforms/Tolerant"
import { untracked } from "@sightline/platforms/Untracked"

const advertsMax = 50

const Card = Schema.Struct({ title: Schema.String, target: Schema.Struct({ value: Schema.String }) })

const decodeCard = Schema.decodeUnknownOption(Card)

const decodeUnit = Schema.decodeUnknownOption(
  Schema.Struct({
    advertiser_brand: Schema.Struct({ name: Schema.String }),
    carousel_cards: maybe(Schema.Array(Schema.Unknown))
  })
)

/** The advert of one advertiser: its first card, or the unit itself where it is one. */
const advertIn = (unit: unknown): ReadonlyArray<Omit<Sponsored, "rendered">> => {
  const read = Option.getOrUndefined(decodeUnit(unit))
  const card = Option.getOrUndefined(decodeCard(read?.carousel_cards?.[0] ?? unit))
  const [link] = citationsOf([{ url: untracked(card?.target.value ?? "") }])
  const host = URL.parse(link?.url ?? "")?.hostname.replace(/^www\./, "")
  if (read === undefined || card === undefined || link === undefined || host === undefined) return []
  return [{ advertiser: excerpt(read.advertiser_brand.name), title: excerpt(card.title), url: link.url, domain: host }]
}

/** A unit of several advertisers holds theirs in a list, under a name that changes. */
const unitsIn = (unit: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(unit, "advertiser_brand") || !Predicate.isObject(unit)
    ? [unit]
    : Object.values(unit).flatMap((part) => (Array.isArray(part) ? part : []))

const comparable = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase()

/**
 * The adverts served with an answer.
 *
 * Shape: `shown` is what stands on the page, one text for each way to look at it; an advert is rendered when its title is in
 * all of them. At most 50.
 */
export const sponsoredIn = (served: ReadonlyArray<unknown>, shown: ReadonlyArray<string>): ReadonlyArray<Sponsored> => {
  if (served.length === 0) return []
  const texts = shown.map(comparable)
  const isShown = (title: string) => title.trim() !== "" && texts.every((text) => text.includes(comparable(title)))
  return served
    .flatMap(unitsIn)
    .flatMap(advertIn)
    .slice(0, advertsMax)
    .map(({ advertiser, domain, title, url }) => ({ advertiser, title, url, domain, rendered: isShown(title) }))
}
