import { clauseAround, isAbsent, isSupposed } from "./Absence.ts"
import { Asides } from "./Asides.ts"
import type { Folded } from "./Fold.ts"
import { nearest, type Window } from "./Fuzzy.ts"
import { cutsNumber, hostPart } from "./Host.ts"
import { isBoundary, isLetter, runAround } from "./Letters.ts"
import type { Needle } from "./Needle.ts"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord, lettersOf } from "./Vocabulary.ts"

/** How surely a hit is the brand, best first: whole word, its domain, inside another word, misspelt. */
export type Tier = "word" | "domain" | "substring" | "fuzzy"

/** One counted hit. Units: offsets in the folded text. */
export interface Mention {
  readonly tier: Tier
  readonly start: number
  readonly end: number
}

// C4 of the decisions: shorter brands do not count inside ordinary words.
const longEnough = 5
// No dictionary word is longer, so there is no need to look further.
const longestWord = 24
// More denials of one brand than any answer holds; the bound keeps a hostile one cheap.
const mostJudged = 256

/** Decides whether the answer itself speaks where a hit was found. Remembers that the brand has been denied. */
class Judge {
  private readonly text: string
  private readonly asides: Asides
  private judged = 0
  private denied = false

  constructor(text: string) {
    this.text = text
    this.asides = new Asides(text)
  }

  /** 0 when the hit counts, else where to look on. */
  passes(start: number, end: number): number {
    const hidden = this.asides.hiddenUntil(start, end)
    if (hidden > 0) return hidden
    if (this.judged++ >= mostJudged) return this.text.length
    const clause = clauseAround(this.text, start, end)
    if (isAbsent(clause)) this.denied = true
    else if (!this.denied || !isSupposed(clause)) return 0
    return end
  }
}

const isBriefOtherwise = (text: string, start: number, end: number): boolean => {
  if (end - start > 2) return false
  const before = text.charAt(start - 1)
  const after = text.charAt(end)
  if (after === "+" || after === "#") return true
  // "it's" names no S and "e.g." no E.
  return end - start === 1 && (before === "'" || before === "’" || (after === "." && isLetter(text.charCodeAt(end + 1))))
}

const countsInside = (text: string, needle: Needle, start: number, end: number): boolean => {
  if (needle.letters.length < 2 || cutsNumber(text, start, end)) return false
  return needle.letters.length >= longEnough || !isDictionaryWord(runAround(text, start, end, longestWord))
}

interface Found {
  strong: Mention | undefined
  inside: Mention | undefined
}

/** Goes through the literal hits of one spelling, keeping the first of each kind. */
const searchForm = (folded: Folded, original: string, needle: Needle, form: string, judge: Judge, found: Found): void => {
  const { text } = folded
  const written = (at: number): string => original.charAt(folded.origin(at))
  let at = text.indexOf(form)
  while (at >= 0 && (found.strong === undefined || at < found.strong.start)) {
    const start = at
    const end = at + form.length
    let next = start + 1
    const whole = isBoundary(text, start) && isBoundary(text, end)
    const joined = whole && needle.words > 1 && form === needle.letters && isOrdinaryWord(form)
    const brief = whole && isBriefOtherwise(text, start, end)
    const host = whole && !brief ? hostPart(text, start, end, written) : undefined
    const tier: Tier = !whole || host?.part === "part" ? "substring" : host?.part === "name" ? "domain" : "word"
    const wanted =
      host?.part !== "address" &&
      !joined &&
      (tier === "substring"
        ? (found.inside === undefined || start < found.inside.start) && countsInside(text, needle, start, end)
        : !brief)
    if (host?.part === "address") next = host.until
    if (wanted) {
      const passed = judge.passes(start, end)
      if (passed > 0) next = passed
      else if (tier === "substring") found.inside = { tier, start, end }
      else found.strong = { tier, start, end }
    }
    at = text.indexOf(form, Math.max(next, start + 1))
  }
}

// Words that begin and end so many phrases that two of them side by side name nothing.
const functionWords = new Set(
  (
    "a an and are as at be but by can did do for from had has he her him his i if in is it its may me my no nor not of off " +
    "on or our out over she so some than that the their them then they this to too under up us was we were will with you your"
  ).split(" ")
)

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/[^\p{L}\p{Nd}\p{M}]+/u).filter((word) => word !== "")

