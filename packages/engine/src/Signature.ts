import { Redacted } from "effect"
import { createHmac } from "node:crypto"

/** The two signatures of a body, as header values. */
export interface Signature {
  readonly plain: string
  readonly timestamped: string
}

const hmac = (secret: Redacted.Redacted, ...parts: ReadonlyArray<string | Uint8Array>): string =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", Redacted.value(secret))).digest("hex")

/**
 * Signs the bytes that are sent: alone, and after the time of signing and a dot.
 *
 * Units: `seconds` since 1970.
 * Source: contract, "Common delivery rules".
 */
export const sign = (secret: Redacted.Redacted, body: Uint8Array, seconds: number): Signature => ({
  plain: hmac(secret, body),
  timestamped: `t=${seconds},v1=${hmac(secret, `${seconds}.`, body)}`
})
