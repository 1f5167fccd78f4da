import { brandsNamed, furthestRead, placeAmong, type AnswerText } from "@sightline/domain/Brands"
import type { Folded } from "@sightline/domain/text/Fold"
import type { Head } from "./Head.ts"
import { headsOf, structured } from "./Heads.ts"
import { htmlAsMarkdown } from "@sightline/domain/text/HtmlAsMarkdown"
import { namesBefore } from "@sightline/domain/mention/Series"
import { brandKey } from "@sightline/domain/mention/Naming"
import type { Needle } from "@sightline/domain/mention/Needle"
import { hasArrow } from "./Chain.ts"
import { holds, numberOfHead, rankingList, statedOrdinal } from "./Ordinal.ts"
import { mayPlace } from "./StatedPlaces.ts"
import { subjectsBesideBrand } from "@sightline/domain/mention/SubjectsByLanguage"
import { withoutSources } from "@sightline/domain/text/Asides"
import { makerOf } from "@sightline/domain/text/Vocabulary"
import { isIncumbent } from "./Incumbent.ts"
import type { Span } from "./Span.ts"

// Several times the length of an answer: text further above or below is about something else.
const furthestMention = 16 * 1024

// The length of "(formerly known as" and similar openings of brackets.
const longestOpening = 24
const opensOtherName =
  /^[*_]{0,2}\s?\((?:(?:formerly|previously|also)(?: known as)?\s|(?:owned |made )?by\s|aka\s|now\s)?$/

/** Whether brackets after the name of a head contain another name of it, or its owner's: "Advanced Micro Devices (AMD)". */
const isOtherName = (text: string, head: Head, { from }: Span): boolean =>
  head.to < from && from - head.to <= longestOpening && opensOtherName.test(text.slice(head.to, from))

/**
 * The number of a brand's item in the list that ranks, where no words state another place. This settles most brands of such a list, and
 * nothing else is read for them. An item belongs to a brand by its name, or because the answer names the brand nowhere else.
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
 * The 1-based place of a brand among the brands of an answer: the place that the answer states, else the place in the order of the answer's
 * brands, else the order of first appearance.
 *
 * Shape: `folded` is the folded text of the answer. `mentions` are the places of the brand, its first counted mention first. `called` are
 * the brand's names as an item of a list.
 * Laws: at least 1; a brand in `brandsNamed` has the place that it has there.
 * Source: decisions C5.
 */
export const rankOf = (
  answer: AnswerText,
  folded: Folded,
  mentions: readonly [Span, ...Array<Span>],
  called: Needle["called"]
): number => {
  const text = htmlAsMarkdown(answer.text)
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
  if (isIncumbent(text, first)) return brands.length + 1
  const holder = heads.find((head) => holds(head, [first]) || isOtherName(text, head, first))
  const held = holder === undefined ? undefined : brands.find(({ key }) => key === brandKey(holder.name))
  if (held !== undefined) return held.place
  const number = numberOfHead(heads, near)
  if (number !== undefined) return number
  const before = new Set(brands.filter(({ from }) => from < first.from).map(({ key }) => key))
  if (!hasEntities && heads.length === 0)
    for (const { key, from } of subjectsBesideBrand(withoutSources(text.slice(0, furthestRead))))
      if (from < first.from && key !== called.key) before.add(key)
  if (!hasEntities) for (const { key } of namesBefore(text, first.from)) before.add(key)
  return before.size + 1
}
