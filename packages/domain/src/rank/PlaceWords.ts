import { numberNonEnglish } from "./PlaceWordsNonEnglish.ts"
import { numberInEastAsian } from "./PlaceWordsEastAsian.ts"
import { numberUnnumbered } from "./PlaceUnnumbered.ts"
import { lookBack, near, type Span, type Stretch } from "./Span.ts"

// The place that the words beside a name give it: "#2 Acme", "Acme comes second", "1) Acme, 2) Bolt".

const counting: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eins: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  un: 1,
  uno: 1,
  dos: 2,
  deux: 2,
  due: 2,
  twee: 2,
  tres: 3,
  trois: 3,
  tre: 3,
  drie: 3,
  primero: 1,
  primeiro: 1,
  premier: 1,
  segundo: 2,
  deuxième: 2,
  tercero: 3,
  terceiro: 3,
  troisième: 3
}
const cardinal =
  "\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eins|zwei|drei|vier|fünf|uno?|dos|deux|due|twee|tres|trois|tre|drie"
const ordinal = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\\d{1,3}(?:st|nd|rd|th)"

// Nouns that an ordinal counts where it ranks.
const rung = "place|overall|spot|position|choice|pick|on (?:the|my|our|this) list"

const counted =
  "(?:#\\s?|№\\s?|\\bno\\.\\s?|\\bnr\\.\\s?|\\bn\\.?[º°]\\s?|\\b(?:number|nummer|n[uú]m[eé]ro)\\s|\\boption\\s|\\bplatz\\s|\\bpuesto\\s|\\brank(?:ed)?:?\\s#?)"
// Words between a number and its name.
const leads =
  "(?:(?:is|remains|goes to|belongs to|ist|liegt|steht|folgt|landet|kommt|geht an|staat|komt|volgt|est|vient|arrive|es|está|è|troviamo|c['’]è)\\s(?:the\\s)?)?"
const quoted = '[*_"“‘[]{0,4}'

// Only at the start of a line, because they are ordinary words within one.
const ordinalNonEnglish = "primero|primeiro|premier|segundo|deuxième|tercero|terceiro|troisième"

