import { isBoundary } from "./text/Letters.ts"
import { type Label, labelAt } from "./sentiment/SentimentLines.ts"
import { passagesAbout } from "./sentiment/SentimentPassages.ts"
import { type Remark, remarksIn } from "./sentiment/SentimentRemarks.ts"
import { lowered } from "./sentiment/SentimentWords.ts"

/**
 * How an answer speaks of a brand, and the words that decided it, in the order of the text.
 *
 * Laws: without cues the sentiment is neutral.
 */
export interface Sentiment {
  readonly sentiment: "positive" | "neutral" | "negative"
  readonly cues: ReadonlyArray<string>
}

const neutral: Sentiment = { sentiment: "neutral", cues: [] }
// More than anybody reads beside one mention.
const cuesKept = 24
// A name longer than this is no name.
const longestForm = 200

/** The span, extended to whole words; empty where it is no span of a name. */
const wholeWords = (text: string, [from, to]: readonly [number, number]): readonly [number, number] => {
  if (!(from >= 0 && from < to && to <= text.length && to - from <= longestForm)) return [0, 0]
  let [start, end] = [Math.floor(from), Math.ceil(to)]
  while (!isBoundary(text, start) && end - start < longestForm) start--
  while (!isBoundary(text, end) && end - start < longestForm) end++
  return [start, end]
}

/** A name without marks that would end its sentence: "Dr. Martens", "Yahoo!". */
const kept = (name: string): string => name.replace(/[.!?]/g, "·")

const nothing =
  /^[\s*_–—:-]*(?:none|nothing|n\/a|no (?:real|major|significant|obvious)?\s*(?:cons|drawbacks|downsides))\b|^[\s*_–—:-]*$/i
// "Keine" alone; "keine Tasche" is a point.
const nothingElsewhere =
  /^[\s*_–—:-]*(?:keine|aucun|ninguno|ninguna|nessuno|nessuna|geen|brak|nenhum|nenhuma|нет|(?:特に)?なし|[暂暫]?[无無]|لا يوجد)[\s*_.。]*$/iu

/** Each point under "Pros" or "Cons" counts for its label, whatever its words say. */
const pointsIn = (text: string, label: Label, form: string): ReadonlyArray<Remark> => {
  const colon = labelAt(text) === undefined ? -1 : text.search(/[:：]/)
  return text
    .slice(colon + 1)
    .split(/[,;，、；،؛]|\s(?:and|und|et|y|en|oraz|и)\s/)
    .filter((point) => !nothing.test(point) && !nothingElsewhere.test(point))
    .map((point) => {
      const own = remarksIn(point, form, true).find(({ polarity }) => polarity === label.polarity)
      return own ?? { polarity: label.polarity, cue: label.word, from: 0 }
    })
}

/**
 * How a text speaks of the brand whose first counted mention is at `span`.
 *
 *     sentimentOf("Acme is cheap, but Bolt is buggy.", [0, 4])
 *     // => { sentiment: "positive", cues: ["cheap"] }
 *
 * Units: `span` is in UTF-16 offsets of the text, as `findBrand` gives it.
 * Laws: total; the brand's own name decides nothing; of two sides of a comparison one gets the opposite of the other.
 * Source: decision A2.
 */
export const sentimentOf = (text: string, span: readonly [number, number]): Sentiment => {
  const [from, to] = wholeWords(text, span)
  const written = text.slice(from, to)
  if (written.trim() === "") return neutral
  const mark = /^[!?]\s+\p{Ll}/u.test(text.slice(to, to + longestForm)) ? text.charAt(to) : ""
  const whole = kept(written + mark)
  const form = lowered(kept(written))
  const remarks = passagesAbout(text.replaceAll(written + mark, whole), from, to).flatMap((passage) =>
    passage.label === undefined
      ? remarksIn(passage.text, form, passage.goesOn)
      : pointsIn(passage.text, passage.label, form)
  )
  const balance = remarks.reduce((sum, { polarity }) => sum + polarity, 0)
  const sentiment = balance > 0 ? "positive" : balance < 0 ? "negative" : "neutral"
  return { sentiment, cues: remarks.slice(0, cuesKept).map(({ cue }) => cue) }
}
