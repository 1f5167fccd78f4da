import { isBoundary } from "@sightline/domain/text/Letters"
import { labelAt, type Line, lineAround, type Passage, reach, sentencesIn } from "./SentimentLines.ts"
import { headedPassages } from "./SentimentSection.ts"
import { tablePassages } from "./SentimentTable.ts"
import { lowered } from "./SentimentWords.ts"

// Bounds on what is read about one brand: by then an answer has given its opinion.
const mentionsRead = 24
const unitsRead = 65_536
const unitsWeighed = 8_192

const pronoun =
  /^[\s"“*_>-]*(?:(?:however|still|also|overall|additionally|in addition|that said|on the (?:downside|upside|other hand)|and|but|plus|yet|even so|moreover|furthermore|unfortunately|fortunately),?\s+)*(?:it|its|it['’]s|they|their|they['’]re|this|these|the (?:brand|company|app|product|service|tool|platform|software|device|model|shoe|phone|watch|machine)|die (?:marke|app|firma)|das (?:unternehmen|produkt|gerät)|la (?:marque|marca|empresa|compañía|aplicación)|l['’](?:entreprise|application|azienda)|le produit|el producto|il (?:prodotto|marchio)|het (?:merk|bedrijf)|a (?:marca|empresa))(?!\p{L})/iu
// "Highly recommended."
const verdict =
  /^[\s"“*_]*(?:(?:highly|strongly|definitely|not|well|best)\s){0,2}(?:recommended|avoid(?:ed)?|worth it|there are better \p{L}+)[^\p{L}]*$/iu
const sentencesCarriedOn = 3

interface Read {
  readonly passages: ReadonlyArray<Passage>
  /** The offset up to which the text has been read. */
  readonly until: number
}

/** The sentence of a mention in prose, and the sentences after it that continue about the same subject. */
const inProse = (text: string, line: Line, from: number, to: number): Read => {
  const near = { from: Math.max(line.from, from - reach), to: Math.min(line.to, to + reach) }
  const passages: Array<Passage> = []
  let until = to
  for (const sentence of sentencesIn(text, near).filter((one) => one.to > from)) {
    const written = text.slice(sentence.from, sentence.to)
    const isNamed = sentence.from < to
    const goesOn = pronoun.test(written) || verdict.test(written)
    if (!isNamed && (passages.length > sentencesCarriedOn || !goesOn)) break
    passages.push({ text: written, goesOn: !isNamed, label: labelAt(written) })
    until = Math.max(until, sentence.to)
  }
  return { passages, until }
}

const around = (text: string, from: number, to: number): Read => {
  const line = lineAround(text, from, to)
  const cells = tablePassages(text, line, from)
  if (cells !== undefined) return { passages: cells, until: line.to }
  return headedPassages(text, line, from, to) ?? inProse(text, line, from, to)
}

const nextWhole = (text: string, form: string, from: number): number => {
  let at = text.indexOf(form, from)
  while (at >= 0 && !(isBoundary(text, at) && isBoundary(text, at + form.length))) at = text.indexOf(form, at + 1)
  return at
}

/** What a text says about the brand: the passages around its mention at `[from, to)` and around the next ones. */
export const passagesAbout = (text: string, from: number, to: number): ReadonlyArray<Passage> => {
  const lower = lowered(text.slice(from, from + unitsRead))
  const form = lower.slice(0, to - from)
  const passages: Array<Passage> = []
  let weighed = 0
  let at = from
  for (let count = 0; count < mentionsRead && weighed < unitsWeighed; count++) {
    const read = around(text, at, at + form.length)
    passages.push(...read.passages)
    weighed += read.passages.reduce((sum, passage) => sum + passage.text.length, 0)
    const next = nextWhole(lower, form, Math.max(read.until, at + form.length) - from)
    if (next < 0) break
    at = from + next
  }
  return passages
}
