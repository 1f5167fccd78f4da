import { excerpt } from "./Bounds.ts"
import { matchText } from "./MatchText.ts"

const windowLength = 1000
const lineMarker = /^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)[ \t]+)+/gm
const emphasis = /\*{1,3}|__|~~|`/g

/** A short piece of markdown as a reader sees it, on one line. At most 300 code points. */
export const plain = (markdown: string): string =>
  excerpt(
    matchText(markdown.slice(0, windowLength)).replace(lineMarker, "").replace(emphasis, "").replace(/\s+/g, " ").trim()
  )

// A full stop after a single capital (U.S., J. Doe) ends nothing.
const sentenceEnd = /(?<!\b\p{Lu})[.!?…]["”’)\]]{0,4}\s+(?=[\p{Lu}\p{Lo}"“‘(])|[。！？]/gu

const lastSentence = (line: string): string => {
  let start = 0
  for (const end of line.matchAll(sentenceEnd)) {
    const next = end.index + end[0].length
    if (next < line.length) start = next
  }
  return line.slice(start)
}

/** What the answer says just before position `at`: its last sentence there, without markdown. */
export const claimBefore = (markdown: string, at: number): string => {
  const before = matchText(markdown.slice(Math.max(0, at - windowLength), at)).replace(/[\s(,;]+$/, "")
  return lastSentence(plain(before.slice(before.lastIndexOf("\n") + 1)))
}
