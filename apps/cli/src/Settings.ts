import { Config, Effect, Option, Redacted } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { Misused } from "./Failure.ts"

const address = (flag: string, variable: string, fallback: string, what: string) =>
  Flag.String(flag).pipe(
    Flag.withFallbackConfig(Config.String(variable)),
    Flag.withDefault(fallback),
    Flag.withMetavar("URL"),
    Flag.withDescription(`${what}; else ${variable}, else ${fallback}`)
  )

/** The address of the API. */
export const Url = GlobalFlag.Setting("url")({
  flag: address("url", "SIGHTLINE_URL", "http://127.0.0.1:8080", "The API's address")
})

/** The address of the operator API. */
export const AdminUrl = GlobalFlag.Setting("admin-url")({
  flag: address("admin-url", "SIGHTLINE_ADMIN_URL", "http://127.0.0.1:8081", "The operator API's address")
})

/** Whether answers are printed as the API's own JSON. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDefault(false),
    Flag.withoutNegation,
    Flag.withDescription("Print the API's answer as one JSON document")
  )
})

/** A secret from the environment. It is never an argument, because arguments are visible to everyone on the machine. */
export const secretSetting = (name: string): Effect.Effect<string, Misused> =>
  Config.option(Config.Redacted(name)).pipe(
    Effect.mapError(() => new Misused({ message: `${name} cannot be read` })),
    Effect.flatMap((found) => {
      const text = Option.match(found, { onNone: () => "", onSome: Redacted.value })
      return text === "" ? Effect.fail(new Misused({ message: `${name} is not set` })) : Effect.succeed(text)
    })
  )

/** A secret that can be sent in a header. It is checked here because the error of `fetch` for an invalid header contains the header. */
export const keySetting = (name: string): Effect.Effect<string, Misused> =>
  Effect.flatMap(secretSetting(name), (text) =>
    /^[\x21-\x7e]+$/.test(text.trim())
      ? Effect.succeed(text.trim())
      : Effect.fail(new Misused({ message: `${name} is not a key` }))
  )

/**
 * The address with which the API is called: http or https, without a slash at its end. A query or fragment would swallow
 * the paths appended to it, and `fetch` refuses an address with a user or password.
 */
export const readAddress = (url: string): Effect.Effect<string, Misused> => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return Effect.fail(new Misused({ message: "the address of the API must begin with http:// or https://" }))
  if (new URL(url).username !== "" || new URL(url).password !== "")
    return Effect.fail(new Misused({ message: "the address of the API must have no user and no password" }))
  return /[?#]/.test(url)
    ? Effect.fail(new Misused({ message: "the address of the API must have no query and no fragment" }))
    : Effect.succeed(url.replace(/\/+$/, ""))
}
