import { Option, Result } from "effect"
import { Base64Url } from "effect/encoding"

type Reader = (address: URL) => string | null

const parameter =
  (name: string): Reader =>
  ({ searchParams }) =>
    searchParams.get(name)

/** Bing writes base64url with `a1` before it. */
const bing: Reader = ({ searchParams }) => {
  const value = searchParams.get("u") ?? ""
  if (!value.startsWith("a1")) return null
  return Option.getOrNull(Result.getSuccess(Base64Url.decodeString(value.slice(2))))
}

/** Yahoo writes the destination as a segment of the path. */
const yahoo: Reader = ({ pathname }) => /\/RU=([^/]+)(?:\/|$)/.exec(pathname)?.[1] ?? null

/** The path of an accelerated copy contains the address of its page. */
const copied: Reader = ({ pathname, search }) => {
  const [, page] = /^\/(?:amp|[civ])\/s\/([^/]+\..*)$/.exec(pathname) ?? []
  return page === undefined ? null : `https://${page}${search}`
}

interface Redirector {
  readonly host: RegExp
  readonly path: RegExp
  readonly readers: ReadonlyArray<Reader>
}

const google = /^google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/

/** Hosts are without `www.`. Source: decisions A4. */
const redirectors: ReadonlyArray<Redirector> = [
  // Where both are present, `q` is the search.
  {
    host: google,
    path: /^\/url\/*$/,
    readers: [parameter("url"), parameter("q")]
  },
  { host: google, path: /^\/amp\/s\//, readers: [copied] },
  { host: /\.cdn\.ampproject\.org$/, path: /^\/[civ]\/s\//, readers: [copied] },
  { host: /^bing\.com$/, path: /^\/ck\/a\/*$/, readers: [bing] },
  { host: /^duckduckgo\.com$/, path: /^\/l\/*$/, readers: [parameter("uddg")] },
  { host: /^r\.search\.yahoo\.com$/, path: /\/RU=/, readers: [yahoo] },
  { host: /^(?:m\.)?youtube\.com$/, path: /^\/redirect\/*$/, readers: [parameter("q")] },
  { host: /^(?:(?:lm?\.)?facebook|l\.messenger)\.com$/, path: /^\/l\.php\/*$/, readers: [parameter("u")] },
  { host: /^l\.instagram\.com$/, path: /^\/*$/, readers: [parameter("u")] },
  { host: /^out\.reddit\.com$/, path: /^(?:\/t\d_[a-z0-9]+)?\/*$/, readers: [parameter("url")] },
  { host: /^linkedin\.com$/, path: /^\/(?:redir\/redirect|safety\/go)\/*$/, readers: [parameter("url")] },
  { host: /^steamcommunity\.com$/, path: /^\/linkfilter\/*$/, readers: [parameter("u"), parameter("url")] },
  { host: /^vk\.com$/, path: /^\/away\.php\/*$/, readers: [parameter("to")] }
]

const encodedTwice = /^https?%(?:25)*3A/i

/** The value without the percent-encodings that were applied to it as a whole. */
const bared = (value: string): string => {
  let text = value.trim()
  while (encodedTwice.test(text)) {
    try {
      text = decodeURIComponent(text)
    } catch {
      return text
    }
  }
  return text
}

/**
 * The destination that the address of a redirector names; undefined where it is no known redirector or names none.
 *
 *     destinationIn(new URL("https://www.google.com/url?q=https://acme.com/"))   // => "https://acme.com/"
 *
 * Shape: an absolute URL, of whatever scheme it names.
 */
export const destinationIn = (address: URL): string | undefined => {
  const host = address.hostname.replace(/^www\./, "")
  const known =
    address.port === "" && redirectors.find((each) => each.host.test(host) && each.path.test(address.pathname))
  if (known === false || known === undefined) return undefined
  return known.readers.map((read) => bared(read(address) ?? "")).find((text) => URL.canParse(text))
}
