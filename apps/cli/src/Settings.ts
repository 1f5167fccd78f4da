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

/** Where the API is. */
export const Url = GlobalFlag.Setting("url")({
  flag: address("url", "SIGHTLINE_URL", "http://127.0.0.1:8080", "The API's address")
})

/** Where the operator API is. */
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

/** A secret of the environment. It is never an argument, because everyone on a machine sees those. */
export const secretSetting = (name: string): Effect.Effect<string, Misused> =>
  Effect.gen(function* () {
    const found = yield* Config.option(Config.Redacted(name))
    const text = Option.match(found, { onNone: () => "", onSome: (value) => Redacted.value(value).trim() })
    if (text === "") return yield* new Misused({ message: `${name} is not set` })
    // What fetch says of a header that it cannot send holds the header.
    if (!/^[\x21-\x7e]+$/.test(text)) return yield* new Misused({ message: `${name} has characters that no key has` })
    return text
  }).pipe(Effect.catchTag("ConfigError", () => new Misused({ message: `${name} cannot be read` })))

/** The address as it is called: http or https, without a slash at its end. */
export const readAddress = (url: string): Effect.Effect<string, Misused> =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? Effect.succeed(url.replace(/\/+$/, ""))
    : Effect.fail(new Misused({ message: "the address of the API must begin with http:// or https://" }))
