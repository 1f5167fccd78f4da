import { isNegative, otherwise, possessed } from "./Absence.ts"
import {
  about,
  adjective,
  anywhere,
  claiming,
  goesOn,
  happening,
  knowledge,
  lead,
  source,
  thing
} from "./AbsenceWords.ts"
import { type Clause, partAround } from "@sightline/domain/text/Clause"
import { isOfData } from "./DataKept.ts"
import { isDisclaimedElsewhere } from "./DisclaimerElsewhere.ts"
import { wordsOf } from "./Naming.ts"
import { isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// How an English answer says in words of its own that it knows nothing of a name, written §: alternatives of regular expressions
// over folded text, and what is made of them.

const denial =
  "(?:n['’]?t\\b|\\bnot\\b|\\bnever\\b|\\bcannot\\b|\\bunable\\b|\\bneither\\b|\\bnor\\b|\\bfail(?:ed|s)?\\b)"
const speaker = "\\b(?:i|we)\\b(?:['’](?:m|ve|d|ll))?"
const known =
  "(?:find|finding|found|locate|seeing|verify|confirm|identify|place|trace|recogni[sz]e|know|evaluate|assess|rate|speak (?:to|about)|tell you|corroborate|match|see|seen|pull up|come across|encounter(?:ed)?|hear|heard|met|familiar|acquainted|aware|access|look up|comment on|connect|say anything (?:about|on))"
// Where one of these stands between, something of the name's is looked for, or the name is the measure.
const aside =
  "\\b(?:than|as|its|their|whose|whether|if|why|how|because|reason|better|price|prices|pricing|costs?|fault|flaw|flaws|complaints?|problems?|issues?|wrong|alternatives?|competitors?|rivals?|substitutes?|side effects?|battery life|claims?(?! about)|drawbacks?|downsides?|weakness(?:es)?|cons|criticisms?|defects?|bugs?|red flags?|concerns?|scandals?|breach(?:es)?|leaks?|outages?|vulnerabilit(?:y|ies)|violations?|allegations?|accusations?|scams?|fraud|hidden fees?|tests?|stars?|showroom|date|sells?|stocks?|carr(?:y|ies)|anyone|who|codes?|(?:phone )?numbers?|address(?:es)?|hours|coupons?|discounts?|deals?|lawsuits?|recalls?|stockists?)\\b"
// "Good or bad" is said of whatever there is.
const blemished = "(?<!\\b(?:good|positive) (?:or|and|nor) )(?:bad|negatives?|damning)"
// "I couldn't find a warranty for Acme"
const ofOwn = `(?<!\\b(?:name|hear|heard|aware|know|idea|hits?|word|matching|sign|profile|(?:home)?page|presence|existence|legitimacy|${thing}|${knowledge})\\s)\\b(?:for|of|at)\\s\\W{0,3}`
// From the denial on to the name. To say whether it is good is to say something of it.
const gap = `(?:\\s+to (?:say|tell|judge|determine|assess) (?:whether|if)\\s)?(?![^§]*(?:${aside}|\\b${blemished}\\b))[^§]{0,60}?`
// How a sentence may go on after the facts that are missing; "no evidence that it helps" is no want of facts about it.
const afterwards =
  "(?:\\s*(?:[.,;:|)!?–—]|$)|(?!(?<=\\b(?:evidence|indications?))\\s+that\\b(?!(?:\\s+[\\w-]+){1,4}\\s+exists?\\b))\\s+(?:found|available|at all|about|on|for|of|in|from|that|to|whatsoever|exists?|anywhere|i)\\b(?!\\s+(?:its|their)\\b))"
const noFacts = `(?:\\bno|\\bzero|\\blittle|\\bnothing|\\black(?:s|ed|ing)?|\\bwithout|\\babsence of|${denial}[^§.?!]{0,30}\\b(?:any|enough|much|a single|a))(?:\\s+(?!(?:on|evidence|indications?|${blemished})\\b)[\\w-]+){0,3}?\\s+${knowledge}\\b`
const presence =
  "(?:(?:get|earn|receive) (?:a|any) mention|mentioned|covered|listed|named|included|reviewed|discussed|referenced|featured|ranked|found|documented|known(?= to (?:me|my))|appear|show up|come up|turn up|turned up|figure|rank)"

const tells =
  "(?:mention(?:s|ed)?|includ(?:es?|ed)|cover(?:s|ed)?|list(?:s|ed)?|feature[sd]?|name[sd]?|brings? up|talks? about|refers? to|reviewed|says? (?:anything|much) (?:about|on|of))"
// What some do not tell others may.
const sources = `(?<!\\b(?:some|most|many|several|few|other|all|every)\\s(?:of\\s(?:the|these)\\s)?)${source}`
const it = "(?:it|them|th(?:is|at|e) (?:brand|company|product|name|one))\\b"

// The speaker does not know it.
const unknown = [
  `${speaker}[^§.?!]{0,30}?${denial}[^§.?!]{0,25}?\\b${known}\\b${gap}(?<!${claiming}\\W{1,3}|${ofOwn})§(?!\\W{0,3}${otherwise})(?:(?<=\\b${knowledge}\\b[^§]*§)|(?=["”’*_)\\]]*(?:['’]s\\b|${goesOn})))`,
  `§[^§]{0,90}?${speaker}[^§.?!]{0,25}?${denial}[^§.?!]{0,20}?\\b${known}\\b(?:\\s+(?:of|with|to|by|about|in|from|on|for|at|anything|anywhere|it|this|that|them|one|any|either|here|such|what|a (?:website|homepage|single|real|company)|that name|the (?:brand|company|product|name)|an? [\\w-]+(?: or [\\w-]+)? (?:called|named))\\b|\\s*[.,;:!?)–—]|\\s*$)`,
  `§[^§]{0,60}?${denial}\\s+(?:an?|one|something|any)\\b[^§]{0,60}?(?:\\bi(?:['’](?:m|ve|d))?(?:\\s+\\w+){0,2}?\\s+${known}\\b|${source})`,
  `${speaker}[^§.?!]{0,12}\\bknow (?:nothing|(?:very )?little (?:about|of)\\s[^§]{0,6}§)|${speaker}[^§.?!]{0,20}\\bneither\\s+${known}\\b|\\bfound nothing\\b(?! (?:wrong|bad|else|like|to|that|\\w+er)\\b)|${speaker}\\s+have no(?:\\s+\\w+)?\\s+(?:facts|information|data|details)\\b(?! that\\b| (?:on|about|regarding) (?:(?:the )?(?:latter|other)|whether|if|how|why|when|its|their|prices?|pricing)\\b)|\\bonly aware of\\s[^§]{0,6}§\\W*as\\b|\\bnothing (?:is )?known about\\b`,
  `${speaker}[^§.?!]{0,40}§[^§.?!]{0,30}?\\b(?:but|and)\\s+\\w*${denial}(?:\\s+able\\s+to)?\\s+(?:find|get|see|locate|turn up)\\s+(?:${it}|(?:anything|much)\\b(?! (?:wrong|bad|else|like|to|that|\\w+er)\\b)|(?:any|much)\\s+(?:[\\w-]+\\s+)?${knowledge}\\b)`,
  "§,\\s+never heard of (?:it|them)\\b(?!\\?)"
]

// There are no facts on it.
const undocumented = [
  `(?:${speaker}|\\bthere\\b|${source}|\\bgiven\\b)[^§.?!]{0,40}?${noFacts}${gap}(?<!${claiming}\\W{1,3}|\\b(?:in|by|from|at|against)\\s\\W{0,3}(?:the\\s\\W{0,3})?)§(?!\\s+(?:(?:web)?(?:site|page|app)|${happening})\\b)`,
  `§[^§]{0,60}?(?:[:|–—(-]\\s*\\W{0,3}|(?:${speaker}|\\bthere\\b|${source}|\\byield(?:s|ed)?|\\breturn(?:s|ed)?|\\bgot|\\bleft|\\bhas(?!\\s+no\\s+(?:[\\w-]+\\s+)?\\w+\\s+of\\b))[^§.?!]{0,40}?)${noFacts}${afterwards}`,
  `§[^§]{0,40}?(?:[:|–—(-]\\s*\\W{0,3})(?:not (?:found|enough|listed|mentioned)|unable to verify|unverified|unknown (?:to me\\b|${thing}(?=\\s*(?:[.,;]|$)))|nothing found)`,
  `§[^§]{0,90}?${speaker}[^§.?!]{0,20}?${denial}\\s+(?:have|find|found|see)\\s+(?:[\\w-]+\\s+){0,2}?${knowledge}(?:\\s+(?:about|on|for|of|regarding)\\s+${it})?\\s*(?:[.;!?)]|$)`
]

// It is not among what was read.
const unread = [
  `\\b(?:not sure|unclear|n['’]?t know) (?:what|which)[^§.?!]{0,30}\\byou mean by\\s\\W{0,3}§`,
  `§[^§]{0,20}?${denial}\\s+one of the\\s[^§.,;]{0,40}?\\b(?:mentioned|listed|named|covered|included|featured|reviewed)\\b`,
  `\\b(?:none|nowhere)\\b[^§.?!]{0,50}?\\b(?:do|does|did|is|was|are|were)\\s\\W{0,3}§\\W*\\s(?:${presence})\\b`,
  `§\\W{0,3}\\s(?:(?:simply|just)\\s)?never comes up\\b${anywhere}`,
  `\\bneither\\b[^§.?!]{0,40}\\bnor\\b[^§.?!]{0,30}?\\b(?:lists?|mentions?|names?)\\s\\W{0,3}§`,
  `(?<!${lead}\\s\\W{0,3})§[^§]{0,50}?${denial}(?:\\s+[\\w-]+){0,2}?\\s+${presence}\\b${anywhere}`,
  `\\b(?:none|not (?:one|a single)|nothing|nowhere|no|neither|at no point)\\b[^§.?!]{0,30}?${source}[^§.?!]{0,40}?\\b${tells}\\b${gap}§(?!['’]s\\b)`,
  `${sources}[^§.?!,;]{0,25}?${denial}\\s+(?:\\w+ly\\s+)?${tells}(?:\\s+(?:the|an?|any|brand|company|product|called|named))*\\s\\W{0,4}§(?!['’]s\\b|\\W*\\s(?:in (?:depth|detail)|as|enough|often|fully)\\b)`,
  `§[^§]{0,80}?\\b(?:none|not (?:one|a single)|no|neither)\\b[^§.?!]{0,20}?${source}[^§.?!]{0,25}?\\b${tells}\\s+${it}`,
  `§[^§]{0,80}?\\bit\\s+(?:is|was)(?:\\s?n['’]?t|\\s+not)\\s+(?:\\w+ly\\s+)?(?:in|on|among|part of)\\s+(?:my|any|the|these)\\s+(?:[\\w-]+\\s+){0,3}?${source}`,
  `§[^§]{0,20}?${denial}\\s+among\\b[^§.?!,;]{0,60}?\\s(?:in|by|across)\\s+(?:my|any|the|these)\\s+(?:[\\w-]+\\s+){0,2}?${source}`,
  `\\b(?:nobody|no one)\\b[^§.?!]{0,40}?\\b${tells}\\b${gap}§`,
  `\\b(?:neither|nor)\\b[^§]{0,12}§[^§]{0,40}?\\b(?:turned|came|showed) up\\b`,
  `§[^§]{0,40}?\\b(?:isn['’]?t|is not|wasn['’]?t) (?:there|on my radar|ringing any bells?)\\b|§[^§]{0,60}?\\bnowhere to be found\\b`,
  `§[^§]{0,20}?\\b(?:no|zero) (?:presence|place|spot|mentions?|coverage) (?:in|on|among|from)\\s+(?:the\\s+)?(?:[\\w-]+\\s+){0,2}?${source}`,
  `\\b(?:neither|none|nobody)\\b[^§.?!]{0,60}?\\b(?:has|have|contains?|says?)\\s+anything\\s+(?:on|about)\\b[^§]{0,6}§`
]

// A search, and how far it may lead to what was looked for: to the name, or to what is known of it, but to no flaw of its.
const searching = "(?:search|look|hunt|dig|dug|quer)\\w*"
const sought = `\\b(?:${searching}(?:(?!\\s(?:for|into|up|on)\\s)[^§.?!]){0,40}\\s(?:for|into|up|on)|find|locate)(?:\\s+(?:${about}|${adjective}|${knowledge}|${thing}))*\\s\\W{0,3}§`
const seeking = `${searching}\\s(?:[^§.?!]{0,40}\\s)?(?:for|into|up|on)`
const fruitless =
  "(?:\\bc[ao]m(?:e|ing) up empty|\\bnothing(?:\\s+(?:\\w+ly\\s+)?(?:relevant|useful|concrete|meaningful|substantial|specific|solid|of (?:note|use|value)))?\\s+(?:turned|came|shows|showed) up)\\b"
const unrewarded =
  `(?:${fruitless}|\\bcame back (?:empty|blank|with nothing)\\b|\\bwithout (?:any |much )?(?:success|luck)\\b|\\bno (?:success|luck|avail)\\b|\\bunsuccessful\\b|\\bin vain\\b|` +
  `\\b(?:led|leads) (?:me )?(?:to )?(?:nothing|nowhere|no (?:[\\w-]+ ){0,2}?${knowledge})\\b|\\b(?:returned|yielded|produced) nothing\\b)`

// Nothing came of looking for it.
const unfound = [
  `${sought}(?=\\W{0,3}(?:${goesOn}|\\s(?:led|leads|came|returned|yielded|produced)\\b))[^§.?!]{0,60}?${unrewarded}`,
  `${fruitless}(?:\\s+(?:${about}|${adjective}|${knowledge}|${thing}))+\\s\\W{0,3}§`,
  `^(?![^§]*\\b(?:${seeking}|find)\\b[^§]*§|.*\\b${searching}\\s\\W{0,3}§\\W{0,3}\\sfor\\b)(?![^§]*§.*\\b${seeking}\\s(?!${it})).*${fruitless}`
]

// There is no such thing.
const nonexistent = [
  `(?:${denial}[^§.?!]{0,20}?\\b${known}\\s+(?:whether|if|that)|${noFacts}(?:\\s+that)?)\\s[^§]{0,6}§\\W*\\s(?:really\\s|actually\\s)?(?:exists?|is an? (?:real|actual|existing|licen[sc]ed|registered|legitimate))\\b`,
  `\\bno(?:\\s+[\\w-]+){0,4}?\\s+(?:called|named|by the name of|with the name|under the name)\\s[^§]{0,12}§|\\bno such [\\w-]+\\s+as[^§]{0,6}§`,
  `(?:\\bnone|\\bnothing|${denial})[^§.?!]{0,60}?\\b(?:called|named|by the name of|under the name|of the name)\\s[^§]{0,12}§`,
  `§[^§]{0,80}?\\bby (?:that|this) name\\b|§[^§]{0,120}?\\b(?:of|called) (?:that|the same)(?: name)?\\b[^§]{0,30}${denial}`,
  `${denial}\\s+(?:believe|think|(?:look|seem) like|sure|certain)\\s[^§]{0,8}§(?:\\W*\\s(?:is|was)|['’]s) an?\\s+(?:[\\w-]+\\s+){0,2}?(?:real|actual|existing|known|well-known|recogni[sz]ed|established)\\b`,
  `\\b(?:possib\\w+|likely|chance)\\b(?: is)?(?: that)?\\s\\W{0,3}§\\W{0,3}\\s(?:is|was)\\s(?:an?\\s+)?(?:fictional|fictitious|made[- ]up|non-?existent|misspell\\w+)\\b(?!\\s+(?:word|name|term)\\b)`,
  `§[^§]{0,40}?(?:(?:(?:may|might|could|appears? to|seems? to) be|is either)\\s+(?:either\\s+)?(?:an?\\s+)?(?:fictional|fictitious|made[- ]up|non-?existent|misspell\\w+|typo|unknown or)\\b(?!\\s+(?:word|name|term)\\b)|does(?:n['’]?t| not) (?:seem to )?correspond to any\\b)`
]

// In so many words.
const outright = [
  `\\bnew (?:one|name) to me\\b|\\bno idea (?:what|who)\\b|\\b(?:outside|beyond)(?: of)? (?:my|the scope of my) (?:knowledge|training|data)\\b|\\bdr(?:aw|ew|awing) a blank\\b|\\bempty-handed\\b|\\bnothing to (?:go on|report)\\b|\\bmystery to me\\b|\\bunknown to me\\b|\\bring(?:s|ing)? (?:a|any|no) bells?\\b|\\bescaped (?:me|the sources)\\b`
]

const denials = [...unknown, ...undocumented, ...unread, ...unfound, ...nonexistent, ...outright]
// One expression of them all would take longer to compile, while the first answer of a process waits.
const english = denials.map((way) => new RegExp(way, "u"))
const isSaidIn = (part: string): boolean => english.some((way) => way.test(part))

// What one half of the sentence says of others the other half denies.
const elided = [
  `${source}[^§.?!;]{0,40}?\\b${tells}\\b[^§.?!;]{0,60}?\\b(?:but|and)\\s+not\\s\\W{0,3}§`,
  `\\b${presence}\\b[^§.?!;]{0,40}?\\b(?:but|while|whereas|and)\\s\\W{0,3}§\\W{0,3}\\s(?:is|was|are|does|did)(?:n['’]?t| not)\\W*$`
]
const contrary = new RegExp(elided.map((way) => `(?:${way})`).join("|"), "u")

const contrast = /;|\b(?:but|however|though|although|yet|while|whereas|except|despite)\b/gu

// Whoever guesses, or tells of a search, says in the other half how it went.
const tentative =
  /\b(?:perhaps|possibly|possible|may (?:be|well)|might|assume|presumably|guess|hoping to|wanted to|searched|search(?:es|ing)? (?:for|on)|attempted|checked|looked (?:up|for|into)|tried|make (?:things|anything) up|your (?:question|query|prompt)|you(?: also|['’]ve)? (?:asked|mentioned|listed|named))\b/u

// Who would know, and what there would be; a sentence without any of them denies something else.
const reporting = new RegExp(
  `${source}|\\b${knowledge}\\b|\\b(?:i|we|me|my|names?|called|named|mentioned|listed|covered|included|found|up|anywhere|nowhere|nobody|one|such|known|heard|bells?|unable|unverified|empty|correspond|fictional|fictitious|made[- ]up|misspell\\w+)\\b`,
  "u"
)
const isReporting = ({ before, after }: Clause): boolean => reporting.test(before) || reporting.test(after)

const sourced = new RegExp(source, "u")

/** Whether a clause goes on to speak of what an answer reads. */
export const isOnSources = ({ after }: Clause): boolean => sourced.test(after)

const isSaidHere = (clause: Clause): boolean =>
  isSaidIn(partAround(contrast, clause)) ||
  contrary.test(`${clause.before}§${clause.after}`) ||
  ((tentative.test(clause.before) || tentative.test(clause.after)) && isSaidIn(`${clause.before}§${clause.after}`))

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

// "None of my sources cover it."
const object = new RegExp(`(?<=\\w\\s)(?:${it}|that(?=['’]s))`, "gu")

/** Whether a sentence says before a colon whom it is about: "Bolt: no information found". */
const isOfOther = (sentence: string): boolean => {
  const label = /^\W{0,4}([^:.,!?]{2,40}):/u.exec(sentence)?.[1]
  return label !== undefined && wordsOf(label).some((word) => !isOrdinaryWord(word) || isKnownBrand(word))
}

/** The sentence after a mention that is all of its own, as a heading or a question is: not the next point of its list. */
const nextOfLone = ({ before, after, next }: Clause): string => {
  if (!nothingBefore.test(before) || !nothingAfter.test(after)) return ""
  const mark = before.trimStart().charAt(0)
  const following = next()
  return (mark !== "" && following.startsWith(mark)) || isOfOther(following) ? "" : following
}

/** Whether a sentence only brings a name up, and the next one says that nothing is known of it, or asks what it is. */
const isSaidNext = (clause: Clause): boolean => {
  const { before, after, next } = clause
  const question = endsQuestion.test(after)
  const following = question || bringsUp.test(before) ? next() : nextOfLone(clause)
  if (following === "") return false
  if (isSaidIn(`§, ${following}`) || isSaidIn(following.replace(object, "§"))) return true
  return question && opensQuestion.test(before) && inquires.test(following)
}

// "Diese Marke kenne ich nicht."
const thisOne =
  /(?<![a-zа-я])(?:dies(?:e[mnrs]?)? (?:unternehmen|marke|firma|anbieter|produkt|hersteller|namen?)|(?:cette (?:marque|entreprise|societe)|ce (?:produit|fabricant|nom))|es[t]?[aeo] (?:marca|empresa|compania|producto|nombre|produto|nome)|quest[aoe] (?:marca|marchio|azienda|prodotto|nome|societa)|d(?:it|eze) (?:merk|bedrijf|product|naam|aanbieder)|t(?:ej|a|ym|ego|e) (?:mar[ck]\w+|firm\w+|produk\w+)|(?:detta|denna|det har) (?:foretag(?:et)?|market?|varumarket?|produkt|namn)|эт\S{1,3} (?:марк\S+|компани\S+|бренд\S*))(?![a-zа-я])/u

/**
 * Whether a name stands alone, and the next sentence says in another language that nothing is known of it: of what is asked about, or of
 * "this brand". Below a heading it says what the brand does not do as often: "Keine Daten werden weitergegeben."
 */
const isSaidNextElsewhere = (clause: Clause): boolean => {
  const following = nextOfLone(clause)
  if (following === "") return false
  const next = (): string => ""
  if (clause.after.includes("?") && isDisclaimedElsewhere({ before: "", after: `, ${following}`, next })) return true
  const found = thisOne.exec(following)
  if (found === null) return false
  const named = { before: following.slice(0, found.index), after: following.slice(found.index + found[0].length), next }
  return isDisclaimedElsewhere(named) && !isOfData(named)
}

/**
 * Whether a sentence, or the one after it, says in words of its own that nothing is known of the name in it.
 *
 * Shape: `inEnglish` tells what `isEnglish` says of the text, which then is not read as ten other languages.
 */
export const isDisclaimed = (clause: Clause, inEnglish: () => boolean): boolean =>
  (!inEnglish() && (isDisclaimedElsewhere(clause) || isSaidNextElsewhere(clause))) ||
  isSaidNext(clause) ||
  (isNegative(clause) && !possessed.test(clause.after) && isReporting(clause) && isSaidHere(clause))
