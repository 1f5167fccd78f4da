import type { CheerioAPI } from "cheerio/slim"
import type { Advert } from "@sightline/platforms/SurfaceAnswer"
import {
  ancestorsOf,
  descendants,
  headingLevel,
  isElement,
  isHidden,
  type MarkupElement,
  select,
  textContentOf
} from "./Markup.ts"
import { searchLink } from "./SearchLinks.ts"
import { isLink, lineOf } from "./SearchSources.ts"

const cardsMax = 100
const siblingsMax = 20
const label = /^(?:Sponsored|Ads?)$/i

const hostIn = (text: string): string | undefined =>
  /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63})\b/i.exec(text)?.[1]?.toLowerCase()

/** The name above an advert's address: the last line there that is neither the title nor the word that marks an advert. */
const nameAbove = (address: MarkupElement | undefined): string => {
  const beside = address?.parent?.children ?? []
  const above = beside
    .slice(
      0,
      Math.max(
        0,
        beside.findIndex((node) => node === address)
      )
    )
    .slice(-siblingsMax)
  const named = above.filter(isElement).filter((element) => headingLevel(element) === 0)
  return named.map((element) => lineOf([element])).findLast((line) => line !== "" && !label.test(line)) ?? ""
}

const advertOf = (card: MarkupElement, pageUrl: string): ReadonlyArray<Advert> => {
  const [anchor] = descendants(card, isLink)
  const link = searchLink(anchor?.attribs["href"] ?? "", pageUrl)
  if (anchor === undefined || link === undefined || !link.outside) return []
  const [heading = anchor] = descendants(card, (element) => headingLevel(element) > 0)
  const [address] = descendants(card, ({ name }) => name === "cite")
  const shown = address === undefined ? undefined : hostIn(textContentOf(address).trim())
  return [
    {
      url: link.url,
      title: lineOf(heading.children),
      advertiser: nameAbove(address),
      domain: link.closed === true ? shown : undefined,
      rendered: true
    }
  ]
}

/** The elements that contain none of the others. */
const innermost = (elements: ReadonlyArray<MarkupElement>): ReadonlyArray<MarkupElement> => {
  const kept = new Set(elements)
  for (const element of elements) for (const outer of ancestorsOf(element)) kept.delete(outer)
  return Array.from(kept)
}

/**
 * The adverts inside an element. They are on the page, so they count as rendered. `cards` selects the element around each advert.
 *
 * Shape: `domain` is left out where the address names it; `advertiser` is empty where only the site is named.
 */
export const advertsIn = (
  $: CheerioAPI,
  element: MarkupElement | undefined,
  cards: string,
  pageUrl: string
): ReadonlyArray<Advert> =>
  innermost(select($, cards, element))
    .filter((card) => !isHidden(card))
    .slice(0, cardsMax)
    .flatMap((card) => advertOf(card, pageUrl))
