import type { Folded } from "./Fold.ts"

// The UTF-16 units that are read. They contain some of the most common words in any text of a language.
const sample = 1024

const threeOf = (words: string): RegExp => {
  const common = `\\b(?:${words})\\b`
  return new RegExp(`${common}.*?${common}.*?${common}`, "su")
}

const english = threeOf("the|and|with|are|this|that|you|it|to|have")
const german = threeOf("und|der|die|das|ist|mit|fur|den")
// Spanish, Portuguese, French, Italian, Dutch, Swedish and Polish.
const european = threeOf(
  "de|la|el|los|las|que|por|para|con|una|um|uma|com|nao|mas|les|des|et|est|pour|vous|il|di|che|per|non|piu|het|een|van|voor|je|och|att|det|som|nie|jest|na|sie"
)

/** Whether a folded text is English, by its most common words. */
export const isEnglish = (text: string): boolean => english.test(text.slice(0, sample))

/** The languages that passages of prose are distinguished by; `european` is any other of Europe in Latin letters that is read here. */
export type PassageLanguage = "english" | "german" | "european" | "other"

const languageIn = (folded: string): PassageLanguage =>
  isEnglish(folded)
    ? "english"
    : german.test(folded.slice(0, sample))
      ? "german"
      : european.test(folded.slice(0, sample))
        ? "european"
        : "other"

/** A stretch of lines in one language. Units: offsets in the text as written. */
export interface Passage {
  readonly from: number
  readonly to: number
  readonly language: PassageLanguage
}

// Three common words and what is between them.
const lineMin = 16

/**
 * The passages of a text in order, which are one in nearly all texts. A line whose own words do not show its language is in that of the line
 * before it, and at the start in that of the whole text. Reads the lines that begin within the first `length` units.
 */
export const passagesOf = ({ origin, text }: Folded, length: number): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  let last: Passage = { from: 0, to: 0, language: languageIn(text) }
  for (let at = 0; at < text.length && last.to < length;) {
    const next = text.indexOf("\n", at)
    const to = next < 0 ? text.length : next + 1
    const own = to - at < lineMin ? "other" : languageIn(text.slice(at, to))
    const language = own === "other" ? last.language : own
    if (language !== last.language && last.to > last.from) passages.push(last)
    last = { from: language === last.language ? last.from : origin(at), to: origin(to), language }
    at = to
  }
  return [...passages, last]
}

/** The language of the passage with an offset. A search by halves: a hostile text has thousands of passages and of names. */
export const languageAt = (passages: ReadonlyArray<Passage>, at: number): PassageLanguage => {
  let low = 0
  let high = passages.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((passages[middle]?.to ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return passages[low]?.language ?? "other"
}

/** Places of a text in order, by the language of their passage. */
export const byLanguage = <A extends { readonly at: number }>(
  passages: ReadonlyArray<Passage>,
  places: ReadonlyArray<A>
): ReadonlyMap<PassageLanguage, ReadonlyArray<A>> => {
  let passage = 0
  return Map.groupBy(places, ({ at }) => {
    while (at >= (passages[passage]?.to ?? Infinity)) passage++
    return passages[passage]?.language ?? "other"
  })
}
