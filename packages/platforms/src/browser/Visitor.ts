import type { Environment, LiveSurface } from "@sightline/domain/Platform"
import type { Locale } from "@sightline/platforms/live/Locale"

/**
 * The identity with which a surface is visited. Captures of one visitor share its standing with the site and, on
 * live sites, its cookies.
 */
export interface Visitor {
  readonly environment: Environment
  readonly surface: LiveSurface
  readonly locale: Locale
  /** Scheme and host of the site. */
  readonly origin: string
}

/** The key of a visitor: equal for captures that may share a context. */
export const visitorKey = ({ environment, surface, locale }: Visitor): string =>
  `${environment} ${surface} ${locale.country}`

/** Proxies by region, as operators write them: `{ "us": "http://user:password@host:port" }`. */
export type Proxies = Readonly<Record<string, string>>

/** A proxy, split into the parts that a browser takes. */
interface Proxy {
  readonly server: string
  readonly username: string
  readonly password: string
}

const regionOf = (country: string): string => (country === "GB" ? "uk" : country.toLowerCase())

/** How a visitor reaches a site. */
export type Route = Proxy | "direct"

/**
 * The route of a visitor: `direct`, through the proxy of its region, or `blocked`.
 *
 * Laws: if any proxy is configured, no live capture goes without one, so that a missing or malformed proxy never reveals
 * the machine's own address. The sandbox is on this machine and needs none.
 */
export const routeOf = (visitor: Visitor, proxies: Proxies): Route | "blocked" => {
  if (visitor.environment === "test" || Object.keys(proxies).length === 0) return "direct"
  const url = URL.parse(proxies[regionOf(visitor.locale.country)] ?? "")
  if (url === null || !/^(?:https?|socks5):$/.test(url.protocol) || url.hostname === "") return "blocked"
  try {
    const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return { server: `${url.protocol}//${url.host}`, username, password }
  } catch {
    return "blocked"
  }
}
