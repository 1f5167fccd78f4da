import { type Environment, LiveSurface, perSurface } from "@sightline/domain/Platform"
import { type CaptureKind, type LiveSettings, serves } from "@sightline/server/settings/LiveSettings"
import { Option } from "effect"

/** The kinds of capture that are tried for one surface, in this order; none if the surface is not available. */
export type Route = ReadonlyArray<CaptureKind>

/** The route of each surface, for live keys and for test keys. */
export type LiveRoutes = Readonly<Record<Environment, Readonly<Record<LiveSurface, Route>>>>

const liveRoute = ({ kinds, cloro }: LiveSettings, surface: LiveSurface): Route => {
  const kind = kinds[surface]
  if (kind === "off") return []
  const reserve = kind === "dataforseo" && Option.isSome(cloro.apiKey) && serves("cloro", surface)
  return reserve ? [kind, "cloro"] : [kind]
}

const testRoute = (chromium: boolean, surface: LiveSurface): Route => {
  if (chromium) return ["browser"]
  return serves("dataforseo", surface) ? ["dataforseo"] : ["cloro"]
}

/**
 * How each surface is captured.
 *
 * Laws: test keys have every surface, by the browser if there is a Chromium and by the vendors' formats if not; live keys
 * have what the settings chose, with cloro as the fallback of DataForSEO if there is an account with it and it has the
 * surface.
 */
export const liveRoutes = (settings: LiveSettings, chromium: boolean): LiveRoutes => ({
  live: perSurface((surface) => liveRoute(settings, surface)),
  test: perSurface((surface) => testRoute(chromium, surface))
})

/** The surfaces that are available. */
export const surfacesOf = (routes: LiveRoutes): Readonly<Record<Environment, ReadonlySet<LiveSurface>>> => {
  const offered = (environment: Environment) =>
    new Set(LiveSurface.literals.filter((surface) => routes[environment][surface].length > 0))
  return { live: offered("live"), test: offered("test") }
}
