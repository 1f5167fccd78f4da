import { otherwise } from "./Absence.ts"
import {
  about,
  adjective,
  anywhere,
  claiming,
  firstPerson,
  goesOn,
  happening,
  knowledge,
  lead,
  negator,
  source,
  thing,
  whereRead
} from "./AbsenceWords.ts"
import { isUnknownNameIn } from "./UnknownName.ts"

// Free wordings with which an English answer says that it knows nothing of a name, written §: parts of regular expressions over folded
// text, and what is built from them.

const known =
  "(?:find|finding|found|locate|seeing|verify|confirm|identify|place|trace|recogni[sz]e|know|evaluate|assess|rate|speak (?:to|about)|tell you|corroborate|match|see|seen|pull up|come across|encounter(?:ed)?|hear|heard|met|familiar|acquainted|aware|access|pin down|track down|dig up|turn up|get hold of|look up|comment on|connect|say anything (?:about|on))"
// If one of these stands between, the denial is about an attribute of the name, or the name is the standard of a comparison.
const aside =
  "\\b(?:than|as|its|their|whose|whether|if|why|how|because|reason|better|price|prices|pricing|costs?|fault|flaw|flaws|complaints?|problems?|issues?|wrong|alternatives?|competitors?|rivals?|substitutes?|side effects?|battery life|claims?(?! about)|drawbacks?|downsides?|weakness(?:es)?|cons|criticisms?|defects?|bugs?|red flags?|concerns?|scandals?|breach(?:es)?|leaks?|outages?|vulnerabilit(?:y|ies)|violations?|allegations?|accusations?|scams?|fraud|hidden fees?|tests?|stars?|showroom|date|sells?|stocks?|carr(?:y|ies)|anyone|who|codes?|(?:phone )?numbers?|address(?:es)?|hours|coupons?|discounts?|deals?|lawsuits?|recalls?|stockists?)\\b"
// The "bad" of "good or bad" is no flaw.
const blemished = "(?<!\\b(?:good|positive) (?:or|and|nor) )(?:bad|negatives?|damning)"
// "I couldn't find a warranty for Acme"
const ofOwn = `(?<!\\b(?:name|hear|heard|aware|know|idea|hits?|word|matching|sign|profile|(?:home)?page|presence|existence|legitimacy|${thing}|${knowledge})\\s)\\b(?:for|of|at)\\s\\W{0,3}`
// The text between the denial and the name, without an aside or a flaw. The "whether" of "to say whether" is allowed.
const gap = `(?:\\s+to (?:say|tell|judge|determine|assess) (?:whether|if)\\s)?(?![^§]*(?:${aside}|\\b${blemished}\\b))[^§]{0,60}?`
// How a sentence may continue after the missing facts. "No evidence that it helps" is no lack of facts about the name.
const afterwards =
  "(?:\\s*(?:[.,;:|)!?–—]|$)|(?!(?<=\\b(?:evidence|indications?))\\s+that\\b(?!(?:\\s+[\\w-]+){1,4}\\s+exists?\\b))\\s+(?:found|available|at all|about|on|for|of|in|from|that|to|whatsoever|exists?|anywhere|i)\\b(?!\\s+(?:its|their)\\b))"
const noFacts = `(?:\\bno|\\bzero|\\blittle|\\bnothing|\\black(?:s|ed|ing)?|\\bwithout|\\babsence of|${negator}[^§.?!]{0,30}\\b(?:any|enough|much|a single|a))(?:\\s+(?!(?:on|evidence|indications?|${blemished})\\b)[\\w-]+){0,3}?\\s+${knowledge}\\b`
/** What sources do with a name, in the passive: mentioned, listed, covered. */
export const presence =
  "(?:(?:get|earn|receive) (?:a|any) mention|mentioned|covered|listed|named|included|reviewed|discussed|referenced|featured|ranked|found|documented|known(?= to (?:me|my))|appear|show up|come up|turn up|turned up|figure|rank)"

/** What sources do with a name, in the active: mention, list, cover. */
export const tells =
  "(?:mention(?:s|ed)?|includ(?:es?|ed)|cover(?:s|ed)?|list(?:s|ed)?|feature[sd]?|name[sd]?|brings? up|talks? about|refers? to|reviewed|says? (?:anything|much) (?:about|on|of))"
