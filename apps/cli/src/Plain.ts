/** What ends a line or moves the cursor along it, in any script. */
const gaps = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu

/**
 * Characters that a terminal obeys instead of showing, or that nobody sees: controls with their escapes, marks of
 * direction and other formats, lone surrogates. The joiners stay, because words and emoji are built with them.
 */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu

const codePoint = (character: string) =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`

/**
 * The text as one line that a terminal shows and does not obey; what would be obeyed is spelled out, as `<U+001B>`.
 *
 * Laws: no control, format or surrogate character is left; `plain(plain(x)) = plain(x)`.
 */
export const plain = (text: string): string => text.replace(gaps, " ").replace(unseen, codePoint)

/** The text line by line, each of them `plain`. */
export const prose = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
    .map(plain)
    .join("\n")

/** The JSON text with the same characters written as escapes, so that it is the same document. */
export const plainJson = (json: string): string =>
  json.replace(/(?![\n\r\t])[\p{Cc}\p{Cf}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
    ).join("")
  )
