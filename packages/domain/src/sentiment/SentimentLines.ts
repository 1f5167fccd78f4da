import type { Polarity } from "./Cue.ts"
import { sentenceEnds } from "@sightline/domain/text/SentenceEnds"
import { lowered } from "./SentimentWords.ts"

/** One sentence, cell or line to be weighed. */
export interface Passage {
  readonly text: string
  /** Whether it is about the brand without having to name it. */
  readonly goesOn: boolean
  /** The label that applies to it, such as "Pros", where there is one. */
  readonly label: Label | undefined
}

/** A heading such as "Pros" or "Drawbacks". */
export interface Label {
  readonly polarity: Polarity
  readonly word: string
}

/** A stretch of the text. Units: UTF-16 offsets. */
export interface Line {
  readonly from: number
  readonly to: number
}

/** How far a line is read on either side of a mention, in UTF-16 units, and how many lines of a section are read. */
export const reach = 600
export const linesRead = 40
/** A heading or label stands within this many UTF-16 units from the start of its line. */
export const longestHead = 90

const praising =
  "pros|strengths|advantages|benefits|upsides|what we like|likes|positives|vorteile|stärken|avantages|points forts|ventajas|puntos fuertes|" +
  "vantaggi|punti di forza|pregi|voordelen|pluspunten|zalety|plusy|vantagens|pontos fortes|prós|плюсы|преимущества|достоинства|المزايا|" +
  "الإيجابيات|优点|优势|優點|メリット|長所"
const blaming =
  "cons|weaknesses|disadvantages|drawbacks|downsides|limitations|what we don['’]t like|dislikes|negatives|nachteile|schwächen|" +
  "inconvénients|points faibles|desventajas|inconvenientes|puntos débiles|contras|svantaggi|punti deboli|difetti|nadelen|minpunten|wady|" +
  "minusy|desvantagens|pontos fracos|минусы|недостатки|العيوب|السلبيات|缺点|缺點|デメリット|短所"
const labels = new RegExp(
  "^[\\s>*_#•·–✅❌👍👎+|-]*(?:\\p{Extended_Pictographic}\\ufe0f?\\s*)*(?:key |main |the |some )?" +
    `(?:(${praising})|(${blaming}))(?= of | for |\\s*[*_]*\\s*(?:[:：]|$|\\||[–—-]\\s))`,
  "iu"
)

/** The label that a line begins with, or undefined. */
export const labelAt = (line: string): Label | undefined => {
  const found = labels.exec(line.slice(0, longestHead))
  if (found === null) return undefined
  return { polarity: found[1] === undefined ? -1 : 1, word: lowered(found[1] ?? found[2] ?? "") }
}

/** The line around a stretch, truncated at a distance from it. */
export const lineAround = (text: string, from: number, to: number): Line => {
  const start = Math.max(0, from - reach)
  const left = text.slice(start, from).lastIndexOf("\n")
  const right = text.slice(to, to + 2 * reach).indexOf("\n")
  return {
    from: left < 0 ? start : start + left + 1,
    to: right < 0 ? Math.min(text.length, to + 2 * reach) : to + right
  }
}

/** The line that begins at an offset, truncated at a distance from it, and where the next one begins. */
export const lineFrom = (text: string, from: number): { readonly line: Line; readonly next: number } => {
  const end = text.indexOf("\n", from)
  const to = end < 0 ? text.length : end
  return { line: { from, to: Math.min(to, from + reach) }, next: to + 1 }
}

/** The sentences of a stretch. */
export const sentencesIn = (text: string, { from, to }: Line): ReadonlyArray<Line> => {
  const ends = sentenceEnds(text.slice(from, to))
  return ends.map((end, index) => ({ from: from + (ends[index - 1] ?? 0), to: from + end }))
}
