import { isAbsentElsewhere } from "./AbsenceElsewhere.ts"

// A clause is short; what lies further off than this does not deny the mention.
const reach = 200
const endsSentence = new Set("。！？\n")
const mayEndSentence = new Set(".!?")
const followsSentence = /[\s"”'’*)]/

const opening = "[\\s\"'“”‘’«»*_`([:]*"
const closing = "^[\\s\"'“”‘’«»*_`)\\]]*"

const thing =
  "(?:brand|company|product|tool|service|business|platform|app|application|software|provider|vendor|firm|startup|store|organi[sz]ation|website|site|name|entity)"
const adjective =
  "(?:any|much|more|enough|further|other|reliable|specific|credible|verifiable|verified|trustworthy|public|publicly|widely|available|current|recent|up-to-date|detailed|solid|official|relevant|particular|independent|clear|direct|explicit|single|such|well-known|a|an|the|this|that)"
const knowledge =
  "(?:information|info|details?|data|mentions?|references?|evidence|results?|records?|coverage|listings?|entry|entries|knowledge|trace|indication|sources?|anything|matches|match|hits)"
const about =
  "(?:about|on|for|of|regarding|concerning|relating to|related to|with|matching|mentioning|called|named|known as|by the name of|under the name|as)"
const place =
  "(?:here|there|either|online|in (?:my|the|these|this) (?:search|results?|sources?|data|web results?|search results?))"
// What may stand between the denial and the brand without changing what is denied.
const filler = `(?:[\\s"'“‘]+(?:${adjective}|${knowledge}|${thing}|${about}|${place}|to|in|list|results?))*`

const denial = "(?:n['’]?t|\\bnot|\\bnever|\\bcannot|\\bunable to|\\bfail(?:ed|s)? to|\\bwithout)"
const adverb = "(?:\\s+(?:\\w+ly|been|able to|yet|even|ever|to|have|be))*"
const perceive =
  "(?:find|finding|found|locate|located|see|seen|identify|verify|confirm|recogni[sz]e|know|know of|come across|came across|mention|mentions|mentioned|mentioning|list|listing|include|including|contain|surface|return|reference|spot|hear of|heard of|aware of|familiar with|acquainted with)"
// "nothing about Bolt or Acme" denies both.
const others = "(?:\\s+[^\\s.;:]+(?:\\s+[^\\s,.;:]+)?(?:,\\s*(?:or|nor)|\\s+(?:or|nor|and)))?"

const before = new RegExp(
  `(?:${denial}${adverb}\\s+${perceive}|\\bun(?:familiar with|aware of)|` +
    `(?:\\bno|\\black(?:s|ed|ing)?|\\blittle|${denial}\\s+(?:have|has|had|provide|contain|offer|hold|possess))(?:\\s+${adjective})*\\s+(?:${knowledge}|${thing}\\s+${about})|` +
    `\\bnothing(?:\\s+${adjective})*\\s+${about})${filler}${others}${opening}$`,
  "u"
)

const collection =
  "(?:list|lists|results?|rankings?|data|sources?|search|answer|roundup|knowledge|index|database|top|training)"
const after = new RegExp(
  `${closing}(?:\\([^)]{0,60}\\)\\s*)?(?:${thing}\\s+)?(?:` +
    `(?:is|was|are|were|has|have|did|does|do|could|can|would|will)(?:\\s?n['’]?t|\\s?not)(?:\\s+(?:\\w+ly|been|be|yet|even))*\\s+(?:` +
    `mentioned|included|found|referenced|ranked|identified|verified|located|listed(?! on (?!this|my|the (?:list|ranking)))|featured|` +
    `appear(?:ing)?(?! to(?! be (?:listed|mentioned|included|among|a (?:known|recogni[sz]ed|well-known|widely|real))))|` +
    `show(?:ing)? up|come up|turn up|exist|surface|ring a bell|feature(?= in|[.,;])|make (?:it|(?:the|this|my|our) (?:list|cut|ranking|top))|` +
    `seem to (?:exist|appear|be (?:listed|mentioned|included|a (?:known|recogni[sz]ed|well-known|widely|real)))|` +
    `among|part of (?:the|this|my|any)|known to me|familiar to me|something i|an? (?:${thing} )?(?:that )?i|one (?:that )?i|` +
    `(?:in|on) (?:my|the|this|these|any|our)(?: [\\w-]+){0,2} ${collection})\\b|` +
    `(?:appears|is|was|goes) (?:nowhere|absent|omitted|unmentioned|missing from|unknown to me|unfamiliar to me)|` +
    `[:|–—-]+\\s*(?:not (?:mentioned|found|listed|ranked|present|included)|no (?:mention|information|data|results?|info)\\b|n/a\\b|none found|nothing found|(?:i )?could(?:n['’]?t| not) (?:find|verify)))`,
  "u"
)

const topic =
  /(?:^|[.,;:]\s*|\b(?:and|but)\s+)(?:as for|as to|regarding|concerning|about|with (?:regard|respect) to|when it comes to)\s+(?:the\s+)?(?:\w+\s+)?["'“‘*_]*$/u
const denied = new RegExp(
  `${closing},?\\s*(?:\\w+ly,?\\s*|however,?\\s*)?(?:i|we|there|my|no|nothing)\\b[^.!?]{0,40}\\b(?:find|found|information|info|familiar|aware|mention|mentions|data|results|heard|details|know)\\b`,
  "u"
)
const negation =
  /n['’]?t\b|\b(?:no|not|never|nothing|cannot|unable|none|nowhere|unfamiliar|unaware|lack|lacks|lacked|little|without|absent|omitted|missing|unmentioned|unknown|n\/a|fail|failed|fails)\b/u

// "I couldn't find Acme lacking" denies something else.
const otherDenial = new RegExp(`^[\\s"'”’*_]*(?:as (?!an? (?:\\w+ )?${thing})|lacking|wanting|to be|too|worth)\\b`, "u")
const possessed = /^['’]s\s+(?!(?:existence|presence|products?|services?|offerings?|company|brand)\b)/u

interface Clause {
  readonly before: string
  readonly after: string
}

/** Where the clause that leads up to `to` begins; a mark right before it ends none. */
const clauseStart = (text: string, to: number): number => {
  const furthest = Math.max(0, to - reach)
  for (let at = to - 2; at >= furthest; at--) {
    const unit = text.charCodeAt(at)
    if (unit > 63 && unit < 0x3000) continue
    const character = text.charAt(at)
    if (endsSentence.has(character)) return at + 1
    if (mayEndSentence.has(character) && followsSentence.test(text.charAt(at + 1))) return at + 1
  }
  return furthest
}

/** What a sentence says before and after `[start, end)`, in folded text and within reach. */
export const clauseAround = (text: string, start: number, end: number): Clause => {
  const rest = text.slice(end, end + reach)
  const stop = rest.search(/[.!?](?=\s|$)|[。！？\n]/)
  return { before: text.slice(clauseStart(text, start), start), after: stop < 0 ? rest : rest.slice(0, stop + 1) }
}

/** Whether the clause says that nothing is known of what it names, or that it is not among the results. */
export const isAbsent = (clause: Clause): boolean => {
  if (isAbsentElsewhere(clause.before, clause.after)) return true
  if (!negation.test(clause.before) && !negation.test(clause.after)) return false
  if (after.test(clause.after)) return true
  if (topic.test(clause.before) && denied.test(clause.after) && negation.test(clause.after)) return true
  return before.test(clause.before) && !otherDenial.test(clause.after) && !possessed.test(clause.after)
}

const supposed =
  /\b(?:if|whether|could you|can you|would you|please|clarify|perhaps|possibly|maybe|did you mean|assuming|tell me|spelling|spelled|double-check|share)\b/u
const guessed =
  /^[\s"'”’*_]*(?:may|might|could|is (?:likely|probably|possibly|perhaps|(?:a |an )?(?:new|small|fictional|niche|local|private|made-up|misspell))|appears to be|seems|sounds)/u

/** Whether the clause only supposes what it names: what an answer goes on to say once it has denied knowing it. */
export const isSupposed = (clause: Clause): boolean => supposed.test(clause.before) || guessed.test(clause.after)
