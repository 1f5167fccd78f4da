import { type Head, headAt, named } from "./Head.ts"
import { hasKnownBrand, isNameLike, wordsOf } from "@sightline/domain/mention/Naming"
import { isEnglishWord, isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// Names that running text describes one after the other, each before a colon: "Zentra Desk: a sturdy one. Plutio Max: a quick one."

const longestName = 70
// Fewer may be labels.
const fewest = 3
const fewestSure = 2
// More than any answer has; the bounds limit the cost of a hostile one.
const mostNames = 200
const mostColons = 2000

/** Whether a sentence, a line or a label ends at `at`; none does in "2.0" or after a unit. */
const endsAt = (text: string, at: number): boolean => {
  const character = text.charAt(at)
  if (character !== ".") return "!?:\n".includes(character)
  return !/\.\d$|\b(?:sq|ft|qt|oz|vs)\./i.test(text.slice(Math.max(0, at - 3), at + 2))
}

/** The words before a colon, back to the end of the sentence or line before, and where they begin; undefined where they are too long. */
const wordsBeforeColon = (text: string, colon: number): readonly [words: string, from: number] | undefined => {
  let from = colon
  while (from > 0 && !endsAt(text, from - 1)) if (colon - --from > longestName) return undefined
  const words = text.slice(from, colon).trimStart()
  return [words, colon - words.length]
}

const inBrackets = /\([^()]*\)/g
const hasCapital = (word: string): boolean => /[\p{Lu}\d]/u.test(word)

/** Whether words are written as a title: one has a capital, and the last word and all long ones have a capital or a digit. */
const isTitled = (phrase: string): boolean => {
  if (!/\p{Lu}/u.test(phrase)) return false
  const bare = phrase.replace(inBrackets, "").trim()
  const words = bare.split(/\s+/)
  return (
    !/[,;$]/.test(bare) && hasCapital(words.at(-1) ?? "") && words.every((word) => word.length <= 4 || hasCapital(word))
  )
}

/** Whether a head is a well-known brand, or several words of which the first is in no dictionary. */
const isSure = ({ name }: Head): boolean => {
  const words = wordsOf(name)
  if (hasKnownBrand(name)) return isKnownBrand(words.join("")) || !words.every(isOrdinaryWord)
  return words.length > 1 && name.includes(" ") && !isEnglishWord(words[0] ?? "")
}

// "Hyaluronic Acid", "Broad Spectrum SPF".
const substance = /^[\p{L}-]+ (?:acid|oil|oxide|extract|butter)$|\bSPF$/iu

/** Whether a head may be a name, and is no abbreviation ("HDMI"), nor one ordinary or compound word ("Non-toxic"). */
const isPossible = ({ name }: Head): boolean =>
  isNameLike(name) &&
  !substance.test(name) &&
  !/^(?:[\p{Lu}\d-]{1,5}|\S+-\p{Ll}\S*)$/u.test(name) &&
  (name.includes(" ") || !isOrdinaryWord(name.toLowerCase()))

/** The names before colons at the beginnings of sentences, where these are three or more and two of them surely names. */
export const colonHeads = (text: string): ReadonlyArray<Head> => {
  const heads: Array<Head> = []
  let colon = text.indexOf(":")
  for (let seen = 0; colon >= 0 && seen < mostColons && heads.length < mostNames; seen++) {
    const end = colon
    colon = text.indexOf(":", end + 1)
    const [words, from] = wordsBeforeColon(text, end) ?? ["", end]
    // The speaker of a quotation is not what the answer is about.
    if (!isTitled(words) || /^\s?["“«„]/.test(text.slice(end + 1, end + 3))) continue
    const head = headAt(text, from, end, undefined)
    if (hasKnownBrand(head.name) || isPossible(head)) heads.push(named(head))
  }
  const sure = heads.map(isSure)
  const [first, last] = [sure.indexOf(true), sure.lastIndexOf(true)]
  const listed = heads.filter(({ name }, at) => (at >= first && at <= last) || hasKnownBrand(name))
  return listed.length < fewest || sure.filter(Boolean).length < fewestSure ? [] : listed
}
