import { hanNumerals, isDigit, isLetter } from "@sightline/domain/text/Letters"
import { isKnownBrand } from "@sightline/domain/text/Vocabulary"

/** The number of an item, undefined where it has none, and the offset at which the item itself begins. */
export interface Numeral {
  readonly number: number | undefined
  readonly at: number
}

// The full stop may be escaped, as in Markdown where no list is meant: 1\. Acme.
const digits =
  /^(\d{1,3})(?:\\?[.):](?=[\s*_\])]|$)|\/(?=\s)|\.?[ºª°](?=\s)|[.)](?=\p{Lo})|\ufe0f?\u20e3(?=[\s*_\])]|$)|[、．]|(?:位|名|위)(?=[\s:：】*_–—-])|\s?[–—-]\s(?=[^\s\d]))|^(?:#|No\. ?)(\d{1,3})(?=[\s:.)*_–—-])/u
// "2e place :", "3-е место:", "1er :": an ordinal or a word for a place, and a mark that separates it from its name.
const ordinals =
  /^(\d{1,2})(?:(?:st|nd|rd|th|er|re|ère|[eè]me|ᵉʳ|ᵉ|e|-?(?:[еяй]|ое|ая|ый|ий))(?:\s(?:place|plaats|место))?|(?:\.?[ºª°]|\.|-?[еo])?\s(?:lugar|puesto|posto|platz|rang|plaats|miejsce|место|plats|plass|sıra))(?=[*_]{0,2}\s?[:–—]|[*_]{0,2}\s-\s)/iu
// "Platz 1:", "**Puesto 3:**", "Nr. 2 –": a word for a place before its number, and the same marks.
const worded =
  /^(?:platz|rang|rank(?:ed)?|place|position|posici[oó]n|posi[cç][aã]o|posizione|puesto|lugar|posto|num[eé]ro|n[uú]mero|nummer|number|n[ro]\.?|n\.?[°º]|№|plaats|plats|plass|miejsce|место|sıra)\s?#?(\d{1,2})(?=[*_]{0,2}\s?[:：–—]|[*_]{0,2}\s-\s)/iu
// "Nº 1 Acme": no mark separates it from its name, so the name has to begin with a capital ("N° 5 de Chanel" has no place).
const numero = "(?:N\\.?[º°]|№|Nr\\.)\\s?"
const signless = new RegExp(`^${numero}(\\d{1,2})(?=\\s[*_"“[]{0,4}[\\p{Lu}\\p{Lo}])`, "u")
const furthestNeighbour = 1024
const longestPlace = 24

/** Whether a number without a mark between it and its name counts: it is 1, or the number before or after it is near. */
const counts = (text: string, at: number, number: number): boolean => {
  if (number === 1) return true
  const near = text.slice(Math.max(0, at - furthestNeighbour), at + furthestNeighbour)
  return new RegExp(`${numero}(?:${number - 1}|${number + 1})(?!\\d)`, "u").test(near)
}

const fullStop = 0x2e
const blank = 0x20

/** Whether a number is a plain item number, as most are: a full stop, a blank and no letter follow it. */
const isPlain = (text: string, at: number): boolean => {
  let end = at
  while (isDigit(text.charCodeAt(end))) end++
  return text.charCodeAt(end) === fullStop && text.charCodeAt(end + 1) === blank && !isLetter(text.charCodeAt(end + 2))
}

/** The place that begins at `at`, where it is an ordinal or has a word for a place; undefined otherwise. */
const placeSaid = (text: string, at: number, to: number): Numeral | undefined => {
  const isNumber = isDigit(text.charCodeAt(at))
  if (isNumber && isPlain(text, at)) return undefined
  const written = text.slice(at, Math.min(to, at + longestPlace))
  const found = isNumber ? ordinals.exec(written) : worded.exec(written)
  if (found !== null) return { number: Number(found[1]), at: at + found[0].length }
  const alone = isNumber ? null : signless.exec(written)
  if (alone === null || !counts(text, at, Number(alone[1]))) return undefined
  return { number: Number(alone[1]), at: at + alone[0].length }
}

// A capital and a full stop begin a name, "J. Crew", unless they are a Roman numeral.
const letters =
  /^(?:([a-h])[.)]|([A-H])\)|((?:x?(?:ix|iv|vi{0,3}|i{1,3})|x)|(?:X?(?:IX|IV|VI{0,3}|I{1,3})|X))[.)])(?=[\s*_\])]|$)/

// Arabic and Persian digits. The last four bits of each are its value, as they are for full-width digits.
const eastern = /^([\u0660-\u0669\u06f0-\u06f9]{1,3})\\?[.)-](?=[\s*_\])]|$)/

// ２．, and the like.
const wide = /^([\uff10-\uff19]{1,3})(?:[．、）：]|[.)](?=\s))/

const romans = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]

// ①, ⑴, ❶, ➀, ➊: each begins a run of numbers.
const circles: ReadonlyArray<readonly [first: number, count: number]> = [
  [0x2460, 20],
  [0x2474, 20],
  [0x2776, 10],
  [0x2780, 10],
  [0x278a, 10]
]

