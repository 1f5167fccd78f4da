import { cueAt } from "./Cue.ts"
import { isBoundary } from "@sightline/domain/text/Letters"
import { isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

/** The kind of a word: the brand, another name, a plain word, or a mark between words. */
type WordKind = "brand" | "name" | "word" | "mark"

/**
 * One word or mark. Units: offsets in the sentence. `word` is how the rules read it: in lower case, with straight apostrophes, and glossed
 * where it is foreign. `told` is what the sentence says.
 */
export interface Word {
  readonly kind: WordKind
  readonly word: string
  readonly told: string
  readonly from: number
  readonly to: number
}

interface Raw {
  readonly kind: "brand" | "word" | "mark"
  readonly written: string
  readonly from: number
  readonly to: number
}

/** Lower case without a change of offsets: "İ", the only letter that grows in lower case, becomes a plain i. */
export const lowered = (text: string): string => text.replaceAll("İ", "i").toLowerCase()

// Addresses are skipped; marks that open or close a name or a clause are kept.
const pieces =
  /\]\([^)\s]*\)|https?:\/\/\S+|(?<word>[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’+&-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*)|(?<mark>[,;:()[\]|!?\n，、；：！？。（）،؛؟]|\*\*|[–—]|(?<=\s)-(?=\s)|\.(?=\s|$))/gu

const rawWords = (sentence: string, form: string): ReadonlyArray<Raw> => {
  const found: Array<Raw> = []
  const lower = lowered(sentence)
  const between = (from: number, to: number): void => {
    for (const match of sentence.slice(from, to).matchAll(pieces)) {
      const [written] = match
      const kind = match.groups?.["word"] === undefined ? "mark" : "word"
      if (kind === "mark" && match.groups?.["mark"] === undefined) continue
      found.push({ kind, written, from: from + match.index, to: from + match.index + written.length })
    }
  }
  let at = 0
  for (let hit = lower.indexOf(form); hit >= 0; hit = lower.indexOf(form, hit + form.length)) {
    const end = hit + form.length
    if (!isBoundary(lower, hit) || !isBoundary(lower, end)) continue
    between(at, hit)
    found.push({ kind: "brand", written: form, from: hit, to: end })
    at = end
    // "Acme's" is the brand as much as "Acme".
    if (/^['’]s\b/u.test(lower.slice(end, end + 3))) at += 2
  }
  between(at, sentence.length)
  return found
}

// Marks of other scripts, with the ASCII marks of the same meaning.
const asciiMarks = new Map(
  Array.from("，、；：！？。（）،؛؟", (mark, at) => [mark, ",,;:!?.(),;?".charAt(at)] as const)
)

const isCapital = (written: string): boolean => /^\p{Lu}/u.test(written)
// Between words in a script with capitals, a word in a script without capitals is a name.
const isForeign = (written: string): boolean => /^\p{Lo}/u.test(written)
// A word all in capitals is emphasis or an abbreviation, and no evidence of a name.
const isShouted = (written: string): boolean => !/\p{Ll}/u.test(written)

const isTitleWord = (written: string): boolean =>
  isCapital(written) && !isShouted(written) && isOrdinaryWord(written.toLowerCase())
// Words that begin a sentence right before a name without being part of it.
const openers = new Set(
  "a all although and as at avoid because both but buy choose compared consider for from go if in is like many most neither no not on once only our pick recommended skip some than the try unlike use users versus when whereas while why with".split(
    " "
  )
)

const contraction = /^I$|^I['’]|n['’]t$|['’](?:re|ve|ll|d)$/

const opensStretch = new Set([":", "–", "—", "-", "**", "|", "\n", "(", "[", ".", "!", "?"])

/** Whether capitals distinguish names from words in a stretch between two marks: not where every word has one. */
const tells = (stretch: ReadonlyArray<Raw>): boolean =>
  stretch.some(({ kind, written }) => kind === "word" && written.length > 2 && /^\p{Ll}/u.test(written))

/** Whether the word at `at` of a stretch is a name. The first word of a sentence has a capital in any case. */
const isNamed = (stretch: ReadonlyArray<Raw>, at: number): boolean => {
  const { kind, written } = stretch[at] ?? { kind: "mark", written: "" }
  if (kind !== "word") return false
  if (isForeign(written)) return true
  if (!isCapital(written) || contraction.test(written)) return false
  const before = stretch[at - 1]
  // What follows the brand with a capital is the rest of the product's name.
  if (before?.kind === "brand") return true
  if (isShouted(written)) return false
  if (at > 0) return true
  const base = written.toLowerCase().replace(/['’]s$/, "")
  const after = stretch[1]
  // "Best Western" as against "Unlike Quillon" and "Great battery life".
  if (after?.kind === "word" && isTitleWord(after.written)) return !openers.has(base)
  return cueAt([base], 0) === undefined && !base.includes("-") && !isOrdinaryWord(base)
}

const kindsIn = (stretch: ReadonlyArray<Raw>): ReadonlyArray<Word> => {
  const telling = tells(stretch)
  return stretch.map(({ kind, written, from, to }, at) => {
    const word = kind === "word" ? lowered(written).replaceAll("’", "'") : (asciiMarks.get(written) ?? written)
    return { kind: kind === "word" && telling && isNamed(stretch, at) ? "name" : kind, word, told: word, from, to }
  })
}

/** The words of a sentence, with the brand (given as its lower-case `form`) and other names marked as such. */
export const wordsIn = (sentence: string, form: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  let stretch: Array<Raw> = []
  for (const raw of rawWords(sentence, form)) {
    if (raw.kind === "mark" && opensStretch.has(raw.written)) {
      found.push(...kindsIn(stretch), ...kindsIn([raw]))
      stretch = []
    } else stretch.push(raw)
  }
  return [...found, ...kindsIn(stretch)]
}
