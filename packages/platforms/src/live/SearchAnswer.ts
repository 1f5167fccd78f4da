import type { CheerioAPI } from "cheerio/slim"
import { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { absenceWords, failureMessage, isNoAnswerMessage } from "@sightline/platforms/NoAnswerMessages"
import { type Advert, absent, surfaceAnswer } from "@sightline/platforms/SurfaceAnswer"
import { markdownOfNodes } from "./Markdown.ts"
import { ancestorsOf, isHidden, type MarkupElement, select, textContentOf } from "./Markup.ts"
import { textMinLength } from "./TextMinLength.ts"
import { type NamedSource, merged } from "./SearchSources.ts"
import type { Unread } from "./Surface.ts"

/** The surfaces that answer on a page of search results. */
export type SearchSurface = "ai_overview" | "ai_mode" | "bing_copilot"

const controls =
  /^(?:[#*>\s-]*)(?:AI Overview|AI Mode replied|Show (?:more|less|all)|See (?:more|less|all)|Learn more|Listen|Copy|Share|Sources|References|Sponsored|Ads|Dive deeper(?: in AI Mode)?)[\s.:*]*$/i
const disclaimer =
  /^[*_\s]*(?:AI responses may include mistakes|AI can make mistakes|AI-generated (?:content|answers?) may|Generative AI is experimental|This (?:summary|answer) was generated (?:by|with|using) AI)/i
const disclaimerMaxLength = 160

const failingMaxLength = 200

const withoutControls = (markdown: string): string => {
  const lines = markdown.split("\n")
  const end = lines.findLastIndex((line) => line.length <= disclaimerMaxLength && disclaimer.test(line))
  const kept = (end === -1 ? lines : lines.slice(0, end)).filter(
    (line) => !controls.test(line) && !isNoAnswerMessage(line)
  )
  return kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/** Whether an answer's container says that there is no answer for this question, and nothing else. */
export const isAbsence = (container: MarkupElement): boolean => {
  const characters = textContentOf(container)
  return (
    absenceWords.some((words) => characters.toLowerCase().includes(words.toLowerCase())) &&
    !failureMessage.test(characters) &&
    withoutControls(markdownOfNodes(container.children)).length < textMinLength
  )
}

const tag = /<\/?[a-z][^<>]{0,400}>?/gi

/** Whether more than a fifth of a text is tags. They were escaped and so shown as words, or cut off in the middle. */
const isMarkup = (text: string): boolean => {
  let characters = 0
  for (const [found] of text.matchAll(tag)) characters += found.length
  return characters > text.length / 5
}

const isShown = (element: MarkupElement): boolean => !isHidden(element) && !ancestorsOf(element).some(isHidden)

/** The first visible element, in the order of the selectors, whose text is long enough; if none is, the first visible element. */
export const containerIn = ($: CheerioAPI, selectors: ReadonlyArray<string>): MarkupElement | undefined => {
  const found = selectors.flatMap((selector) => select($, selector).filter(isShown))
  return found.find((element) => textContentOf(element).trim().length >= textMinLength) ?? found[0]
}

/**
 * The answer in a container from which everything else has been removed.
 *
 * Errors: `container_empty` if there is too little text, or only text that says that no answer could be generated;
 * `parse_error` if the text is markup.
 */
export const answerIn = (
  surface: SearchSurface,
  container: MarkupElement,
  parts: { readonly sources: ReadonlyArray<NamedSource>; readonly adverts: ReadonlyArray<Advert> }
): Result.Result<Answer, Unread> => {
  const markdown = withoutControls(markdownOfNodes(container.children))
  if (isMarkup(markdown)) return Result.fail("parse_error")
  const refused = markdown.length <= failingMaxLength && failureMessage.test(markdown)
  const read = surfaceAnswer(surface, { markdown, sources: merged(parts.sources), adverts: parts.adverts })
  return Result.isFailure(read) || refused || read.success.text.length < textMinLength
    ? Result.fail("container_empty")
    : Result.succeed(read.success)
}

/** The absence of an answer, on a page that was served with its results. Any other page is unknown, and a `parse_error`. */
export const absentIn = (
  surface: SearchSurface,
  $: CheerioAPI,
  results: ReadonlyArray<string>
): Result.Result<Answer, Unread> =>
  results.some((selector) => $(selector).length > 0) ? Result.succeed(absent(surface)) : Result.fail("parse_error")