// "Some sources do not mention it" implies that others may, so these are left out.
const sources = `(?<!\\b(?:some|most|many|several|few|other|all|every)\\s(?:of\\s(?:the|these)\\s)?)${source}`
/** Pronouns and nouns that stand for a name. */
export const it =
  "(?:it|them|th(?:is|at|e) (?:brand|company|product|name|one|tool|app|service|firm|business|shop|store|site|label))\\b"

// Words that introduce a name: called, known as.
const naming =
  "(?:called|named|titled|branded|(?:trading|known|listed|registered|sold|marketed|operating|licensed|styled) (?:as|under)(?: the)?|styled|(?:going|goes) by|(?:by|with|under|of) the (?:[\\w-]+ ){0,2}?(?:name|title)(?: of)?)"
// The same, after a name that was mentioned before.
const soNamed =
  "(?:(?:of|with|by|under|bearing|carrying|using|matching) (?:that|this|the same) (?:exact |very )?(?:name|title|label)|called (?:that|the same))\\b"
// Says that facts, or the name, were found.
const wasFound = `(?:(?:was|were|is|are|has been|have been|(?:can|could) be) (?:\\w+ly )?(?:found|located|identified|retrieved|catalogued|returned|surfaced|traced)\\b|(?:came|come|comes|turn(?:s|ed)?|show(?:s|ed)?|popp(?:s|ed)) (?:up|back)\\b|(?:appear(?:s|ed)?|surface[sd]?)(?=${anywhere}))`

// The speaker does not know it.
const unknown = [
  `${firstPerson}[^§.?!]{0,30}?${negator}[^§.?!]{0,25}?\\b${known}\\b${gap}(?<!${claiming}\\W{1,3}|${ofOwn})§(?!\\W{0,3}${otherwise})(?:(?<=\\b${knowledge}\\b[^§]*§)|(?=["”’*_)\\]]*(?:['’]s\\b|${goesOn})))`,
  `§[^§]{0,90}?${firstPerson}[^§.?!]{0,25}?${negator}[^§.?!]{0,20}?\\b${known}\\b(?:\\s+(?:of|with|to|by|about|in|from|on|for|at|anything|anywhere|it|this|that|them|one|any|either|here|such|what|a (?:website|homepage|single|real|company)|that name|the (?:brand|company|product|name)|an? [\\w-]+(?: or [\\w-]+)? (?:called|named))\\b|\\s*[.,;:!?)–—]|\\s*$)`,
  `§[^§]{0,60}?${negator}\\s+(?:an?|one|something|any)\\b(?! (?:phishing|scam|fake|fraud\\w*)\\b)[^§]{0,60}?(?:\\bi(?:['’](?:m|ve|d))?(?:\\s+\\w+){0,2}?\\s+${known}\\b|${source})`,
  `${firstPerson}[^§.?!]{0,12}\\bknow (?:nothing|(?:very )?little (?:about|of)\\s[^§]{0,6}§)|${firstPerson}[^§.?!]{0,20}\\bneither\\s+${known}\\b|\\bfound nothing\\b(?! (?:wrong|bad|else|like|to|that|\\w+er)\\b)|${firstPerson}\\s+have no(?:\\s+\\w+)?\\s+(?:facts|information|data|details)\\b(?! that\\b| (?:on|about|regarding) (?:(?:the )?(?:latter|other)|whether|if|how|why|when|its|their|prices?|pricing)\\b)|\\bonly aware of\\s[^§]{0,6}§\\W*as\\b|\\bnothing (?:is )?known about\\b`,
  `${firstPerson}[^§.?!]{0,40}§[^§.?!]{0,30}?\\b(?:but|and)\\s+\\w*${negator}(?:\\s+able\\s+to)?\\s+(?:find|get|see|locate|turn up)\\s+(?:${it}|(?:anything|much)\\b(?! (?:wrong|bad|else|like|to|that|\\w+er)\\b)|(?:any|much)\\s+(?:[\\w-]+\\s+)?${knowledge}\\b)`,
  `${firstPerson}[^§.?!]{0,12}${negator}\\s+(?:\\w+ly\\s+)?(?:getting|get|got|seeing|see|have|find)\\s+(?:anything|any hits?|a (?:single )?hit)\\s(?:for|on|about)\\s\\W{0,3}§(?!['’]s\\b)`,
  `§[^§]{0,60}?${firstPerson}[^§.?!]{0,12}${negator}\\s+(?:\\w+ly\\s+)?(?:have|find|got|see)\\s+(?:any\\s+)?(?:[\\w-]+\\s+)?${knowledge}\\s(?:about|on|for) (?:either|any of them|both)\\b`,
  `§[^§]{0,70}?${negator}[^§.?!]{0,6}\\s(?:something|anything|one|an? [\\w-]+)\\s(?:that )?i(?:['’]ve)?(?: \\w+){0,3}? (?:knowledge|information|details|data|records?|familiarity|familiar)\\b`,
  `§[^§.?!]{0,60}?\\b(?:i(?:['’]m| am) at a loss\\b(?! (?:of|for)\\b)|(?:here )?i(?:['’]ll)? (?:have|need) to pass\\b(?! (?:on|up)\\b)|(?:is|was|offer is) a blank\\b)`,
  "§,\\s+never heard of (?:it|them)\\b(?!\\?)"
]

