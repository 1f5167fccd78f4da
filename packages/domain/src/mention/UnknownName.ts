import { firstPerson, knowledge, negator } from "./AbsenceWords.ts"

// Longer phrases with which an English answer says that it has never heard of a name, written §, or that nothing about it can be found:
// parts of regular expressions over folded text.

const not = `(?:${negator}|\\bhardly\\b|\\bno way (?:of|to)\\b)`
const i = `(?:${firstPerson}|\\bme\\b)`
const quote = "[\\s\"'“‘*_(]{0,4}"
const own = "(?!['’]s\\b|\\s(?:ever|being) \\w)"
// Words of knowing and finding out.
const know =
  "(?:know|known|recogni[sz]e|familiar|acquainted|aware|cogni[sz]ant|conscious|heard|hear|seen|met|learn(?:ed|t)?|read|come across|came across|encountered|associate|identify|place|speak|tell|told|given|trained|(?:find|found|trace|locate|verify|confirm|discover|establish|determine|describe|judge|assess|evaluate|recall|remember|pin down|track down|dig up|turn up|bring up|get hold of|obtain|retrieve|unearth|uncover|surface|tie|link|connect|match|vouch for|substantiate|corroborate|comment on))"
const fact = `(?:${knowledge}|(?:web)?site|data point|notion|awareness|insight|understanding|idea|clue|leads?|page|profile|stud(?:y|ies)|papers?|press|documents?|recollection|memory|opinion|way of knowing)`
// What an answer is made from.
const mine =
  "(?:(?:my|our) (?:[\\w-]+ ){0,2}?(?:knowledge|training|data|memory|index|sources?|results?|records?|notes|books|search(?:es)?|files|radar|ken|cutoff|map|reach)|what i(?:['’]ve| have)? (?:know|learned|learnt|was|seen|read)|(?:anything|everything|the texts|the material|those) (?:that )?i\\b)"

