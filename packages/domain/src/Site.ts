import { domainToUnicode } from "node:url"
import { parse } from "tldts"

/** The site behind a citation, as far as its address shows it. */
export interface Site {
  readonly name: string
  readonly domain: string
  readonly iconUrl: string
}

/** The registered domain of a host. Domains below a private suffix count (`acme.github.io`), unless the host is the suffix itself. */
const registered = (host: string) => {
  const found = parse(host, { allowPrivateDomains: true })
  return found.domain === null || found.domain === `www.${found.publicSuffix}` ? parse(host) : found
}

/**
 * The site of a URL, from the URL alone: no page is fetched.
 *
 * Shape: `domain` is the registrable domain, in ASCII as in a canonical URL. `name` is its first label except `www`, in Unicode and with a
 * capital. Null for addresses without a domain.
 * Source: decisions C8.
 */
export const siteOf = (url: string): Site | null => {
  const host = URL.parse(url)?.hostname ?? ""
  const { domain, publicSuffix } = registered(host)
  if (domain === null || domain === publicSuffix) return null
  const [own = ""] = (publicSuffix?.includes(".") === true ? domain.replace(/^www\./, "") : domain).split(".")
  const label = domainToUnicode(own) || own
  const name = label.charAt(0).toUpperCase() + label.slice(1)
  return { name, domain, iconUrl: `https://${domain}/favicon.ico` }
}
