import { Effect, Option } from "effect"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { destinationIn } from "@sightline/domain/Redirector"
import type { Capture } from "./Capture.ts"
import { citationsOf } from "./Citations.ts"

/** The engines' redirectors that may be asked for their target, by exact host and path. Source: decisions A4. */
const redirectors: ReadonlyArray<{ readonly hosts: ReadonlySet<string>; readonly path: RegExp }> = [
  {
    hosts: new Set(["www.google.com", "www.google.co.uk", "www.google.ca", "www.google.com.au"]),
    path: /^\/url$/
  },
  { hosts: new Set(["www.bing.com"]), path: /^\/ck\/a$/ },
  { hosts: new Set(["vertexaisearch.cloud.google.com"]), path: /^\/grounding-api-redirect\/[^/]+$/ }
]

/** The most redirects that are resolved for one answer; an engine shows some ten sources. */
const resolvedMax = 20

/** Asks for the target of a redirect, without following it; answers within three seconds. */
export type ResolveRedirect = (url: string) => Effect.Effect<Option.Option<string>>

/** Whether an address belongs to a listed redirector. */
export const isRedirector = (url: string): boolean => {
  const parsed = URL.parse(url)
  return (
    parsed !== null &&
    (parsed.protocol === "https:" || parsed.protocol === "http:") &&
    parsed.port === "" &&
    redirectors.some(({ hosts, path }) => hosts.has(parsed.hostname) && path.test(parsed.pathname))
  )
}

/**
 * Whether a redirector does not name its target in its own address. If it names one, even one that is not public, it need not be asked.
 */
const isClosed = (url: string): boolean => isRedirector(url) && destinationIn(new URL(url)) === undefined

/** The citations with the known targets in place of redirects, each page once: two redirects may lead to the same page. */
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
 * The same capture with the redirectors among its citations replaced by their targets.
 *
 * Laws: a target that the address itself names is read from it. Only a listed redirector that does not name its target is
 * asked: at most 20 per answer, all at once, each once. The target itself is never requested. A redirect that does not
 * resolve, or not to a public page, stays as it was.
 */
export const resolvingRedirects =
  (capture: Capture, resolve: ResolveRedirect): Capture =>
  (question) =>
    Effect.flatMap(capture(question), (answer) => settled(answer, resolve))