/** How many of the words begin where the brand itself shows no seam. */
const strangeSeams = (words: ReadonlyArray<string>, needle: Needle): number => {
  let at = 0
  let strange = 0
  for (const word of words.slice(0, -1)) if (!needle.seams.has((at += word.length))) strange++
  return strange
}

const startsUpper = (character: string): boolean => /\p{Lu}/u.test(character)

/** Whether a run of words with the brand's very letters is the brand taken apart or joined, not other words. */
const isRespelling = (words: ReadonlyArray<string>, needle: Needle, capital: boolean): boolean => {
  if (words.length === 1) return needle.words === 1 || !isOrdinaryWord(words[0] ?? "")
  const strange = strangeSeams(words, needle)
  if (strange === 0) return true
  return strange === 1 && words.every((word) => word.length > 1 && (capital || !functionWords.has(word)))
}

const digitsOf = (letters: string): string => letters.replace(/\D/g, "")

// Eight letters over several capitalised words with at most two edits are no chance phrase, even in dictionary words.
const longName = 8
const isCapitalisedName = (written: string, words: ReadonlyArray<string>): boolean =>
  words.length > 1 &&
  words.join("").length >= longName &&
  written.split(/[^\p{L}\p{Nd}\p{M}]+/u).every((word) => word.length < 2 || functionWords.has(word) || startsUpper(word))

/** The guard of C4: an edited window must be no ordinary words, no other brand and no other number. */
const isMisspelling = (
  words: ReadonlyArray<string>,
  written: string,
  needle: Needle,
  others: ReadonlySet<string>
): boolean => {
  const letters = words.join("")
  if (digitsOf(letters) !== digitsOf(needle.letters)) return false
  if (others.has(letters) || isKnownBrand(letters)) return false
  const listed = words.filter((word) => word.length === 1 || isDictionaryWord(word)).length
  if (isDictionaryWord(letters)) return false
  if (listed === words.length && !(words.length <= needle.words && isCapitalisedName(written, words))) return false
  if (words.length > needle.words) return listed === 0
  return !words.some((word) => word.length > 2 && !needle.letters.includes(word) && isKnownBrand(word))
}

/**
 * The mention of a brand in an answer: the first of the best kind, or undefined.
 * `others` are the letters of brands the answer is known to name.
 */
export const mentionIn = (
  folded: Folded,
  original: string,
  needle: Needle,
  others: ReadonlySet<string>
): Mention | undefined => {
  const judge = new Judge(folded.text)
  const found: Found = { strong: undefined, inside: undefined }
  for (const form of needle.forms) searchForm(folded, original, needle, form, judge, found)
  if (found.strong !== undefined || found.inside !== undefined) return found.strong ?? found.inside
  const charAt = (at: number): string => original.charAt(folded.origin(at))
  const accept = ({ start, end, edits }: Window): boolean => {
    const words = wordsOf(folded.text.slice(start, end))
    const written = original.slice(folded.origin(start), folded.origin(end))
    const fits =
      edits === 0
        ? isRespelling(words, needle, startsUpper(written.charAt(0)))
        : isMisspelling(words, written, needle, others)
    return fits && hostPart(folded.text, start, end, charAt)?.part !== "address" && judge.passes(start, end) === 0
  }
  const { respelt, edited } = nearest(folded.text, needle, accept)
  if (respelt !== undefined) return { tier: "word", start: respelt.start, end: respelt.end }
  return edited === undefined ? undefined : { tier: "fuzzy", start: edited.start, end: edited.end }
}

/** Where the brand stands as a whole word, from its first mention on, a bounded number of times. */
export const occurrences = (text: string, needle: Needle, first: Mention, most: number): ReadonlyArray<Mention> => {
  const found: Array<Mention> = [first]
  for (const form of needle.forms) {
    for (let at = text.indexOf(form, first.end); at >= 0 && found.length < most; at = text.indexOf(form, at + 1)) {
      if (isBoundary(text, at) && isBoundary(text, at + form.length)) {
        found.push({ tier: "word", start: at, end: at + form.length })
      }
    }
  }
  return found
}

/** The letters under which brands are compared with windows. */
export const comparable = (folded: string): string => lettersOf(folded)
