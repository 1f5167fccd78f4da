const tag = /<(\/?)(li|h[1-6]|tr|t[dh]|b|strong|p|div|[ou]l|table)(?:\s[^<>]{0,200})?>/gi

const openings: Readonly<Record<string, string>> = { li: "\n-", tr: "\n", td: "|", th: "|", b: "**", strong: "**" }
const closings: Readonly<Record<string, string>> = { td: "", th: "", b: "**", strong: "**" }

const marked = (whole: string, slash: string, written: string): string => {
  const name = written.toLowerCase()
  if (slash !== "") return (closings[name] ?? "\n").padEnd(whole.length)
  return (openings[name] ?? (name.startsWith("h") ? "\n#" : "")).padEnd(whole.length)
}

/**
 * A text with its HTML lists, headings, tables and bold words marked as in Markdown, and its no-break spaces replaced by plain ones, at the
 * same offsets.
 */
export const htmlAsMarkdown = (text: string): string => {
  // Patterns of one character are the fastest to search for.
  const spaced = text.replace(/\u00a0/g, " ").replace(/\u202f/g, " ")
  return spaced.includes("</") && /<(?:li|h[1-6]|td)\b/i.test(spaced) ? spaced.replace(tag, marked) : spaced
}
