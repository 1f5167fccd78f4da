import { brandKey, hasKnownBrand } from "./Naming.ts"
import type { Name } from "./Names.ts"
import { isBrandSpelt, type Language } from "./Language.ts"
import { namesMax, telling } from "./Subjects.ts"
import { chinese } from "./SubjectsChinese.ts"
import { japanese } from "./SubjectsJapanese.ts"
import { korean } from "./SubjectsKorean.ts"
import { turkish } from "./SubjectsTurkish.ts"

// Names that Chinese, Japanese, Korean and Turkish prose is about although each occurs only once.

// The UTF-16 units from which the language is told.
const sample = 1024
const turkishLetters = /[ığİ]/u
const ofEastAsia = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/gu
// A single name in another script does not decide the language of a text.
const leastShare = 0.2
const turkishWords =
  /(?<!\p{L})(?:bir|ve|için|bu|ile|çok|daha|ise|olarak|gibi|ama|hem|fakat|kadar|göre|de|da|en|var|sonra|önce)(?!\p{L})/u

/** The language of a text; undefined where it is none of these. */
export const languageOf = (text: string): Language | undefined => {
  const opening = text.slice(0, sample)
  if ((opening.match(ofEastAsia)?.length ?? 0) >= leastShare * opening.length) {
    if (/\p{Script=Hiragana}/u.test(opening)) return japanese
    return /\p{Script=Hangul}/u.test(opening) ? korean : chinese
  }
  return turkishLetters.test(opening) && turkishWords.test(opening) ? turkish : undefined
}

// A few for every sentence of the longest answer. The bound limits the cost of a hostile text.
const stretchesMax = 2000
const startsLatin = /^[A-Za-z]/
const fewestSure = 3
const fewestAdvised = 2

/**
 * The names that sentences of a language are about or recommend, where there are two or more and they are brands. They are brands beside
 * known brands, where one of them is described as a brand or stands out by its script, or where several are in no dictionary.
 */
export const subjectsOfLanguage = (text: string, language: Language, besideBrands: boolean): ReadonlyArray<Name> => {
  const { sayings, nameIn, isWord = () => false, ofBrands, countsAsBrands, isLatin } = language
  const names = new Map<number, Name>()
  const sure = new Set<string>()
  const advised = new Set<string>()
  let areBrands = besideBrands
  for (const { pattern, isAdvice = false, isNaming = false, isOfNoWord = false } of sayings) {
    let stretches = 0
    for (const { 1: stretch = "", index } of text.matchAll(pattern)) {
      if (names.size === namesMax || ++stretches > stretchesMax) break
      if (names.has(index)) continue
      const behind = index + stretch.length
      const written = isNaming ? stretch : nameIn(stretch, text.slice(behind, behind + telling), isAdvice)
      const isInDictionary = isWord(written) && !isBrandSpelt(written)
      if (written === "" || (isOfNoWord && isInDictionary)) continue
      const from = index + stretch.indexOf(written)
      const name = { key: brandKey(written), from, to: from + written.length }
      names.set(from, name)
      if (!isInDictionary) sure.add(name.key)
      if (!isInDictionary && isAdvice) advised.add(name.key)
      ofBrands.lastIndex = name.to
      areBrands ||=
        isNaming ||
        (!isLatin && startsLatin.test(written)) ||
        isBrandSpelt(written) ||
        hasKnownBrand(written) ||
        ofBrands.test(text)
    }
  }
  areBrands ||= countsAsBrands && (sure.size >= fewestSure || advised.size >= fewestAdvised)
  return areBrands ? [...names.values()] : []
}

/**
 * The names that a text is about or recommends, given that it names a brand: one that was asked for and is mentioned shows that. Empty where
 * the text is in another language.
 */
export const subjectsBesideBrand = (text: string): ReadonlyArray<Name> => {
  const language = languageOf(text)
  return language === undefined ? [] : subjectsOfLanguage(text, language, true)
}
