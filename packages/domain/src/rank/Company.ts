import { characterFrom, emphasis, type Head, isSureName, named, unnamed, winnerOf } from "./Head.ts"
import { brandKey, hasKnownBrand, isMeasure, isStep, isTitle, wordsOf } from "@sightline/domain/mention/Naming"
import { unitsOf } from "@sightline/domain/text/Letters"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// What a head is that only those beside it tell.

const opensColon = unitsOf("*_ ")
const closesTitle = unitsOf("*_: ")

/** The titles that the numbered item before or after them makes names: "Tally Go" beside "Corvane Lite", whatever is told below either. */
const namedByCompany = (heads: ReadonlyArray<Head>): ReadonlySet<Head> => {
  const numbered = heads.filter(({ number }) => number !== undefined)
  const isNameBeside = ({ number }: Head, other: Head | undefined): boolean =>
    other?.isName === true && Math.abs((other.number ?? 0) - (number ?? 0)) === 1
  const isNamed = (head: Head, at: number): boolean =>
    !head.isName && isTitle(head.name) && (isNameBeside(head, numbered[at - 1]) || isNameBeside(head, numbered[at + 1]))
  return new Set(numbered.filter(isNamed))
}

/** The heads but those deeper below one of `owners`, which describe it. */
const withoutPoints = (heads: ReadonlyArray<Head>, owners: ReadonlySet<Head>): ReadonlyArray<Head> => {
  let owner: Head | undefined
  return heads.filter((head) => {
    if (owner !== undefined && (head.level ?? 0) <= (owner.level ?? 0)) owner = undefined
    if (owner === undefined && owners.has(head)) owner = head
    return owner === undefined || head === owner
  })
}

// "Choose Acme" names nothing beside "Open settings".
const isStepBeside = (head: Head, before: Head | undefined, after: Head | undefined): boolean =>
  head.number !== undefined &&
  isStep(head.name) &&
  [before, after].some((other) => other !== undefined && isStep(other.name))

const depthOf = (text: string, { from }: Head): number =>
  /^[\s>]*(#*)/.exec(text.slice(text.lastIndexOf("\n", from) + 1, from))?.[1]?.length ?? 0

// The cards of a shop have a tag below the name: "### [Acme Pro](…)", "#### Long Battery Life".
const isTagBelow = (text: string, head: Head, before: Head | undefined): boolean => {
  if (!head.isName || head.list !== 0 || head.number !== undefined || hasKnownBrand(head.name)) return false
  if (before?.list !== 0 || !before.isName || text.charAt(before.from - 1) !== "[") return false
  const between = text.slice(text.indexOf("\n", before.to), text.lastIndexOf("\n", head.from))
  return between.trim() === "" && depthOf(text, head) > depthOf(text, before)
}

// What is told of one item after the other ("Aperture: 102 mm") is none of them.
const attributesIn = (text: string, heads: ReadonlyArray<Head>): ReadonlySet<string> => {
  const once = new Set<string>()
  const attributes = new Set<string>()
  for (const { isName, name, number, to } of heads) {
    if (!isName || number !== undefined || characterFrom(text, to, emphasis) !== ":") continue
    if (!once.has(name)) once.add(name)
    else if (wordsOf(name).every(isDictionaryWord) && !hasKnownBrand(name)) attributes.add(name)
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

const item = "\\n\\s*(?:[-*•+]|\\d{1,2}[.)]) {1,3}[*_[]{0,3}([^\\n*\\]:(–—]{2,40})"
const firstItems = new RegExp(`^[*_: ]*${item}[^\\n]*${item}`, "u")
const itemsReach = 400
const titleLine = /^(?:#{1,6} {1,2}|\*\*)[*_]{0,2}([^\n*]{1,60})/gmu

/**
 * Tells titles in ordinary words that say of which kind those listed below are ("Enterprise"): the first two are surely names, and where
 * the title is a brand's name too, they are well-known brands and no other title is one.
 */
export const kindsIn = (text: string): ((head: Head) => boolean) => {
  let titles: ReadonlySet<string> | undefined
  const brandTitles = (): ReadonlySet<string> =>
    (titles ??= new Set(
      Array.from(text.matchAll(titleLine), ([, title = ""]) => title)
        .filter(hasKnownBrand)
        .map(brandKey)
    ))
  return ({ name, to }) => {
    if (characterFrom(text, to, closesTitle) !== "\n" || !wordsOf(name).every(isOrdinaryWord)) return false
    const items = firstItems.exec(text.slice(to, to + itemsReach))?.slice(1) ?? []
    const keys = new Set(items.map(brandKey))
    const own = brandKey(name)
    if (keys.size < 2 || keys.has(own)) return false
    if (!hasKnownBrand(name)) return items.every((written) => hasKnownBrand(written) || isSureName(written.trim()))
    return items.every(hasKnownBrand) && brandTitles().size === (brandTitles().has(own) ? 1 : 0)
  }
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

/** Heads as each is read beside the others. */
export const inCompany = (text: string, alone: ReadonlyArray<Head>): ReadonlyArray<Head> => {
  const won = withWinners(text, alone)
  const titles = namedByCompany(won)
  const heads = withoutPoints(won, titles)
  const attributes = attributesIn(text, won)
  const telling = tellingIn(text, won)
  return heads.map((head, index) => {
    if (telling.has(head.list)) return unnamed(head)
    if (attributes.has(head.name)) return unnamed(head)
    if (isStepBeside(head, heads[index - 1], heads[index + 1])) return unnamed(head)
    if (isTagBelow(text, head, heads[index - 1])) return unnamed(head)
    return titles.has(head) ? named(head) : head
  })
}