// There are no facts on it.
const undocumented = [
  `(?:${firstPerson}|\\bthere\\b|${source}|\\bgiven\\b)[^§.?!]{0,40}?${noFacts}${gap}(?<!${claiming}\\W{1,3}|\\b(?:in|by|from|at|against)\\s\\W{0,3}(?:the\\s\\W{0,3})?)§(?!\\s+(?:(?:web)?(?:site|page|app)|${happening})\\b)`,
  `§[^§]{0,60}?(?:[:|–—(-]\\s*\\W{0,3}|(?:${firstPerson}|\\bthere\\b|${source}|\\byield(?:s|ed)?|\\breturn(?:s|ed)?|\\bgot|\\bleft|\\bhas(?!\\s+no\\s+(?:[\\w-]+\\s+)?\\w+\\s+of\\b|\\s+no\\s+coverage\\s+(?:in|for|outside|beyond)\\s(?!${whereRead}|[^.?!;]{0,30}?\\b(?:media|press|news)\\b)))[^§.?!]{0,40}?)${noFacts}${afterwards}`,
  `§[^§]{0,40}?(?:[:|–—(-]\\s*\\W{0,3})(?:not (?:found|enough|listed|mentioned)|unable to verify|unverified|unknown (?:to me\\b|${thing}(?=\\s*(?:[.,;]|$)))|nothing found)`,
  `§[^§]{0,90}?${firstPerson}[^§.?!]{0,20}?${negator}\\s+(?:have|find|found|see)\\s+(?:[\\w-]+\\s+){0,2}?${knowledge}(?:\\s+(?:about|on|for|of|regarding)\\s+${it})?\\s*(?:[.;!?)]|$)`
]

// Nothing of this name was found: a test, a shop or a place.
const unfoundThings = [
  `(?:\\bno|\\bnot (?:one|a single|any)|\\bneither|\\bnor)\\s${gap}(?<!${claiming}\\W{1,3}|\\b(?:in|by|from|at|against|under|with)\\s\\W{0,3})§(?!['’]s\\b)[^§.?!;]{0,60}?\\b${wasFound}`,
  `(?:\\bthere(?:['’]s| is| are) no|\\bnothing|${firstPerson}[^§.?!]{0,12}${negator} (?:have|see|find))${gap}(?<!${claiming}\\W{1,3})§(?!['’]s\\b)\\W{0,3}\\s(?:in|among|within|across) (?:my|the|any|these|what)(?: [\\w-]+){0,2} ${source}`,
  `§[^§]{0,80}?${source}[^§.?!]{0,15}?${negator}[^§.?!]{0,12}?\\b(?:contain|include|show|return|have|list|mention|surface|turn up|bring up|cover)\\s(?:one|any|either|both)\\b`,
  `§[^§.?!]{0,12}${negator}\\s(?:\\w+ly\\s)?(?:(?:bring|turn|pull) up|return)\\s(?:any|an?)\\b[^§.?!]{0,60}\\b(?:results?|hits|match(?:es)?|search(?:es)?|sources?)\\b`,
  `\\b(?:search(?:es|ing)?|search results|queries|query|looking)(?: (?:for|on|up))? \\W{0,3}§[^§.?!]{0,40}?\\b(?:gives?|gave|returns?|returned|brings?|brought|pulls?|turns?|turned|shows?|yields?|yielded|surfaces?|surfaced|leads?|led|produces?|produced)\\b[^§.?!]{0,80}?\\b(?:nothing|no|unrelated|only|instead|other)\\b`,
  `§[^§.?!]{0,40}?[:|–—(-]\\s*\\W{0,3}(?:(?:(?:0|zero|no) (?:[\\w-]+ ){0,2}?(?:data|info|information|records?|entry|results?|match(?:es)?|such [\\w-]+)|none) (?:was |were )?(?:found|located|identified|retrieved)\\b|(?:0|zero) (?:[\\w-]+ )?(?:results?|hits|matches|mentions)\\b|not determinable\\b)`
]

