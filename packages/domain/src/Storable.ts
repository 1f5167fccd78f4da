/** Whether a text has nothing that databases refuse: no U+0000, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** The text with U+FFFD in place of each character that databases refuse. */
export const storable = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\uFFFD")

const utf8 = new TextEncoder()

/** The longest beginning of a text that has at most so many bytes of UTF-8; no character is cut in two. */
export const firstBytes = (text: string, bytesMax: number): string =>
  text.length * 3 <= bytesMax ? text : text.slice(0, utf8.encodeInto(text, new Uint8Array(bytesMax)).read)
