import { Effect, Option } from "effect"
import type { Answer, Citation } from "@sightline/domain/Answer"
import type { Capture } from "./Capture.ts"
import { citationsOf } from "./Citations.ts"

/** The redirectors of engines whose target is not in the address, by exact host and path. Source: decisions A4. */
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

/** Two redirects may lead to one page. */
const merged = (citations: ReadonlyArray<Citation>): ReadonlyArray<Citation> =>
  citationsOf(
    citations.map(({ text, ...source }) => ({ ...source, text: text === undefined ? undefined : () => text }))
  )

const settled = Effect.fnUntraced(function* (answer: Answer, resolve: ResolveRedirect) {
  const urls = answer.citations.map(({ url }) => url).filter(isRedirector)
  if (urls.length === 0) return answer
  const found = yield* Effect.forEach(
    urls.slice(0, resolvedMax),
    (url) => Effect.map(resolve(url), (target) => [url, Option.getOrElse(target, () => url)] as const),
    { concurrency: "unbounded" }
  )
  const targets = new Map(found)
  const citations = answer.citations.map((citation) => ({
    ...citation,
    url: targets.get(citation.url) ?? citation.url
  }))
  return { ...answer, citations: merged(citations) }
})

/**
 * The same capture with the redirectors among its citations replaced by where they lead.
 *
 * Laws: nothing but the listed redirectors is asked, at most 20 of an answer, all at once; what does not resolve stays as
 * it was.
 */
export const resolvingRedirects =
  (capture: Capture, resolve: ResolveRedirect): Capture =>
  (question) =>
    Effect.flatMap(capture(question), (answer) => settled(answer, resolve))
