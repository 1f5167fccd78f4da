import {
  type Label,
  labelAt,
  type Line,
  lineFrom,
  linesRead,
  longestHead,
  type Passage,
  sentencesIn
} from "./SentimentLines.ts"

const mark = /^(\s*)(?:(#{1,6})\s|(\d{1,3}[.)]|#\d{1,3}\b)|([-*+•–·●○✅✔➤])\s|(\*\*[^*]+\*\*:?\s*$))?/u
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/
const titled = 7
const numbered = 10
const prose = 100

/** The nesting depth of a line, in this order: rules, headings, bold titles, numbered items, bullets, prose. */
const levelOf = (line: string): number => {
  const [, indent = "", hashes, numeral, bullet, title] = mark.exec(line) ?? []
  if (hashes !== undefined) return hashes.length
  if (rule.test(line)) return 0
  if (title !== undefined) return labelAt(line) === undefined ? titled : prose
  if (numeral !== undefined) return numbered + 2 * indent.length
  return bullet === undefined ? prose : numbered + 1 + 2 * indent.length
}

// How the words that close an answer begin, after its last section.
const closing =
  /^(?:let me know|would you|if you (?:want|need|'d|have)|in short|overall|in summary|in conclusion|ultimately|hope|happy)\b/i

/**
 * The lines below a head that describe what it names: all that are deeper. Prose after a blank line ends them below an item of a list, and
 * below a heading where it closes the answer.
 */
const linesBelow = (text: string, head: Line, level: number): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let wasBlank = false
  let from = lineFrom(text, head.to).next
  while (from < text.length && lines.length < linesRead) {
    const { line, next } = lineFrom(text, from)
    const written = text.slice(line.from, line.to)
    const isBlank = written.trim() === ""
    const depth = levelOf(written)
    const isProse = !isBlank && depth === prose && !/^\s/.test(written)
    if (depth <= level || (isProse && wasBlank && (level >= numbered || closing.test(written)))) break
    wasBlank = isBlank
    if (!isBlank) lines.push(line)
    from = next
  }
  return lines
}

// "**Acme** – fast. …", "**Acme:** fast. …"
const lead = /^\s*(?:\*\*[^*\n]{1,80}\*\*\s*(?:[:–—]|-\s)|\*\*[^*\n]{1,80}[:–—]\*\*)/u

/** The part of a line that may name what it is about: in prose its bold lead-in, elsewhere the whole line. */
const titleIn = (line: string, level: number): string => (level < prose ? line : (lead.exec(line)?.[0] ?? ""))

/** Whether the brand at `from` stands where a line names its subject. */
const isHead = (text: string, line: Line, from: number, level: number): boolean => {
  if (level >= prose) return from < line.from + titleIn(text.slice(line.from, line.to), level).length
  if (from >= line.from + longestHead) return false
  const before = text.slice(line.from, from).replace(/^\s*(?:\d{1,3}[.)]|#\d{1,3})\s*/, "")
  return level <= titled || !/[:–—.,;]|\s-\s|\*\*\s/u.test(before)
}

// "Acme vs. Bolt": the text below such a title is about both.
const comparing = /(?<!\p{L})(?:vs|versus)(?!\p{L})/iu

/** The passages below a head, each under the last label above it. */
const passagesIn = (text: string, lines: ReadonlyArray<Line>): ReadonlyArray<Passage> => {
  let label: Label | undefined
  return lines.flatMap((line): ReadonlyArray<Passage> => {
    const written = text.slice(line.from, line.to)
    const own = labelAt(written)
    if (own !== undefined) {
      const colon = written.search(/[:：–—]/u)
      const rest = colon < 0 ? "" : written.slice(colon + 1).replace(/^[\s*_]+/, "")
      label = rest === "" ? own : undefined
      return rest === "" ? [] : [{ text: rest, goesOn: true, label: own }]
    }
    if (levelOf(written) >= prose && !/^\s/.test(written)) label = undefined
    if (label !== undefined) return [{ text: written, goesOn: true, label }]
    return sentencesIn(text, line).map(({ from, to }) => ({
      text: text.slice(from, to),
      goesOn: true,
      label: undefined
    }))
  })
}

/** The passages of the item or section that the brand at `[from, to)` heads; undefined where it heads none. */
export const headedPassages = (
  text: string,
  line: Line,
  from: number,
  to: number
): { readonly passages: ReadonlyArray<Passage>; readonly until: number } | undefined => {
  const head = text.slice(line.from, line.to)
  const level = levelOf(head)
  const isTitle = level <= titled || level >= prose
  if (!isHead(text, line, from, level) || (isTitle && comparing.test(titleIn(head, level)))) return undefined
  const below = linesBelow(text, line, level)
  const beside = sentencesIn(text, line)
    .filter((sentence) => sentence.to > from)
    .map((sentence) => {
      const written = text.slice(sentence.from, sentence.to)
      return { text: written, goesOn: sentence.from >= to, label: labelAt(written) }
    })
  return { passages: [...beside, ...passagesIn(text, below)], until: below.at(-1)?.to ?? line.to }
}
