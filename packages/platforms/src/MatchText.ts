interface Link {
  readonly label: string
  readonly url: string
  readonly end: number
}

// Every repetition is bounded and its alternatives exclude one another, so an attempt costs at most a few thousand steps.
// An address that begins with a slash belongs to the site from which the text was read.
const url = String.raw`(?:https?:\/\/|\/)(?:[^()\s]|\([^()\s]{0,200}\)){1,2000}`
const link = new RegExp(String.raw`\[(\[?[^\][\n]{0,200}\]?)\]\((${url})(?: "[^"\n]{0,200}")?\)`, "iy")
const separator = /[,;、，；\s]{0,4}/y
/** The parentheses that may stand around citations. */
const closings: ReadonlyMap<string | undefined, string> = new Map([
  ["(", ")"],
  ["（", "）"]
])
const hostName = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/

const linkAt = (text: string, start: number): Link | undefined => {
  link.lastIndex = start
  const found = link.exec(text)
  return found === null ? undefined : { label: found[1] ?? "", url: found[2] ?? "", end: link.lastIndex }
}

const bare = (label: string): string => label.replace(/[[\]]/g, "").trim().toLowerCase()

const hostOf = (address: string): string => URL.parse(address)?.hostname.replace(/^www\./, "") ?? ""

/** Whether a link only names its source, as `[2](…)` and `[shop.example](…)` do. */
export const isCitation = ({ label, url }: Pick<Link, "label" | "url">): boolean => {
  const name = bare(label)
  return name === "" || /^\+?\d+$/.test(name) || hostName.test(name) || name === hostOf(url)
}

const engineTag = /[?&]utm_source=(?:openai|chatgpt\.com)(?:[&#]|$)/

/** Whether a link in parentheses only cites. One with an engine's own tag does, even under its site's name, as in `([The Verge](…))`. */
const citesAside = (found: Link): boolean => isCitation(found) || engineTag.test(found.url)

// What stands before the name in an item, heading, bold title or table row, including its number: `### 1.`, `**1.`, `|`.
const itemHead =
  /^[ \t]*(?=[^ \t])(?![*_]$)(?:(?:[-*+•]|#{1,6})[ \t]+|\|[ \t]*)?(?:(?:\*\*|__)?\d{1,3}[.)][ \t]+)?(?:\*\*|__|\*|_)?$/

/** Whether the link is the subject of a list item, heading or table row: `1. [booking.example](…)` recommends that host. */
const opensItem = (text: string, { label }: Link, start: number): boolean => {
  const reach = Math.max(0, start - 16)
  const head = text.slice(reach, start)
  const newline = head.lastIndexOf("\n")
  if (newline === -1 && reach > 0) return false
  return hostName.test(bare(label)) && itemHead.test(head.slice(newline + 1))
}

/** The end of a parenthesis that holds only citations, of which `first` is the first; -1 if it holds anything else, or more than 20. */
const citationGroupEnd = (text: string, first: Link, closing: string): number => {
  if (!citesAside(first)) return -1
  let end = first.end
  for (let count = 0; count < 20; count++) {
    separator.lastIndex = end
    separator.exec(text)
    const next = separator.lastIndex
    if (text[next] === closing) return next + 1
    const following = linkAt(text, next)
    if (following === undefined || !citesAside(following)) return -1
    end = following.end
  }
  return -1
}

/** The part of a text from `from` to `to`, without the spaces and tabs at its end. */
export const withoutTrailingBlanks = (text: string, from: number, to: number): string => {
  let end = to
  while (end > from && (text[end - 1] === " " || text[end - 1] === "\t")) end--
  return text.slice(from, end)
}

/**
 * The text to search for brands: an answer's markdown without the links that only cite.
 *
 * A cited host name is not a mention. A link that only cites is therefore removed, with the parentheses around it and the
 * blanks before. Any other link is replaced by its label.
 *
 * Laws: linear in the input; what remains appears in the input in the same order.
 */
export const matchText = (markdown: string): string => {
  let kept = ""
  let copied = 0
  let open = markdown.indexOf("[")
  while (open !== -1) {
    const found = linkAt(markdown, open)
    const closing = closings.get(markdown[open - 1])
    const group = found === undefined || closing === undefined ? -1 : citationGroupEnd(markdown, found, closing)
    if (found !== undefined && (group !== -1 || (isCitation(found) && !opensItem(markdown, found, open)))) {
      kept += withoutTrailingBlanks(markdown, copied, group === -1 ? open : open - 1)
      copied = group === -1 ? found.end : group
    } else if (found !== undefined) {
      kept += markdown.slice(copied, open) + found.label
      copied = found.end
    }
    open = markdown.indexOf("[", Math.max(copied, open + 1))
  }
  return `${kept}${markdown.slice(copied)}`
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim()
}