// Lookbehinds from the start of a name, so that nothing is read twice. A number on another line belongs to another name, unless it is alone
// there. A number before a full stop belongs to the text before it ("Acme is number one. Bolt…"), unless it opens its line, sentence or
// clause.
// One pattern for all of them would take twice as long to compile, and the first answer of a process waits for that.
const backwards = (way: string, ahead = ""): RegExp => new RegExp(`(?<=${way})${ahead}`, "iuy")
const numbersBefore = [
  backwards(`${counted}(${cardinal})[ \\t:)–—-]{0,4}${leads}${quoted}`),
  backwards(`(?:(?:^|\\n)[ #*>\\t-]{0,8}|[.!?;,]\\s{1,2})${counted}(${cardinal})[.:)]{1,2}[ \\t–—-]{0,3}${quoted}`),
  backwards(
    `:\\s{1,2}${counted}(1|one)[.:)]\\s{1,2}${quoted}`,
    `(?=[^\\n:]{1,90}[,;]\\s{1,2}(?:and\\s)?${counted}(?:2|two)[.:)])`
  ),
  backwards(
    `(?:^|[.!?\\n]\\s{0,2})${quoted}(?:ranked|rated|placed|listed)\\s(?:at\\s)?(?:(?:#|number\\s|no\\.\\s?)(${cardinal})|(${ordinal}))(?:\\s(?:${rung}))?,\\s${quoted}`
  ),
  backwards(`(?:^|\\n)[ #*>\\t-]{0,8}${counted}(${cardinal})[*_:.) \\t]{0,4}\\n\\s{0,4}${quoted}`),
  backwards(
    `(?:^|[.!?;,\\n]\\s{0,2}(?:and\\s|then\\s)?)${quoted}in (${ordinal}) place,?\\s(?:(?:we have|comes|is|i (?:would |['’]d )?(?:put|rank|have))\\s)?(?:the\\s)?${quoted}`
  ),
  // "Second, Acme, for its price." In "Second, Acme is dear" the ordinal counts reasons.
  backwards(
    `(?:^|[.!?\\n]\\s{0,2})${quoted}(${ordinal}),\\s${quoted}`,
    '(?=[^\\s,.;:!?]+(?-i: \\p{Lu}[^\\s,.;:!?]*){0,3}[*_"”’]{0,4}[,.;:])'
  ),
  backwards(`(?:^|\\n)[ *_>•-]{0,6}(${ordinalNonEnglish})[*_]{0,2} ?:[*_]{0,2} ?${quoted}`),
  backwards(
    `\\b(${ordinal})(?:\\s(?:${rung}))?(?:\\s(?:is|would be|goes to|belongs to)\\s| ?[*_]{0,2}[:–—-][*_]{0,2} ?)${quoted}`
  )
]
const numberAfter = new RegExp(
  `^[*_"”’\\])]{0,4}\\s*(?:[([]\\s*(?:#|no\\.\\s?|number\\s|rank(?:ed)?:?\\s#?)(${cardinal})\\s*[)\\]]|` +
    `(?:,|is|was|ranks?|ranked|comes|came|sits|lands|takes|took|placed|places|finishes|finished|holds|at|as|in|–|—|-|:|currently|the|a|our|my|solid|close|clear|distant|\\s)+` +
    `(?:(?:#|number\\s|no\\.\\s?)(${cardinal})\\b|(${ordinal})(?:\\s(?:${rung})|[\\s-]best(?![\\s-]sell))\\b))|` +
    `^[*_"”’\\])]{0,4}\\s*[([]\\s*(?:ranked\\s)?(${ordinal})(?:\\splace)?\\s*[)\\]]|` +
    `^[*_"”’\\])]{0,4}\\s(?:is|was)\\s(?:a (?:very )?(?:close|clear|distant|narrow|solid|strong) )?(${ordinal})(?=\\s*(?:[.,;!]|$)|\\s(?:to(?! none)|behind|after)\\b)|` +
    `^[*_"”’\\])]{0,4}\\s*(?:(?:is|was|currently)\\s)?(?:ranks?|ranked|comes|comes in|came|came in|places|placed|finishes|finished)\\s(?:at\\s)?(${ordinal})\\b(?! to none)`,
  "iu"
)

const valueOf = (match: RegExpExecArray | null): number | undefined => {
  const found = match
    ?.slice(1)
    .find((group) => group !== undefined)
    ?.toLowerCase()
  if (found === undefined) return undefined
  const value = counting[found] ?? Number.parseInt(found, 10)
  return value >= 1 ? value : undefined
}

// Each pattern above needs one of these near before a name. Most names have none, so this test rules them out cheaply.
const counts = new RegExp(
  `[#№º°]|n[or]\\.|n[uú]m|option|platz|puesto|rank|${ordinal.replace("\\d{1,3}", "\\d")}|${ordinalNonEnglish}`,
  "iu"
)
const furthestCount = 48

/** The number that the first pattern to match finds before `at`. */
const numberBefore = (text: string, at: number): number | undefined => {
  if (!counts.test(text.slice(Math.max(0, at - furthestCount), at))) return undefined
  for (const pattern of numbersBefore) {
    const found = lookBack(pattern, text, at)
    if (found !== null) return valueOf(found)
  }
  return undefined
}

// The next line belongs to another name where it is an item of its own, or begins with a number for a name.
const nextOne = /\n\s*(?:[-*+•]\s|\d{1,3}[.)]\s|[*_]{0,3}#\d{1,3}[:.)–—-]?\s[*_"“‘[]{0,4}\p{Lu})/u

/** The text after a name that is read for its number. */
const behind = (text: string, { to }: Span): string => {
  const after = text.slice(to, to + 80)
  return after.includes("\n") ? after.slice(0, nextOne.exec(after)?.index) : after
}

