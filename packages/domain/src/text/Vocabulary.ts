import englishWords from "./EnglishWords.json" with { type: "json" }
import knownBrands from "./KnownBrands.json" with { type: "json" }
import { fold } from "./Fold.ts"
import { isLetter } from "./Letters.ts"

// Front coding: a digit says how many letters an entry shares with the one before it. Words of one initial begin at "0".
const decode = (encoded: string): ReadonlySet<string> => {
  const words = new Set<string>()
  let word = ""
  let at = 0
  while (at < encoded.length) {
    const shared = at === 0 ? 0 : encoded.charCodeAt(at++) - 48
    const from = at
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

/** A list of words. The words of an initial are decoded when one is first asked for, so that no call waits for the whole list. */
const wordList = (encoded: string): ((word: string) => boolean) => {
  const parts = lazily(
    () => new Map(encoded.split("0").map((part) => [part.charAt(0), lazily(() => decode(part))] as const))
  )
  return (word) => parts().get(word.charAt(0))?.().has(word) ?? false
}

/** The letters and digits of a folded text, without anything between them. */
export const lettersOf = (folded: string): string => {
  let letters = ""
  for (let at = 0; at < folded.length; at++) {
    if (isLetter(folded.charCodeAt(at))) letters += folded[at]
  }
  return letters
}

const keyOf = (name: string): string => lettersOf(fold(name).text)

const isName = wordList(englishWords.names)
const brands = lazily(() => new Set(knownBrands.brands.map(keyOf)))

const makers = lazily(
  () =>
    new Map(
      Object.entries(knownBrands.products).flatMap(([maker, products]) =>
        products.map((product) => [keyOf(product), keyOf(maker)] as const)
      )
    )
)

const judges = lazily(() => new Set(knownBrands.judges.map(keyOf)))

/** Whether these letters spell an organisation that tests or regulates the products of others: Consumer Reports, FDA. */
export const isReviewer = (letters: string): boolean => judges().has(letters)

const everywhere = lazily(() => new Set(knownBrands.everywhere.map(keyOf)))

/** Whether these letters spell a brand that texts about other brands mention as well, as a place where things are sold, paid or run. */
export const isUbiquitous = (letters: string): boolean => everywhere().has(letters)

/** Whether a folded word is ordinary English: common nouns, verbs and their inflections, no names. */
export const isOrdinaryWord: (word: string) => boolean = wordList(englishWords.words)

/** Whether a folded word is in an English dictionary, proper names of people and places included. */
export const isEnglishWord = (word: string): boolean => isOrdinaryWord(word) || isName(word)

// Words that open many names and say their kind, mostly of other languages.
const kinds = new Set(
  (
    "maison chateau domaine chez auberge relais palais brasserie bistrot boulangerie patisserie librairie pharmacie " +
    "banque groupe societe mutuelle universite ecole musee plage " +
    "banco banca caixa caja casa finca quinta posada pousada parador hostal taberna restaurante cerveceria parrilla farmacia " +
    "clinica grupo seguros aerolineas universidad universidade escuela instituto colegio museo playa " +
    "osteria trattoria ristorante locanda taverna albergo caffe cantina tenuta castello masseria agriturismo pasticceria " +
    "gelateria torrefazione birrificio gruppo universita " +
    "deutsche osterreichische schweizer bayerische sparkasse volksbank stadtwerke weingut gasthaus gasthof brauhaus brauerei " +
    "backerei universitat institut brouwerij cafe riad ryokan izakaya electro mrs los las das"
  ).split(" ")
)

/** Whether a folded word is in an English dictionary, or opens many names and says their kind: Maison, Banco. */
export const isDictionaryWord = (word: string): boolean => isEnglishWord(word) || kinds.has(word)

/** Whether these letters spell one of the world's well-known brands. */
export const isKnownBrand = (letters: string): boolean => brands().has(letters)

/** The letters of the maker, where these letters spell a well-known product: Galaxy, MacBook. */
export const makerOf = (letters: string): string | undefined => makers().get(letters)

/** The well-known brands with small words or an ampersand inside, as they are written: Bank of America, Bang & Olufsen. */
export const brandsJoined: ReadonlyArray<string> = knownBrands.brands.filter((brand) => / (?:\p{Ll}+|&) /u.test(brand))
