import { isNegative, possessed } from "./Absence.ts"
import { knowledge, source } from "./AbsenceWords.ts"
import { type Clause, partAround } from "@sightline/domain/text/Clause"
import { isPrivacyClaim } from "./PrivacyClaim.ts"
import { isDisclaimedNonEnglish } from "./DisclaimerNonEnglish.ts"
import { isDisclaimerIn, it, presence, tells } from "./DisclaimerEnglish.ts"
import { wordsOf } from "./Naming.ts"
import { isHypothetical } from "./Hypothetical.ts"
import { isUnknownNameIn } from "./UnknownName.ts"
import { isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// One half of the sentence says something of others, and the other half denies it of the name.
const elided = [
  `${source}[^§.?!;]{0,40}?\\b${tells}\\b[^§.?!;]{0,60}?\\b(?:but|and)\\s+not\\s\\W{0,3}§`,
  `\\b${presence}\\b[^§.?!;]{0,40}?\\b(?:but|while|whereas|and)\\s\\W{0,3}§\\W{0,3}\\s(?:is|was|are|does|did)(?:n['’]?t| not)\\W*$`
]
const contrary = new RegExp(elided.map((way) => `(?:${way})`).join("|"), "u")

const contrast = /;|\b(?:but|however|though|although|yet|while|whereas|except|despite)\b/gu

// Guesses and searches: their outcome is in the other half of the sentence, so both halves are read together.
const tentative =
  /\b(?:perhaps|possibly|possible|may (?:be|well)|might|assume|presumably|guess|hoping to|wanted to|searched|search(?:es|ing)? (?:for|on)|attempted|checked|looked (?:up|for|into)|tried|make (?:things|anything) up|your (?:question|query|prompt)|you(?: also|['’]ve)? (?:asked|mentioned|listed|named))\b/u

// Words for who could know and for what could be known. A sentence without any of them denies something else.
const reporting = new RegExp(
  `${source}|\\b${knowledge}\\b|\\b(?:i|we|me|my|names?|called|named|mentioned|listed|covered|included|found|up|anywhere|nowhere|nobody|one|such|known|heard|bells?|unable|unverified|empty|correspond|fictional|fictitious|made[- ]up|misspell\\w+)\\b`,
  "u"
)
const isReporting = ({ before, after }: Clause): boolean => reporting.test(before) || reporting.test(after)

const sourced = new RegExp(source, "u")

/** Whether a clause mentions the sources of an answer after the name. */
export const mentionsSources = ({ after }: Clause): boolean => sourced.test(after)

const isDisclaimedHere = (clause: Clause): boolean =>
  isDisclaimerIn(partAround(contrast, clause)) ||
  contrary.test(`${clause.before}§${clause.after}`) ||
  ((tentative.test(clause.before) || tentative.test(clause.after)) &&
    isDisclaimerIn(`${clause.before}§${clause.after}`))

// "You asked about Acme."
const bringsUp =
  /\byou(?:['’]re| are|['’]ve)?(?: also)? (?:ask(?:ed|ing)?|mention(?:ed)?|wanted|listed|named|know about)\b|\b(?:what|which|who|how) [^.]{0,30}$/u
// "Could you share more details?"
const inquires =
  /\b(?:let me know|tell me|share|clarify|provide|more (?:context|details|information)|could you|can you|do you (?:have|mean)|is it)\b/u
// "What is Acme?"
const endsQuestion = /^[^.!]{0,40}\?[\s"”’*_)]*$/u
const opensQuestion = /^\W*(?:what|which|who|does|is|are you sure)\b/u
const nothingBefore = /^[\s"'“‘*_#>:¿-]*$/u
const nothingAfter = /^[\s"'”’*_:?]*$/u
const listMark = /^\s*([-*+•#>]|\d+[.)])\s/u
// "**Acme** – here I have to pass."
const label = /^[\s"'”’*_]*[:–—-][\s*_]*[^.!?:]{0,40}[.!]\s*$/u
// "I can't tell you whether Acme is safe."
const hesitates =
  /\bi (?:honestly |really |simply )?(?:can['’]t|cannot|couldn['’]t|don['’]t|wouldn['’]t|won['’]t) [^.]{0,50}$/u

// "None of my sources cover it."
const object = new RegExp(
  `(?<=\\w\\s)(?:${it}|that(?=['’]s)|(?:that|this|the) (?:name|term|word|phrase|domain)\\b)`,
  "gu"
)

/** Whether a sentence names something else before a colon, as its subject: "Bolt: no information found". */
const isOfOther = (sentence: string): boolean => {
  const label = /^\W{0,4}([^:.,!?]{2,40}):/u.exec(sentence)?.[1]
  return label !== undefined && wordsOf(label).some((word) => !isOrdinaryWord(word) || isKnownBrand(word))
}

/**
 * The sentence after a mention that stands alone, as in a heading or a question. Empty for other mentions, for the next item of the same
 * list, and where it is about another name.
 */
const nextOfLone = ({ before, after, next }: Clause): string => {
  if (!nothingBefore.test(before) || !nothingAfter.test(after)) return ""
  const mark = listMark.exec(before)?.[1] ?? (before.trimStart().startsWith("**") ? "**" : "")
  const following = next()
  return (mark !== "" && following.startsWith(mark)) || isOfOther(following) ? "" : following
}

// Phrases that say that nothing is known. They count only where the sentence, or the one before it, only supposes something of the name.
const lost =
  /\b(?:no way of (?:knowing|telling)|(?:unknown|unfamiliar|new|n['’]t known|not known) to me|i (?:honestly |really |simply |just )?(?:can['’]t|cannot|couldn['’]t|could not) (?:say|tell|link|find out|confirm|identify|place|determine|work out)\b(?! (?:enough|the same|more|you how|(?:a|the|any) difference|apart))|i (?:was )?unable to (?:determine|learn|say|find out)|(?:is|was|are)(?:n['’]t| not) (?:in|part of) my (?:knowledge|training|data|memory)|(?:name|word|term) (?:is|was)(?:n['’]t| not)? (?:unfamiliar|new to|in anything|attached|in my)|i (?:have|hold|had|found|see|saw) (?:no|nothing|zero) (?:information|info|idea|data|facts|knowledge|news|documentation|evidence|record|trace|that|on|about)|i(?:['’]ve| have) (?:no (?:information|info|idea|data|way|record|knowledge|facts|notion)|never (?:heard|come across|seen|read)|seen no)\b|nothing comes to mind|know nothing (?:of|about)|don['’]t have any(?:thing(?! (?:bad|negative|against|but))| (?:information|data|details|knowledge))|(?:guesswork|guessing|a guess|only a hunch|speculation)\b|nothing (?:in my|about (?:it|her|him|them))|brought up nothing|no clue)/u

/** Whether a sentence contains a word that is not ordinary English, as most names are. */
const hasName = (sentence: string): boolean =>
  wordsOf(sentence).some((word) => word.length > 2 && !isOrdinaryWord(word))

/** Whether a sentence only supposes something of a name, and it, or the next one, says that nothing is known. */
const isLost = (clause: Clause): boolean => {
  // The cheap test comes first: few sentences say so, and `isHypothetical` reads a sentence several times.
  if (lost.test(clause.after)) return isHypothetical(clause)
  const following = clause.next()
  return lost.test(following) && !hasName(following) && isHypothetical(clause)
}

/** Whether a sentence only mentions a name, and the next one says that nothing is known of it, or asks what it is. */
const isDisclaimedNext = (clause: Clause): boolean => {
  const { before, after, next } = clause
  const isDenying = isNegative({ before: "", after: next(), next: () => "" })
  // The cheap test comes first: few sentences are followed by a denial, and the tests below take several patterns.
  if (!isDenying && !after.includes("?")) return false
  const question = endsQuestion.test(after)
  const brings =
    question || bringsUp.test(before) || hesitates.test(before) || (nothingBefore.test(before) && label.test(after))
  const following = brings ? next() : nextOfLone(clause)
  if (following === "" || (brings && isOfOther(following))) return false
  if (isDenying && (isDisclaimerIn(`§, ${following}`) || isDisclaimerIn(following.replace(object, "§")))) return true
  return question && opensQuestion.test(before) && inquires.test(following)
}

// "Diese Marke kenne ich nicht."
const thisOne =
  /(?<![a-zа-я])(?:dies(?:e[mnrs]?)? (?:unternehmen|marke|firma|anbieter|produkt|hersteller|namen?)|(?:cette (?:marque|entreprise|societe)|ce (?:produit|fabricant|nom))|es[t]?[aeo] (?:marca|empresa|compania|producto|nombre|produto|nome)|quest[aoe] (?:marca|marchio|azienda|prodotto|nome|societa)|d(?:it|eze) (?:merk|bedrijf|product|naam|aanbieder)|t(?:ej|a|ym|ego|e) (?:mar[ck]\w+|firm\w+|produk\w+)|(?:detta|denna|det har) (?:foretag(?:et)?|market?|varumarket?|produkt|namn)|эт\S{1,3} (?:марк\S+|компани\S+|бренд\S*))(?![a-zа-я])/u

/**
 * Whether a name stands alone, and the next sentence says in another language that nothing is known of it. This counts after a question, or
 * where the sentence speaks of "this brand". Below a heading a denial may as well say what the brand does not do: "Keine Daten werden
 * weitergegeben."
 */
const isDisclaimedNextNonEnglish = (clause: Clause): boolean => {
  const following = nextOfLone(clause)
  if (following === "") return false
  const next = (): string => ""
  if (clause.after.includes("?") && isDisclaimedNonEnglish({ before: "", after: `, ${following}`, next })) return true
  const found = thisOne.exec(following)
  if (found === null) return false
  const named = { before: following.slice(0, found.index), after: following.slice(found.index + found[0].length), next }
  return isDisclaimedNonEnglish(named) && !isPrivacyClaim(named)
}

/**
 * Whether a sentence, or the one after it, says in free wording that nothing is known of the name in it.
 *
 * Shape: `negative` is what `isNegative` says of the clause. `inEnglish` is what `isEnglish` says of the text; an English text is not read
 * as ten other languages.
 */
export const isDisclaimed = (clause: Clause, negative: boolean, inEnglish: () => boolean): boolean =>
  (!inEnglish() && (isDisclaimedNonEnglish(clause) || isDisclaimedNextNonEnglish(clause))) ||
  isDisclaimedNext(clause) ||
  isLost(clause) ||
  (negative &&
    !possessed.test(clause.after) &&
    (isReporting(clause) ? isDisclaimedHere(clause) : isUnknownNameIn(`${clause.before}§${clause.after}`)))
