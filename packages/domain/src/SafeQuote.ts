// Characters that a name may not bring into a sentence that others show as text or as markup. Joiners may stay, because words and emoji
// need them.
const unsafe = /(?:[\p{Cc}[\p{Cf}--[\u200c\u200d]]\p{Zl}\p{Zp}<>"“”`*_~\[\]\\]|&(?=#|\w+;))+/gv

/**
 * A customer's own words as a sentence quotes them.
 *
 * Laws: no markup, quote or control is left of them; at most 60 characters between the quotes.
 */
export const safeQuote = (text: string): string => {
  const plain = Array.from(text.replace(unsafe, " ").replace(/\s+/g, " ").trim())
  return `“${plain.length > 60 ? `${plain.slice(0, 59).join("").trimEnd()}…` : plain.join("")}”`
}
