import { substitute } from "@sightline/domain/mention/Naming"
import { lookBack, type Span } from "./Span.ts"

// An incumbent: a name to be replaced, which introduces the list of its replacements: "Alternatives to Acme:", "If Acme is too expensive:".

const quoted = '[*_"“‘«[]{0,4}'
// Lookbehinds from the start of a name, so that nothing is read twice.
const replacedBefore = new RegExp(`(?<=\\b${substitute}s?\\s(?:to|for|of)\\s${quoted})`, "iuy")
const conditionBefore = new RegExp(
  `(?<=(?:^|[.!?\\n]\\s{0,2})[#>\\s]{0,6}${quoted}(?:if|when|since|because)\\s${quoted})`,
  "iuy"
)
const replacedAfter = new RegExp(`^[*_"”’»\\]]{0,4}(?:['’]s)?\\s${substitute}s?(?!\\p{L})`, "iu")
const conditionAfter =
  /^[*_"”’»\]]{0,4}\s(?:(?:is|are|feels|seems|gets|becomes|looks)\s(?:too\s|no longer\s|not\s|out of\s)|(?:isn|doesn|won)['’]t\s)/iu

// "If Acme has started to feel heavy", "ways to branch out from Acme": in the first sentence of an answer that continues with others in
// prose.
const leftAfter =
  /^[*_"”’»\]]{0,4}\s(?:has\s(?:started|become|grown|got|\p{Ll}+ed)|isn['’]t|doesn['’]t|no longer|feels|seems|gets|keeps|costs|raised|got)\s/iu
const leftBefore = new RegExp(
  `(?<=(?:\\b(?:branch out|move|moving|switch|switching|break|breaking|get away|step away)(?: on| over| away)? from|` +
    `\\b(?:instead of|besides|apart from|other than|a sequel to|tired of|outgrown))\\s${quoted})`,
  "iuy"
)

const furthestEnd = 120
const colonAtEnd = /^[^\n:]*:[*_]{0,3}\s*?(?:$|\n)/u
// "Alternatives to Acme: Bolt, Corex", "If Acme is too expensive, try these: 1. Bolt 2. Corex".
const listBehind = /^[^\n:.!]*:[*_]{0,3}\s[*_[("“]{0,4}[\p{Lu}\d]/u
// "Looking for alternatives to Acme?", "Alternatives to Acme include Bolt".
const goesOnToList = new RegExp(
  `^[*_"”’»\\]]{0,4}(?:['’]s)?(?:\\s${substitute}s?)?(?:[*_]{0,3}\\?|\\sinclude\\s)`,
  "iu"
)

/** Whether the line with the name is a heading, or introduces a list in it or below it. `after` is the text after the name. */
const leads = (text: string, { from }: Span, after: string): boolean =>
  /[#*]/.test(text.charAt(text.lastIndexOf("\n", from - 1) + 1)) ||
  colonAtEnd.test(after) ||
  listBehind.test(after) ||
  goesOnToList.test(after)

const firstSentence = /^[^\n.!?]*$/u

/** Whether the first sentence of a text speaks of leaving a name for those that follow. `after` is the text after the name. */
const isLeft = (text: string, { from }: Span, after: string): boolean =>
  from < furthestEnd &&
  firstSentence.test(text.slice(0, from)) &&
  (lookBack(leftBefore, text, from) !== null ||
    (leftAfter.test(after) && lookBack(conditionBefore, text, from) !== null))

/** Whether a line that introduces a list, or the first sentence of prose, says that others replace a name. */
export const isIncumbent = (text: string, span: Span): boolean => {
  const after = text.slice(span.to, span.to + furthestEnd)
  const isSaid =
    replacedAfter.test(after) ||
    lookBack(replacedBefore, text, span.from) !== null ||
    (conditionAfter.test(after) && lookBack(conditionBefore, text, span.from) !== null)
  return (isSaid && leads(text, span, after)) || isLeft(text, span, after)
}
