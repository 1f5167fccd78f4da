import { getDomain } from "tldts"
import { destinationIn } from "./Redirector.ts"
import { isTracking } from "./Tracking.ts"

const maxLength = 2048

/** Redirectors in a row; each stands within the one before it, so a longer row is not an accident. */
const hopsMax = 10

// Names as the DNS has them, and IPv6 addresses. Parsers let quotes and brackets of other kinds into hosts.
const plainHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

/** The host without its root dot and without each `www.` that a registrable domain stands behind. */
const bareHost = (hostname: string): string => {
  const host = hostname.replace(/\.$/, "")
  const bare = host.replace(/^(?:www\.)+/, "")
  return bare === host || getDomain(bare) !== null ? bare : `www.${bare}`
}

// A pattern for this would look anew from each slash on, which a path of slashes makes dear.
const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path.charAt(end - 1) === "/") end--
  return path.slice(0, end)
}

// What encodeURIComponent leaves as it is, but for the apostrophe, which may close an attribute.
const unreserved = /^[a-z0-9._~!*()-]$/i

/** What RFC 3986 gives no place in a path or query, with the percent signs and what they begin. */
const unsettled = /%(?:[0-9a-f]{2})?|[[\]{}|\\^`'"<>]/gi

const settledText = (found: string): string => {
  if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16))
  return unreserved.test(character) ? character : found.toUpperCase()
}

/** One spelling of a path or query: the characters that need no encoding bare, all others encoded in capitals. */
const spelled = (text: string): string => text.replace(unsettled, settledText)

/** The parameters that name a page, in the order in which they stand. Pages are full of `&amp;` taken for `&`. */
const keptOf = (query: string): string =>
  query
    .split(/&(?:amp;)*/i)
    .filter((pair) => !/^\?*$/.test(pair) && !isTracking(pair))
    .join("&")

/** The address in its one spelling; undefined for what is no web address. */
const tidied = (url: string): URL | undefined => {
  const address = url.length <= maxLength && /^\s*https?:\/\//i.test(url) ? URL.parse(url) : null
  if (address === null) return undefined
  const host = bareHost(address.hostname)
  if (!plainHost.test(host)) return undefined
  // A port that was the default before the scheme was forced is still none.
  const port = address.port === "" || /^(?:80|443)$/.test(address.port) ? "" : `:${address.port}`
  const path = withoutSlashes(spelled(address.pathname))
  const query = keptOf(spelled(address.search.slice(1)))
  const text = `https://${host}${port}${path}${query === "" ? "" : `?${query}`}`
  return text.length <= maxLength ? (URL.parse(text) ?? undefined) : undefined
}

const written = ({ host, pathname, search }: URL): string => `https://${host}${pathname.replace(/\/$/, "")}${search}`

/**
 * The one address of a page, however it is cited; undefined for what is no web address.
 *
 *     canonicalUrl("http://www.Acme.com:80/Shoes/?id=7&utm_source=x#top")   // => "https://acme.com/Shoes?id=7"
 *     canonicalUrl("https://www.google.com/url?q=https://acme.com/")        // => "https://acme.com"
 *
 * Shape: https, the host in ASCII and without `www.`, the port only where it is not a default one; no user name, no
 * fragment of any kind, no tracking parameters, no slash at the end of the path.
 * Laws: canon(canon(x)) = canon(x); at most 2,048 characters; a redirector whose address says where it leads is never
 * the answer, and one that leads to no web address has none; nothing is fetched.
 * Choice: parameters are not sorted, because some servers take the first of two and some sign the whole; a page that two
 * engines cite came to them in one order.
 * Source: contract, `canonical_url`; decisions A4.
 */
export const canonicalUrl = (url: string): string | undefined => {
  let address = tidied(url)
  for (let hops = 0; address !== undefined && hops <= hopsMax; hops++) {
    const destination = destinationIn(address)
    if (destination === undefined) return written(address)
    address = tidied(destination)
  }
  return undefined
}
