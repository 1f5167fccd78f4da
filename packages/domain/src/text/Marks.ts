/** A sign written in the manner of Markdown or HTML: `\&`, `&amp;`, `&#x20;`, `&eacute;`. Units: `length` in UTF-16 units. */
export interface Mark {
  readonly sign: string
  readonly length: number
}

// Of all that can be escaped, the signs that stand in names; a price (\$50) concerns no brand.
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
const reference =
  /&(?:#(\d{2,6})|#x([\da-f]{2,5})|(amp|apos|quot|nbsp|rsquo|shy|szlig)|([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron));/iy

/** The mark that begins at `at`, where a backslash or an ampersand stands. */
export const markAt = (text: string, at: number): Mark | undefined => {
  if (text.charAt(at) === "\\") {
    const sign = text.charAt(at + 1)
    return sign !== "" && escapable.includes(sign) ? { sign, length: 2 } : undefined
  }
  if (text.charAt(at + 1) === " ") return undefined
  reference.lastIndex = at
  const match = reference.exec(text)
  if (match === null) return undefined
  const [whole, decimal, hexadecimal, name = "", letter] = match
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
  // Of a letter with an accent the letter is what counts.
  return { sign: letter ?? named[name.toLowerCase()] ?? String.fromCodePoint(code), length: whole.length }
}

/** Whether a text holds any mark at all; most hold none. */
export const holdsMarks = (text: string): boolean => {
  for (const opening of ["\\", "&"]) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
      while (text.charAt(at + 1) === opening) at++
      if (markAt(text, at) !== undefined) return true
    }
  }
  return false
}
