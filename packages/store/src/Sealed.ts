import { Effect, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"

type Key = Redacted.Redacted<Uint8Array>

/** The one place a sealed text belongs to. */
interface Place {
  readonly table: string
  readonly id: string
  readonly column: string
}

/** A sealed text that was altered, lies in another place than its own, or was sealed under another key. */
class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", {}) {}

const cipher = "aes-256-gcm"

/** The format of the other bytes: this cipher, with the only key. */
const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes

const boundTo = ({ table, id, column }: Place): Buffer => Buffer.from(`${table}|${id}|${column}`, "utf8")

/**
 * A secret text in the form that the database may store: unreadable, and valid only in its own place.
 *
 * Shape: a version byte, 12 bytes of nonce, the AES-256-GCM ciphertext, 16 bytes of tag.
 * Units: `key` has exactly 32 bytes.
 * Laws: `open(key, place, seal(key, place, text)) = text`; no two seals are alike.
 */
export const seal = (key: Key, place: Place, text: Redacted.Redacted): Uint8Array => {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, Redacted.value(key), nonce, { authTagLength: tagBytes }).setAAD(boundTo(place))
  const body = [sealing.update(Redacted.value(text), "utf8"), sealing.final()]
  return Buffer.concat([Uint8Array.of(version), nonce, ...body, sealing.getAuthTag()])
}

/**
 * The text that was sealed.
 *
 * Errors: `SealBroken` if a byte, the place or the key is another than at the sealing.
 */
export const open = (key: Key, place: Place, sealed: Uint8Array): Effect.Effect<Redacted.Redacted, SealBroken> =>
  Effect.try({
    try: () => {
      if (sealed[0] !== version) throw new SealBroken()
      const end = sealed.length - tagBytes
      const opening = createDecipheriv(cipher, Redacted.value(key), sealed.subarray(1, headBytes), {
        authTagLength: tagBytes
      })
      opening.setAAD(boundTo(place)).setAuthTag(sealed.subarray(end))
      return Redacted.make(Buffer.concat([opening.update(sealed.subarray(headBytes, end)), opening.final()]).toString())
    },
    catch: () => new SealBroken()
  })

/**
 * A keyed hash by which a secret text is compared. Without the key it reveals nothing else.
 *
 * Laws: the same text under the same key has the same mark, wherever it is kept.
 */
export const mark = (key: Key, text: Redacted.Redacted): string =>
  createHmac("sha256", Redacted.value(key)).update(Redacted.value(text)).digest("base64url")
