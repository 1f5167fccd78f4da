import { isOrdinaryWord } from "@sightline/domain/text/Vocabulary"
import { glossWords } from "./GlossWords.ts"
import { glossWordsOther } from "./GlossWordsOther.ts"

interface Gloss {
  readonly language: string
  readonly says: string
}

const exact = new Map<string, ReadonlyArray<Gloss>>()
const stems = new Map<string, ReadonlyArray<Gloss>>()
for (const [language, roles] of Object.entries({ ...glossWords, ...glossWordsOther })) {
  for (const [says, list] of Object.entries(roles)) {
    for (const written of list.split(/\s*,\s*/)) {
      const [known, key] = written.endsWith("*") ? [stems, written.slice(0, -1)] : [exact, written]
      known.set(key, [...(known.get(key) ?? []), { language, says }])
    }
  }
}

const longestEnding = 3
const shortestStem = 3
// At least one word in this many has to identify the language.
const share = 6
const elided = /^(?:[ldcjmst]|qu|un|dell|nell|all|dall|sull)'(?=.)/
const bound = /^(?:وال|بال|لل|ال|و|ب|ل)(?=\p{L}{3})/u
const scripts: ReadonlyArray<readonly [string, RegExp]> = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["zh", /\p{Script=Han}/u],
  ["ru", /\p{Script=Cyrillic}/u],
  ["ar", /\p{Script=Arabic}/u]
]

/** The form in which a word is looked up: without an elided word such as "l'", and without diacritics that are often left out. */
const plain = (word: string): string =>
  word
    .replaceAll("ё", "е")
    .replace(/[\u064b-\u0652]/g, "")
    .replace(elided, "")

/** The glosses of a word in every language that has it. */
const glossesOf = (word: string): ReadonlyArray<Gloss> => {
  const found = [...(exact.get(word) ?? [])]
  for (let end = word.length; end >= Math.max(shortestStem, word.length - longestEnding); end--) {
    const more = stems.get(word.slice(0, end)) ?? []
    found.push(...more.filter((one) => !found.some(({ language }) => language === one.language)))
  }
  return found
}

const among = (found: ReadonlyArray<Gloss> | undefined, language: string): string | undefined =>
  found?.find((one) => one.language === language)?.says

/** The English gloss of a phrase of a language, in exactly this form. */
export const glossOfPhrase = (phrase: string, language: string): string | undefined =>
  among(exact.get(phrase), language)

/** The English gloss of a word of a language, in any of its inflected forms. */
export const glossOfWord = (word: string, language: string): string | undefined => {
  const looked = plain(word)
  if (language === "fr" && looked.startsWith("n'")) return "not"
  return among(glossesOf(looked), language) ?? among(glossesOf(looked.replace(bound, "")), language)
}

const isEnglish = (word: string): boolean => isOrdinaryWord(word) || /^[a-z]$|n't$/.test(word)

/** The language of words, given in lower case; undefined where it is English or unknown. */
export const languageOf = (words: ReadonlyArray<string>): string | undefined => {
  const scriptOf = (word: string): string | undefined => scripts.find(([, letters]) => letters.test(word))?.[0]
  const found = words.flatMap((word) => scriptOf(word) ?? [])
  // Han characters alone are Chinese, together with kana Japanese.
  if (found.length > 0 && found.length * 2 >= words.length) return found.includes("ja") ? "ja" : found[0]
  const counts = new Map<string, { readonly all: number; readonly sure: number }>()
  const english = words.filter(isEnglish).length
  for (const word of words) {
    const sure = isEnglish(word) ? 0 : 1
    for (const { language } of glossesOf(plain(word))) {
      const count = counts.get(language)
      counts.set(language, { all: (count?.all ?? 0) + 1, sure: (count?.sure ?? 0) + sure })
    }
  }
  const [best] = [...counts].sort(([, a], [, b]) => b.sure - a.sure || b.all - a.all)
  if (best === undefined) return undefined
  const [language, { all, sure }] = best
  return sure * share >= words.length && all > english - (all - sure) ? language : undefined
}
