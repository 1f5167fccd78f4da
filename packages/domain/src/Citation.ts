import type { Citation } from "./Answer.ts"
import { canonicalUrl } from "./CanonicalUrl.ts"
import { siteOf } from "./Site.ts"

/** What one provider cited. */
interface CitedBy<P> {
  readonly provider: P
  readonly citations: ReadonlyArray<Citation>
}

/**
 * A page that one provider or more cited.
 *
 * Shape: `domains` is the registrable domain, then the whole host where that is longer; the host alone where it has no registrable domain.
 */
export interface AggregatedCitation<P> {
  readonly canonicalUrl: string
  readonly domains: ReadonlyArray<string>
  readonly providersCited: ReadonlyArray<P>
  readonly title?: string
}

const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/^www\./, "") ?? ""

/** The domains of a canonical address. Such an address keeps a `www.` only where no registrable domain follows it. */
const domainsOf = (url: string): ReadonlyArray<string> => {
  const host = URL.parse(url)?.hostname ?? ""
  return Array.from(new Set([siteOf(url)?.domain ?? host, host]))
}

/** Whether a title is only the site's name, which adapters fill in where an engine gives no title. */
const isSiteName = (title: string, cited: string, domains: ReadonlyArray<string>): boolean => {
  const name = title
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "")
  return domains.includes(name) || name === hostOf(cited)
}

interface Entry<P> {
  readonly domains: ReadonlyArray<string>
  readonly providers: Set<P>
  title?: string
}

/**
 * The citations of several answers, each page once, in the order in which pages were first cited.
 *
 * Shape: `title` is the first that says more than the site's name; without one it is left out.
 * Laws: no canonical URL twice; a provider is named once per page and only if it cited it; only web addresses come out; the order of one
 * provider's list affects only the order of pages, and which of two titles of a page is taken.
 * Source: contract, AggregatedCitation.
 */
export const aggregateCitations = <P>(lists: ReadonlyArray<CitedBy<P>>): ReadonlyArray<AggregatedCitation<P>> => {
  const pages = new Map<string, Entry<P>>()
  for (const { provider, citations } of lists) {
    for (const citation of citations) {
      const url = canonicalUrl(citation.url)
      if (url === undefined) continue
      const page = pages.get(url) ?? { domains: domainsOf(url), providers: new Set<P>() }
      pages.set(url, page)
      page.providers.add(provider)
      const title = citation.title.trim()
      if (title !== "" && !isSiteName(title, citation.url, page.domains)) page.title ??= title
    }
  }
  return Array.from(pages, ([url, { domains, providers, title }]) => ({
    canonicalUrl: url,
    domains,
    providersCited: Array.from(providers),
    ...(title !== undefined && { title })
  }))
}
