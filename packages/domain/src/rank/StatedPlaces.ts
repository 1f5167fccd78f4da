import { namings } from "@sightline/domain/mention/Naming"
import type { NamedBrand } from "@sightline/domain/NamedBrand"
import { isDigit, unitsOf } from "@sightline/domain/text/Letters"
import { isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"
import { fold } from "@sightline/domain/text/Fold"
import { linesAround } from "./Ordinal.ts"
import { numberOf } from "./PlaceWords.ts"
import type { Span } from "./Span.ts"

// The places that prose explicitly gives brands: "Acme comes first", "our runner-up is Bolt".

// Every such place contains one of these, so this test rules out most lines cheaply.
const cue =
  /[#№º°、第位名위]|\d(?:st|nd|rd|th|er|re|e|ème|ère)\b|\d[.)] |(?:^|[\s*_("“«])(?:[Ff](?:irst|ourth|ifth)|[Ss](?:econd|ixth|eventh|telle|pitze)|[Tt](?:hird|enth|op(?:s?\b|p)|ercer|rois)|[Ee]ighth|[Nn](?:inth|[or]\.|\.?[º°]|[uú]m)|[Rr](?:ank|ang\b|unner)|[Oo]ption\s|[Pp](?:lace|lat[sz]|l[ae]k|osi(?:c|z|tion)|osto|remier|iazza|uesto)|[Ll]ugar|[Cc]oloca|leads|heads|führt|bovenaan|tête|mène|domine|cabeza|encabeza|lidera|guida|miejsc|pozycji|sıra|мест|позици|المر|ال|ה|במקום)/g
// How far a place is from its name, in UTF-16 units.
const reach = 60
// Capitals, and letters beyond those of Western Europe. This takes half as long as Unicode's class of capitals.
const nameWord = /[A-Z\u00c0-\u00de\u0100-\u1fff\u2c00-\ud7ff][\w\u00c0-\u1fff]*/g
const opening = 12
const opensSentence = /(?:^|[.!?:]\s)[\s"“*_>#•-]*$/

/** Whether the word at `at` may be a name: one that opens no sentence, or one that is not ordinary. */
const mayBeName = (text: string, word: string, at: number): boolean => {
  const letters = word.toLowerCase()
  return (
    !isOrdinaryWord(letters) || isKnownBrand(letters) || !opensSentence.test(text.slice(Math.max(0, at - opening), at))
  )
}

/**
 * Tells whether a name may begin in a stretch. Each word of the text is read once, because a hostile text has thousands of places.
 * Laws: no stretch begins before one that was asked for earlier.
 */
const namesAhead = (text: string): ((from: number, to: number) => boolean) => {
  let [name, read] = [-1, 0]
  return (from, to) => {
    while (name < from && read < to) {
      nameWord.lastIndex = Math.max(from, read)
      const found = nameWord.exec(text)
      read = found === null ? text.length : nameWord.lastIndex
      if (found !== null && mayBeName(text, found[0], found.index)) name = found.index
    }
    return name >= from && name < to
  }
}

const marks = unitsOf(" \t#*_>")
const longestMark = 8

/** Whether a line begins with a number, after the marks of a heading or of bold: not "#1: Acme". */
const isNumbered = (text: string, from: number): boolean => {
  let at = from
  while (at < from + longestMark && marks.has(text.charCodeAt(at))) at++
  return isDigit(text.charCodeAt(at)) && text.charAt(at - 1) !== "#"
}

// "#2 overall" stands below its name, "No. 2:" above it.
const longestAlone = 16

/** The end of the prose above a numbered list, and the start of the prose below it. Without such a list, all of the text is above. */
const outsideList = (text: string): readonly [above: number, below: number] => {
  let above = 0
  while (above < text.length && !isNumbered(text, above)) {
    const next = text.indexOf("\n", above)
    above = next < 0 ? text.length : next + 1
  }
  let below = text.length
  for (let to = below; to > above; to = below - 1) {
    const from = text.lastIndexOf("\n", to - 1) + 1
    if (isNumbered(text, from)) break
    below = from
  }
  return [above, below]
}

/**
 * The lines that may say the place of a name. A line comes with the one before it where the place opens the line, and with the one after it
 * where the line is short as well. Where a list ranks, only lines above and below it count.
 */
const placing = function* (text: string, inList: boolean): Generator<Span> {
  const [above, below] = inList ? outsideList(text) : [text.length, text.length]
  const mayName = namesAhead(text)
  let [from, to] = [0, -1]
  for (let read = 0; ;) {
    cue.lastIndex = read
    const found = cue.exec(text)
    if (found === null) return
    read = cue.lastIndex
    // The sign before a word may be the end of the line above.
    const at = found.index
    if (at >= to) {
      from = text.lastIndexOf("\n", at) + 1
      const end = text.indexOf("\n", Math.max(at, from))
      to = end < 0 ? text.length : end
    }
    if (from >= above && from < below) {
      if (below === text.length) return
      read = below - 1
      continue
    }
    const opens = at - from < longestAlone - 1
    const first = opens && from > 0 && from !== below ? text.lastIndexOf("\n", from - 2) + 1 : from
    const next = opens && to - from < longestAlone - 1 ? text.indexOf("\n", to + 1) : to
    const last = next < 0 ? text.length : next
    if (mayName(Math.max(first, at - reach), Math.min(last, at + reach))) {
      yield { from: first, to: last }
      read = to
    }
  }
}

/** Whether words outside of the items of a numbered list may say a name's place. */
export const mayPlace = (text: string): boolean => placing(text, true).next().done === false

// The rest of a name after its brand: "Zentra Desk".
const further = /(?: [\p{Lu}\d&][\p{L}\p{M}\p{Nd}'’+-]*){1,4}/uy

const endOfName = (text: string, to: number): number => {
  further.lastIndex = to
  return to + (further.exec(text)?.[0].length ?? 0)
}

// More than any answer has near words that count; the bound limits the cost of a hostile one.
const mentionsRead = 200

/**
 * The places that words give brands. Each place goes to the first brand that is given it. Where a list ranks, only words outside of its
 * items count.
 */
export const statedPlaces = (
  text: string,
  brands: ReadonlyArray<NamedBrand>,
  inList: boolean
): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  const taken = new Set<number>()
  let left = mentionsRead
  const forms = brands.map(({ key, name }) => ({ key, form: fold(name).text }))
  for (const { from, to } of placing(text, inList)) {
    const folded = fold(text.slice(from, to))
    const mentions = forms
      .flatMap(({ key, form }) =>
        Array.from(namings(folded.text, form), (at) => ({
          key,
          from: from + folded.origin(at),
          to: endOfName(text, from + folded.origin(at + form.length))
        }))
      )
      .toSorted((a, b) => a.from - b.from)
      .slice(0, left)
    left -= mentions.length
    for (const [index, line] of linesAround(text, mentions).entries()) {
      const mention = mentions[index]
      if (mention === undefined || places.has(mention.key)) continue
      const number = numberOf(text, line, mention)
      if (number === undefined || taken.has(number)) continue
      places.set(mention.key, number)
      taken.add(number)
    }
  }
  return places
}
