import { Effect, Option, Redacted } from "effect"
import { hkdfSync, randomBytes, randomUUID } from "node:crypto"
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeFolder } from "@sightline/store/Folder"
import { BadSetting, key32, operatorToken, type SecretForm } from "./Setting.ts"
import type { Settings } from "./Settings.ts"

/** The secrets of a process. `derive` makes a 32-byte key for one purpose from the secret key. */
export interface Secrets {
  readonly derive: (purpose: string) => Redacted.Redacted<Uint8Array>
  readonly adminToken: Redacted.Redacted
  /** The error message for a database that was filled with another secret key. It names the source of this key. */
  readonly isOther: string
}

const flushFolder = (path: string): void => {
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The text of a file that only its owner may read. A missing file is created, and is complete before it gets its name. */
const kept = (path: string, make: () => string): string => {
  makeFolder(dirname(path))
  if (!existsSync(path)) {
    const draft = `${path}.${randomUUID()}`
    try {
      // Flushed to disk, because the database is of no use without it.
      writeFileSync(draft, make(), { mode: 0o600, flush: true })
      linkSync(draft, path)
      flushFolder(dirname(path))
    } catch (error) {
      // If another process created the file first, its text is used.
      if (!existsSync(path)) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readFileSync(path, "utf8").trim()
}

const unusable = (reason: string) => new BadSetting({ message: `DATA_DIR cannot be used: ${reason}` })

const keepOr = Effect.fnUntraced(function* <A>(
  name: string,
  given: Option.Option<A>,
  path: string,
  { accept, expected }: SecretForm<A>,
  make: () => string
) {
  if (Option.isSome(given)) return given.value
  const text = yield* Effect.try({
    try: () => kept(path, make),
    // An operator with an external Postgres may not know this folder, so the message says what it is for.
    catch: (cause) =>
      unusable(`${cause instanceof Error ? cause.message : String(cause)} (it is to keep ${name}, which is not set)`)
  })
  return accept(text) ?? (yield* unusable(`${path} must hold ${expected}`))
})

/**
 * The secrets of this process: from its settings, or generated once and stored in `DATA_DIR`.
 *
 * Errors: a file with invalid content, or a missing secret although the database exists, in one line. Neither is replaced,
 * because the data sealed with the old secret would be lost.
 * Laws: two purposes never share a key; the same secret derives the same keys, in every process.
 */
export const loadSecrets = Effect.fnUntraced(function* (settings: Settings) {
  const file = (name: string) => join(settings.dataDir, name)
  const [keyFile, cluster] = [file("secret-key"), file("postgres")]
  if (Option.isNone(settings.secretKey) && !existsSync(keyFile) && existsSync(cluster)) {
    return yield* unusable(`${keyFile} is missing, and ${cluster} has what was sealed with it`)
  }
  const secret = yield* keepOr("SECRET_KEY", settings.secretKey, keyFile, key32, () =>
    randomBytes(32).toString("base64")
  )
  const adminToken = yield* keepOr("ADMIN_TOKEN", settings.adminToken, file("admin-token"), operatorToken, () =>
    randomBytes(24).toString("base64url")
  )
  const derive = (purpose: string) =>
    Redacted.make(new Uint8Array(hkdfSync("sha256", Redacted.value(secret), "sightline", purpose, 32)))
  const other =
    "is not the key that the database was filled with: docs/operators/running.md says how to go on with another one"
  const isOther = Option.isSome(settings.secretKey) ? `SECRET_KEY ${other}` : unusable(`${keyFile} ${other}`).message
  return { derive, adminToken, isOther } satisfies Secrets
})
