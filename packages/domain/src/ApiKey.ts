import { Option, Schema } from "effect"
import { AccountId } from "./Account.ts"
import { Environment } from "./Platform.ts"
import { Uuid } from "./Uuid.ts"

/** The id of an API key. It is no secret. */
export const KeyId = Uuid.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** The account has as many unrevoked keys as it may create for itself. Nothing was created. */
export class TooManyKeys extends Schema.TaggedError<TooManyKeys>()("TooManyKeys", { most: Schema.Int }) {}

/** The key that is to create another one has just been revoked. Nothing was created. */
export class KeyRevoked extends Schema.TaggedError<KeyRevoked>()("KeyRevoked", {}) {}

/** How many requests a bucket takes at once, and how fast it refills. */
export const RateLimit = Schema.Struct({
  burst: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  perSecond: Schema.Finite.check(Schema.isBetween({ minimum: 0.0001, maximum: 1_000_000 }))
})
export type RateLimit = typeof RateLimit.Type

/** The caller that a recognised key stands for. `rateLimits` holds only what differs from the defaults. */
export const Caller = Schema.Struct({
  keyId: KeyId,
  accountId: AccountId,
  environment: Environment,
  readOnly: Schema.Boolean,
  rateLimits: Schema.Record(Schema.String, RateLimit)
})
export type Caller = typeof Caller.Type

/** How many random bytes a key carries. */
export const secretBytes = 32

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `value` in base 62, padded to `length` digits. */
const base62 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}

const secretDigits = 43
const checksumDigits = 6

/** CRC-32 (ISO 3309) of an ASCII text. */
const crc32 = (text: string): number => {
  let crc = -1
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  return ~crc >>> 0
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumDigits)

/**
 * The key that carries a secret.
 *
 * Shape: `lvk_live_` or `lvk_test_`, the secret as 43 base-62 digits, then the CRC-32 of all that as 6 more: anybody can check the form of
 * a key without asking the service.
 * Units: `secret` has exactly 32 bytes.
 */
export const formatKey = (environment: Environment, secret: Uint8Array): string => {
  const value = secret.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const text = `lvk_${environment}_${base62(value, secretDigits)}`
  return text + checksum(text)
}

/** Whether a text has the published shape of a key. A text without it is malformed, not unknown. */
export const isKeyShaped = (text: string): boolean => /^lvk_(live|test)_[A-Za-z0-9]{16,128}$/.test(text)

const issued = new RegExp(`^lvk_(live|test)_[A-Za-z0-9]{${secretDigits + checksumDigits}}$`)

/** What a key says of itself; none where its length or checksum shows that the service did not issue it, which needs no look-up. */
export const parseKey = (text: string): Option.Option<{ readonly environment: Environment }> =>
  issued.test(text) && checksum(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
    ? Option.some({ environment: text.startsWith("lvk_live_") ? "live" : "test" })
    : Option.none()
