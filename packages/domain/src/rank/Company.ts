import { characterFrom, emphasis, type Head, isSureName, named, unnamed, winnerOf } from "./Head.ts"
import { depthOf, isItem, namedBeside } from "./NamedBeside.ts"
import { hasKnownBrand, isMeasure, isStep, wordsOf } from "@sightline/domain/mention/Naming"
import { unitsOf } from "@sightline/domain/text/Letters"
import { isEnglishWord, isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// What a head is that only those beside it tell.

const opensColon = unitsOf("*_ ")

/** The heads but those deeper below one of `owners`, which describe it; a name in a line of prose has nothing below it. */
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

// What is told of one item after the other ("Aperture: 102 mm") is none of them.
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

/** Which lists tell of a thing: all items are one ordinary word before a colon, and one is what things are told by ("Price"). */
const tellingIn = (text: string, heads: ReadonlyArray<Head>): ReadonlySet<number | undefined> => {
  const isTold = ({ to }: Head) => characterFrom(text, to, opensColon) === ":"
  const isOfMeasure = (head: Head) => !head.isName && head.list !== undefined && isTold(head) && isMeasure(head.name)
  const lists = new Set(heads.filter(isOfMeasure).map(({ list }) => list))
  if (lists.size > 0) for (const head of heads) if (!isTold(head) || !isOneWord(head)) lists.delete(head.list)
  return lists
}

/** The heads, or whom they name in lists where most items say for whom or for what each is: "Startups: Acme". */
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

/** Whether a head stands in bold, as a link or in a heading. */
const isMarked = (text: string, { from }: Head): boolean => {
  if (opensMarked.has(text.charCodeAt(from - 1))) return true
  const before = text.slice(Math.max(0, from - longestMark), from)
  return marks.test(before.slice(before.lastIndexOf("\n") + 1))
}

/**
 * The items without a mark that are not surely names, where names are marked: what is counted up beside those in a language that has no
 * dictionary here ("1. Boek musea minstens drie weken vooruit") is advice.
 */
const unmarkedIn = (text: string, heads: ReadonlyArray<Head>): ReadonlySet<Head> => {
  const names = heads.filter(({ isName }) => isName)
  const unmarked = names.filter((head) => !isMarked(text, head))
  if (names.length - unmarked.length < fewestMarked) return new Set()
  return new Set(unmarked.filter((head) => isItem(head) && !hasKnownBrand(head.name) && !isSureName(head.name)))
}

/** Heads as each is read beside the others. */
export const inCompany = (
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
