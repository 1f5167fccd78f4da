/** Characters of any script that end a line or move the cursor along it. */
const gaps = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu

/**
 * Characters that a terminal obeys instead of showing, or that are invisible: control characters, direction marks and other
 * format characters, lone surrogates. The joiners stay, because words and emoji are built with them.
 */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu

const codePoint = (character: string) =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`

/**
 * The text on one line, which a terminal shows and does not obey. A character that it would obey is spelled out, as `<U+001B>`.
 *
 * Laws: no control, format or surrogate character is left but the joiners; `plain(plain(x)) = plain(x)`.
 */
export const plain = (text: string): string => text.replace(gaps, " ").replace(unseen, codePoint)

/** The text line by line, each line made `plain`. */
export const prose = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
    .map(plain)
    .join("\n")

/** The JSON text with such characters written as escapes, so that it is the same document. */
export const plainJson = (json: string): string =>
  json.replace(/(?![\n\r\t])[\p{Cc}\p{Cf}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
    ).join("")
  )
