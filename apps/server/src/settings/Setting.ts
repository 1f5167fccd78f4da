import { Effect, Option, Redacted, Schema } from "effect"

/** A setting that is missing or malformed. Its message is the one line an operator reads. */
export class BadSetting extends Schema.TaggedError<BadSetting>()("BadSetting", { message: Schema.String }) {}

/** The variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Reads one variable; an empty one counts as not set. */
export const read = <A>(
  env: Variables,
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

/** The setting, or its default. */
export const orElse = <A>(setting: Effect.Effect<Option.Option<A>, BadSetting>, fallback: A) =>
  Effect.map(
    setting,
    Option.getOrElse(() => fallback)
  )

/** Fails the start if a required setting is missing. */
export const demand = <A>(setting: Option.Option<A>, needed: boolean, message: string) =>
  needed && Option.isNone(setting) ? Effect.fail(new BadSetting({ message })) : Effect.void

/** The origin of a listener. */
export const httpOrigin = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** Takes any text. */
export const anything = (text: string): string => text

/** Takes any text and hides it. */
export const secret = (text: string): Redacted.Redacted => Redacted.make(text)

/** Accepts a URL with one of the protocols, and removes trailing slashes. */
export const urlWith =
  (...protocols: ReadonlyArray<string>) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/, "") : undefined

/** Takes one of the values, in upper or lower case. */
export const oneOf =
  <const A extends string>(...values: ReadonlyArray<A>) =>
  (text: string) =>
    values.find((value) => value.toLowerCase() === text.toLowerCase())

/** Accepts an http(s) URL without credentials: the URL is shown or called unchanged, and credentials would not be sent. */
export const httpUrl = (text: string): string | undefined => {
  const url = urlWith("http:", "https:")(text)
  if (url === undefined) return undefined
  const { username, password } = new URL(url)
  return username === "" && password === "" ? url : undefined
}

const versionPath = /\/v\d+(?:(?:alpha|beta)\d*)?$/i

/** Accepts a URL to which a vendor's paths can be appended. These begin with the API version, so the URL must not contain it. */
const apiRoot = (text: string): string | undefined => {
  const url = httpUrl(text)
  return url === undefined || /[?#]/.test(url) || versionPath.test(new URL(url).pathname) ? undefined : url
}

/** Reads `<PREFIX>_BASE_URL`. */
export const readBaseUrl = (env: Variables, prefix: string, fallback: string) =>
  orElse(
    read(
      env,
      `${prefix}_BASE_URL`,
      "an http(s) URL without credentials, a version path, a query or a fragment",
      apiRoot
    ),
    fallback
  )

/** The address and the key of one vendor. */
export interface VendorSettings {
  readonly baseUrl: string
  readonly apiKey: Option.Option<Redacted.Redacted>
}

/** Accepts the characters of a header value: a key with any other character could not be sent to its vendor. */
const apiKey = (text: string) => (/^[\x21-\x7e]+$/.test(text) ? secret(text) : undefined)

/** Reads `<PREFIX>_BASE_URL` and `<PREFIX>_API_KEY`. */
export const readVendor = Effect.fnUntraced(function* (env: Variables, prefix: string, baseUrl: string) {
  const vendor: VendorSettings = {
    baseUrl: yield* readBaseUrl(env, prefix, baseUrl),
    apiKey: yield* read(env, `${prefix}_API_KEY`, "a key of printable ASCII without spaces", apiKey)
  }
  return vendor
})

/** The form of a secret, as text for error messages and as a parser. */
export interface SecretForm<A> {
  readonly expected: string
  readonly accept: (text: string) => A | undefined
}

/** A key of 32 bytes. */
export const key32: SecretForm<Redacted.Redacted<Uint8Array>> = {
  expected: "32 bytes in base64",
  accept: (text) => {
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
    const bytes = new Uint8Array(Buffer.from(text, "base64"))
    return bytes.length === 32 ? Redacted.make(bytes) : undefined
  }
}

/** The token of the operator API: what an Authorization header can carry. */
export const operatorToken: SecretForm<Redacted.Redacted> = {
  expected: "at least 8 characters of printable ASCII without spaces",
  accept: (text) => (/^[\x21-\x7e]{8,}$/.test(text) ? secret(text) : undefined)
}
