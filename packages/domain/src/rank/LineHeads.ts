import { type Head, headAt, isSureName, isUnknownInSmall, named } from "./Head.ts"
import { recursWithin } from "./NamedBeside.ts"
import { isNameLike, isTitle } from "@sightline/domain/mention/Naming"

// Names at the start of lines of plain text, as web pages yield it: alone above their description, as links, before a dash or before a full
// stop.

const longestName = 60
// A line or two may begin so by chance.
const fewest = 3
const fewestSure = { link: 1, dash: 1, stop: 1, alone: 2 }
// More than any answer has.
const mostLines = 2000

const link = /^\[(?=[^\]\n]{2,60}\]\()/u
// Most lines have no dash, which a pattern of UTF-16 units finds out faster than one of characters.
const hasDash = /\s(?:[—–]|-\s)/
const beforeDash = /^[^\n.!?:;,|—–*#[\]]{2,60}?(?=\s(?:[—–]|-\s))/u
// After an empty line and right before a line of text. Between them may be the line that underlines a heading in Markdown.
const alone = /^[^\n.!?:;,|—–*#[\]<>]{2,60}(?=\s*\n(?:[-=]{3,}\s*\n)?[^\s\-*•|#])/u
const beforeStop = /^[^\n.!?:;,|—–*#[\]]{2,40}(?=\.\s\p{Lu})/u

type Form = keyof typeof fewestSure

/** The form in which the line at `from` begins with a possible name; undefined where it does not. */
const formAt = (text: string, from: number, line: string): Form | undefined => {
  if (link.test(line)) return "link"
  if (hasDash.test(line) && beforeDash.test(line)) return "dash"
  const isBelowEmpty = from < 2 || text.charAt(from - 2) === "\n"
  if (isBelowEmpty && line.includes(".") && beforeStop.test(line)) return "stop"
  return isBelowEmpty && line.length <= longestName && alone.test(text.slice(from, from + 2 * longestName))
    ? "alone"
    : undefined
}

const isName = ({ name }: Head): boolean =>
  /^\p{Lu}|^\d/u.test(name)
    ? (isTitle(name) || isSureName(name) || isNameLike(name)) && /(?:^|\s)[\p{Lu}\d]\S*$/u.test(name)
    : isUnknownInSmall(name)

/** The names that lines begin with in one form, where these are three or more and enough of them surely names. */
export const lineHeads = (text: string): ReadonlyArray<Head> => {
  const found: Array<Head & { readonly form: Form }> = []
  let from = 0
  for (let seen = 0; from < text.length && seen < mostLines; seen++) {
    const next = text.indexOf("\n", from)
    const to = next < 0 ? text.length : next
    const line = text.slice(from, Math.min(to, from + 2 * longestName))
    const form = formAt(text, from, line)
    if (form !== undefined) {
      const head = headAt(text, from, to, undefined)
      if (isName(head)) found.push({ ...named(head), form })
    }
    from = to + 1
  }
  return [...Map.groupBy(found, ({ form }) => form)].flatMap(([form, heads]) => {
    const sure = heads.map(({ name }) => isSureName(name) || recursWithin(text, name))
    if (heads.length < fewest || sure.filter(Boolean).length < fewestSure[form]) return []
    return form === "alone" ? heads.slice(sure.indexOf(true), sure.lastIndexOf(true) + 1) : heads
  })
}
