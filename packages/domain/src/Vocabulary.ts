import englishWords from "./EnglishWords.json" with { type: "json" }
import knownBrands from "./KnownBrands.json" with { type: "json" }
import { fold } from "./Fold.ts"
import { isLetter } from "./Letters.ts"

// Front coding: a digit says how many letters an entry shares with the one before it.
const decode = (encoded: string): ReadonlySet<string> => {
  const words = new Set<string>()
  let word = ""
  let at = 0
  while (at < encoded.length) {
    const shared = encoded.charCodeAt(at) - 48
    const from = ++at
    while (at < encoded.length && encoded.charCodeAt(at) > 57) at++
    word = word.slice(0, shared) + encoded.slice(from, at)
    words.add(word)
  }
  return words
}

const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/** The letters and digits of a folded text, without anything between them. */
export const lettersOf = (folded: string): string => {
  let letters = ""
  for (let at = 0; at < folded.length; at++) {
    if (isLetter(folded.charCodeAt(at))) letters += folded[at]
  }
  return letters
}

const words = lazily(() => decode(englishWords.words))
const names = lazily(() => decode(englishWords.names))
const brands = lazily(() => new Set(knownBrands.brands.map((brand) => lettersOf(fold(brand).text))))

/** Whether a folded word is ordinary English: common nouns, verbs and their inflections, no names. */
export const isOrdinaryWord = (word: string): boolean => words().has(word)

/** Whether a folded word is in an English dictionary, proper names of people and places included. */
export const isDictionaryWord = (word: string): boolean => words().has(word) || names().has(word)

/** Whether these letters spell one of the world's well-known brands. */
export const isKnownBrand = (letters: string): boolean => brands().has(letters)
