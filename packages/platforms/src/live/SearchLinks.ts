/** The target of a link on a search page. */
export interface SearchLink {
  readonly url: string
  /** The words on the target page that the link points to. */
  readonly passage?: string
  /** Whether it leads away from the search site. A link that cannot be followed here counts as leading away. */
  readonly outside: boolean
  /** It is a redirector that does not name its target in its address. */
  readonly closed?: true
}

const wrapsMax = 3

const engines = [/(?:^|\.)(?:google\.(?:com|[a-z]{2,3}|com?\.[a-z]{2})|googleadservices\.com)$/i, /(?:^|\.)bing\.com$/i]

const engineOf = (hostname: string): RegExp | undefined => engines.find((engine) => engine.test(hostname))

/** Pages of the engine itself beside answers: help, rules, accounts, further searches. */
const ownPage = /^(?:(?:support|policies|accounts|myaccount|myactivity|help)\.|www\.[a-z.]+\/search$)/i

const base64Text = (text: string): string => Buffer.from(text, "base64url").toString()

const unescapedText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// In its adverts, Bing escapes the whole address once more.
const escapedWhole = /^https?(?:%3A|:%2F)/i

// A page of the search site itself is written as its path only.
const target = /^(?:https?:\/\/\S+|\/(?!\/)[\x21-\x7e]+)$/i

/** The address in a parameter: as it is, or as Bing writes it, base64 with or without `a1` before it. */
const addressIn = (value: string | null, { origin }: URL): string | undefined => {
  if (value === null || value === "") return undefined
  const tried = [value, base64Text(value.replace(/^a1/, ""))]
  const found = tried.map((text) => (escapedWhole.test(text) ? unescapedText(text) : text))
  return found.find((text) => target.test(text) && URL.canParse(text, origin))
}

/** The redirectors of search pages: the end of their path, and the parameters that may hold the target. */
const redirectors: ReadonlyArray<readonly [path: RegExp, ...parameters: ReadonlyArray<string>]> = [
  // If both are present, `q` is the search query.
  [/\/(?:url|goto|interstitial)$/, "url", "q"],
  [/\/(?:pagead\/)?aclk$/, "adurl", "q"],
  [/\/ck\/a$/, "u"],
  [/\/(?:aclick|aclk)$/, "u"]
]

type Step = { readonly kind: "target"; readonly url: string } | { readonly kind: "own" | "closed" } | undefined

/**
 * The step from one redirector: its target, "own" for a page of its own site, or "closed" if it names no target.
 * Undefined for any other address.
 */
const followed = (address: URL, page: URL): Step => {
  if (engineOf(address.hostname) === undefined && address.host !== page.host) return undefined
  const rules = redirectors.filter(([path]) => path.test(address.pathname))
  if (rules.length === 0) return undefined
  for (const [, ...parameters] of rules) {
    for (const name of parameters) {
      const url = addressIn(address.searchParams.get(name), address)
      if (url !== undefined) return url.startsWith("/") ? { kind: "own" } : { kind: "target", url }
    }
  }
  return { kind: "closed" }
}

/**
 * Whether an address is on the page's site, or is one of the pages of its engine. To another engine, such a page is
 * a source like any other.
 */
const isOwn = ({ host, hostname, pathname }: URL, page: URL): boolean => {
  if (host === page.host) return true
  const engine = engineOf(hostname)
  return engine !== undefined && ownPage.test(hostname + pathname) && engine === (engineOf(page.hostname) ?? engine)
}

const directive = /(?:#|%23)?:~:(.*)$/s

/** An address without its text fragment, and the passage that the fragment quotes. */
const withoutPassage = (url: string): { readonly url: string; readonly passage?: string } => {
  const found = directive.exec(url)
  if (found === null) return { url }
  const quoted = (found[1] ?? "").split("&").find((part) => part.startsWith("text="))
  // prefix-,start,end,-suffix: the passage is start and end.
  const parts = (quoted?.slice(5) ?? "").split(",").filter((part) => part !== "" && !/^-|-$/.test(part))
  const passage = parts.map(unescapedText).join(" … ").trim()
  return { url: url.slice(0, found.index), ...(passage !== "" && { passage }) }
}

/**
 * Follows a link of a search page through redirectors that name their targets in their addresses. Nothing is requested.
 *
 * Laws: a redirector that does not name its target stays as it is; undefined for links other than http and https.
 */
export const searchLink = (href: string, pageUrl: string): SearchLink | undefined => {
  const page = URL.parse(pageUrl)
  if (page === null || href.trim() === "") return undefined
  const link = withoutPassage(href.trim())
  for (let wraps = 0; wraps <= wrapsMax; wraps++) {
    const address = URL.parse(link.url, page.href)
    if (address === null || !/^https?:$/.test(address.protocol)) return undefined
    const step = followed(address, page)
    if (step?.kind === "target") {
      Object.assign(link, withoutPassage(step.url))
      continue
    }
    const url = /^https?:\/\//i.test(link.url) ? link.url : address.href
    const closed = step?.kind === "closed"
    const outside = closed || (step === undefined && (wraps > 0 || !isOwn(address, page)))
    return { ...link, url, outside, ...(closed && { closed }) }
  }
  return undefined
}