const mayBeDate = /\d(?:st|nd|rd|th)[ *_]{0,3}[:–—-][ *_"“‘[]{0,6}$/iu

/** Whether a number before a name is the day of a date: "18th: Acme opens", with no 17th nearby. */
const isDate = (text: string, { from }: Span, number: number): boolean => {
  if (number === 1 || !mayBeDate.test(text.slice(Math.max(0, from - 16), from))) return false
  return !new RegExp(`\\b${number - 1}(?:st|nd|rd|th)\\b`, "iu").test(near(text, from))
}

const mayBeHouse = new RegExp(`,\\s{1,2}${counted}\\d{1,3}\\.[ *_"“‘[]{0,6}$`, "iu")

/** Whether a number before a name is that of a house: "Rue de Rivoli, n° 5. Acme…", with no number before or after it nearby. */
const isHouse = (text: string, { from }: Span, number: number): boolean => {
  if (!mayBeHouse.test(text.slice(Math.max(0, from - 32), from))) return false
  return !new RegExp(`${counted}(?:${number - 1}|${number + 1})(?!\\d)`, "iu").test(near(text, from))
}

/** "#2 Acme", "Acme (No. 2)", "Acme comes in second place", "an zweiter Stelle steht Acme". */
const numberBeside = (text: string, span: Span): number | undefined => {
  const before = numberBefore(text, span.from)
  if (before !== undefined && !isDate(text, span, before) && !isHouse(text, span, before)) return before
  const after = behind(text, span)
  return (
    valueOf(numberAfter.exec(after)) ??
    numberNonEnglish(text, span.from, after) ??
    numberUnnumbered(text, span.from, span.to, after)
  )
}

const placing = /\b(?:ranks?|ranked|comes?|came|puts?|places?|placed|finish(?:es|ed)?|goes to)\b/iu
const ordinalAfter = new RegExp(`^[*_"”’]{0,4}\\s(${ordinal})(?=\\s*(?:[,.;]|$)|\\s(?:and|but|while)\\b)`, "iu")
const ordinalBefore = new RegExp(`(?<=\\b(${ordinal})\\sto\\s${quoted})`, "iuy")

/** "I would rank Acme first and Bolt second", "First place goes to Acme, second to Bolt": the ranking verb is said only once. */
const numberElided = (line: Stretch, span: Span): number | undefined => {
  const [from, to] = [span.from - line.from, span.to - line.from]
  const number = ordinalAfter.exec(line.text.slice(to, to + 24)) ?? lookBack(ordinalBefore, line.text, from)
  return number !== null && placing.test(line.text.slice(0, from)) ? valueOf(number) : undefined
}

// 1位は, 2위는: the particle connects the place with its name.
const numeralSign = "(?:\\\\?[.)]|[ºª°]|(?:位|名|위)(?:[:：是为]|に?は|が|에?[는은]|[이가])?)"
const numeralBefore = new RegExp(`(?<=(?:^|[\\s(,;:：、，。*第])(\\d{1,2})${numeralSign}\\s*[*_["“「]{0,4})`, "uy")

const neighbours = new Map<number, RegExp>()

/** The pattern for the number before or after a value. It is cached, as there are fewer than a hundred. */
const neighbourOf = (value: number): RegExp => {
  const known = neighbours.get(value)
  if (known !== undefined) return known
  const made = new RegExp(`(?:^|[\\s(,;:：、，。*第])(?:${value - 1}|${value + 1})${numeralSign}\\s*[^\\s\\d]`, "u")
  neighbours.set(value, made)
  return made
}

/** "1) Acme, 2) Bolt" within a line: a numeral before the name, and its neighbour on the same line. */
const numberInline = (line: Stretch, span: Span): number | undefined => {
  const found = lookBack(numeralBefore, line.text, span.from - line.from)
  if (found === null) return undefined
  const value = Number(found[1])
  return value >= 1 && neighbourOf(value).test(line.text) ? value : undefined
}

/** The place that the words beside a name, or the rest of its line, give it; undefined where they give none. */
export const numberOf = (text: string, line: Stretch, span: Span): number | undefined =>
  numberBeside(text, span) ??
  numberInline(line, span) ??
  numberInEastAsian(text, line, span) ??
  numberElided(line, span)
