import { isAbsentNonEnglish } from "./AbsenceNonEnglish.ts"
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
  thing,
  whereRead
} from "./AbsenceWords.ts"
import type { Clause } from "@sightline/domain/text/Clause"

// Set phrases with which an English answer says that it does not know or find a name: parts of regular expressions over folded text, and
// what is built from them.

// Quotes and marks that may surround a name.
const opening = "[\\s\"'“”‘’«»*_`([:]*"
const closing = "^[\\s\"'“”‘’«»*_`)\\]]*"

const place =
  "(?:here|there|either|online|in (?:my|the|these|this) (?:search|results?|sources?|data|web results?|search results?))"
const happened = "(?:(?:is|are|was|were) )?(?:found|known|available|returned|came (?:up|back)|turned up|exists?)"
// What may stand between the denial and the brand without changing what is denied.
const filler = `(?:[\\s"'“‘]+(?:${adjective}|${knowledge}|${thing}|${about}|${place}|${happened}|to|in|list|results?))*`

const denial = "(?:n['’]?t|\\bnot|\\bnever|\\bcannot|\\bunable to|\\bfail(?:ed|s)? to|\\bwithout)"
const adverb = "(?:\\s+(?:\\w+ly|been|able to|yet|even|ever|to|have|be))*"
const perceive =
  "(?:find|finding|seeing|found|locate|located|see|seen|identify|verify|confirm|recogni[sz]e|know|know of|come across|came across|mention|mentions|mentioned|mentioning|list|listing|include|including|contain|surface|return|reference|spot|(?:(?:turn|bring|pull)(?:ed)?|(?<!never )come) up(?: with)?|uncover|reveal|yield|show|hear of|heard of|aware of|familiar with|acquainted with)"
// "nothing about Bolt or Acme" denies both.
const others = "(?:\\s+[^\\s.;:]+(?:\\s+[^\\s,.;:]+)?(?:,\\s*(?:or|nor)|\\s+(?:or|nor|and)))?"

const collection =
  "(?:list|lists|results?|rankings?|data|sources?|search|answer|roundup|knowledge|index|database|top|training)"
// "I couldn't find any information on Acme"
const before = new RegExp(
  `(?:${denial}${adverb}\\s+${perceive}|\\bun(?:familiar with|aware of)|` +
    `(?:\\bno|\\black(?:s|ed|ing)?|\\blittle|\\b(?:limited|scant)(?=(?:\\s+(?:${adjective}|online))*\\s+info)|${denial}${adverb}\\s+(?:have|has|had|provide|contain|offer|hold|possess))(?:\\s+${adjective})*\\s+(?:${knowledge}|${thing}\\s+${about})|` +
    `\\bnothing(?:\\s+${adjective})*(?:\\s+${happened})?\\s+${about}|\\bwithout(?:\\s+${adjective})*\\s+${knowledge}\\s+${about})${filler}${others}${opening}$`,
  "u"
)

// "Acme is not a brand I would recommend" is an opinion of it.
const opinion =
  "(?:['’](?:d|ll|ve))?(?: (?:would|will|can|could|do|have|personally|really|ever|\\w+ly))*(?: (?:recommend|pick|choose|buy|use|suggest|trust|want|like|love|prefer|consider|go|reach|rely|need|miss|pay|try|own|keep|switch|advise|endorse|enjoy|hate)\\b)"
const speaker = `i\\b(?!${opinion})`

