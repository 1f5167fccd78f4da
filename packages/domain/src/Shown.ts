// What a name may not bring into a sentence that others show as text or as markup.
const unsafe = /(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>"“”`*_~[\]\\]|&(?=#|\w+;))+/gu

/**
 * A customer's own words as a sentence quotes them.
 *
 * Laws: no markup, quote or control is left of them; at most 60 characters between the quotes.
 */
export const shown = (text: string): string => {
  const plain = Array.from(text.replace(unsafe, " ").replace(/\s+/g, " ").trim())
  return `“${plain.length > 60 ? `${plain.slice(0, 59).join("").trimEnd()}…` : plain.join("")}”`
}
