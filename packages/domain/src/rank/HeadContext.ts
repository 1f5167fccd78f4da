import { characterFrom, emphasis, type Head, isSureName, named, unnamed, winnerOf } from "./Head.ts"
import { depthOf, isItem, namedBeside } from "./NamedBeside.ts"
import { hasKnownBrand, isMeasure, isStep, wordsOf } from "@sightline/domain/mention/Naming"
import { unitsOf } from "@sightline/domain/text/Letters"
import { isEnglishWord, isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// What a head is, where only the heads beside it show that.

const opensColon = unitsOf("*_ ")

/** The heads without those nested below one of `owners`, which describe it. A name within prose has nothing nested below it. */
const withoutPoints = (heads: ReadonlyArray<Head>, owners: ReadonlySet<Head>): ReadonlyArray<Head> => {
  let owner: Head | undefined
  return heads.filter((head) => {
    if (owner !== undefined && (head.level ?? 0) <= (owner.level ?? 0)) owner = undefined
    if (owner === undefined && head.level !== undefined && owners.has(head)) owner = head
    return owner === undefined || head === owner
  })
}

// "Choose Acme" names nothing beside "Open settings".
const isStepBeside = (head: Head, before: Head | undefined, after: Head | undefined): boolean =>
  head.number !== undefined &&
  isStep(head.name) &&
  [before, after].some((other) => other !== undefined && isStep(other.name))

// The cards of a shop have a tag below the name: "### [Acme Pro](…)", "#### Long Battery Life".
const isTagBelow = (text: string, head: Head, before: Head | undefined): boolean => {
  if (head.list !== 0 || head.number !== undefined || hasKnownBrand(head.name)) return false
  if (before?.list !== 0 || !before.isName || text.charAt(before.from - 1) !== "[") return false
  const between = text.slice(text.indexOf("\n", before.to), text.lastIndexOf("\n", head.from))
  return between.trim() === "" && depthOf(text, head) > depthOf(text, before)
}

// "En contra".
const endsSmall = /\s\p{Ll}\S*$/u

// A label that recurs in several items ("Aperture: 102 mm") is an attribute and no item.
const attributesIn = (text: string, heads: ReadonlyArray<Head>): ReadonlySet<string> => {
  const once = new Set<string>()
  const attributes = new Set<string>()
  for (const { isName, name, number, to } of heads) {
    if (!isName || number !== undefined || characterFrom(text, to, emphasis) !== ":") continue
    if (!once.has(name)) once.add(name)
    else if ((wordsOf(name).every(isEnglishWord) || endsSmall.test(name)) && !hasKnownBrand(name)) attributes.add(name)
  }
  return attributes
}

const isOneWord = ({ name }: Head): boolean => {
  const [only = "", ...more] = wordsOf(name)
  return more.length === 0 && isOrdinaryWord(only) && !isKnownBrand(only)
}

/** The lists that describe one thing: every item is one ordinary word before a colon, and one of them is a known label ("Price"). */
const tellingIn = (text: string, heads: ReadonlyArray<Head>): ReadonlySet<number | undefined> => {
  const isTold = ({ to }: Head) => characterFrom(text, to, opensColon) === ":"
  const isOfMeasure = (head: Head) => !head.isName && head.list !== undefined && isTold(head) && isMeasure(head.name)
  const lists = new Set(heads.filter(isOfMeasure).map(({ list }) => list))
  if (lists.size > 0) for (const head of heads) if (!isTold(head) || !isOneWord(head)) lists.delete(head.list)
  return lists
}

/** The heads. In lists where most items have a purpose before a name ("Startups: Acme"), each head is that name. */
const withWinners = (text: string, heads: ReadonlyArray<Head>): ReadonlyArray<Head> => {
  const winners = heads.map((head) => (head.list === undefined ? undefined : winnerOf(text, head)))
  const sure = heads.filter((_, at) => winners[at]?.isSure)
  if (sure.length < 2) return heads
  const [won, all] = [Map.groupBy(sure, ({ list }) => list), Map.groupBy(heads, ({ list }) => list)]
  const isOfWinners = ({ list }: Head): boolean => {
    const count = won.get(list)?.length ?? 0
    return count >= 2 && 2 * count > (all.get(list)?.length ?? 0)
  }
  return heads.map((head, at) => {
    const winner = winners[at]
    return winner !== undefined && isOfWinners(head) ? winner.head : head
  })
}

const marks = /^\s*#|\*\*|\[/
const opensMarked = unitsOf("*[")
const longestMark = 60
const fewestMarked = 2

/** Whether a head is bold, a link or in a heading. */
const isMarked = (text: string, { from }: Head): boolean => {
  if (opensMarked.has(text.charCodeAt(from - 1))) return true
  const before = text.slice(Math.max(0, from - longestMark), from)
  return marks.test(before.slice(before.lastIndexOf("\n") + 1))
}

/**
 * The items without markup that are not surely names, where other names have markup. In a language without a dictionary here, such items
 * ("1. Boek musea minstens drie weken vooruit") are advice.
 */
const unmarkedIn = (text: string, heads: ReadonlyArray<Head>): ReadonlySet<Head> => {
  const names = heads.filter(({ isName }) => isName)
  const unmarked = names.filter((head) => !isMarked(text, head))
  if (names.length - unmarked.length < fewestMarked) return new Set()
  return new Set(unmarked.filter((head) => isItem(head) && !hasKnownBrand(head.name) && !isSureName(head.name)))
}

/** The heads, each read in the context of the others. */
export const inContext = (
  text: string,
  alone: ReadonlyArray<Head>,
  isKind: (head: Head) => boolean
): ReadonlyArray<Head> => {
  const won = withWinners(text, alone)
  const titles = namedBeside(text, won, isKind)
  const heads = withoutPoints(won, titles)
  const attributes = attributesIn(text, won)
  const telling = tellingIn(text, won)
  const unmarked = unmarkedIn(text, won)
  return heads.map((head, index) => {
    if (telling.has(head.list)) return unnamed(head)
    if (attributes.has(head.name) || unmarked.has(head)) return unnamed(head)
    if (isStepBeside(head, heads[index - 1], heads[index + 1])) return unnamed(head)
    if (isTagBelow(text, head, heads[index - 1])) return unnamed(head)
    return titles.has(head) ? named(head) : head
  })
}
