const textMaxBytes = 256 * 1024
const excerptMaxCodePoints = 300

/** Whether a text has nothing that databases refuse: no U+0000, no half of a surrogate pair. */
export const isTame = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const tame = (text: string): string => (isTame(text) ? text : text.toWellFormed().replaceAll("\0", "\uFFFD"))

/** An upstream's text, tamed and cut at a code point so that a reply with it fits the bus. At most 256 KiB of UTF-8. */
export const boundedText = (text: string): string => {
  const safe = tame(text)
  if (safe.length * 3 <= textMaxBytes) return safe
  return safe.slice(0, new TextEncoder().encodeInto(safe, new Uint8Array(textMaxBytes)).read)
}

/** A title or excerpt, tamed and cut to 300 code points. Source: contract, citation `text`. */
export const excerpt = (text: string): string => {
  const head = tame(text.slice(0, 2 * excerptMaxCodePoints))
  return head.length <= excerptMaxCodePoints ? head : Array.from(head).slice(0, excerptMaxCodePoints).join("")
}
