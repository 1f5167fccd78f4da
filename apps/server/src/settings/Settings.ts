import { Duration, Effect, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { isCidr } from "@sightline/egress/PublicAddress"
import type { RetryDelays } from "@sightline/store/Attempts"
import { type LiveSettings, readLive } from "./LiveSettings.ts"
import {
  anything,
  BadSetting,
  demand,
  httpOrigin,
  httpUrl,
  key32,
  oneOf,
  operatorToken,
  orElse,
  read,
  readVendor,
  urlWith,
  type Variables,
  type VendorSettings
} from "./Setting.ts"

/** A part of the program that a process can run. */
type Role = "api" | "worker" | "scheduler"

/** The database: the bundled Postgres, or one that the operator runs. */
type DatabaseSettings = { readonly _tag: "Embedded" } | { readonly _tag: "External"; readonly url: Redacted.Redacted }

/** How this process runs. Source: runtime contract, "Settings". */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
  /** Absent: generated and stored in `dataDir`. Required if the API runs on an external Postgres. */
  readonly adminToken: Option.Option<Redacted.Redacted>
  readonly roles: ReadonlySet<Role>
  readonly dataDir: string
  readonly database: DatabaseSettings
  readonly nats: Option.Option<{ readonly url: string; readonly credentials: Option.Option<string> }>
  /** 32 bytes. Absent: generated and stored in `dataDir`. Required with an external Postgres. */
  readonly secretKey: Option.Option<Redacted.Redacted<Uint8Array>>
  /** Without a key a vendor's slot fails with `provider_auth_failed`. */
  readonly vendors: Readonly<Record<Vendor, VendorSettings>>
  readonly live: LiveSettings
  readonly modelsFile: Option.Option<string>
  readonly sandboxSeed: number
  readonly topupUrl: string
  /** CIDR ranges of receivers that may be reached although they are not public; for development and tests. */
  readonly deliveryAllow: ReadonlyArray<string>
  readonly deliveryRetryDelays: RetryDelays
  readonly tracesUrl: Option.Option<string>
  readonly logLevel: "Trace" | "Debug" | "Info" | "Warn" | "Error"
  readonly logFormat: "json" | "pretty"
  readonly production: boolean
}

const vendors = {
  openai: "https://api.openai.com",
  anthropic: "https://api.anthropic.com",
  gemini: "https://generativelanguage.googleapis.com",
  perplexity: "https://api.perplexity.ai"
} as const

/** The vendors of the four LLM platforms. */
type Vendor = keyof typeof vendors

const port = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) < 65_536 ? Number(text) : undefined)

const integer = (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined)

const roleList = (text: string): ReadonlySet<Role> | undefined => {
  const names = text.split(",").map((name) => oneOf("api", "worker", "scheduler")(name.trim()))
  return names.every((name) => name !== undefined) ? new Set(names) : undefined
}

const credentialsFile = (path: string): string | undefined => {
  try {
    return /-BEGIN NATS USER JWT-[^]+-BEGIN USER NKEY SEED-/.test(readFileSync(path, "utf8")) ? path : undefined
  } catch {
    return undefined
  }
}

const natsServers = (text: string) =>
  text.split(",").every((server) => urlWith("nats:", "tls:")(server) !== undefined) ? text : undefined

const cidrs = (text: string): ReadonlyArray<string> | undefined => {
  const ranges = text.split(",").map((range) => range.trim())
  return ranges.every(isCidr) ? ranges : undefined
}

const wait = (text: string): Duration.Duration | undefined => {
  const [, count = "", unit = ""] = /^(\d{1,6})(ms|s|m|h)$/.exec(text.trim()) ?? []
  const millis = Number(count) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 0)
  return millis > 0 && millis <= 86_400_000 ? Duration.millis(millis) : undefined
}

const retryDelays = (text: string): RetryDelays | undefined => {
  const [first, second, ...more] = text.split(",").map(wait)
  return first === undefined || second === undefined || more.length > 0 ? undefined : [first, second]
}

// Case matters, because libraries compare `NODE_ENV` exactly, too.
const environmentName = (text: string) => ["production", "development", "test"].find((name) => name === text)

/** Reads `DELIVERY_ALLOW_CIDRS`. Refused in production, where it would let customers reach private addresses. */
const readDeliveryAllow = Effect.fnUntraced(function* (env: Variables, production: boolean) {
  const name = "DELIVERY_ALLOW_CIDRS"
  const ranges = yield* orElse(read(env, name, "a list of CIDR ranges, for instance 127.0.0.0/8", cidrs), [])
  if (production && ranges.length > 0)
    return yield* new BadSetting({ message: `${name} is for development only: unset it with NODE_ENV=production` })
  return ranges
})

