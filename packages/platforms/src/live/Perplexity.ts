import { Result, Schema } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { boundedText, excerpt } from "@sightline/platforms/Bounds"
import { citationsOf, type Source } from "@sightline/platforms/Citations"
import { citedFirst } from "@sightline/platforms/CitedFirst"
import { withoutMarkers } from "@sightline/platforms/Markers"
import { matchText } from "@sightline/platforms/MatchText"
import { fittingOrNull, maybe } from "@sightline/platforms/Tolerant"
import { type Completion, completionOf } from "./PerplexityStream.ts"
import { absent } from "@sightline/platforms/SurfaceAnswer"
import { parseMarkup } from "./Markup.ts"
import { textMinLength } from "./TextMinLength.ts"
import { challengeSigns, loginSigns, regionSigns } from "./Signs.ts"
import type { Observation, SurfaceProfile, Unread } from "./Surface.ts"

const containers = ['div[id^="markdown-content"]', "main .prose"]

/** Source: contract, `perplexity_live`: 3–5 related questions. */
const relatedMax = 5

const markdownIn = fittingOrNull(
  Schema.Struct({
    markdown_block: Schema.Struct({ answer: maybe(Schema.String), chunks: maybe(Schema.Array(Schema.String)) })
  })
)

const listed = Schema.Struct({ web_results: Schema.Array(Schema.Unknown) })
const searchIn = fittingOrNull(Schema.Struct({ web_result_block: listed }))
const panelIn = fittingOrNull(Schema.Struct({ sources_mode_block: listed }))

const asResult = fittingOrNull(
  Schema.Struct({ url: Schema.String, name: maybe(Schema.String), snippet: maybe(Schema.String) })
)

/**
 * The results of the search, or else the list of sources beside the answer. Positions are kept, because the answer's
 * markers count them: a result that cannot be read stays as a source without an address.
 */
const sourcesIn = ({ blocks }: Completion): ReadonlyArray<Source> => {
  const found = searchIn(blocks.get("web_results"))?.web_result_block.web_results ?? []
  const panel = panelIn(blocks.get("sources_answer_mode"))?.sources_mode_block.web_results ?? []
  return (found.length > 0 ? found : panel).map((one) => {
    const result = asResult(one)
    return { url: result?.url ?? "", title: result?.name, snippet: result?.snippet }
  })
}

const partOfAnswer = /^ask_text(?:_(\d{1,4})_markdown)?$/

/**
 * The answer's markdown: the block with the whole answer, or else its parts in order. Undefined if there is no such block,
 * empty if it cannot be read.
 */
const markdownOf = ({ blocks }: Completion): string | undefined => {
  const parts = Array.from(blocks).flatMap(([usage, block]) => {
    const found = partOfAnswer.exec(usage)
    const markdown = markdownIn(block)?.markdown_block
    return found === null ? [] : [{ place: found[1], text: markdown?.answer || (markdown?.chunks ?? []).join("") }]
  })
  const whole = parts.find(({ place, text }) => place === undefined && text !== "")
  if (parts.length === 0 || whole !== undefined) return whole?.text
  return parts
    .sort((left, right) => Number(left.place ?? -1) - Number(right.place ?? -1))
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join("\n\n")
}

const answerOf = (completion: Completion, markdown: string): Result.Result<Answer, Unread> => {
  const raw = boundedText(markdown)
  const found = sourcesIn(completion)
  const { pointedAt, said } = withoutMarkers(raw, (id) => id > 0 && id <= found.length)
  const text = matchText(said)
  if (text.length < textMinLength) return Result.fail("container_empty")
  const cited = pointedAt.flatMap((id) => found.slice(id - 1, id))
  return Result.succeed({
    text,
    raw,
    citations: citationsOf(citedFirst(cited, found)),
    fanOut: Array.from(new Set(completion.related.map(excerpt).filter((question) => question.trim() !== ""))).slice(
      0,
      relatedMax
    ),
    brandEntities: [],
    searched: found.length > 0,
    model: excerpt(completion.model),
    finish: "stop"
  })
}

/** Reads the final event. If it has no answer, the page must not show one either. */
const read = ({ html, streams }: Observation): Result.Result<Answer, Unread> => {
  const completion = completionOf(streams)
  if (completion === undefined) return Result.fail("parse_error")
  const markdown = markdownOf(completion)
  if (markdown !== undefined) return answerOf(completion, markdown)
  return parseMarkup(html)(containers.join(",")).length > 0
    ? Result.fail("parse_error")
    : Result.succeed(absent("perplexity_live"))
}

/** Perplexity without an account. */
export const profile: SurfaceProfile = {
  surface: "perplexity_live",
  origin: () => "https://www.perplexity.ai",
  path: (query) => `/search/new?q=${encodeURIComponent(query)}`,
  dismiss: [
    'button[data-testid="cookie-consent-accept"]',
    '[role="dialog"] button[aria-label="Close"]',
    'button[data-testid="close-modal"]'
  ],
  streams: ["/rest/sse/perplexity_ask"],
  containers,
  results: ["main h1"],
  absence: [],
  expand: [],
  streamEnd: "\nevent: end_of_stream",
  busy: ['button[aria-label*="Stop" i]'],
  signs: [
    ...challengeSigns,
    // These statuses count only once the site itself was served: its guard answers with them too, before that.
    { block: "captcha", status: 429, selector: "textarea" },
    ...regionSigns,
    ...loginSigns,
    { block: "login_wall", status: 403, selector: "textarea" }
  ],
  read
}