// It is not among what was read.
const unread = [
  `\\b(?:not sure|unclear|n['’]?t know) (?:what|which)[^§.?!]{0,30}\\byou mean by\\s\\W{0,3}§`,
  `§[^§]{0,20}?${negator}\\s+one of the\\s[^§.,;]{0,40}?\\b(?:mentioned|listed|named|covered|included|featured|reviewed)\\b`,
  `\\b(?:none|nowhere)\\b[^§.?!]{0,50}?\\b(?:do|does|did|is|was|are|were)\\s\\W{0,3}§\\W*\\s(?:${presence})\\b`,
  `§\\W{0,3}\\s(?:(?:simply|just)\\s)?never comes up\\b${anywhere}`,
  `\\bneither\\b[^§.?!]{0,40}\\bnor\\b[^§.?!]{0,30}?\\b(?:lists?|mentions?|names?)\\s\\W{0,3}§`,
  `(?<!${lead}\\s\\W{0,3})§[^§]{0,50}?${negator}(?:\\s+[\\w-]+){0,2}?\\s+${presence}\\b${anywhere}`,
  `\\b(?:none|not (?:one|a single)|nothing|nowhere|no|neither|at no point)\\b[^§.?!]{0,30}?${source}[^§.?!]{0,40}?\\b${tells}\\b${gap}§(?!['’]s\\b)`,
  `${sources}[^§.?!,;]{0,25}?${negator}\\s+(?:\\w+ly\\s+)?${tells}(?:\\s+(?:the|an?|any|brand|company|product|called|named))*\\s\\W{0,4}§(?!['’]s\\b|\\W*\\s(?:in (?:depth|detail)|as|enough|often|fully)\\b)`,
  `§[^§]{0,80}?\\b(?:none|not (?:one|a single)|no|neither)\\b[^§.?!]{0,20}?${source}[^§.?!]{0,25}?\\b${tells}\\s+${it}`,
  `§[^§]{0,80}?\\bit\\s+(?:is|was)(?:\\s?n['’]?t|\\s+not)\\s+(?:\\w+ly\\s+)?(?:in|on|among|part of)\\s+(?:my|any|the|these)\\s+(?:[\\w-]+\\s+){0,3}?${source}`,
  `§[^§]{0,20}?${negator}\\s+among\\b[^§.?!,;]{0,60}?\\s(?:in|by|across)\\s+(?:my|any|the|these)\\s+(?:[\\w-]+\\s+){0,2}?${source}`,
  `\\b(?:nobody|no one)\\b[^§.?!]{0,40}?\\b${tells}\\b${gap}§`,
  `\\b(?:neither|nor)\\b[^§]{0,12}§[^§]{0,40}?\\b(?:turned|came|showed) up\\b`,
  `§[^§]{0,40}?\\b(?:isn['’]?t|is not|wasn['’]?t) (?:there|on my radar|ringing any bells?)\\b|§[^§]{0,60}?\\bnowhere to be found\\b`,
  `§[^§]{0,20}?\\b(?:no|zero) (?:presence|place|spot|mentions?|coverage) (?:in|on|among|from)\\s+(?:the\\s+)?(?:[\\w-]+\\s+){0,2}?${source}`,
  `\\b(?:neither|none|nobody)\\b[^§.?!]{0,60}?\\b(?:has|have|contains?|says?)\\s+anything\\s+(?:on|about)\\b[^§]{0,6}§`
]

// A search and its object: the name, or facts about it, but no flaw.
const searching = "(?:search|look|hunt|dig|dug|quer)\\w*"
const sought = `\\b(?:${searching}(?:(?!\\s(?:for|into|up|on)\\s)[^§.?!]){0,40}\\s(?:for|into|up|on)|find|locate)(?:\\s+(?:${about}|${adjective}|${knowledge}|${thing}))*\\s\\W{0,3}§`
const seeking = `${searching}\\s(?:[^§.?!]{0,40}\\s)?(?:for|into|up|on)`
const fruitless =
  "(?:\\bc[ao]m(?:e|ing) up empty|\\bnothing(?:\\s+(?:\\w+ly\\s+)?(?:relevant|useful|concrete|meaningful|substantial|specific|solid|of (?:note|use|value)))?\\s+(?:turned|came|shows|showed) up)\\b"