// "Acme is not on my list", "Acme: not found"
const after = new RegExp(
  `${closing}(?:\\([^)]{0,60}\\)\\s*)?(?:${thing}\\s+)?(?:` +
    `(?:is|was|are|were|has|have|did|does|do|could|can?|would|will|wo)(?:\\s?n['’]?t|\\s?not)(?:\\s+(?:\\w+ly|been|be|yet|even))*\\s+(?![\\w-]+\\s+(?:as\\s+[\\w-]+\\s+as|enough|often|frequently|much)\\b)(?:(?:` +
    `mentioned|included|found|referenced|ranked|identified|verified|located|listed|featured|represented|cited|named|` +
    `appear(?:ing)?|(?:show|com|turn)(?:e|ing|n)? up|surface)(?=${anywhere})|(?:appear|seem) to (?:exist|appear|be (?:listed|mentioned|included|among|established|an? (?:\\w+ly )?(?:known|recogni[sz]ed|well-known|real)))|` +
    `exist(?=\\s*(?:[.,;:!?)]|$)|\\s(?:and|or|so|under|as|anywhere|at all)\\b)|ring a bell|feature(?= in|[.,;])|make (?:it|(?:the|this|my|our|any) (?:list|cut|ranking|top)|any of (?:the|these|those) [^.]{0,20}${collection})|` +
    `match (?:any(?=(?:\\s[\\w-]+){0,3}?\\s(?:brands?|compan(?:y|ies)|products?|tools?|names?|records?|known)\\b|[^.?!;]{0,60}?\\bi\\b)|a known)\\b|correspond to any|refer to (?:any|a known)|an? (?:\\w+ly )?(?:known|recogni[sz]ed|established|verifiable|real|existing|actual) ${thing}|covered (?:by|in) (?:[\\w-]+ ){0,3}(?:${collection}|reviews?|sites|articles|outlets)\\b|an? (?:${thing} )?(?:that )?(?:reviewers|experts|my sources|the sources)|` +
    `among(?! the (?:\\w+est|most|least)\\b)|part of (?:the|this|my|any)(?= )(?! (?:[\\w-]+ ){0,3}(?:group|family|conglomerate|chain|network|portfolio|alliance|bundle|plan)\\b)|known to me|familiar to me|something (?:that )?${speaker}|something that (?:came|comes|showed|shows|turned|turns) up|an? (?:(?:well-)?known )?(?:${thing} )?(?:that )?${speaker}|one (?:that )?${speaker}|` +
    `(?:present )?(?:in|on) (?:my|the|this|these|any|our)(?: [\\w-]+){0,2} ${collection})\\b|` +
    `(?:may|might) not (?:actually )?exist\\b(?! in)|` +
    `(?:appears|is|was|goes) (?:\\w+ly )?(?:nowhere(?! near)|absent(?! of)|omitted|unmentioned|missing from (?=(?:the|this|these|those|my|all|any|most|both|every|either)\\b|${whereRead})|unknown to me|unfamiliar to me)|` +
    `[:|–—-]+\\s*(?:not available (?:in|from) (?=${whereRead})|not (?:mentioned|found|listed|ranked|present|included)|no (?:mention|information|data|results?|info)\\b|n/a\\b|none found|nothing found|(?:i )?could(?:n['’]?t| not) (?:find|verify)|(?:i |we )?(?:found|have) (?:no\\b|nothing)))`,
  "u"
)

// A denial of finding counts if it mentions facts about the name, or if the sentence ends after the name or goes on to where the search
// was.
const knowledgeWord = new RegExp(`\\b${knowledge}\\b`, "u")
const perceived = new RegExp(`^['’]s\\b|^["”’*_)\\]]*(?:${goesOn})`, "u")

