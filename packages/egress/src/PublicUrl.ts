import { Result } from "effect"
import { isIP } from "node:net"
import { isPublicAddress } from "./PublicAddress.ts"

/**
 * The target of an accepted URL.
 *
 * Shape: `host` is a name without its root dot or an address without brackets; `literal` says that it is an address.
 */
export interface Target {
  readonly url: URL
  readonly host: string
  readonly literal: boolean
  readonly port: number
}

/** The most code points that a URL may have. */
const urlMaxLength = 2048

/** Whether a text has more than `most` code points. They are not counted if the length alone decides. */
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
// No top-level domain consists of digits only, so a host that ends in digits is an address.
const topLevel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** Whether a lower-case name can exist in the public DNS: at least two labels, and no suffix reserved for private use. */
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

/** Whether a URL is a web page of a public host name, so that it may be shown and stored. Nothing is requested. */
export const isPublicPage = ({ hostname, href, password, protocol, username }: URL): boolean =>
  (protocol === "https:" || protocol === "http:") &&
  username === "" &&
  password === "" &&
  href.length <= urlMaxLength &&
  isPublicName(hostname)

const authorityOf = /^https:\/\/([^/?#]*)/i
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i
// White space, control characters and backslashes: each parser drops or repairs them in its own way.
const repaired = /[\s\p{Cc}\\]/u

/** What the author of a URL has to change before parsers can be trusted to agree on it; `url` is the parsed form, if it can be parsed. */
const misspelling = (text: string, authority: string | undefined, url: URL | null): string => {
  if (repaired.test(text)) return "the URL must not have blanks, controls or backslashes"
  if (authority === undefined) return "the URL must begin with https://"
  if (authority.includes("@")) return "the URL must not have a user or a password"
  if (url === null || url.hostname.length > 253) return "the URL cannot be read"
  return `the URL must have its host written as ${url.hostname}`
}

/**
 * The target of a URL from an untrusted source, checked by its spelling alone.
 *
 * The host must already be written as the parser would write it, so that no two parsers can disagree about it. A literal
 * address is accepted if it is public or if `allowed` holds for it.
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
