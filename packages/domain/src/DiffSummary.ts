import type { Platform } from "./Platform.ts"
import { safeQuote } from "./SafeQuote.ts"
import type { RankChange } from "./Trigger.ts"
import type { Showing, Subject, Trigger } from "./Watch.ts"

const names: Readonly<Record<Platform, string>> = {
  chatgpt_api: "ChatGPT",
  claude_api: "Claude",
  gemini_api: "Gemini",
  perplexity_api: "Perplexity",
  perplexity_live: "Perplexity",
  chatgpt_live: "ChatGPT",
  gemini_live: "Gemini",
  ai_overview: "Google AI Overview",
  ai_mode: "Google AI Mode",
  bing_copilot: "Bing Copilot"
}

const conjunction = new Intl.ListFormat("en", { type: "conjunction" })
const ordinals = new Intl.PluralRules("en", { type: "ordinal" })
const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" }

/** The platforms as a person lists them. */
export const listed = (platforms: ReadonlyArray<Platform>): string =>
  conjunction.format(platforms.map((platform) => names[platform]))

const nth = (place: number): string => `${place}${endings[ordinals.select(place)] ?? "th"}`

/** What is different between two runs, platform by platform. */
export interface Differences {
  readonly added: ReadonlyArray<Platform>
  readonly removed: ReadonlyArray<Platform>
  readonly rankChanges: ReadonlyArray<RankChange>
  readonly citationChanges: ReadonlyArray<{ readonly platform: Platform; readonly was: Showing; readonly is: Showing }>
}

/** A sentence without its full stop, given what to call the brand in it. */
export type Sentence = (brand: string) => string

/** The sentence that platforms have begun or ceased to name the brand. */
export const named =
  (platforms: ReadonlyArray<Platform>, adverb: string): Sentence =>
  (brand) =>
    `${listed(platforms)} ${adverb} ${platforms.length === 1 ? "names" : "name"} ${brand}`

/** The sentence that the brand is at another place. */
export const moved =
  (changes: ReadonlyArray<Omit<RankChange, "brand">>): Sentence =>
  (brand) =>
    `${brand} moved ${conjunction.format(
      changes.map(
        ({ platform, fromRank, toRank }) =>
          `${toRank < fromRank ? "up" : "down"} from ${nth(fromRank)} to ${nth(toRank)} place on ${listed([platform])}`
      )
    )}`

const counted = (count: number, kind: string): string => `${count} ${kind}${count === 1 ? "page" : "pages"}`

const citationClause = ({ platform, was, is }: Differences["citationChanges"][number]): string => {
  const gained = is.citations.filter((url) => !was.citations.includes(url)).length
  const lost = was.citations.filter((url) => !is.citations.includes(url)).length
  const cites = gained > 0 ? [`cites ${counted(gained, "new ")}`] : []
  const drops = lost > 0 ? [`no longer cites ${counted(lost, "")}`] : []
  return `${listed([platform])} ${[...cites, ...drops].join(" and ")}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

// Two adjacent quotations of right-to-left words would be displayed as one, if no left-to-right letters stood between them.
const apart = (sentence: string): string => (sentence.startsWith("“") ? `the brand ${sentence}` : sentence)

/**
 * Sentences as one text: the first says for which question, and calls the brand by its name; the others say “it”. Only the sentence on
 * citations does not name the brand, and no other sentence follows it.
 */
export const joinSentences = ({ query, brand }: Subject, sentences: ReadonlyArray<Sentence>): string =>
  sentences
    .map((sentence, place) =>
      place === 0 ? `For ${safeQuote(query)}, ${apart(sentence(safeQuote(brand)))}.` : `${capital(sentence("it"))}.`
    )
    .join(" ")

/**
 * The difference between two runs in sentences, one for each trigger that fired; empty where none did.
 *
 *     // => "For “best crm”, ChatGPT and Claude now name “Acme”. It moved up from 3rd to 1st place on Gemini."
 *
 * Laws: made from a template, the counts and the caller's own words, of which no markup, quote or control is left.
 * Source: contract, `diff_summary`.
 */
export const diffSummary = (subject: Subject, triggers: ReadonlyArray<Trigger>, differences: Differences): string => {
  const sentences: Readonly<Record<Trigger, Sentence>> = {
    mention_added: named(differences.added, "now"),
    mention_removed: named(differences.removed, "no longer"),
    rank_changed: moved(differences.rankChanges),
    // The clause on a platform may contain an "and" of its own.
    citation_changed: () => differences.citationChanges.map(citationClause).join("; ")
  }
  return joinSentences(
    subject,
    triggers.map((trigger) => sentences[trigger])
  )
}
