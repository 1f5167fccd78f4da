import { brandKey, brandLetters, hasKnownBrand, wordsOf } from "./Naming.ts"
import type { Name } from "./Names.ts"
import { type Capitals, runsOf } from "@sightline/domain/text/Capitals"
import { isAsciiWord, unitsOf } from "@sightline/domain/text/Letters"
import { memoize } from "@sightline/domain/text/Memoize"
import { mayEndBefore } from "@sightline/domain/text/WordBeside"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord, makerOf } from "@sightline/domain/text/Vocabulary"

// Names that English prose is about although each occurs only once: "Start with Kind Reply; Deskwren hosts everything in Europe."

// A stop inside a name, or after an initial or a title, ends no sentence.
const stop = "\\.(?=[\\p{L}\\p{Nd}])|(?<=[ ](?:Dr|St|Mrs?|\\p{Lu}))\\."
const word = `[\\p{Lu}\\d](?:[\\p{L}\\p{M}\\p{Nd}'’+]|${stop})*(?:-[\\p{L}\\p{Nd}]+)*`
const run = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{Nd}'’-])(?:\\p{Ll}{1,2}(?=\\p{Lu}))?\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’+]*(?:[.-](?=\\p{Lu})[\\p{L}\\p{Nd}]+|-[\\p{L}\\p{Nd}]+)*(?:[ ](?:&[ ])?${word}){0,4}`,
  "uy"
)

const opens = /(?:^|[.!?;:\n\])]|,)[\s*_"“]*$/u
const opensSentence = /(?:^|[.!?:\n\])])[\s*_"“]*$/u
// "All take PayPal" recommends nothing.
const take = "(?<!(?:all|both|they|we|most|many|some|few|\\p{L}s) )take"
const recommends = `start(?:ing)? with|go(?:ing)? (?:with|for)|look(?:ing)? at|try|consider|recommend|choose|pick|get|${take}|move to|switch to|reason to go to|in good hands with`
// Both are lookbehinds from the end, so that they are not tried at every earlier place.
const recommended = new RegExp(`$(?<=\\b(?:${recommends}) (?:the )?[*_]{0,2})`, "iu")
const advised = new RegExp(
  `$(?<=(?:^|[.!?\\n]\\s*)(?:Second|Third|Fourth|Fifth|Next|Finally|Lastly), [*_]{0,2}|\\b(?:${recommends}|begin with|suggest|book|test|enjoy|hire|visit|talk to|compare it with|moving \\p{L}+ to|best things about|sent to|send you to|graduate to|served by|switched to|support|(?:['’]d| would) put|fond of|complete without|there(?:['’]s| is)|is|are|also|was|remains) (?:the )?[*_]{0,2})`,
  "iu"
)
// "Acme offers", "Acme, fourth, is", "Acme (the older one) has".
const tells =
  /^[*_]{0,2}(?:,[^,.\n]{2,60},| \([^()\n]{0,60}\)| (?:from|by|in|on|near|at) (?:the )?(?:\p{Ll}+ )?\p{Lu}[\p{L}'’]+(?: \p{Lu}[\p{L}'’]+){0,3})?(?: (?:now|still|also|often|always|even|just|\p{Ll}+ly))? (?:is|has|was|does|can|will|makes?|made|became|began|built|won|grew|took|came|went|got|kept|ran|sold|led|(?!(?:us|this|its|as|is|has|was|always|perhaps|besides|towards|across|plus|versus|less|unless)\b)\p{Ll}{3,}(?:(?<!ss|us|is)s|ed))\b/u

const points =
  /^(?:An?(?= )|It|Its|Their|His|Her|My|Our|Your|This|That|These|Those|Both|Each|Any|All|Most|Every|No|One|I)\b/

