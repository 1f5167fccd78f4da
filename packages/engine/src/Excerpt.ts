import { firstBytes, storable } from "@sightline/domain/Storable"

/** Bytes of an answer that are stored. Source: decisions D2. */
const bytesMax = 8 * 1024

const keys = /lvk_(?:live|test)_[\w-]+/g

const lenient = new TextDecoder()

const blank = (text: string): string => "*".repeat(text.length)

/**
 * The stored part of a receiver's answer, to show to the receiver's owner.
 *
 * Laws: any bytes give a text that Postgres accepts, of at most 8 KiB; `secrets`, and whatever looks like an API key, are
 * replaced by their length. An empty answer stores nothing.
 */
export const excerptOf = (body: Uint8Array, secrets: ReadonlyArray<string>): string | null => {
  if (body.length === 0) return null
  const text = storable(lenient.decode(body))
  // Blanks keep the length. In a shorter text, half of a secret that the end of `body` cuts in two could move into the first 8 KiB.
  const blanked = secrets.reduce((kept, secret) => kept.replaceAll(secret, blank), text.replaceAll(keys, blank))
  return firstBytes(blanked, bytesMax)
}