// The speaker does not know it.
const unknown = [
  // § is not something I know of
  `(?<!\\b(?:what|how|why|when|where)\\s\\W{0,3})§${own}[^§.?!;]{0,40}?(?:\\b(?:is|was)(?:n['’]t| not| hardly)|\\bnot)\\s(?:something|anything|one|part of|among|an?|any|the)\\b(?![^§.?!]{0,50}\\b(?:recommend|would|trust|suggest|choose|before)\\b|[^§.?!,;]{0,40}\\band\\b)[^§.?!,;]{0,45}?\\bi(?:['’](?:ve|m)| am| have|['’]d)?\\s(?:[\\w'’]+\\s){0,4}?(?:${know}|${fact})\\b`,
  // § lies outside of what I know
  `§${own}[^§.?!]{0,40}?\\b(?:falls?|lies|sits?|is|was|are|remains?|being)(?:n['’]t| not)? (?:\\w+ )?(?:outside|beyond|absent from|missing from|unknown to|new to|not in|not part of)(?: of)?\\s(?:me\\b|any of ${mine}|${mine})`,
  `§${own}[^§.?!]{0,30}?\\b(?:n['’]t|not|no) (?:\\w+ )?(?:in|part of|on|among|registered anywhere in|linked to [\\w-]+ [\\w-]+ in|attached to anything in)\\s(?:any of )?${mine}`,
  // § escapes me
  `§["”’*_]*(?:[^§.?!]{0,30}?[\\s,])?(?:escape[sd]?|elude[sd]?|postdates?|predates?) (?:me|my)\\b|§[^§.?!]{0,40}?(?:\\b(?:has|have|had|got)|['’](?:s|ve)) (?:me )?stumped\\b`,
  `§[^§.?!]{0,30}?\\b(?:(?:has|have|had)(?:n['’]t| not| never)|never) (?:\\w+ )?(?:crossed (?:my|our)|reached me|come to my|come up in (?:my|any|what))\\b|§[^§.?!]{0,40}?\\bleft no (?:\\w+ )?(?:trace|mark) in (?:it|my|what)\\b|§[^§.?!]{0,20}?\\bmeans nothing to me\\b`,
  `§[^§]{0,90}?\\b(?:(?:meeting|hearing|seeing|heard|seen) [^§.?!]{0,12}for the first time|i(?:['’]m| am) (?:\\w+ )?in the dark|knowledge is nil|insufficient knowledge|i came up short|trail went cold|(?:be|is) (?:pure |mere )?(?:guesswork|speculation)|(?:total )?silence about it)\\b`,
  `\\b(?:in the dark|my knowledge is nil|new to me|stumped|draws? (?:a blank|no response)|drew (?:a blank|no response)|blank|silent)\\s(?:about|on|when it comes to|by|regarding|for)${quote}§${own}`,
  // I have no notion of §
  `${i}[^§.?!]{0,12}\\b(?:have|['’]ve|hold|had|got|see|find|found|possess|turned up|came across|having)\\s(?:got )?(?:(?:no|zero|little|not (?:a single|one|any))\\s(?:[\\w-]+\\s){0,3}?${fact}|(?:nothing|zero)(?: (?:at all|concrete|useful|specific|to go on|else|more))?)(?: [\\w-]+)?\\s(?:of|on|about|for|regarding|as to|with which to judge|into|under|concerning|[^§.?!]{0,40}?mentioning)\\s(?:(?:an?|the|any|company|brand|product|firm|agency|app|called|named)\\s){0,4}?${quote}§${own}`,
  `\\b(?:for|on|about|of|with|regarding|as to|by)${quote}§${own}[^§.?!]{0,20}?${i}(?: (?:have|had|got|found|hold|turned up|see|know|only|am|come|came))*\\s(?:(?:no|zero|little) (?:[\\w-]+ ){0,2}?${fact}\\b|none\\b(?! of)|(?:nothing|zero)(?=\\s*(?:[.,;:–—]|$)|\\s(?:at all|to go on|to say|that)\\b)|in the dark|entirely in the dark|at a loss|up empty)`,
  `${i}[^§.?!]{0,10}${not}(?: [\\w-]+){0,2}? (?:in possession of|have|had|see|find|hold|got|come across|come by)\\s(?:(?:any|a|an|enough|the)\\s(?:[\\w-]+\\s){0,3}?${fact}(?: or [\\w-]+(?: [\\w-]+)?)?|anything|much)\\s(?:of|on|about|for|regarding|as to|into|mentioning|naming)\\s(?:[\\w-]+\\s){0,2}?${quote}§${own}`,
  `(?:\\bwithout|^\\W*not|[,;]\\snot|\\bnever having|\\bhaving no)(?: (?:so much as|any|knowing|having|being|really|actually|a|an))*\\s(?:${fact}|know(?:ing)?|heard|seen|familiar|product page)\\s?(?:of|with|about|for|on)?(?: (?:what|who))?${quote}§${own}`,
  // I couldn't say what § is
  `${i}[^§.?!]{0,10}${not}(?: \\w+ly)? (?:${know}|say|sure|certain|clear)(?: you)?\\s(?:exactly |even )?(?:what|who)${quote}§${own}["”’*_]*\\s(?:is|are|was|refers?|means?|does(?=[\\s.,;]*(?:$|[.,;]))|might be|could be|sells,)`,
  `§${own}["”’*_]*(?:, [\\w ]{1,20})?,?\\si (?:can(?:not|['’]t)|could(?:n['’]t| not)|do(?:n['’]t| not)|did(?:n['’]t| not)|have(?:n['’]t| not|['’]t)) (?:\\w+ )?${know}(?=\\s*(?:[.,;:!?)–—]|$)|\\s(?:at all|it|as|to|by|in|from|either|with)\\b)`,
  `\\b(?:information|knowledge|data|training|memory)\\b[^§.?!]{0,30}?${not}(?: \\w+ly)? (?:extend to|cover|include|reach|go as far as|contain|stretch to)${quote}§`,
  `${i}[^§.?!]{0,12}\\b(?:missing|short of|lacking|without)\\s(?:any|all)\\s(?:[\\w-]+ )?${fact}\\b[^§.?!]{0,30}?§${own}`,
  `\\b(?:left|leaving|leave|omit|omitted|omitting|excluded|excluding|skipped|skipping)\\b${quote}§${own}[^§]{0,60}?(?:\\b(?:as|since|because|having|given)\\b|[:;–—])[^§.?!]{0,12}?(?:\\b(?:i|my)\\b[^§.?!]{0,40}?(?:${not}|\\bno\\b|\\bnothing\\b)|\\bnothing (?:that )?i\\b|\\bno knowledge\\b|not something i (?:know|have))`,
  // I have to know § to answer, and I don't
  `\\b(?:need|have|require|like) (?:me )?to know(?: what)?${quote}§${own}`
]

