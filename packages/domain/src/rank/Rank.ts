import { brandsNamed, furthestRead, placeAmong, type Words } from "@sightline/domain/Brands"
import type { Folded } from "@sightline/domain/text/Fold"
import type { Head } from "./Head.ts"
import { headsOf, structured } from "./Heads.ts"
import { plainLines } from "@sightline/domain/text/PlainLines"
import { namesBefore } from "@sightline/domain/mention/Series"
import { brandKey } from "@sightline/domain/mention/Naming"
import type { Needle } from "@sightline/domain/mention/Needle"
import { hasArrow } from "./Chain.ts"
import { holds, numberOfHead, rankingList, statedOrdinal } from "./Ordinal.ts"
import { mayPlace } from "./PlacesSaid.ts"
import { makerOf } from "@sightline/domain/text/Vocabulary"
import { isReplaced } from "./Replaced.ts"
import type { Span } from "./Span.ts"

// Several answers long: what stands further above or below was written for something else.
const furthestMention = 16 * 1024

// Brackets with as much before a name as "(formerly known as".
const longestOpening = 24
const opensOtherName =
  /^[*_]{0,2}\s?\((?:(?:formerly|previously|also)(?: known as)?\s|(?:owned |made )?by\s|aka\s|now\s)?$/

/** Whether the name of a head is followed in brackets by another of it, or its owner's: "Advanced Micro Devices (AMD)". */
const isOtherName = (text: string, head: Head, { from }: Span): boolean =>
  head.to < from && from - head.to <= longestOpening && opensOtherName.test(text.slice(head.to, from))

/**
 * The number of a brand's item in the list that ranks, where no words say another place: what most brands of such a list have, for whom
 * all else is left unread. An item is a brand's by its name, or as nothing else in the answer names the brand.
 */
const placePrinted = (
  text: string,
  heads: ReadonlyArray<Head>,
  mentions: ReadonlyArray<Span>,
  called: Needle["called"],
  hasEntities: boolean
): number | undefined => {
  const list = rankingList(heads)
  const item = list.find((head) => holds(head, mentions))
  if (item?.number === undefined || item.number === 0) return undefined
  const isAlone =
    !hasEntities &&
    list.filter(({ isName }) => isName).length >= structured &&
    mentions.every((span) => holds(item, [span]))
  if (!isAlone && brandKey(item.name) !== called.key) return undefined
  const read = text.slice(0, furthestRead)
  return hasArrow(read) || mayPlace(read) ? undefined : item.number
}

/**
 * The 1-based place of a brand among the brands of an answer: the place the answer states, else the one that the order of
 * the answer's brands gives it, else the order of first appearance.
 *
 * Shape: `folded` is the answer's text folded; `mentions` are where the brand stands, its first counted mention first; `called` is
 * what the brand is called among brands.
 * Laws: at least 1; a brand in `brandsNamed` has the place that it has there.
 * Source: decisions C5.
 */
export const rankOf = (
  answer: Words,
  folded: Folded,
  mentions: readonly [Span, ...Array<Span>],
  called: Needle["called"]
): number => {
  const text = plainLines(answer.text)
  const hasEntities = answer.brandEntities.length > 0
  const [first] = mentions
  const near = mentions.filter(({ from }) => from < first.from + furthestMention)
  const heads = headsOf(
    text,
    Math.max(0, first.from - furthestMention),
    first.to,
    near.reduce((end, { to }) => Math.max(end, to), 0)
  )
  const printed = placePrinted(text, heads, mentions, called, hasEntities)
  if (printed !== undefined) return printed
  const brands = brandsNamed(answer, folded)
  const placed = brands[placeAmong(brands, called)] ?? brands.find(({ key }) => key === makerOf(called.key))
  if (placed !== undefined) return placed.place
  const stated = statedOrdinal(text, near, heads)
  if (stated !== undefined) return stated
  if (isReplaced(text, first)) return brands.length + 1
  const holder = heads.find((head) => holds(head, [first]) || isOtherName(text, head, first))
  const held = holder === undefined ? undefined : brands.find(({ key }) => key === brandKey(holder.name))
  if (held !== undefined) return held.place
  const number = numberOfHead(heads, near)
  if (number !== undefined) return number
  const before = new Set(brands.filter(({ from }) => from < first.from).map(({ key }) => key))
  if (!hasEntities) for (const { key } of namesBefore(text, first.from)) before.add(key)
  return before.size + 1
}
