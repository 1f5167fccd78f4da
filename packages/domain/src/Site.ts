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
 * Shape: `domain` is the registrable domain, `name` its first label with a capital; null for addresses without one.
 * Source: decisions C8.
 */
export const siteOf = (url: string): Site | null => {
  const { domain, domainWithoutSuffix } = parse(url, { allowPrivateDomains: true })
  if (domain === null || domainWithoutSuffix === null || domainWithoutSuffix === "") return null
  const name = domainWithoutSuffix.charAt(0).toUpperCase() + domainWithoutSuffix.slice(1)
  return { name, domain, iconUrl: `https://${domain}/favicon.ico` }
}
