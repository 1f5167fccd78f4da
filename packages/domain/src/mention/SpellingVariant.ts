import { fold } from "@sightline/domain/text/Fold"
import type { Needle } from "./Needle.ts"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord, lettersOf } from "@sightline/domain/text/Vocabulary"

// Words so frequent that two of them side by side name nothing.
const functionWords = new Set(
  (
    "a an and are as at be but by can did do for from had has he her him his i if in is it its may me my no nor not of off " +
    "on or our out over she so some than that the their them then they this to too under up us was we were will with you your"
  ).split(" ")
)

/** The words of a folded stretch. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[^\p{L}\p{Nd}\p{M}]+/u).filter((word) => word !== "")

/** How many of the words begin where the brand itself shows no seam. */
const strangeSeams = (words: ReadonlyArray<string>, needle: Needle): number => {
  let at = 0
  let strange = 0
  for (const word of words.slice(0, -1)) if (!needle.seams.has((at += word.length))) strange++
  return strange
}

const startsUpper = (word: string): boolean => /\p{Lu}/u.test(word)

// McDonald's and L'Oréal are one word each, and so is J.P. or J. P. before Morgan.
const insideWord = /(?<=\p{L})['’`´](?=\p{Lu}|s(?!\p{L}))|(?<=(?<!\p{L})\p{L})\.\s?(?=\p{L}(?!\p{L}))/gu
// U-Haul, J.Crew, E*TRADE, Jell-O: a letter of its own that a sign ties to the rest; also T Mobile, but not "A Mobile".
const tiedLetter = /^\p{Lu}[-.*]\p{L}|\p{L}-\p{Lu}$|^(?![AI])\p{Lu}\.? \p{Lu}\p{L}/u
// She'll is not Shell.
const contraction = /['’`´](?:d|ll|m|re|t|ve)$/iu
const possessive = /^(.+)['’`´]s$/u

const everyWord = (written: string, holds: (word: string) => boolean): boolean =>
  written.split(/[^\p{L}\p{Nd}\p{M}]+/u).every(holds)

/** Whether a run of words with exactly the brand's letters is the brand, split or joined, and not other words. */
export const isRespelling = (written: string, needle: Needle): boolean => {
  if (contraction.test(written)) return false
  const words = wordsOf(fold(written.replace(insideWord, "")).text)
  if (words.length === 1) {
    // "Adam's" is a possessive and not Adams, unless these letters are a well-known brand: Wendys.
    const owner = possessive.exec(written)?.[1]
    if (owner !== undefined && isDictionaryWord(fold(owner).text) && !isKnownBrand(needle.letters)) return false
    return needle.words === 1 || !isOrdinaryWord(words[0] ?? "")
  }
  // "Your sales force" is not Salesforce, though Sales Force and sales-force are.
  const loose = needle.words === 1 && /\s/.test(written) && !everyWord(written, startsUpper)
  if (loose && words.every(isOrdinaryWord)) return false
  const strange = strangeSeams(words, needle)
  if (strange === 0) return true
  // Chick-fil-A is one word to the eye; so is up-to-date, which is no name.
  const tied = words.length > 2 && /^[\p{L}\p{Nd}-]+$/u.test(written)
  if (tied && (isKnownBrand(needle.letters) || !words.every(isDictionaryWord))) return true
  if (strange > 1 || written.includes("\n")) return false
  return (
    tiedLetter.test(written) ||
    words.every((word) => word.length > 1 && (startsUpper(written) || !functionWords.has(word)))
  )
}

/** Whether a run of words is the brand with its first words in the possessive: Samsung's Galaxy. */
export const isPossessive = (written: string, needle: Needle): boolean =>
  needle.words > 1 && lettersOf(fold(written.replace(/['’]s(?=\s)/iu, "")).text) === needle.letters

const digitsOf = (letters: string): string => letters.replace(/\D/g, "")

const holdsFunctionWord = (words: ReadonlyArray<string>): boolean => words.some((word) => functionWords.has(word))

// Several capitalised words with eight letters and at most two edits are no coincidence, even if all are dictionary words; but "in Canada"
// is not Air Canada.
const longName = 8
const isCapitalisedName = (written: string, words: ReadonlyArray<string>, { called }: Needle): boolean =>
  words.length > 1 &&
  words.join("").length >= longName &&
  startsUpper(written) &&
  !functionWords.has(words.at(-1) ?? "") &&
  everyWord(written, (word) => word.length < 2 || functionWords.has(word) || startsUpper(word)) &&
  (!holdsFunctionWord(words) || holdsFunctionWord(wordsOf(called.names[0] ?? "")))

/** The guard of C4: a window with edits must not be ordinary words, another brand or another number. */
export const isMisspelling = (
  words: ReadonlyArray<string>,
  written: string,
  needle: Needle,
  others: ReadonlySet<string>
): boolean => {
  const letters = words.join("")
  if (digitsOf(letters) !== digitsOf(needle.letters)) return false
  if (others.has(letters) || isKnownBrand(letters)) return false
  const listed = words.filter((word) => word.length === 1 || isDictionaryWord(word)).length
  if (listed === words.length && !(words.length <= needle.words && isCapitalisedName(written, words, needle)))
    return false
  if (words.length > needle.words) return listed === 0
  return !words.some((word) => word.length > 2 && !needle.letters.includes(word) && isKnownBrand(word))
}
