import { characterFrom, type Head, isSureName } from "./Head.ts"
import { brandKey, hasKnownBrand, isNameLike, isTitle, wordsOf } from "@sightline/domain/mention/Naming"
import { unitsOf } from "@sightline/domain/text/Letters"
import { isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// Titles that say of which kind the names below them are: "Enterprise", "Alfama (old and hilly)".

const closesTitle = unitsOf("*_: ")

const item = "\\n\\s*(?:[-*•+]|\\d{1,2}[.)]) {1,3}[*_[]{0,3}([^\\n*\\]:(–—]{2,40})"
const firstItems = new RegExp(`^[*_: ]*${item}[^\\n]*${item}`, "u")
const itemsReach = 400
const titleLine = /^(?:#{1,6} {1,2}|\*\*)[*_]{0,2}([^\n*]{1,60})/gmu

// Titles in headings or bold above a list, with an optional remark in brackets.
const section =
  /^(?:#{1,6} |[^\p{L}\p{N}\n*#-]{0,4}\*\*)([^\n*(:]{2,60})(?:\([^\n)]{0,60}\))?(?:\*\*)?[ :]{0,4}\n{1,3}(?=[ \t]{0,8}(?:[-*•+]|\d{1,2}[.)]) )/gmu
const sectionItem =
  /^\s*(?:[-*•+]|\d{1,2}[.)]) {1,3}[*_[]{0,3}([^\n*\]:(–—]{2,40})[*_\])]*(?:\([^\n)]*\))?[*_]*\s*([–—-]?)/u

// More than any answer has.
const mostSections = 100

// "trivago.de" has no capital.
const mayHead = (name: string): boolean => isNameLike(name) || isTitle(name) || /^\p{Ll}\S*\.\p{Ll}/u.test(name)

/**
 * The titles above lists of possible names, where a text has two or more such lists and on average one of the first two items of each is
 * surely a name. No item occurs in two lists, as attributes of several things would.
 */
const groupsIn = (text: string): ReadonlySet<string> => {
  const titles = new Set<string>()
  const all = new Set<string>()
  let [read, sections, sure] = [0, 0, 0]
  for (const match of text.matchAll(section)) {
    if (read++ === mostSections) break
    const lines = text.slice(match.index + match[0].length, match.index + match[0].length + itemsReach).split("\n", 2)
    const items = lines.map((line) => sectionItem.exec(line))
    const names = items.map((found) => found?.[1]?.trim() ?? "")
    if (items[0]?.[2] === "" || !mayHead(names[0] ?? "")) continue
    titles.add(match[1]?.trim() ?? "")
    if (names.length < 2 || !names.every(mayHead)) continue
    for (const name of names) all.add(brandKey(name))
    sections++
    sure += names.filter(isSureName).length
  }
  return sections > 1 && sure >= sections && all.size === 2 * sections ? titles : new Set()
}

/**
 * Recognises titles that say of which kind the items below them are: those of `groupsIn`, or one in ordinary words ("Enterprise") above two
 * sure names. Where such a title is a brand as well, both items have to be well-known brands, and no other title may be a brand.
 */
export const kindsIn = (text: string): ((head: Head) => boolean) => {
  let titles: ReadonlySet<string> | undefined
  const brandTitles = (): ReadonlySet<string> =>
    (titles ??= new Set(
      Array.from(text.matchAll(titleLine), ([, title = ""]) => title)
        .filter(hasKnownBrand)
        .map(brandKey)
    ))
  let groups: ReadonlySet<string> | undefined
  return ({ name, to }) => {
    const end = characterFrom(text, to, closesTitle)
    if (end !== "\n" && end !== "(") return false
    if ((groups ??= groupsIn(text)).has(name) && !hasKnownBrand(name)) return true
    if (end !== "\n" || !wordsOf(name).every(isOrdinaryWord)) return false
    const items = firstItems.exec(text.slice(to, to + itemsReach))?.slice(1) ?? []
    const keys = new Set(items.map(brandKey))
    const own = brandKey(name)
    if (keys.size < 2 || keys.has(own)) return false
    if (!hasKnownBrand(name)) return items.every((written) => hasKnownBrand(written) || isSureName(written.trim()))
    return items.every(hasKnownBrand) && brandTitles().size === (brandTitles().has(own) ? 1 : 0)
  }
}
