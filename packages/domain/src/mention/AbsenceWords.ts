// The words with which English says that a name is not known or not found: alternatives of regular expressions over folded text.

/** What a name may be the name of. */
export const thing =
  "(?:brand|company|product|tool|service|business|platform|app|application|software|provider|vendor|firm|startup|store|organi[sz]ation|website|site|name|entity)"

/** What qualifies the facts that are missing. */
export const adjective =
  "(?:any|much|more|enough|further|other|reliable|specific|credible|verifiable|verified|trustworthy|public|publicly|widely|available|current|recent|up-to-date|detailed|real-time|solid|official|relevant|particular|independent|clear|direct|explicit|single|such|well-known|known|recogni[sz]ed|established|notable|real|a|an|the|this|that)"

/** What is known or not known of a name. */
export const knowledge =
  "(?:information|info|details?|data|mentions?|references?|evidence|results?|records?|coverage|listings?|entry|entries|knowledge|trace|indication|sources?|anything|matches|match|hits|reviews?|articles?|familiarity|facts|insight|feedback|footprint|documentation)"

/** Leads from the facts to the name. */
export const about =
  "(?:about|on|for|of|regarding|concerning|relating to|related to|with|matching|mentioning|called|named|known as|by the name of|under the name|as)"

/** Leads to what is claimed of a name: "no evidence Acme is unsafe" denies another thing than "no evidence of Acme". */
export const claiming =
  "\\b(?:that|not to mention|evidence|indications?|proof|information|info|data|reports?|records?|signs?|say|prove|suggest)"

/** What a name did or what was done to it, of which there may be no record: "no record of Acme ever leaking data". */
export const happening = "(?:ever|being) (?!exist|list|mention|includ|rank|review|found|rated|cover)\\w+(?:ing|ed)"

/** Leads to a name from a thing of its own: "prices for Acme could not be found" is said of the prices. */
export const lead = `(?<!\\b(?:as|search|name|brand|company|${knowledge})\\s)\\b(?:for|of|at|from|with|to|by|than)`

/** What an answer is made from. */
export const source =
  "\\b(?:sources?|results?|context|articles?|lists?|guides?|round-?ups?|rankings?|search(?:es)?|databases?|training|publications?|outlets?|reviews?|reviewers?|sites?|pages|snippets|documents?)\\b"

const read = `(?:${source}|\\b(?:data|answers?|knowledge|index|records?|tables?|overview|materials?|text|threads?|reports?|coverage|director(?:y|ies)|literature|research|google|wikipedia|crunchbase|linkedin|trustpilot|internet|web|recommendations?|picks|listings?|top)\\b)`

/** Where an answer reads, after "in" or "from"; not in your credit report. */
export const whereRead = `(?!(?:your|its|their|his|her)\\b)(?:[^\\s.,;:]+\\s+){0,7}?${read}`

/** How a sentence goes on after "not mentioned": not at all, or with where that is. */
export const anywhere =
  "(?:\\s*(?:[.,;:|)!?–—]|$)|" +
  "\\s+(?:anywhere|at all|here|there|and|or|so|either|again|yet|but|though|although|because|since|when|while|specifically|explicitly|directly|by name)\\b|" +
  "\\s+as (?:one|an?)\\b[^.,;]{0,40}?\\b(?:brands?|options?|choices?|picks?|contenders?)\\b|" +
  `\\s+(?:in|on|by|among|at|from|across|within)\\s+(?:(?:any|anything|these|those|what)\\b|${whereRead})|\\s+among\\b(?! the (?:\\w+est|most|least)\\b))`

/** How a sentence goes on after a name that was not found. */
export const goesOn =
  `${anywhere}|\\s+(?:${thing}|${knowledge}|being|listed|mentioned|included|named|featured|ranked|discussed|itself|online|which|who|to be|` +
  "as an?|without|fairly|properly|accurately|reliably|with|due|given|until|based|under|during|through|after|despite|even|other than|by (?:that|this)|in (?:the|connection|relation)|before|yet|so far|well|further|for sure)\\b"

/** Negates what it stands before. */
export const negator =
  "(?:n['’]?t\\b|\\bnot\\b|\\bnever\\b|\\bcannot\\b|\\bunable\\b|\\bneither\\b|\\bnor\\b|\\bfail(?:ed|s)?\\b)"

/** The answer speaking of itself. */
export const firstPerson = "\\b(?:i|we)\\b(?:['’](?:m|ve|d|ll))?"
