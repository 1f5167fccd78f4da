import { Predicate, Schema } from "effect"
import type { Sponsored } from "@sightline/domain/Answer"
import { type Advert, sponsoredOf } from "@sightline/platforms/SurfaceAnswer"
import { fitting, fittingOrNull, maybe } from "@sightline/platforms/Tolerant"

const cardsOf = fitting(Schema.Struct({ title: maybe(Schema.String), target: Schema.Struct({ value: Schema.String }) }))

const unitOf = fittingOrNull(
  Schema.Struct({
    advertiser_brand: Schema.NullOr(Schema.Struct({ name: maybe(Schema.String) })),
    carousel_cards: Schema.optionalKey(Schema.Unknown)
  })
)

/** The advert of one advertiser: the first of its cards with an address, or the unit itself if it is a card. */
const advertIn = (unit: unknown): ReadonlyArray<Omit<Advert, "rendered">> => {
  const read = unitOf(unit)
  const [card] = [...cardsOf(read?.carousel_cards), ...cardsOf([unit])]
  return read === null || card === undefined
    ? []
    : [{ advertiser: read.advertiser_brand?.name, title: card.title, url: card.target.value }]
}

/** A unit of several advertisers holds their units in a list, in a field whose name changes. */
const unitsIn = (unit: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(unit, "advertiser_brand") || !Predicate.isObject(unit)
    ? [unit]
    : Object.values(unit).flatMap((part) => (Array.isArray(part) ? part : []))

const comparable = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase()

/**
 * The adverts served with an answer.
 *
 * Shape: `shown` is the text of the page, read in different ways. An advert counts as rendered when its title is in all of these texts.
 */
export const sponsoredIn = (served: ReadonlyArray<unknown>, shown: ReadonlyArray<string>): ReadonlyArray<Sponsored> => {
  if (served.length === 0) return []
  const texts = shown.map(comparable)
  const isShown = (title: string) => title.trim() !== "" && texts.every((text) => text.includes(comparable(title)))
  return sponsoredOf(
    served
      .flatMap(unitsIn)
      .flatMap(advertIn)
      .map(({ advertiser, title, url }) => ({ advertiser, title, url, rendered: isShown(title ?? "") }))
  )
}
