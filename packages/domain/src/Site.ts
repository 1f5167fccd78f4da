import { domainToUnicode } from "node:url"
import { parse } from "tldts"

/** The site behind a citation, as far as its address tells. */
export interface Site {
  readonly name: string
  readonly domain: string
  readonly iconUrl: string
}

/**
 * The site of a URL, from the URL alone: nobody's page is fetched.
 *
 * Shape: `domain` is the registrable domain, in ASCII as in a canonical URL, `name` its first label as people write it, with a
 * capital; null for addresses without one.
 * Source: decisions C8.
 */
export const siteOf = (url: string): Site | null => {
  const host = URL.parse(url)?.hostname ?? ""
  const { domain, domainWithoutSuffix } = parse(host, { allowPrivateDomains: true })
  if (domain === null || domainWithoutSuffix === null || domainWithoutSuffix === "") return null
  const label = domainToUnicode(domainWithoutSuffix) || domainWithoutSuffix
  const name = label.charAt(0).toUpperCase() + label.slice(1)
  return { name, domain, iconUrl: `https://${domain}/favicon.ico` }
}
