import { Effect, Option, Redacted } from "effect"
import { hkdfSync, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BadSetting } from "./Setting.ts"
import type { Settings } from "./Settings.ts"

/** What a process keeps to itself. `derive` makes a 32-byte key for one purpose out of the one secret. */
export interface Secrets {
  readonly derive: (purpose: string) => Redacted.Redacted<Uint8Array>
  readonly adminToken: Redacted.Redacted
}

/** The text of a file that only its owner may read, made when it is not there yet. */
const keep = (directory: string, name: string, make: () => string): string => {
  const path = join(directory, name)
  mkdirSync(directory, { recursive: true })
  try {
    writeFileSync(path, make(), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (!existsSync(path)) throw error
  }
  return readFileSync(path, "utf8").trim()
}

const keepOr = <A>(given: Option.Option<A>, kept: () => A) =>
  Effect.try({
    try: () => Option.getOrElse(given, kept),
    catch: (cause) => new BadSetting({ message: `DATA_DIR cannot be used: ${String(cause)}` })
  })

/**
 * The secrets of this process: given by its settings, or made once and kept in `DATA_DIR`.
 *
 * Laws: two purposes never share a key; the same secret derives the same keys, in every process.
 */
export const loadSecrets = Effect.fnUntraced(function* (settings: Settings) {
  const secret = yield* keepOr(settings.secretKey, () =>
    Redacted.make(
      new Uint8Array(
        Buffer.from(
          keep(settings.dataDir, "secret-key", () => randomBytes(32).toString("base64")),
          "base64"
        )
      )
    )
  )
  const adminToken = yield* keepOr(settings.adminToken, () =>
    Redacted.make(keep(settings.dataDir, "admin-token", () => randomBytes(24).toString("base64url")))
  )
  const derive = (purpose: string) =>
    Redacted.make(new Uint8Array(hkdfSync("sha256", Redacted.value(secret), "sightline", purpose, 32)))
  return { derive, adminToken } satisfies Secrets
})