// Predicates that only a company or person has. They show that a dictionary word is a name: "Root prices by the mile", "Rhythm is my tip
// for …".
const somebodys =
  /^[*_]{0,2} (?:offers|makes|sells|lets|charges|pays|ships|builds|designs|deserves|roasts|brews|bundles|prices|owes|promises|publishes|operates|undercuts|wants|knows|owns|concentrates|speciali[sz]es|focuses|decides|accepts|hires|employs|(?:regularly|now|also|still|only) (?:sells|makes|offers|has|pays|ships|owns)|has (?:been (?:around|in business|making|selling|building)|offices|branches|no branches)|was founded|belongs to|invented|is (?:my|our) (?:[\w-]+ )?(?:tip|pick|choice|favou?rite|recommendation)|is the (?:[\w-]+ ){0,2}?(?:one|pick|choice|option|specialist|brand|bank|app|firm) (?:to|for|if|that|when))\b/u
// Pronouns, and words that count or connect.
const noName =
  /^(?:nothing|everything|something|anything|everyone|anyone|someone|nobody|whoever|whichever|whatever|what|which|who|neither|either|another|other|others|half|there|here|one|none|people|first|second|third|next|now|then)$/iu
// "Welsh is spoken", "Canadian regulators became".
const peoples =
  /^(?:american|asian|australian|austrian|belgian|brazilian|british|canadian|chinese|danish|dutch|english|european|finnish|french|german|greek|indian|irish|italian|japanese|korean|mexican|nordic|norwegian|polish|portuguese|russian|scandinavian|scottish|spanish|swedish|swiss|turkish|welsh)$/iu
// "Bauhaus-flavoured watches", "Pre-existing conditions": a word that describes.
const describes = /\p{L}-(\p{Ll}{3,})$/u

// "Acme, out of Portland, roasts".
const aside = /^[*_]{0,2}, (?:from|out of|based in|made by|part of|founded) [^,.\n]{2,60},/u
const mayBeAdvised = mayEndBefore(advised)
// Every match of `advised` ends like this as well.
const endsAdvice = /[\p{Ll},] [*_]{0,2}$/u
const shortReach = 4

// How far before and after a name is read, in UTF-16 units.
export const opening = 12
export const advice = 40
export const telling = 80
// More than any answer has.
export const namesMax = 200

/**
 * Whether a run names a brand: not a single dictionary word ("Monday", "Prices"), and not a place or person in the dictionary ("New York").
 */
const isName = (name: string): boolean => {
  const words = wordsOf(name)
  if (points.test(name)) return false
  if (isKnownBrand(brandLetters(words)) && !words.every(isOrdinaryWord)) return true
  const areOfDictionary = words.every(isDictionaryWord)
  if (name.includes(" ")) return words.length > 1 && !(areOfDictionary && !isOrdinaryWord(words.at(-1) ?? ""))
  return (words[0] ?? "").length > 2 && !areOfDictionary
}

const beginsTelling = unitsOf(" ,*_")

/** Whether the words after a name at `to` are a verb with the name as its subject: "Acme offers", "Acme, fourth, is". */
export const isSubjectBefore = (text: string, to: number): boolean =>
  beginsTelling.has(text.charCodeAt(to)) && tells.test(text.slice(to, to + telling))

// "While Acme lasts": the words that open a sentence before a name.
const opener =
  /^(?:After|Against|Although|And|As|At|Because|Both|But|By|Even|For|From|If|In|Like|On|Once|Since|So|Then|Though|Unlike|Until|When|Where|Whereas|While|With|Without) (?=[\p{Lu}\d])/u

/** The length of an article before a name that is no part of it: "The Polaris Freedom", not "The Farmer's Dog"; 0 where there is none. */
const articleOf = (name: string): number =>
  name.startsWith("The ") &&
  !hasKnownBrand(name) &&
  (wordsOf(name).some((word) => !isOrdinaryWord(word)) || makerOf(brandKey(name.slice(4))) !== undefined)
    ? 4
    : 0

