import { Effect, Option, Redacted, Schema } from "effect"

/** A setting that is missing or malformed. Its message is the one line an operator reads. */
export class BadSetting extends Schema.TaggedError<BadSetting>()("BadSetting", { message: Schema.String }) {}

/** A part of the program that a process can run. */
type Role = "api" | "worker" | "scheduler"

/** Where one vendor is reached and with which key. Without a key its slot fails with `provider_auth_failed`. */
export interface VendorSettings {
  readonly baseUrl: string
  readonly apiKey: Option.Option<Redacted.Redacted>
}

/** Where the truth is: the bundled Postgres, or one that the operator runs. */
type DatabaseSettings = { readonly _tag: "Embedded" } | { readonly _tag: "External"; readonly url: Redacted.Redacted }

/** How this process runs. Source: runtime contract, "Settings". */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
  /** Absent: made and kept in `dataDir`. Only with the bundled Postgres. */
  readonly adminToken: Option.Option<Redacted.Redacted>
  readonly roles: ReadonlySet<Role>
  readonly dataDir: string
  readonly database: DatabaseSettings
  readonly nats: Option.Option<{ readonly url: string; readonly credentials: Option.Option<string> }>
  /** 32 bytes. Absent: made and kept in `dataDir`. Only with the bundled Postgres. */
  readonly secretKey: Option.Option<Redacted.Redacted<Uint8Array>>
  readonly vendors: Readonly<Record<Vendor, VendorSettings>>
  readonly modelsFile: Option.Option<string>
  readonly sandboxSeed: number
  readonly topupUrl: string
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
export type Vendor = keyof typeof vendors

type Environment = Readonly<Record<string, string | undefined>>

/** Reads one variable; an empty one counts as not set. */
const read = <A>(
  env: Environment,
  name: string,
  expected: string,
  accept: (text: string) => A | undefined
): Effect.Effect<Option.Option<A>, BadSetting> => {
  const text = env[name]?.trim() ?? ""
  if (text === "") return Effect.succeedNone
  const value = accept(text)
  return value === undefined
    ? Effect.fail(new BadSetting({ message: `${name} must be ${expected}` }))
    : Effect.succeedSome(value)
}

const orElse = <A>(setting: Effect.Effect<Option.Option<A>, BadSetting>, fallback: A) =>
  Effect.map(
    setting,
    Option.getOrElse(() => fallback)
  )

const anything = (text: string): string => text

const port = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) < 65_536 ? Number(text) : undefined)

const integer = (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined)

const urlWith =
  (...protocols: ReadonlyArray<string>) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/, "") : undefined

const oneOf =
  <const A extends string>(...values: ReadonlyArray<A>) =>
  (text: string) =>
    values.find((value) => value.toLowerCase() === text.toLowerCase())

const roleList = (text: string): ReadonlySet<Role> | undefined => {
  const names = text.split(",").map((name) => oneOf("api", "worker", "scheduler")(name.trim()))
  return names.every((name) => name !== undefined) ? new Set(names) : undefined
}

const key32 = (text: string): Redacted.Redacted<Uint8Array> | undefined => {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  const bytes = new Uint8Array(Buffer.from(text, "base64"))
  return bytes.length === 32 ? Redacted.make(bytes) : undefined
}

const secret = (text: string): Redacted.Redacted => Redacted.make(text)

const natsServers = (text: string) =>
  text.split(",").every((server) => urlWith("nats:", "tls:", "ws:", "wss:")(server.trim()) !== undefined)
    ? text
    : undefined

const readVendor = Effect.fnUntraced(function* (env: Environment, name: Vendor) {
  const prefix = name.toUpperCase()
  const base = read(env, `${prefix}_BASE_URL`, "an http(s) URL", urlWith("http:", "https:"))
  const vendor: VendorSettings = {
    baseUrl: yield* orElse(base, vendors[name]),
    apiKey: yield* read(env, `${prefix}_API_KEY`, "a key", secret)
  }
  return vendor
})

const demand = <A>(setting: Option.Option<A>, needed: boolean, message: string) =>
  needed && Option.isNone(setting) ? Effect.fail(new BadSetting({ message })) : Effect.void

/**
 * The settings of a process, from its environment.
 *
 * Errors: `BadSetting` for the first one that is missing or malformed, naming it.
 */
export const readSettings = Effect.fnUntraced(function* (env: Environment, interactive: boolean) {
  const host = yield* orElse(read(env, "HOST", "an address", anything), "127.0.0.1")
  const publicPort = yield* orElse(read(env, "PORT", "a port from 0 to 65535", port), 8080)
  const databaseUrl = yield* read(env, "DATABASE_URL", "a postgres:// URL", urlWith("postgres:", "postgresql:"))
  const natsUrl = yield* read(env, "NATS_URL", "one or more nats:// URLs", natsServers)
  const credentials = yield* read(env, "NATS_CREDS", "a path", anything)
  const external = Option.isSome(databaseUrl)
  const everyRole: ReadonlySet<Role> = new Set(["api", "worker", "scheduler"])
  const settings: Settings = {
    host,
    port: publicPort,
    adminHost: yield* orElse(read(env, "ADMIN_HOST", "an address", anything), "127.0.0.1"),
    adminPort: yield* orElse(read(env, "ADMIN_PORT", "a port from 0 to 65535", port), 8081),
    adminToken: yield* read(env, "ADMIN_TOKEN", "at least 8 characters", (text) =>
      text.length < 8 ? undefined : secret(text)
    ),
    roles: yield* orElse(read(env, "ROLES", "a list of api, worker and scheduler", roleList), everyRole),
    dataDir: yield* orElse(read(env, "DATA_DIR", "a path", anything), ".data"),
    database: external ? { _tag: "External", url: Redacted.make(databaseUrl.value) } : { _tag: "Embedded" },
    nats: Option.map(natsUrl, (url) => ({ url, credentials })),
    secretKey: yield* read(env, "SECRET_KEY", "32 bytes in base64", key32),
    vendors: {
      openai: yield* readVendor(env, "openai"),
      anthropic: yield* readVendor(env, "anthropic"),
      gemini: yield* readVendor(env, "gemini"),
      perplexity: yield* readVendor(env, "perplexity")
    },
    modelsFile: yield* read(env, "MODELS_FILE", "a path", anything),
    sandboxSeed: yield* orElse(read(env, "SANDBOX_SEED", "a whole number", integer), 1),
    topupUrl: yield* orElse(
      read(env, "TOPUP_URL", "an http(s) URL", urlWith("http:", "https:")),
      `http://${host}:${publicPort}/billing`
    ),
    tracesUrl: yield* read(env, "OTEL_EXPORTER_OTLP_ENDPOINT", "an http(s) URL", urlWith("http:", "https:")),
    logLevel: yield* orElse(
      read(env, "LOG_LEVEL", "trace, debug, info, warn or error", oneOf("Trace", "Debug", "Info", "Warn", "Error")),
      "Info"
    ),
    logFormat: yield* orElse(
      read(env, "LOG_FORMAT", "json or pretty", oneOf("json", "pretty")),
      interactive ? "pretty" : "json"
    ),
    production: env["NODE_ENV"] === "production"
  }
  yield* demand(settings.secretKey, external, "SECRET_KEY is required with DATABASE_URL: 32 bytes in base64")
  const api = settings.roles.has("api")
  yield* demand(settings.adminToken, external && api, "ADMIN_TOKEN is required with DATABASE_URL")
  const alone = api && settings.roles.has("worker")
  yield* demand(natsUrl, !alone, "NATS_URL is required when ROLES leaves the API and the workers to other processes")
  return settings
})
