import { firstBytes, storable } from "@sightline/domain/Storable"

/** Bytes of an answer that are stored. Source: decisions D2. */
const bytesMax = 8 * 1024

const keys = /lvk_(?:live|test)_[\w-]+/g

const lenient = new TextDecoder()

const blank = (text: string): string => "*".repeat(text.length)

/**
 * What is kept of a receiver's answer, to show to the receiver's owner.
 *
 * Laws: any bytes give a text that Postgres takes, of at most 8 KiB; of `secrets`, and of what looks like an API key, nothing
 * but the length is left. Nothing is kept of nothing.
 */
export const excerptOf = (body: Uint8Array, secrets: ReadonlyArray<string>): string | null => {
  if (body.length === 0) return null
  const text = storable(lenient.decode(body))
  // As long as before, so that the cut leaves nothing of a secret that the end of the read part had cut in two.
  const blanked = secrets.reduce((kept, secret) => kept.replaceAll(secret, blank), text.replaceAll(keys, blank))
  return firstBytes(blanked, bytesMax)
}