// Nothing about it can be found.
const unfound = [
  // OpenTable lists no §
  `\\b(?:(?:lists?|listed|catalogues?|knows?|knew|yield(?:s|ed)?|return(?:s|ed)?|(?:brought|turned|pulled) up|finds?|found)\\s|\\b(?:sources?|index|director(?:y|ies)|registers?|databases?|catalogues?|guides?|finder|search(?:es)?|listings|results|gsmarena|wikipedia)\\b[^§.?!]{0,60}?\\b(?:has|have|shows?|holds?|offers?|contains?)\\s|\\b(?:results|index|listings|search)\\b[^§.?!]{0,40}?(?::|\\bbut)\\s)(?:no|zero|0)${quote}§${own}(?=["”’*_)]*\\s*(?:[.,;:!?–—]|$)|["”’*_)]*\\s(?:line|card|listed|among|in (?:its|the|their|any)|on (?:it|its|the)|anywhere|starred|that|which)\\b(?! stock\\b))`,
  `\\bneither\\b[^§.?!]{0,80}?\\b(?:shows?|lists?|knows?|mentions?)\\b[^§.?!,]{0,30}?§${own}`,
  // No patent for § came to light
  `(?:\\bno\\b|\\bnot (?:a single|one)|\\bneither\\b)(?![^§.?!]*\\b(?:complaints?|recalls?|version|side effects?|lawsuits?|plans?|hints?|problems?|flaws?|faults?|issues?|better|other|cheaper|discount|coupon|alternatives?|evidence|harm|breach\\w*|fees?|app|stores?)\\b)[^§.?!]{0,90}?\\b(?:for|on|about|of|called|named|mentioning|matching|under)\\s\\W{0,3}(?:(?:an?|the)\\s)?§${own}[^§.?!]{0,30}?\\b(?:came to light|(?:was|were) retrievable|could be (?:found|located|verified|retrieved|traced)|(?:was|were) (?:found|located|returned)|surfaced|came up|turned up|came back|shows? up)\\b`,
  `(?:\\bno\\b|\\bnone of\\b|\\bnot one\\b|\\bnothing\\b)[^§.?!]{0,70}?\\b(?:in|of|from|that|i) (?:(?:the|my|these|those) )?(?:[\\w-]+ )?(?:results?|sources?|pages?|search|retrieved|scanned|sources?|pulled up|saw|found|read|consulted)[^§.?!]{0,40}?\\b(?:about|mentions?|mention of|names?|lists?|corroborates|covers?|refers? to|has anything on|existence of)\\b[^§.?!]{0,30}?§${own}`,
  `\\bno (?:[\\w-]+ )?(?:source|page|site|article|document|shop|regulator|test|review|guide|directory)s?\\b[^§.?!]{0,30}?\\b(?:has anything on|mentions?|names?|lists?|covers?|sells|refers? to|in which)\\b[^§.?!]{0,12}§${own}`,
  `\\b(?:no|zero|0) (?:[\\w-]+ )?(?:hits?|results?|matches|match|filings?|entry|entries|records?|listings?|mentions?)\\b(?: (?:that )?i could (?:tie|link|match) to| (?:for|by|on|under|of|about|naming))(?: (?:an?|the))?${quote}§${own}`,
  `\\bno (?:[\\w,-]+ ){1,6}?(?:that )?i could (?:tie|link|match|connect) to${quote}§`,
  `\\b(?:come|comes|came) (?:back|up) (?:empty|blank) (?:for|on)${quote}§${own}|§${own}[^§.?!]{0,12}?\\b(?:yield|return|produce|give|bring)(?:s|ed)? (?:me )?(?:an? )?(?:empty|blank)\\b`,
  `\\b(?:nobody|no one|none of them|no (?:[\\w-]+,? ){1,5}?(?:or [\\w-]+ )?)(?:[^§.?!]{0,40}?)\\bseems?(?: ever)? to (?:be|have)\\b[^§.?!]{0,20}?§${own}`,
  `\\b(?:sources?|(?:search )?results?|articles?|pages|listings)\\b[^§.?!]{0,12}${not}\\s(?:include|contain|have|offer|provide|show|give|return)\\s(?![^§.?!]*\\b(?:price|prices|pricing|cost|comparison|between)\\b)[^§.?!]{0,40}\\b(?:on|about|for|of)${quote}§${own}`,
  // § is missing from its index and from every other source
  `§${own}[^§.?!]{0,60}?\\b(?:in|on|by|to) none of (?:them|these|those|the)\\b|§${own}[^§.?!]{0,40}?\\b(?:missing|absent) from\\b[^§.?!]{0,60}?\\b(?:every other|anywhere else)\\b`,
  `§${own}[^§.?!]{0,40}?(?:n['’]t|\\bnot|\\bnever) (?:\\w+ )?(?:turn(?:ed)?|show(?:n|ed|ing)?|com(?:e|ing)|pop(?:ped)?|bring|brought) up(?=\\s*(?:[.,;:–—]|$)|\\s(?:in|on|for me|under|anywhere|at all|either|with)\\b(?! (?:stores?|my|your|the (?:screen|app|store))\\b))`,
  `§${own}[^§.?!]{0,60}?\\b(?:yields?|yielded|returns?|returned|brings? up|brought up|turns? up|turned up|leads?|led|gets?|gives?)\\s(?:me )?(?:nothing(?=\\s*(?:[.,;:–—]|$)|\\s(?:on|in|from|at all)\\b)|nowhere|(?:no|zero|0) (?:[\\w-]+ ){0,2}?(?:results?|hits|match(?:es)?|entries|information|info|of any kind)\\b)`,
  `\\b(?:return(?:s|ed)?|brought|brings?|turn(?:s|ed) up|yield(?:s|ed)?|gave|gives?|find|found|show(?:s|ed)?|has|have|contain(?:s|ed)?|hold(?:s)?|list|lists)\\s(?:me )?(?:up )?(?:absolutely |almost |next to )?(?:nothing|no (?:[\\w-]+ ){0,3}?(?:${fact}|entries|offers|results|hits)|zero (?:[\\w-]+ )?\\w+)\\s(?:[\\w-]+ )?(?:on|about|for|under|named|called|regarding|with|matching|in which)\\b(?! (?:whether|if|how|why)\\b)[^§.?!]{0,25}?§${own}`,
  // All hits for § are about another thing
  `\\b(?:results?|hits|search(?:es|ed|ing)?|quer(?:y|ies|ied|ying)|look-?ups?|looked)\\b(?![^§]*\\b(?:complaints?|reasons?|flaws?|problems?|faults?|better|deals?|codes?)\\b)(?: [^\\s§]+){0,6}? (?:for|on|of|under)${quote}§${own}[^§.?!]{0,40}?\\b(?:(?:all|only|mostly) (?:about(?! (?:its|their|the (?:brand|company))\\b)|gets?|gives?|leads?|relates?|concerns?|returns?|brings?|relate)|relate to|ends? (?:in|at|with)|stops? at|nothing(?! (?:wrong|bad|negative|serious|concerning|to worry|but praise))|empty|absence|0)\\b`,
  `§${own}[^§.?!]{0,20}?\\b(?:has|had|have) (?:no|zero|none)\\s(?:(?:public|online|web|digital) (?:footprint|presence|trace)|mentions?|(?:[\\w-]+ ){0,3}?(?:profile|listing|page|reviews?) (?:that )?i\\b|that i\\b)`,
  `§["”’*_]*\\s?(?::|–|—|-|\\()\\s?(?:unranked|n/a|unknown|can['’]t say|cannot say|insufficient|(?:0|zero) (?:[\\w-]+ )?(?:results?|hits|matches|entries|products)\\b|no (?:data|match|entry|result|info)|not (?:found|in my|determinable))`,
  `\\b(?:search|look|hunt|dig)\\w*\\b[^§.?!]{0,40}?§${own}[^§.?!]{0,90}?\\b(?:(?:went|led|leads|goes) (?:nowhere|blank)|(?:did|could)n['’]t find (?:an? |any )?(?:[\\w-]+ )?${fact})`,
  `§[^§]{0,40}?\\bi (?:searched|looked|checked|tried|asked)\\b[^§.?!]{0,80}?${not}\\s(?:\\w+ly )?(?:come across|find|see|locate|spot|get|turn up|anything)\\b(?! (?:fault|a fault|anything (?:wrong|bad)))`,
  `§${own}[^§.?!]{0,20}?\\s?[:–—(]\\s?no (?:[\\w-]+ ){0,3}?(?:site|website|page|profile|listing|mentions?|press|coverage|entry|record|trace)\\b`,
  `§${own}[^§.?!]{0,10}${not} (?:match|correspond to|resemble) (?:anything|any (?:[\\w-]+ ){0,3}?(?:i|known|that i)\\b)`,
  // there is no § in what I know
  `\\bthere(?:['’]s| is| was| has been) no(?:(?: such)${quote}§|${quote}§(?=["”’*_)]*\\s*(?:[.,;:!?–—]|$)|["”’*_)]*\\s(?:\\w+ )?(?:in (?:my|the (?:[\\w-]+ )?(?:results?|ratings|lists?|data\\w*|index|register|sources?)|any)|among|listed|that i|on (?:any|the) (?:list|register))\\b))`
]

const patterns = [...unknown, ...unfound].map((way) => new RegExp(way, "u"))

/** Whether a part of a sentence says in one of these ways that the name in it, written §, is not known or not found. */
export const isUnknownNameIn = (part: string): boolean => patterns.some((way) => way.test(part))
