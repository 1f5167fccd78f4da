import { mayBeginAt, mayEndBefore } from "@sightline/domain/text/WordBeside"

// Names that running text mentions in passing: where things are bought or done, what they use, and who owns them.

const where = "[Oo]n|[Ii]n|[Aa]t|[Vv]ia|[Tt]hrough|into|inside|[Oo]utside|[Aa]cross|[Ww]ithin|near|of the"
// "Look at Acme", "invest in Acme".
const meant = "\\b(?:look|invest|interest|settl|rel[iy]|decid|land)\\w*"
const uses = "supports?|supporting|speaks|uses?|using|over|with (?:an?|its|their)"
const whose =
  "(?:owned|backed|made|built|run|bought|acquired|founded|issued|powered|published|designed|tested|rated) by|part of|now belongs to|" +
  "same (?:group|company|owner|family|parent) as|subsidiary of|available from|(?:called|known as|named)(?<=\\b(?:formerly|previously|once|used to be|was) (?:called|known as|named))"
// Parts that are bought or fitted come from another maker: "a sensor from Sony".
const parts =
  "(?:sensors?|chips?|chipsets?|processors?|motors?|engines?|lens(?:es)?|glass|panels?|parts|batter(?:y|ies)|drivers|soles?|movements?|certificates?|certification) from"
const name = "[\\p{Lu}\\d][\\p{L}\\p{M}\\p{Nd}'’&+.-]*(?:\\s[\\p{Lu}\\d][\\p{L}\\p{M}\\p{Nd}'’&+-]*){0,3}"

// Includes the names before it in a series: "connects through Acme, Bolt and …". A lookbehind from the end, so that it is not tried at
// every earlier place.
const passing = new RegExp(
  `$(?<=(?<!\\p{L}|${meant}\\s)(?:${where}|${uses}|${whose}|${parts})\\s(?:(?:the|an?|its|their|your|own|every|each|any|this|that|same)\\s){0,2}` +
    `(?:${name}(?:,?\\s(?:and|or|&)\\s|,\\s)(?:an?\\s)?){0,5}[*_"“]{0,3})`,
  "u"
)
const mayPass = mayEndBefore(passing)
const reach = 120

// Parts of other makers, and owners of other brands: "an Intel processor", "two Michelin stars", "Apple Pay", "Anker's sub-brand
// Soundcore", "Revolut's rival bunq", "though Mondelez bought it".
const beside = new RegExp(
  "^(?:(?:[\\s-][\\p{Lu}\\d][\\p{L}\\d+-]*){0,2}\\s(?:stars?|support|compatibility|processors?|chips?|chipset|sensors?|lens|lenses|motors?|tuning|branding|certification|hubs?|gears?|hub gears?|Pay)(?!\\p{L})|" +
    "['’]s (?:sub-?brand|subsidiary|rival|sister|budget brand|parent|competitor)|(?: has| have)? (?:bought|acquired|owns) (?:it|them)(?!\\p{L}))",
  "u"
)
const mayBeBeside = mayBeginAt(beside)
const longestBehind = 60

// "Si trova su Amazon", "pertenece al grupo Santander".
const passingNonEnglish =
  /$(?<=(?<!\p{L})(?:en|em|n[ao]|su|sur|bei|beim|op|bij|på|hos|gr[uo]p+[oe]?|konzern|propiedad de|filiale?n? (?:de|di|von|van))\s(?:l[aeo]s?\s|der\s|de\s)?[*_"“]{0,3})/iu

// Most names open a sentence or follow another mark, which a short lookbehind shows.
const joined = /[\p{L},&]\s[*_"“]{0,3}$/u
const shortReach = 5
const reachNonEnglish = 30

/** Whether text in another language mentions something at `from` in passing. */
export const isInPassingNonEnglish = (text: string, from: number): boolean =>
  joined.test(text.slice(Math.max(0, from - shortReach), from)) &&
  passingNonEnglish.test(text.slice(Math.max(0, from - reachNonEnglish), from))

/** Whether English text mentions something at `[from, to)` in passing. */
export const isInPassing = (text: string, from: number, to: number): boolean =>
  (mayBeBeside(text, to) && beside.test(text.slice(to, to + longestBehind))) ||
  (mayPass(text, from) && passing.test(text.slice(Math.max(0, from - reach), from)))