const isEvery = (host: string): boolean => host === "0.0.0.0" || host === "::"

/** Refuses the same port for both listeners, unless each listens on an address of its own. */
const demandTwoPorts = ({ adminHost, adminPort, host, port, roles }: Settings) =>
  roles.has("api") && port !== 0 && port === adminPort && (host === adminHost || isEvery(host) || isEvery(adminHost))
    ? Effect.fail(new BadSetting({ message: `PORT and ADMIN_PORT must not be the same: both are ${port}` }))
    : Effect.void

/**
 * The settings of a process, from its environment.
 *
 * Errors: `BadSetting` that names the first missing or malformed setting.
 */
export const readSettings = Effect.fnUntraced(function* (env: Variables, interactive: boolean) {
  const host = yield* orElse(read(env, "HOST", "an address", anything), "127.0.0.1")
  const publicPort = yield* orElse(read(env, "PORT", "a port from 0 to 65535", port), 8080)
  const databaseUrl = yield* read(env, "DATABASE_URL", "a postgres:// URL", urlWith("postgres:", "postgresql:"))
  const natsUrl = yield* read(env, "NATS_URL", "one or more nats:// or tls:// URLs", natsServers)
  const credentials = yield* read(env, "NATS_CREDS", "a file of NATS credentials that can be read", credentialsFile)
  const external = Option.isSome(databaseUrl)
  const environment = yield* read(env, "NODE_ENV", "production, development or test", environmentName)
  const production = Option.contains(environment, "production")
  const everyRole: ReadonlySet<Role> = new Set(["api", "worker", "scheduler"])
  const settings: Settings = {
    host,
    port: publicPort,
    adminHost: yield* orElse(read(env, "ADMIN_HOST", "an address", anything), "127.0.0.1"),
    adminPort: yield* orElse(read(env, "ADMIN_PORT", "a port from 0 to 65535", port), 8081),
    adminToken: yield* read(env, "ADMIN_TOKEN", operatorToken.expected, operatorToken.accept),
    roles: yield* orElse(read(env, "ROLES", "a list of api, worker and scheduler", roleList), everyRole),
    dataDir: yield* orElse(read(env, "DATA_DIR", "a path", anything), ".data"),
    database: Option.isSome(databaseUrl)
      ? { _tag: "External", url: Redacted.make(databaseUrl.value) }
      : { _tag: "Embedded" },
    nats: Option.map(natsUrl, (url) => ({ url, credentials })),
    secretKey: yield* read(env, "SECRET_KEY", key32.expected, key32.accept),
    vendors: {
      openai: yield* readVendor(env, "OPENAI", vendors.openai),
      anthropic: yield* readVendor(env, "ANTHROPIC", vendors.anthropic),
      gemini: yield* readVendor(env, "GEMINI", vendors.gemini),
      perplexity: yield* readVendor(env, "PERPLEXITY", vendors.perplexity)
    },
    live: yield* readLive(env),
    modelsFile: yield* read(env, "MODELS_FILE", "a path", anything),
    sandboxSeed: yield* orElse(read(env, "SANDBOX_SEED", "a whole number", integer), 1),
    topupUrl: yield* orElse(
      read(env, "TOPUP_URL", "an http(s) URL without credentials", httpUrl),
      `${httpOrigin(host, publicPort)}/billing`
    ),
    deliveryAllow: yield* readDeliveryAllow(env, production),
    deliveryRetryDelays: yield* orElse(
      read(env, "DELIVERY_RETRY_DELAYS", "two durations up to 24h, for instance 60s,300s", retryDelays),
      [Duration.seconds(60), Duration.seconds(300)]
    ),
    tracesUrl: yield* read(env, "OTEL_EXPORTER_OTLP_ENDPOINT", "an http(s) URL without credentials", httpUrl),
    logLevel: yield* orElse(
      read(env, "LOG_LEVEL", "trace, debug, info, warn or error", oneOf("Trace", "Debug", "Info", "Warn", "Error")),
      "Info"
    ),
    logFormat: yield* orElse(
      read(env, "LOG_FORMAT", "json or pretty", oneOf("json", "pretty")),
      interactive ? "pretty" : "json"
    ),
    production
  }
  yield* demand(settings.secretKey, external, "SECRET_KEY is required with DATABASE_URL: 32 bytes in base64")
  yield* demandTwoPorts(settings)
  const api = settings.roles.has("api")
  yield* demand(settings.adminToken, external && api, "ADMIN_TOKEN is required with DATABASE_URL")
  const alone = api && settings.roles.has("worker")
  yield* demand(natsUrl, !alone, "NATS_URL is required when ROLES leaves the API and the workers to other processes")
  return settings
})
