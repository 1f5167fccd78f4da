/**
 * Planted faults, with the laws that failed for each: the checksum covers the secret without the prefix ("of everything before them",
 * "not valid as a key of the other"); a secret has 42 digits ("loses no bit", "at one length"); one bit of the CRC polynomial is mistyped
 * ("CRC-32").
 */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { Option } from "effect"
import { formatKey, isKeyShaped, parseKey, secretBytes } from "@sightline/domain/ApiKey"
import { Environment } from "@sightline/domain/Platform"

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const environments = fc.constantFrom(...Environment.literals)
const secrets = fc.uint8Array({ minLength: secretBytes, maxLength: secretBytes })
const keys = fc.tuple(environments, secrets).map(([environment, secret]) => formatKey(environment, secret))

const fromBase62 = (text: string): bigint =>
  Array.from(text).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)

it("parseKey(formatKey(environment, secret)) = environment, at one length for every secret", () =>
  fc.assert(
    fc.property(environments, secrets, (environment, secret) => {
      const key = formatKey(environment, secret)
      assert.strictEqual(key.length, "lvk_live_".length + 43 + 6)
      assert.isTrue(isKeyShaped(key))
      assert.deepStrictEqual(parseKey(key), Option.some({ environment }))
    })
  ))

it("loses no bit of the secret: base62(key) = secret", () =>
  fc.assert(
    fc.property(environments, secrets, (environment, secret) => {
      const body = formatKey(environment, secret).slice("lvk_live_".length, -6)
      assert.strictEqual(fromBase62(body), BigInt(`0x${Buffer.from(secret).toString("hex")}`))
    })
  ))

it("the last six digits = base62(CRC-32 of everything before them)", () =>
  fc.assert(fc.property(keys, (key) => assert.strictEqual(fromBase62(key.slice(-6)), BigInt(crc32(key.slice(0, -6)))))))

it("a key with one character changed, added or removed is not one we issued", () =>
  fc.assert(
    fc.property(keys, fc.nat(), fc.constantFrom(...Array.from(`${digits}_-é`)), (key, place, character) => {
      const at = place % (key.length + 1)
      const forms = [
        key.slice(0, at) + character + key.slice(at + 1),
        key.slice(0, at) + character + key.slice(at),
        key.slice(0, at) + key.slice(at + 1)
      ]
      const accepted = forms.filter((form) => form !== key && Option.isSome(parseKey(form)))
      assert.deepStrictEqual(accepted, [])
    }),
    { numRuns: 2000 }
  ))

it("a key of one environment is not valid as a key of the other", () =>
  fc.assert(
    fc.property(secrets, (secret) => {
      const key = formatKey("test", secret)
      assert.isTrue(Option.isNone(parseKey(key.replace("test", "live"))))
    })
  ))

it("isKeyShaped(text) = text matches the published shape", () => {
  const cases: ReadonlyArray<readonly [string, boolean]> = [
    ["lvk_live_0123456789abcdef", true],
    [`lvk_test_${"Z".repeat(128)}`, true],
    ["lvk_live_0123456789abcde", false],
    [`lvk_test_${"Z".repeat(129)}`, false],
    ["lvk_prod_0123456789abcdef", false],
    ["lvk_live_0123456789abcde-", false],
    ["lvk_live_0123456789abcdef\n", false],
    [" lvk_live_0123456789abcdef", false],
    ["", false]
  ]
  for (const [text, shaped] of cases) assert.strictEqual(isKeyShaped(text), shaped, JSON.stringify(text))
})

it("of 100 000 made-up keys of the right shape and length, none passes", () => {
  for (let round = 0; round < 100_000; round++) {
    const body = Array.from(randomBytes(49), (byte) => digits.charAt(byte % 62)).join("")
    assert.isTrue(Option.isNone(parseKey(`lvk_live_${body}`)))
  }
})
