import { Result } from "effect"
import type { Answer, BrandEntity, Sponsored } from "@sightline/domain/Answer"
import { type LiveSurface, withAdverts } from "@sightline/domain/Platform"
import { boundedText, excerpt } from "./Bounds.ts"
import { citationsOf, type Source } from "./Citations.ts"
import { type Fault, surfaceFault } from "./Fault.ts"
import { failureMessage, isNoAnswerMessage } from "./NoAnswerMessages.ts"
import { matchText } from "./MatchText.ts"
import { untracked } from "./Untracked.ts"

const fanOutMax = 50
const entitiesMax = 100
const advertsMax = 50

/** The words for screen readers that Google's pages put into the names of products. */
const spokenAside = / ?Go to product viewer dialog for this item\.?/gi

/** The answer of a surface that was captured and showed no AI answer. */
export const absent = (surface: LiveSurface): Answer => ({
  text: "",
  raw: "",
  citations: [],
  fanOut: [],
  brandEntities: [],
  ...(withAdverts.has(surface) && { sponsored: [] }),
  surfacePresent: false,
  searched: false,
  model: "",
  finish: "stop"
})

/** An advert as a vendor reports it. Without a `domain`, the domain of the address is used. */
export interface Advert {
  readonly advertiser?: string | null | undefined
  readonly title?: string | null | undefined
  readonly url: string
  readonly domain?: string | null | undefined
  readonly rendered: boolean
}

/** The host of a site without `www.`, the same for every vendor. */
export const bareHost = (host: string): string => excerpt(host.replace(/^www\./i, ""))

/** Adverts as values of `sponsored`: web addresses only, without tracking parameters, at most 50. */
export const sponsoredOf = (adverts: ReadonlyArray<Advert>): ReadonlyArray<Sponsored> =>
  adverts.slice(0, advertsMax).flatMap(({ advertiser, domain, rendered, title, url }) => {
    // The rules for a cited address apply to an advert's address too.
    const [link] = citationsOf([{ url: untracked(url) }])
    if (link === undefined) return []
    const site = bareHost(domain ?? link.title)
    return [
      { advertiser: excerpt(advertiser || site), title: excerpt(title || site), url: link.url, domain: site, rendered }
    ]
  })

/** The first element of each name. A blank name does not count as a name. */
const namedOnce = <A>(elements: ReadonlyArray<A>, nameOf: (element: A) => string): ReadonlyArray<A> => {
  const seen = new Set<string>()
  return elements.filter((element) => {
    const name = nameOf(element)
    if (name.trim() === "" || seen.has(name)) return false
    seen.add(name)
    return true
  })
}

/**
 * An answer of a live surface as a vendor delivers it, bounded in size.
 *
 * Shape: `said` is the markdown to search for brands, where it differs from what was delivered.
 * Errors: `container_empty` if there is not a word in it, or only words that say it could not be generated. These must
 * never count as an absence. Words that there is no answer for this question are an absence, which is a success.
 */
export const surfaceAnswer = (
  surface: LiveSurface,
  parts: {
    readonly markdown: string
    readonly said?: string
    readonly sources: Iterable<Source>
    readonly fanOut?: ReadonlyArray<string>
    readonly entities?: ReadonlyArray<BrandEntity>
    readonly adverts?: ReadonlyArray<Advert>
    readonly model?: string | null | undefined
  }
): Result.Result<Answer, Fault> => {
  const raw = boundedText(parts.markdown)
  const said = parts.said === undefined ? raw : boundedText(parts.said)
  const text = matchText(said.replace(spokenAside, ""))
  if (text === "") return Result.fail(surfaceFault("container_empty", "no_text"))
  if (text.split("\n").every((line) => line === "" || isNoAnswerMessage(line)))
    return failureMessage.test(text)
      ? Result.fail(surfaceFault("container_empty", "failing"))
      : Result.succeed(absent(surface))
  const citations = citationsOf(parts.sources)
  const fanOut = namedOnce((parts.fanOut ?? []).map(excerpt), (query) => query).slice(0, fanOutMax)
  return Result.succeed({
    text,
    raw,
    citations,
    fanOut,
    brandEntities: namedOnce(parts.entities ?? [], ({ name }) => name).slice(0, entitiesMax),
    ...(withAdverts.has(surface) && { sponsored: sponsoredOf(parts.adverts ?? []) }),
    searched: citations.length > 0 || fanOut.length > 0,
    model: excerpt(parts.model ?? ""),
    finish: "stop"
  })
}