// "The Black Bay 58", "Another 13", "the Woburn III".
const model = /^\p{Lu}[\p{L}'’ -]* (?:\d+\p{Lu}?|[IVX]{2,})$/u

/** Whether a name is that of a model that follows its maker in the same paragraph. */
const isProduct = (text: string, maker: Name | undefined, name: string, from: number): boolean =>
  maker !== undefined &&
  name.includes(" ") &&
  model.test(name) &&
  !hasKnownBrand(name) &&
  !text.slice(maker.to, from).includes("\n")

/** Whether the `reach` units before an offset match. */
export const hasBeforeIt = (text: string, index: number, reach: number, what: RegExp): boolean =>
  what.test(text.slice(Math.max(0, index - reach), index))

// "the Targhee from Keen", "the Revitalift serum from L'Oréal", "a GS Mini by Taylor".
const ofMaker =
  /^[*_]{0,2}(?:(?: (?!\p{Ll}+(?:s|ed) )\p{Ll}{3,20})? from|(?:, (?:made|built|sold))? by) (?:the )?[*_]{0,2}(\p{Lu}[\p{L}'’&-]{0,20}(?: \p{Lu}[\p{L}'’&-]{0,20})?)/u

/** Whether the words behind a name say that it is a thing of a well-known maker's. */
const isOfMaker = (behind: string): boolean => hasKnownBrand(ofMaker.exec(behind)?.[1] ?? "")

// "Plus-Plus takes the opposite approach".
const twoCapitals = /^\p{Lu}\p{Ll}+-\p{Lu}/u

/** Whether a name is a single word that may be a brand. */
const isOne = (name: string): boolean =>
  /^[^ ]{3,}$/u.test(name) && !noName.test(name) && !peoples.test(name) && !points.test(name)

/**
 * Whether a dictionary word is used as a name: it has a predicate that only a company or person has, is a subject within a sentence, or is
 * recommended.
 */
const isNameThere = (text: string, index: number, to: number, isSubject: boolean): boolean => {
  const behind = text.slice(to, to + telling)
  if (hasBeforeIt(text, index, advice, recommended)) return true
  if (isSubject && twoCapitals.test(text.slice(index, to))) return true
  return (
    isSubject && (somebodys.test(behind) || aside.test(behind) || !hasBeforeIt(text, index, opening, opensSentence))
  )
}

/** Whether there are two or more different names. */
export const areSeveral = (names: ReadonlyArray<Name>): boolean => new Set(names.map(({ key }) => key)).size > 1

/** Whether an offset follows a word and a space, so that nothing begins there. */
const isBehindWord = (text: string, at: number): boolean =>
  text.charAt(at - 1) === " " && isAsciiWord(text.charCodeAt(at - 2))

/** The names that English sentences are about or recommend; empty where there are fewer than two. */
export const subjectsIn = (text: string, capitals: Capitals): ReadonlyArray<Name> => {
  const names: Array<Name> = []
  const read = memoize((name) => ({ key: brandKey(name), isName: isName(name) }))
  for (const { from: index, run: written } of runsOf(text, capitals, run)) {
    if (names.length === namesMax) break
    const to = index + written.length
    const isSubject =
      !isBehindWord(text, index) && hasBeforeIt(text, index, opening, opens) && isSubjectBefore(text, to)
    const isAdvised = (): boolean =>
      mayBeAdvised(text, index) &&
      hasBeforeIt(text, index, shortReach, endsAdvice) &&
      hasBeforeIt(text, index, advice, advised)
    if (!isSubject && !isAdvised()) continue
    const opened = opener.test(written) && !hasKnownBrand(written) ? written.replace(opener, "") : written
    const name = opened.slice(articleOf(opened))
    const from = to - name.length
    if (isProduct(text, names.at(-1), name, from) || isOfMaker(text.slice(to, to + telling))) continue
    if (isOrdinaryWord(describes.exec(name)?.[1] ?? "") && !hasKnownBrand(name)) continue
    const { key, isName } = read(name)
    if (isName || (isOne(name) && isNameThere(text, index, to, isSubject))) names.push({ key, from, to })
  }
  return names
}
