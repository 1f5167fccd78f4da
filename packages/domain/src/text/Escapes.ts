/**
 * A sign escaped in Markdown, or written as a character reference of HTML: `\&`, `&amp;`, `&#x20;`, `&eacute;`. Units: `length` in UTF-16
 * units.
 */
export interface Escape {
  readonly sign: string
  readonly length: number
}

// The escapable signs that occur in names; a price (\$50) concerns no brand.
const escapable = "!#&'*+._-"
const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  quot: '"',
  nbsp: " ",
  rsquo: "’",
  shy: "\u00ad",
  szlig: "ß"
}

const nameLongest = "&scaron;".length
const nameForm =
  /^&(?:(amp|apos|quot|nbsp|rsquo|shy|szlig)|([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron));$/i

const semicolon = 0x3b
const noDigit = 36

/** What a digit or a letter stands for in the bases up to 36; `noDigit` for any other sign, and for the end of a text. */
const digitOf = (unit: number): number =>
  unit >= 0x30 && unit <= 0x39
    ? unit - 0x30
    : unit >= 0x41 && unit <= 0x5a
      ? unit - 0x37
      : unit >= 0x61 && unit <= 0x7a
        ? unit - 0x57
        : noDigit

const readName = (whole: string): Escape | undefined => {
  const match = nameForm.exec(whole)
  if (match === null) return undefined
  // Of an accented letter only the letter counts.
  const [, name = "", letter] = match
  return { sign: letter ?? named[name.toLowerCase()] ?? "", length: whole.length }
}

// Needs no bound: there are some 20,000 names at most, counting each mix of capitals.
const namesRead = new Map<string, Escape>()

/** A character reference by name; the results are cached. */
const nameAt = (text: string, at: number): Escape | undefined => {
  let end = at + 1
  while (end < at + nameLongest - 1 && digitOf(text.charCodeAt(end)) < noDigit) end++
  if (text.charCodeAt(end) !== semicolon) return undefined
  const whole = text.slice(at, end + 1)
  const known = namesRead.get(whole)
  if (known !== undefined) return known
  const mark = readName(whole)
  if (mark !== undefined) namesRead.set(whole, mark)
  return mark
}

const letterX = 33

/** A character reference by number: two to six digits, or two to five hexadecimal ones. */
const numberAt = (text: string, at: number): Escape | undefined => {
  const [base, from, most] = digitOf(text.charCodeAt(at + 2)) === letterX ? [16, at + 3, 5] : [10, at + 2, 6]
  let code = 0
  let end = from
  for (; end < from + most; end++) {
    const digit = digitOf(text.charCodeAt(end))
    if (digit >= base) break
    code = code * base + digit
  }
  const whole = end >= from + 2 && text.charCodeAt(end) === semicolon
  return whole ? { sign: String.fromCodePoint(code), length: end + 1 - at } : undefined
}

/** The mark that begins at `at`, where a backslash or an ampersand stands. */
export const escapeAt = (text: string, at: number): Escape | undefined => {
  if (text.charAt(at) === "\\") {
    const sign = text.charAt(at + 1)
    return sign !== "" && escapable.includes(sign) ? { sign, length: 2 } : undefined
  }
  return text.charAt(at + 1) === "#" ? numberAt(text, at) : nameAt(text, at)
}

/** Whether a text holds any mark at all; most hold none. */
export const hasEscapes = (text: string): boolean => {
  for (const opening of ["\\", "&"]) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      while (text.charAt(at + 1) === opening) at++
      if (escapeAt(text, at) !== undefined) return true
    }
  }
  return false
}
