import { Effect, Option, Redacted, Result, Schema } from "effect"
import { LiveSurface, perSurface } from "@sightline/domain/Platform"
import { Region } from "@sightline/domain/Region"
import {
  anything,
  BadSetting,
  demand,
  oneOf,
  orElse,
  read,
  readBaseUrl,
  readVendor,
  secret,
  type Variables,
  type VendorSettings
} from "./Setting.ts"

/** The ways in which a surface can be captured for live keys. */
export const CaptureKind = Schema.Literals(["browser", "dataforseo", "cloro"])
export type CaptureKind = typeof CaptureKind.Type

/** The account with DataForSEO and where it is reached. */
interface DataForSeoSettings {
  readonly baseUrl: string
  readonly login: Option.Option<string>
  readonly password: Option.Option<Redacted.Redacted>
}

/**
 * How the live surfaces are captured for live keys. Source: runtime contract, `LIVE_CAPTURE` and below.
 *
 * Laws: a kind in `kinds` has its credentials and serves that surface.
 */
export interface LiveSettings {
  readonly kinds: Readonly<Record<LiveSurface, CaptureKind | "off">>
  readonly dataForSeo: DataForSeoSettings
  readonly cloro: VendorSettings
  /** The path of the operator's Chromium, or `off` for none. Absent: it is looked for on `searchPath`. */
  readonly chromiumPath: Option.Option<string>
  readonly searchPath: string
  /** One proxy's address per region, with its credentials. */
  readonly proxies: ReadonlyMap<Region, Redacted.Redacted>
}

const dataForSeoUrl = "https://api.dataforseo.com"
const cloroUrl = "https://api.cloro.dev"

/** The surfaces of each kind. A browser has all. cloro's Copilot is another site than the Copilot answer on Bing's result page. */
const served: Readonly<Record<CaptureKind, ReadonlySet<LiveSurface>>> = {
  browser: new Set(LiveSurface.literals),
  dataforseo: new Set(LiveSurface.literals.filter((surface) => surface !== "perplexity_live")),
  cloro: new Set(LiveSurface.literals.filter((surface) => surface !== "bing_copilot"))
}

/** Whether a kind can capture a surface at all. */
export const serves = (kind: CaptureKind, surface: LiveSurface): boolean => served[kind].has(surface)

// Chromium does not support credentials for a SOCKS proxy.
const proxyUrl = /^(?:https?:\/\/(?:[^\s/@]+@)?|socks5:\/\/)(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):\d{1,5}\/?$/i

const Proxies = Schema.fromJsonString(
  Schema.Struct(
    Object.fromEntries(
      Region.literals.map((region) => [region, Schema.optionalKey(Schema.String.check(Schema.isPattern(proxyUrl)))])
    )
  )
)

const decodeProxies = Schema.decodeUnknownResult(Proxies, { onExcessProperty: "error" })

/** Whether a URL can be decoded, including its user name and password. */
const isReadable = (text: string): boolean => {
  try {
    const { username, password } = new URL(text)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

const proxyMap = (text: string): ReadonlyMap<Region, Redacted.Redacted> | undefined => {
  const decoded = decodeProxies(text)
  if (Result.isFailure(decoded)) return undefined
  const given = decoded.success
  const found = Region.literals.flatMap((region) => {
    const url = given[region]
    return url === undefined ? [] : [[region, Redacted.make(url)] as const]
  })
  return found.every(([, url]) => isReadable(Redacted.value(url))) ? new Map(found) : undefined
}

const proxiesExpected =
  'JSON with an http or https URL, or a socks5 one without credentials, per region us, uk, ca, au: {"us":"http://user:password@host:port"}'

const surfacePrefix = "LIVE_CAPTURE_"
const nameOf = (surface: LiveSurface): string => `${surfacePrefix}${surface.replace(/_live$/, "").toUpperCase()}`

/** Refuses a setting of a surface that does not exist: misspelt, it would leave its surface as it is without a word. */
const demandSurfaces = (env: Variables) => {
  const names = LiveSurface.literals.map(nameOf)
  const stray = Object.keys(env).find(
    (name) => name.startsWith(surfacePrefix) && env[name] !== "" && !names.includes(name)
  )
  return stray === undefined
    ? Effect.void
    : Effect.fail(new BadSetting({ message: `${stray} is not a setting; those of a surface are ${names.join(", ")}` }))
}

// In Basic authentication the text after a colon would be read as the beginning of the password.
const userName = (text: string): string | undefined => (text.includes(":") ? undefined : text)

/** The kind of a surface without a setting of its own. DataForSEO does not have Perplexity, cloro does. */
const byDefault = (general: "off" | "browser" | "dataforseo", surface: LiveSurface, cloro: boolean) => {
  if (general === "off" || serves(general, surface)) return general
  return cloro ? "cloro" : "off"
}

const readKinds = Effect.fnUntraced(function* (env: Variables, cloro: boolean) {
  const general = yield* orElse(
    read(env, "LIVE_CAPTURE", "off, browser or dataforseo", oneOf("off", "browser", "dataforseo")),
    "off"
  )
  const kindOf = (surface: LiveSurface) => {
    const kinds = ["off", ...CaptureKind.literals.filter((kind) => serves(kind, surface))] as const
    const own = read(env, nameOf(surface), `one of ${kinds.join(", ")}`, oneOf(...kinds))
    return orElse(own, byDefault(general, surface, cloro))
  }
  return yield* Effect.all(perSurface(kindOf))
})

/**
 * The settings of live capture.
 *
 * Errors: `BadSetting` for the first malformed setting, for one of a surface that does not exist, or for missing credentials of a
 * chosen kind.
 */
export const readLive = Effect.fnUntraced(function* (env: Variables) {
  yield* demandSurfaces(env)
  const cloro = yield* readVendor(env, "CLORO", cloroUrl)
  const settings: LiveSettings = {
    kinds: yield* readKinds(env, Option.isSome(cloro.apiKey)),
    dataForSeo: {
      baseUrl: yield* readBaseUrl(env, "DATAFORSEO", dataForSeoUrl),
      login: yield* read(env, "DATAFORSEO_LOGIN", "a login without a colon", userName),
      password: yield* read(env, "DATAFORSEO_PASSWORD", "a password", secret)
    },
    cloro,
    chromiumPath: yield* read(env, "CHROMIUM_PATH", "a path, or off", anything),
    searchPath: env["PATH"] ?? "",
    proxies: yield* orElse(read(env, "GEO_PROXIES", proxiesExpected, proxyMap), new Map())
  }
  const chosen = new Set(Object.values(settings.kinds))
  const { login, password } = settings.dataForSeo
  const dataForSeo = chosen.has("dataforseo")
  yield* demand(login, dataForSeo, "DATAFORSEO_LOGIN is required where live capture is dataforseo")
  yield* demand(password, dataForSeo, "DATAFORSEO_PASSWORD is required where live capture is dataforseo")
  yield* demand(cloro.apiKey, chosen.has("cloro"), "CLORO_API_KEY is required where live capture is cloro")
  return settings
})
