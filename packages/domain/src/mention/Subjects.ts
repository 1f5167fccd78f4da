import { brandKey, hasKnownBrand, wordsOf } from "./Naming.ts"
import type { Name } from "./Names.ts"
import { isDictionaryWord, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// Names that English prose is about, though each stands there once: "Start with Kind Reply; Deskwren hosts everything in Europe."

// A stop within a name, or behind an initial or a title, ends no sentence.
const stop = "\\.(?=[\\p{L}\\p{Nd}])|(?<=[ ](?:Dr|St|Mrs?|\\p{Lu}))\\."
const word = `[\\p{Lu}\\d](?:[\\p{L}\\p{M}\\p{Nd}'’+]|${stop})*(?:-[\\p{L}\\p{Nd}]+)*`
const run = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{Nd}'’-])\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’+]*(?:-[\\p{L}\\p{Nd}]+)*(?:[ ](?:&[ ])?${word}){0,4}`,
  "gu"
)

const opens = /(?:^|[.!?;:\n\])]|,)[\s*_"“]*$/u
const opensSentence = /(?:^|[.!?:\n\])])[\s*_"“]*$/u
const recommends = "start(?:ing)? with|go(?:ing)? with|look(?:ing)? at|try|consider|recommend|choose|pick|get"
const recommended = new RegExp(`\\b(?:${recommends}) (?:the )?[*_]{0,2}$`, "iu")
const advised = new RegExp(
  `\\b(?:${recommends}|begin with|suggest|book|fond of|complete without|there(?:['’]s| is)|is|are|also|was|remains) (?:the )?[*_]{0,2}$`,
  "iu"
)
// "Acme offers", "Acme, fourth, is", "Acme (the older one) has".
const tells =
  /^[*_]{0,2}(?:,[^,.\n]{2,60},| \([^()\n]{0,60}\)| (?:from|by|in) \p{Lu}[\p{L}]+)?(?: (?:now|still|also|usually|generally|often|always|really|only|simply|even|just|already|currently|probably|arguably|easily))? (?:is|has|was|does|can|will|makes?|made|(?!(?:us|this|its|as|is|has|was|always|perhaps|besides|towards|across|plus|versus|less|unless)\b)\p{Ll}{3,}(?:(?<!ss|us|is)s|ed))\b/u

const points = /^(?:It|Its|Their|His|Her|My|Our|Your|This|That|These|Those|Both|Each|Any|All|Most|Every|No|One|I)\b/

// What only somebody does, or is, said of one word of the dictionary: "Root prices by the mile", "Rhythm is my tip for …".
const somebodys =
  /^[*_]{0,2} (?:offers|makes|sells|lets|charges|pays|ships|builds|designs|deserves|roasts|brews|bundles|prices|owes|promises|publishes|operates|undercuts|wants|knows|is (?:my|our) (?:[\w-]+ )?(?:tip|pick|choice|favou?rite|recommendation)|is the (?:[\w-]+ ){0,2}?(?:one|pick|choice|option|specialist|brand|bank|app|firm) (?:to|for|if|that|when))\b/u
// Pronouns, and what counts or leads on.
const noName =
  /^(?:nothing|everything|something|anything|everyone|anyone|someone|nobody|whoever|whichever|whatever|what|which|who|neither|either|another|other|others|half|there|here|one|none|people|first|second|third|next|now|then)$/iu

const opening = 12
const advice = 40
const telling = 80
// More than any answer has.
const namesMax = 200

/** Whether a run names a brand: no word of the dictionary by itself ("Monday", "Prices"), and no place or person that the dictionary has ("New York"). */
const isName = (name: string): boolean => {
  const words = wordsOf(name)
  if (points.test(name)) return false
  if (hasKnownBrand(name) && !words.every(isOrdinaryWord)) return true
  const areOfDictionary = words.every(isDictionaryWord)
  if (name.includes(" ")) return words.length > 1 && !(areOfDictionary && !isOrdinaryWord(words.at(-1) ?? ""))
  return (words[0] ?? "").length > 2 && !areOfDictionary
}

/** How long the article is that a name has before it, and not as its own: "The Polaris Freedom", not "The Farmer's Dog". */
const articleOf = (name: string): number =>
  name.startsWith("The ") && !hasKnownBrand(name) && wordsOf(name).some((word) => !isOrdinaryWord(word)) ? 4 : 0

/** The names that sentences of English prose are about, or that they advise, where these are two or more. */
export const subjectsIn = (text: string): ReadonlyArray<Name> => {
  const names: Array<Name> = []
  for (const { 0: written, index } of text.matchAll(run)) {
    if (names.length === namesMax) break
    const to = index + written.length
    const isSubject =
      opens.test(text.slice(Math.max(0, index - opening), index)) && tells.test(text.slice(to, to + telling))
    if (!isSubject && !advised.test(text.slice(Math.max(0, index - advice), index))) continue
    const name = written.slice(articleOf(written))
    const isOne =
      /^[^ ]{3,}$/u.test(name) &&
      !noName.test(name) &&
      !points.test(name) &&
      ((isSubject &&
        (somebodys.test(text.slice(to, to + telling)) ||
          !opensSentence.test(text.slice(Math.max(0, index - opening), index)))) ||
        recommended.test(text.slice(Math.max(0, index - advice), index)))
    if (isName(name) || isOne) names.push({ key: brandKey(name), from: to - name.length, to })
  }
  return new Set(names.map(({ key }) => key)).size > 1 ? names : []
}
