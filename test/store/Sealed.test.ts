/**
 * Planted faults, each seen red: no associated data; table, id or column left out of it; the same nonce each time; the version ignored;
 * the tag not checked; the text left in clear; a mark that is a plain hash, or the same under every key.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import * as Sealed from "@sightline/store/Sealed"

const keyOf = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))
const key = keyOf(1)
const place = { table: "webhook_endpoints", id: "11111111-1111-4111-8111-111111111111", column: "secret" }

const seal = (text: string) => Sealed.seal(key, place, Redacted.make(text))
const open = (sealed: Uint8Array) => Sealed.open(key, place, sealed)
const refusal = (opening: ReturnType<typeof open>) => Effect.map(Effect.flip(opening), ({ _tag }) => _tag)

const secret = "0123456789abcdef".repeat(4)

describe("a sealed text", () => {
  it.effect.each(["", "a", secret, "pass\u0000word", "🔑 Schlüssel \u2028", "x".repeat(100_000)])(
    "opens to what it was (%#)",
    (text) =>
      Effect.gen(function* () {
        assert.strictEqual(Redacted.value(yield* open(seal(text))), text)
      })
  )

  it("is a version, a nonce, as many bytes as the text and a tag, and contains nothing of the text", () => {
    const sealed = Buffer.from(seal(secret))
    assert.strictEqual(sealed.length, 1 + 12 + secret.length + 16)
    assert.strictEqual(sealed[0], 1)
    for (const encoding of ["latin1", "hex", "base64"] as const)
      assert.notInclude(sealed.toString(encoding), Buffer.from(secret).toString(encoding))
  })

  it("is never twice the same, in its nonce or in what follows", () => {
    const seals = Array.from({ length: 1000 }, () => Buffer.from(seal(secret)).toString("hex"))
    assert.strictEqual(new Set(seals.map((each) => each.slice(2, 26))).size, 1000)
    assert.strictEqual(new Set(seals.map((each) => each.slice(26))).size, 1000)
  })

  it.effect("does not open with any bit flipped, cut short anywhere, or with an extra byte", () =>
    Effect.gen(function* () {
      const sealed = seal("0123")
      for (const [at, byte] of sealed.entries())
        for (const bit of [1, 2, 4, 8, 16, 32, 64, 128])
          assert.strictEqual(yield* refusal(open(sealed.with(at, byte ^ bit))), "SealBroken", `byte ${at}, bit ${bit}`)
      for (const length of sealed.keys())
        assert.strictEqual(yield* refusal(open(sealed.subarray(0, length))), "SealBroken", `${length} bytes`)
      assert.strictEqual(yield* refusal(open(Buffer.concat([sealed, Buffer.alloc(1)]))), "SealBroken")
    })
  )

  it.effect("does not open in another row, column or table, nor under another key", () =>
    Effect.gen(function* () {
      const sealed = seal(secret)
      const elsewhere = [
        { ...place, id: place.id.replace("1", "2") },
        { ...place, column: "url" },
        { ...place, table: "watches" }
      ]
      for (const other of elsewhere)
        assert.strictEqual(yield* refusal(Sealed.open(key, other, sealed)), "SealBroken", JSON.stringify(other))
      assert.strictEqual(yield* refusal(Sealed.open(keyOf(2), place, sealed)), "SealBroken")
    })
  )

  it("is not shown in logs", () => {
    assert.notInclude(JSON.stringify(Effect.runSync(open(seal(secret)))), secret)
  })
})

describe("a mark", () => {
  const mark = (text: string, under = key) => Sealed.mark(under, Redacted.make(text))

  it("is the same for the same text, and differs for another text or under another key", () => {
    assert.strictEqual(mark(secret), mark(secret))
    assert.strictEqual(new Set([mark(secret), mark(`${secret}0`), mark(""), mark(secret, keyOf(2))]).size, 4)
  })

  it("is not a hash that can be computed without the key", () => {
    for (const hash of ["sha256", "sha512"])
      for (const encoding of ["hex", "base64url"] as const)
        assert.notInclude(mark(secret), createHash(hash).update(secret).digest(encoding))
  })
})