const unrewarded =
  `(?:${fruitless}|\\bcame back (?:empty|blank|with nothing)\\b|\\bwithout (?:any |much )?(?:success|luck)\\b|\\bno (?:success|luck|avail)\\b|\\bunsuccessful\\b|\\bin vain\\b|` +
  `\\b(?:led|leads) (?:me )?(?:to )?(?:nothing|nowhere|no (?:[\\w-]+ ){0,2}?${knowledge})\\b|\\b(?:returned|yielded|produced) nothing\\b)`

// The search for it found nothing.
const unfound = [
  `${sought}(?=\\W{0,3}(?:${goesOn}|\\s(?:led|leads|came|returned|yielded|produced)\\b))[^§.?!]{0,60}?${unrewarded}`,
  `${fruitless}(?:\\s+(?:${about}|${adjective}|${knowledge}|${thing}))+\\s\\W{0,3}§`,
  `^(?![^§]*\\b(?:${seeking}|find)\\b[^§]*§|.*\\b${searching}\\s\\W{0,3}§\\W{0,3}\\sfor\\b)(?![^§]*§.*\\b${seeking}\\s(?!${it})).*${fruitless}`
]

// There is no such thing.
const nonexistent = [
  `(?:${negator}[^§.?!]{0,20}?\\b(?:${known}|establish|determine)\\s+(?:whether|if|that)|${noFacts}(?:\\s+that)?)\\s[^§]{0,6}§\\W*\\s(?:really\\s|actually\\s)?(?:exists?|is an? (?:real|actual|existing|licen[sc]ed|registered|legitimate))\\b`,
  `\\bno such [\\w-]+\\s+as[^§]{0,6}§`,
  `(?:\\bnone|\\bnothing|\\bno\\b(?! (?:other|better)\\b)|${negator})(?![^§.?!]*\\b(?:fees?|charged?)\\b)[^§.?!]{0,80}?\\b${naming}\\s[^§]{0,12}§`,
  `§[^§]{0,140}?(?:\\bno\\b(?! (?:other|better)\\b)|\\bnothing\\b|\\bnone\\b|${negator})(?![^§.?!]{0,60}?\\b(?:only|other|another)\\b)[^§.?!]{0,70}?\\b${soNamed}`,
  `${negator}\\s+(?:believe|think|(?:look|seem) like|sure|certain)\\s[^§]{0,8}§(?:\\W*\\s(?:is|was)|['’]s) an?\\s+(?:[\\w-]+\\s+){0,2}?(?:real|actual|existing|known|well-known|recogni[sz]ed|established)\\b`,
  `§[^§]{0,40}?(?:(?:(?:may|might|could|appears? to|seems? to) be|is either)\\s+(?:either\\s+)?(?:an?\\s+)?(?:fictional|fictitious|made[- ]up|non-?existent|misspell\\w+|typo|unknown or)\\b(?!\\s+(?:word|name|term)\\b)|does(?:n['’]?t| not) (?:seem to )?correspond to any\\b)`,
  `\\b(?:possib\\w+|likely|chance)\\b(?: is)?(?: that)?\\s\\W{0,3}§\\W{0,3}\\s(?:is|was)\\s(?:an?\\s+)?(?:fictional|fictitious|made[- ]up|non-?existent|misspell\\w+)\\b(?!\\s+(?:word|name|term)\\b)`
]

// It is not known, said outright.
const outright = [
  `\\bnew (?:one|name) to me\\b|\\bno idea (?:what|who)\\b|\\b(?:outside|beyond)(?: of)? (?:my|the scope of my) (?:knowledge|training|data)\\b|\\bdr(?:aw|ew|awing) a blank\\b|\\bempty-handed\\b|\\bnothing to (?:go on|report)\\b|\\bmystery to me\\b|\\bunknown to me\\b|\\bring(?:s|ing)? (?:a|any|no) bells?\\b|\\bescaped (?:me|the sources)\\b`
]

const denials = [...unknown, ...undocumented, ...unfoundThings, ...unread, ...unfound, ...nonexistent, ...outright]
// One expression for all of them would take longer to compile, and the first answer of a process waits for that.
const english = denials.map((way) => new RegExp(way, "u"))
/** Whether a part of a sentence says that nothing is known of the name in it, written §. */
export const isDisclaimerIn = (part: string): boolean => english.some((way) => way.test(part)) || isUnknownNameIn(part)