// "As for Acme, I found no information"
const topic =
  /(?:^\s*|[.,;:]\s*|\b(?:and|but)\s+)(?:as for|as to|regarding|concerning|about|with (?:regard|respect) to|when it comes to|if you(?: are|['’]re)? (?:mean|meant|referring to|asking about)|you (?:asked about|mentioned)|i (?:searched|looked|checked) (?:for|up|into))\s+(?:the\s+)?(?:\w+\s+)?["'“‘*_]*$/u
const denied = new RegExp(
  `${closing},?\\s*(?:\\w+ly,?\\s*|however,?\\s*)?(?:but |and )?(?:i|we|there|my|no|nothing|found)\\b[^.!?]{0,40}?(?:` +
    `\\b(?:find|found|locate|see)(?:\\s+(?:it|them|this|one|${adjective}))*(?:\\s+(?:${knowledge}|nothing(?! (?:wrong|bad)))\\b|\\s*(?:[.,;!]|$))|` +
    `\\b(?:information|info|familiar|aware|mentions?|data|results|heard|details|know)\\b)|` +
    `${closing},?\\s*(?:but |and )?found nothing(?! (?:wrong|bad))\\b`,
  "u"
)
const negation =
  /n['’]?t\b|\b(?:no|not|never|nothing|cannot|unable|none|nowhere|unfamiliar|unaware|lack|lacks|lacked|little|limited|scant|without|absent|omitted|missing|unmentioned|unknown|unverified|mystery|empty|empty-handed|outside|beyond|fictional|fictitious|made[- ]up|misspell\w+|blank|escaped|neither|nor|nobody|zero|0|nil|absence|only|n\/a|fail|failed|fails|unsuccessful|in vain|in the dark|stump(?:s|ed)|escapes?|elude[sd]?|postdates?|guess\w*|speculation|silen(?:t|ce)|question mark|vacuum|cold|insufficient|instead|all about|incognito|pretending)\b/u

/** What follows a name where the negation denies something else: "I couldn't find Acme lacking". */
export const otherwise = `(?:as (?!an? (?:[\\w-]+ ){0,2}${thing})|lacking|wanting|losing|going|winning|getting|making|changing|becoming|leaving|taking|${happening}|to be|too|worth|(?:web)?site|page|app)\\b`
const otherDenial = new RegExp(`^[\\s"'”’*_]*${otherwise}`, "u")
// "I couldn't find Acme's prices" does not deny Acme itself.
export const possessed = /^['’]s\s+(?!(?:existence|presence|products?|services?|offerings?|company|brand)\b)/u

const dependent = new RegExp(`${lead}${opening}$`, "u")
// "I found no evidence that Acme is unsafe"
const claimed = new RegExp(`${claiming}\\s+["'“‘*_]*$`, "u")
/** What follows a name and shows that it exists. */
export const exists =
  /^["'”’*_]*\s(?:really |actually |even )?(?:exists?\b|(?:makes|sells|offers|produces)\b(?! (?:your|user|customer|personal)\b)|is (?:an? )?(?:real|actual|known|recogni[sz]ed|existing|licen[sc]ed|registered|legitimate))/u

// "Information on Acme is not available"
const knowledgeOf = new RegExp(`\\b(?:${knowledge}|search(?:es)?|quer(?:y|ies))\\s+${about}${opening}$`, "u")
const unavailable = new RegExp(
  `${closing}(?:is|are|was|were)(?:\\s?n['’]?t| not)? (?:\\w+ly )?(?:available|unavailable|found|provided)\\b|${closing}could not be (?:retrieved|found|verified|located|confirmed)\\b|${closing}(?:returned|yielded|produced|gave|turned up|brought up) (?:nothing|no)\\b`,
  "u"
)
const unavailableDenial = /n['’]?t\b|\bnot?\b|nothing|unavailable/u

// "It is unclear what Acme is"
const wondered =
  /(?:\bunclear|\bnot (?:quite |entirely )?(?:sure|certain|clear)|n['’]?t know|\bnot know|\b(?:can|could) you (?:please )?clarify)\s+(?:what|who)(?: (?:brand|company|product))?\s+["'“‘*_]*$/u
const wonders =
  /^["'”’*_]*\s+(?:is|are|was|means?|does|refers? to|stands for|might be|could be)(?:\s*(?:[.?!,;:)—–-]|$)|\s+(?:or|and|exactly|in this|here)\b)/u

// "Could you tell me more about Acme?"
const inquired =
  /\b(?:can|could|would) you (?:please )?(?:tell|give|share|provide|clarify)\b[^.?!]{0,40}\b(?:about|what you mean by)\s+["'“‘*_]*$|\bdid you mean\b[^.?!]{0,40}$/u

// "Did you mean Acme, the Danish shoemaker?"
const described = /^["”’*_]*(?:,? (?:the|an?|which|who)\b|\s?\()/u

// What the reader or the public does not know says nothing about what the answer knows.
const unknownToOthers = new RegExp(
  `\\b(?:you|people|consumers|shoppers|customers|users|buyers|readers|folks|they|anyone|(?:many|most|few|some)(?:\\s+\\w+)?|(?:one|an?|some|no) (?:reviewer|tester|owner|critic|expert)s?|\\w+ who)(?:['’]ve)?` +
    `(?:\\s+(?:of (?:you|them|us)|people|who|may|might|could|will|would|wo|ca|do|does|have|has|had|are|were|still|also|probably|likely|simply|just|often|usually))*` +
    `\\s*${denial}${adverb}\\s+(?:find|see|know|know of|hear of|heard of|aware of|familiar with|recogni[sz]e|come across)${filler}${opening}$`,
  "u"
)
// "Never heard of Acme? It is a Danish brand."
const unknownToReader = /^\W*(?:(?:have|do|ca)n['’]?t|not|never)\b[^.]*\?/u
// "Some sources do not include Acme" implies that others do.
const bySome = new RegExp(
  `\\b(?:some|many|several|few|not (?:all|every))\\s(?:[\\w-]+\\s){0,3}?${source}\\s+(?:do|did|have)\\b[^.;,]*$`,
  "u"
)
const amongResults = new RegExp(
  `${closing}(?:in|on|among) (?:my|the|this|these|those|any|our|most)(?: [\\w-]+){0,2} ${collection}\\b`,
  "u"
)

/** Whether the clause says that there is no information on its name, or asks what it is. */
const isQuestioned = ({ before, after }: Clause): boolean =>
  (inquired.test(before) && !described.test(after)) ||
  (unavailable.test(after) && unavailableDenial.test(after) && knowledgeOf.test(before)) ||
  (wonders.test(after) && wondered.test(before))

/** Whether a sentence contains a word that could deny something in English. */
export const isNegative = ({ before, after }: Clause): boolean => negation.test(before) || negation.test(after)

/**
 * Whether the clause says that nothing is known of its name, or that it is not among the results. `negative` is what `isNegative` says of
 * the clause.
 */
export const isAbsent = (clause: Clause, negative: boolean): boolean => {
  if (isAbsentNonEnglish(clause.before, clause.after) || isQuestioned(clause)) return true
  if (!negative) return false
  if (after.test(clause.after) && !dependent.test(clause.before)) return true
  if (topic.test(clause.before) && denied.test(clause.after) && negation.test(clause.after)) return true
  const said = before.exec(clause.before)?.[0]
  if (said === undefined || otherDenial.test(clause.after) || possessed.test(clause.after)) return false
  if ((claimed.test(clause.before) && !exists.test(clause.after)) || bySome.test(clause.before)) return false
  if (!knowledgeWord.test(said) && !perceived.test(clause.after)) return false
  if (unknownToReader.test(clause.before + clause.after)) return false
  return !unknownToOthers.test(clause.before) || amongResults.test(clause.after)
}
