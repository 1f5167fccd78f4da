import { getDomain } from "tldts"
import { destinationIn } from "./Redirector.ts"
import { isTracking } from "./Tracking.ts"

const maxLength = 2048

/** The most redirectors in a row. Each is nested in the address of the one before, so a longer row is no accident. */
const hopsMax = 10

// Host names of the DNS, and IPv6 addresses. URL parsers allow quotes and other brackets in hosts as well.
const plainHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

/** The host without its root dot and without each `www.` before a registrable domain. */
const bareHost = (hostname: string): string => {
  const host = hostname.replace(/\.$/, "")
  const bare = host.replace(/^(?:www\.)+/, "")
  return bare === host || getDomain(bare) !== null ? bare : `www.${bare}`
}

// A regular expression would start again at each slash, which is expensive on a path of slashes.
const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path.charAt(end - 1) === "/") end--
  return path.slice(0, end)
}

// What encodeURIComponent leaves unchanged, except the apostrophe, which may close an attribute.
const unreserved = /^[a-z0-9._~!*()-]$/i

/** The characters that RFC 3986 does not allow in a path or query, and percent signs with the two digits after them. */
const unsettled = /%(?:[0-9a-f]{2})?|[[\]{}|\\^`'"<>]/gi

const settledText = (found: string): string => {
  if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16))
  return unreserved.test(character) ? character : found.toUpperCase()
}

/** One spelling of a path or query: characters that need no encoding are bare, all others are encoded in upper case. */
const spelled = (text: string): string => text.replace(unsettled, settledText)

/** The parameters that identify a page, in their order. Pages often have `&amp;` where `&` is meant. */
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
  // The default port of either scheme is left out, because the scheme becomes https.
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
 * Shape: https, the host in ASCII and without `www.`, the port only where it is not a default one; no user name, no fragment of any kind,
 * no tracking parameters, no slash at the end of the path.
 * Laws: canon(canon(x)) = canon(x); at most 2,048 characters; the result is never a redirector whose address names its destination; it is
 * undefined where that destination is no web address; nothing is fetched.
 * Choice: parameters are not sorted, because some servers take the first of two and some sign the whole; two engines that cite a page found
 * it with its parameters in one order.
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
