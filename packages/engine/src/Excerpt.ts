/** Bytes of an answer that are stored. Source: decisions D2. */
const bytesMax = 8 * 1024

const keys = /lvk_(?:live|test)_[\w-]+/g

const lenient = new TextDecoder()
const utf8 = new TextEncoder()

const blank = (text: string): string => "*".repeat(text.length)

/** The longest beginning that has no more bytes than may be stored. */
const cut = (text: string): string => {
  const { read } = utf8.encodeInto(text, new Uint8Array(bytesMax))
  return text.slice(0, read)
}

/**
 * What is kept of a receiver's answer, to show to the receiver's owner.
 *
 * Laws: any bytes give a text that Postgres takes, of at most 8 KiB; of `secrets`, and of what looks like an API key, nothing
 * but the length is left. Nothing is kept of nothing.
 */
export const excerptOf = (body: Uint8Array, secrets: ReadonlyArray<string>): string | null => {
  if (body.length === 0) return null
  const text = lenient.decode(body).replaceAll("\0", "\uFFFD")
  // As long as before, so that the cut leaves nothing of a secret that the end of the read part had cut in two.
  return cut(secrets.reduce((kept, secret) => kept.replaceAll(secret, blank), text.replaceAll(keys, blank)))
}
