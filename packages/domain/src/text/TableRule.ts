/** Whether a line is the rule below the header of a table. */
export const isRule = (line: string): boolean =>
  line.includes("|") && /^[\s\u200b-\u200f\u202a-\u202c\u2060-\u2069]*\|?[\s:|-]*-[\s:|-]*$/.test(line)

// A rule is recognised by this much of it.
const longestRule = 90

/** Whether a row of a table that ends at `to` is its header. */
export const isHeader = (text: string, to: number): boolean =>
  isRule(text.slice(to + 1, to + 1 + longestRule).split("\n", 1)[0] ?? "")
