// The words with which English says that a name is not known or not found: alternatives of regular expressions over folded text.

/** The kinds of things that have a name. */
export const thing =
  "(?:brand|company|product|tool|service|business|platform|app|application|software|provider|vendor|firm|startup|store|organi[sz]ation|website|site|name|entity)"

/** Qualifiers of the facts that are missing. */
export const adjective =
  "(?:any|much|more|enough|further|other|reliable|specific|credible|verifiable|verified|trustworthy|public|publicly|widely|available|current|recent|up-to-date|detailed|real-time|solid|official|relevant|particular|independent|clear|direct|explicit|single|such|well-known|known|recogni[sz]ed|established|notable|real|a|an|the|this|that)"

/** What is known or not known of a name. */
export const knowledge =
  "(?:information|info|details?|data|mentions?|references?|evidence|results?|records?|coverage|listings?|entry|entries|knowledge|trace|indication|sources?|anything|matches|match|hits|reviews?|articles?|familiarity|facts|insight|feedback|footprint|documentation)"

/** Words between the facts and the name. */
export const about =
  "(?:about|on|for|of|regarding|concerning|relating to|related to|with|matching|mentioning|called|named|known as|by the name of|under the name|as)"

/** Words before a claim about a name: "no evidence Acme is unsafe" denies the claim, "no evidence of Acme" denies the name. */
export const claiming =
  "\\b(?:that|not to mention|evidence|indications?|proof|information|info|data|reports?|records?|signs?|say|prove|suggest)"

/** What a name did or what was done to it, of which there may be no record: "no record of Acme ever leaking data". */
export const happening = "(?:ever|being) (?!exist|list|mention|includ|rank|review|found|rated|cover)\\w+(?:ing|ed)"

/** Prepositions between an attribute and the name that has it: "prices for Acme could not be found" denies the prices. */
export const lead = `(?<!\\b(?:as|search|name|brand|company|${knowledge})\\s)\\b(?:for|of|at|from|with|to|by|than)`

/** What an answer is made from. */
export const source =
  "\\b(?:sources?|results?|context|articles?|lists?|guides?|round-?ups?|rankings?|search(?:es)?|databases?|training|publications?|outlets?|reviews?|reviewers?|sites?|pages|snippets|documents?)\\b"

const read = `(?:${source}|\\b(?:data|answers?|knowledge|index|records?|tables?|overview|materials?|text|threads?|reports?|coverage|director(?:y|ies)|literature|research|google|wikipedia|crunchbase|linkedin|trustpilot|internet|web|recommendations?|picks|listings?|top)\\b)`

/** The sources of an answer, after "in" or "from"; "in your credit report" is none of them. */
export const whereRead = `(?!(?:your|its|their|his|her)\\b)(?:[^\\s.,;:]+\\s+){0,7}?${read}`

/** How a sentence may continue after "not mentioned": it ends, or says where. */
export const anywhere =
  "(?:\\s*(?:[.,;:|)!?–—]|$)|" +
  "\\s+(?:anywhere|at all|here|there|and|or|so|either|again|yet|but|though|although|because|since|when|while|specifically|explicitly|directly|by name)\\b|" +
  "\\s+as (?:one|an?)\\b[^.,;]{0,40}?\\b(?:brands?|options?|choices?|picks?|contenders?)\\b|" +
  `\\s+(?:in|on|by|among|at|from|across|within)\\s+(?:(?:any|anything|these|those|what)\\b|${whereRead})|\\s+among\\b(?! the (?:\\w+est|most|least)\\b))`

/** How a sentence may continue after a name that was not found. */
export const goesOn =
  `${anywhere}|\\s+(?:${thing}|${knowledge}|being|listed|mentioned|included|named|featured|ranked|discussed|itself|online|which|who|to be|` +
  "as an?|without|fairly|properly|accurately|reliably|with|due|given|until|based|under|during|through|after|despite|even|other than|by (?:that|this)|in (?:the|connection|relation)|before|yet|so far|well|further|for sure)\\b"

/** Negates what follows it. */
export const negator =
  "(?:n['’]?t\\b|\\bnot\\b|\\bnever\\b|\\bcannot\\b|\\bunable\\b|\\bneither\\b|\\bnor\\b|\\bfail(?:ed|s)?\\b)"

/** The answer speaking of itself. */
export const firstPerson = "\\b(?:i|we)\\b(?:['’](?:m|ve|d|ll))?"
