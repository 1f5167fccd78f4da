const amounts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 })
const counts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 })
const axisDays = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" })
const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" })
const hours = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })

/** The placeholder for a missing value. */
export const nothing = "–"

/** Credits in the reader's number format: `1,234.5`. One credit is one cent of `cost_cents`. */
export const creditsText = (cents: number): string => amounts.format(cents)

/** A whole number. */
export const countText = (count: number): string => counts.format(count)

/** A number with one decimal, such as a mean rank. */
export const tenthsText = (value: number | null): string => (value === null ? nothing : tenths.format(value))

/** A share of 0 to 1 as a percentage. */
export const percentText = (share: number | null): string => (share === null ? nothing : percents.format(share))

/** A share with its interval: `62% (48%–74%)`. */
export const shareText = (rate: number | null, low: number | null, high: number | null): string =>
  rate === null ? nothing : `${percentText(rate)} (${percentText(low)}–${percentText(high)})`

/** How long something took: `420 ms`, `3.2 s`, `2 min 5 s`. */
export const durationText = (ms: number): string => {
  if (ms < 1000) return `${counts.format(ms)} ms`
  if (ms < 60_000) return `${tenths.format(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A UTC day without its year, for axes. */
export const dayText = (at: Date): string => axisDays.format(at)

/** The label of a bucket: its UTC day, or the UTC hour at which it begins. In local time two hours look alike when clocks are put back. */
export const bucketText = (at: Date, length: "day" | "hour"): string =>
  length === "day" ? days.format(at) : `${hours.format(at)} UTC`

/** The name of the reader's time zone: `Europe/Berlin`. */
export const zoneText = moments.resolvedOptions().timeZone

/** The UTC days of a window, whose end is not included. */
export const windowText = ({ start, end }: { readonly start: string; readonly end: string }): string =>
  days.formatRange(Date.parse(start), Date.parse(end) - 1)

/** A point in time in the reader's time zone; the text itself if it is not one. */
export const momentText = (iso: string): string => {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? iso : moments.format(at)
}

/** The same point in time in UTC, to the second. */
export const utcText = (iso: string): string => {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? iso : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`
}

const platformNames: Readonly<Record<string, string>> = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  gemini: "Gemini",
  perplexity: "Perplexity",
  openai: "OpenAI",
  anthropic: "Anthropic",
  perplexity_live: "Perplexity (live)",
  chatgpt_live: "ChatGPT (live)",
  gemini_live: "Gemini (live)",
  ai_overview: "AI Overview",
  ai_mode: "AI Mode",
  bing_copilot: "Copilot"
}

/** The display name of a platform; an unknown name is shown unchanged. */
export const platformText = (name: string): string => platformNames[name] ?? name

/** A word of the API for people to read: `rank_changed` → `rank changed`. */
export const wordText = (word: string): string => word.replaceAll("_", " ")
