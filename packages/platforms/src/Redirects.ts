import { Effect, Option } from "effect"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { destinationIn } from "@sightline/domain/Redirector"
import type { Capture } from "./Capture.ts"
import { citationsOf } from "./Citations.ts"

/** The redirectors of engines that may be asked where they lead, by exact host and path. Source: decisions A4. */
const redirectors: ReadonlyArray<{ readonly hosts: ReadonlySet<string>; readonly path: RegExp }> = [
  {
    hosts: new Set(["www.google.com", "www.google.co.uk", "www.google.ca", "www.google.com.au"]),
    path: /^\/url$/
  },
  { hosts: new Set(["www.bing.com"]), path: /^\/ck\/a$/ },
  { hosts: new Set(["vertexaisearch.cloud.google.com"]), path: /^\/grounding-api-redirect\/[^/]+$/ }
]

/** Redirects resolved of one answer: what an engine shows has some ten sources. */
const resolvedMax = 20

/** Asks where a redirect leads, without following it; answers within three seconds. */
export type ResolveRedirect = (url: string) => Effect.Effect<Option.Option<string>>

/** Whether an address only says where an engine sends its visitors on. */
export const isRedirector = (url: string): boolean => {
  const parsed = URL.parse(url)
  return (
    parsed !== null &&
    (parsed.protocol === "https:" || parsed.protocol === "http:") &&
    parsed.port === "" &&
    redirectors.some(({ hosts, path }) => hosts.has(parsed.hostname) && path.test(parsed.pathname))
  )
}

/** A redirector whose own address tells, even of a place that is not public, has nothing more to say. */
const isClosed = (url: string): boolean => isRedirector(url) && destinationIn(new URL(url)) === undefined

/** The citations under where they lead, as far as that is known, each page once: two redirects may lead to one. */
export const mergedCitations = (
  citations: ReadonlyArray<Citation>,
  targets: ReadonlyMap<string, string> = new Map()
): ReadonlyArray<Citation> =>
  citationsOf(
    citations.map(({ text, url, ...source }) => ({
      ...source,
      url: targets.get(url) ?? url,
      text: text === undefined ? undefined : () => text
    }))
  )

const settled = Effect.fnUntraced(function* (answer: Answer, resolve: ResolveRedirect) {
  const citations = mergedCitations(answer.citations)
  const urls = citations.map(({ url }) => url).filter(isClosed)
  const found = yield* Effect.forEach(
    urls.slice(0, resolvedMax),
    (url) => Effect.map(resolve(url), (target) => [url, Option.getOrElse(target, () => url)] as const),
    { concurrency: "unbounded" }
  )
  return { ...answer, citations: mergedCitations(citations, new Map(found)) }
})

/**
 * The same capture with the redirectors among its citations replaced by where they lead.
 *
 * Laws: what an address says is read from it; only a listed redirector that does not say is asked, at most 20 of an answer,
 * all at once, each once; where it leads is never asked; what does not resolve, or to no public page, stays as it was.
 */
export const resolvingRedirects =
  (capture: Capture, resolve: ResolveRedirect): Capture =>
  (question) =>
    Effect.flatMap(capture(question), (answer) => settled(answer, resolve))
