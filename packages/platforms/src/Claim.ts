import { excerpt } from "./Bounds.ts"
import { matchText } from "./MatchText.ts"

const windowLength = 1000
const lineMarker = /^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)[ \t]+)+/gm
const emphasis = /\*{1,3}|__|~~|`/g
const blanks = /\s+/g

const onOneLine = (text: string): string =>
  text.replace(lineMarker, "").replace(emphasis, "").replace(blanks, " ").trim()

/** A short piece of markdown as a reader sees it, on one line. At most 300 code points. */
export const plain = (markdown: string): string => excerpt(onOneLine(matchText(markdown.slice(0, windowLength))))

// A full stop after a single capital (U.S., J. Doe) or after an abbreviation before a name (Asana vs. Trello) ends no sentence.
const sentenceEnd =
  /[.!?…](?<!\b(?:\p{Lu}|[Vv]s|[Ee]\.g|[Ii]\.e|Dr|Mrs?|Ms|St)\.)["”’)\]]{0,4}\s+(?=[\p{Lu}\p{Lo}"“‘(])|[。！？]/gu

const lastSentence = (line: string): string => {
  let start = 0
  for (const end of line.matchAll(sentenceEnd)) {
    const next = end.index + end[0].length
    if (next < line.length) start = next
  }
  return line.slice(start)
}

/** The end of the words before position `at`, without white space, commas and the opening parenthesis of a list of sources. */
const endOfWords = (text: string, at: number): number => {
  let end = at
  while (end > 0 && /[\s(,;（、，；]/.test(text.charAt(end - 1))) end--
  return end
}

/** The last sentence of the answer before position `at`, without markdown. At most 300 code points. */
export const claimBefore = (markdown: string, at: number): string => {
  const end = endOfWords(markdown, at)
  const line = markdown.lastIndexOf("\n", end - 1) + 1
  const said = matchText(markdown.slice(Math.max(line, end - windowLength), end))
  return excerpt(lastSentence(onOneLine(said.slice(0, endOfWords(said, said.length)))))
}