const valueOfLetters = (letter: string | undefined, roman: string): number => {
  if (letter !== undefined) return letter.toLowerCase().charCodeAt(0) - 96
  const tens = /^x[^x]/.test(roman) ? 10 : 0
  return tens + romans.indexOf(tens > 0 ? roman.slice(1) : roman) + 1
}

// 第1位, 第二名.
const place = new RegExp(`^第(?:(\\d{1,2})|([${hanNumerals}]))(?:位|名)(?=[\\s:：】*_–—-])`, "u")

// 一、 before a name in Latin letters, before a well-known name, or in a list with one. Before other words it numbers sections, whose titles
// are no names.
const section = new RegExp(
  `^([${hanNumerals}])、\\s?[*_]{0,2}(?:(?=\\p{Script=Latin})|(?=(\\p{Script=Han}{2,6})(?!\\p{Script=Han})))`,
  "u"
)

const sectionLine = new RegExp(
  `^\\s*[${hanNumerals}]、\\s?[*_]{0,2}(\\p{Script=Latin}{2,24}|\\p{Script=Han}{2,6}(?!\\p{Script=Han}))?`,
  "u"
)
const furthestItem = 120
const mostLines = 4

/** Whether one of the lines numbered with 一、 or the like is a well-known name; the first line without such a number ends the search. */
const goOnToKnown = (lines: ReadonlyArray<string>): boolean => {
  for (const line of lines.slice(0, mostLines)) {
    if (line.trim() === "") continue
    const found = sectionLine.exec(line)
    if (found === null) return false
    if (isKnownBrand((found[1] ?? "").toLowerCase())) return true
  }
  return false
}

/** Whether the item at `at` is in a list without text between its items, and another item there is a well-known name. */
const isBesideKnown = (text: string, at: number): boolean =>
  goOnToKnown(
    text
      .slice(at, at + furthestItem)
      .split("\n")
      .slice(1)
  ) ||
  goOnToKnown(
    text
      .slice(Math.max(0, at - furthestItem), at)
      .split("\n")
      .slice(0, -1)
      .toReversed()
  )

// The second half of 🥇; 🥈 and 🥉 follow.
const gold = 0xdd47
// №
const numeroSign = 0x2116

const isSign = (unit: number): boolean => unit === 41 || unit === 46

/** The numeral that begins at `at` (digits, a letter, Roman, circled or a medal), and where the item after it begins. */
export const numeralAt = (text: string, at: number, to: number): Numeral => {
  const unit = text.charCodeAt(at)
  const said = isLetter(unit) || unit === numeroSign ? placeSaid(text, at, to) : undefined
  if (said !== undefined) return said
  if (isDigit(unit) || unit === 35 || unit === 78) {
    const found = digits.exec(text.slice(at, Math.min(to, at + 8)))
    return found === null
      ? { number: undefined, at }
      : { number: Number(found[1] ?? found[2]), at: at + found[0].length }
  }
  if ((unit >= 0x660 && unit <= 0x6f9) || (unit >= 0xff10 && unit <= 0xff19)) {
    const found = (unit < 0xff10 ? eastern : wide).exec(text.slice(at, Math.min(to, at + 8)))
    const values = Array.from(found?.[1] ?? "", (digit) => digit.charCodeAt(0) & 15)
    return found === null ? { number: undefined, at } : { number: Number(values.join("")), at: at + found[0].length }
  }
  if (unit === 0x7b2c) {
    const found = place.exec(text.slice(at, Math.min(to, at + 8)))
    if (found === null) return { number: undefined, at }
    const number = found[2] === undefined ? Number(found[1]) : hanNumerals.indexOf(found[2]) + 1
    return { number, at: at + found[0].length }
  }
  if (text.charAt(at + 1) === "、" && hanNumerals.includes(text.charAt(at))) {
    const found = section.exec(text.slice(at, Math.min(to, at + 12)))
    return found === null || (found[2] !== undefined && !isKnownBrand(found[2]) && !isBesideKnown(text, at))
      ? { number: undefined, at: at + 2 }
      : { number: hanNumerals.indexOf(found[1] ?? "") + 1, at: at + found[0].length }
  }
  if (unit === 0xd83e) {
    const medal = text.charCodeAt(at + 1) - gold + 1
    if (medal < 1 || medal > 3) return { number: undefined, at }
    // "🥇 1st place: Acme" says it twice.
    const blanks = /^\ufe0f?[\s*_]*/.exec(text.slice(at + 2, at + 8))?.[0].length ?? 0
    const again = placeSaid(text, at + 2 + blanks, to)
    return again?.number === medal ? again : { number: medal, at: at + 2 }
  }
  if (unit >= 0x2460) {
    const circle = circles.find(([first, count]) => unit >= first && unit < first + count)
    return circle === undefined ? { number: undefined, at } : { number: unit - circle[0] + 1, at: at + 1 }
  }
  const next = text.charCodeAt(at + 1) | 32
  if (!isSign(text.charCodeAt(at + 1)) && next !== 105 && next !== 118 && next !== 120) return { number: undefined, at }
  const found = letters.exec(text.slice(at, Math.min(to, at + 8)))
  if (found === null) return { number: undefined, at }
  return { number: valueOfLetters(found[1] ?? found[2], (found[3] ?? "").toLowerCase()), at: at + found[0].length }
}
