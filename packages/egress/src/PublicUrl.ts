import { Result } from "effect"
import { isIP } from "node:net"
import { isPublicAddress } from "./PublicAddress.ts"

/**
 * Where an admitted URL leads.
 *
 * Shape: `host` is a name without its root dot or an address without brackets; `literal` says that it is an address.
 */
export interface Target {
  readonly url: URL
  readonly host: string
  readonly literal: boolean
  readonly port: number
}

/** Code points a URL may have. */
const urlMaxLength = 2048

/** Whether a text has more than so many code points; one that is long in any case is not counted through. */
const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most)

// Ports on which other protocols listen: those that browsers refuse, and the data stores and brokers of a data centre.
const servicePorts = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3659, 4045, 4190, 4222, 5060, 5061, 5432, 6000, 6222, 6379, 6443,
  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8222, 9200, 10_080, 10_250, 11_211, 27_017
])

const privateSuffixes = new Set([
  "alt",
  "arpa",
  "corp",
  "example",
  "home",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
  "test"
])

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
// No top-level domain has digits alone, so what ends in digits is an address.
const topLevel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** Whether a lower-case name can be one of the public DNS: two labels or more, and no suffix kept for private use. */
export const isPublicName = (name: string): boolean => {
  const labels = name.split(".")
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((part) => label.test(part)) &&
    topLevel.test(labels.at(-1) ?? "") &&
    !privateSuffixes.has(labels.at(-1) ?? "")
  )
}

/** A web page of a public host name, as its address may be shown and kept; never requested for that. */
export const isPublicPage = ({ hostname, href, password, protocol, username }: URL): boolean =>
  (protocol === "https:" || protocol === "http:") &&
  username === "" &&
  password === "" &&
  href.length <= urlMaxLength &&
  isPublicName(hostname)

const authorityOf = /^https:\/\/([^/?#]*)/i
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i
// Blanks, control characters and backslashes, which parsers drop or repair each in their own way.
const repaired = /[\s\p{Cc}\\]/u

/** What whoever wrote a URL has to change before a parser can be trusted with it; `url` is what a parser makes of it. */
const misspelling = (text: string, authority: string | undefined, url: URL | null): string => {
  if (repaired.test(text)) return "the URL must not have blanks, controls or backslashes"
  if (authority === undefined) return "the URL must begin with https://"
  if (authority.includes("@")) return "the URL must not have a user or a password"
  if (url === null || url.hostname.length > 253) return "the URL cannot be read"
  return `the URL must have its host written as ${url.hostname}`
}

/**
 * The target of a URL that a stranger gave, judged by its spelling alone.
 *
 * The host must already be written the way a parser would write it, so that no two parsers can disagree about it. A public
 * address literal is admitted, and one that `allowed` holds for.
 *
 * Errors: a short reason, safe to show, that says what to change.
 */
export const parsePublicUrl = (text: string, allowed: (address: string) => boolean): Result.Result<Target, string> => {
  if (isLonger(text, urlMaxLength)) return Result.fail("the URL is longer than 2,048 characters")
  const [, authority] = authorityOf.exec(text) ?? []
  const [, host = "", digits] = hostAndPort.exec(authority ?? "") ?? []
  const url = URL.parse(text)
  if (url === null || host === "" || repaired.test(text) || url.hostname !== host.toLowerCase())
    return Result.fail(misspelling(text, authority, url))

  const port = digits === undefined ? 443 : Number(digits)
  if (port !== 443 && (port < 1024 || servicePorts.has(port))) return Result.fail("the port is not allowed")

  const bare = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  const literal = isIP(bare) !== 0
  const admitted = literal ? isPublicAddress(bare) || allowed(bare) : isPublicName(bare)
  return admitted ? Result.succeed({ url, host: bare, literal, port }) : Result.fail("the host is not public")
}
