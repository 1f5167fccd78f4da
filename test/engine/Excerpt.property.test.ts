/**
 * The stored excerpt of a response body, for any bytes.
 *
 * Planted faults, each seen red: nothing redacted, or only one secret, one key, or the beginning of a key; a part of a secret at the
 * end of the excerpt; fewer asterisks than redacted characters; 8,000 bytes kept.
 */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { excerptOf } from "@sightline/engine/Excerpt"

const secret = "s3cret-of-the-receiver"
const pieces = fc.oneof(
  fc.constantFrom("\0", secret, "lvk_live_abc", "lvk_test_x-y_z", "🙂", "é", "<script>", "x".repeat(8190)),
  fc.string({ unit: "binary" })
)
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 20_000 }),
  fc.array(pieces, { maxLength: 12 }).map((parts) => new TextEncoder().encode(parts.join("")))
)

it("any bytes give well-formed text without NUL, of at most 8,192 bytes; no bytes give null", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const kept = excerptOf(body, [secret])
      assert.strictEqual(kept === null, body.length === 0)
      assert.isTrue((kept ?? "").isWellFormed())
      assert.notInclude(kept ?? "", "\0")
      assert.isAtMost(Buffer.byteLength(kept ?? ""), 8192)
    })
  )
})

it("the excerpt contains no secret and no key, wherever they stand", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const kept = excerptOf(body, [secret]) ?? ""
      assert.notInclude(kept, secret)
      assert.notMatch(kept, /lvk_(?:live|test)_\w/)
    })
  )
})

it("a short text without secrets is kept unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 500 }), (text) => {
      fc.pre(!text.includes("lvk_") && !text.includes("\0") && !text.startsWith("\uFEFF"))
      assert.strictEqual(excerptOf(new TextEncoder().encode(text), [secret]), text)
    })
  )
})

it("a redacted text keeps its length, even where the end of the excerpt cuts it", () => {
  const kept = (text: string) => excerptOf(new TextEncoder().encode(text), [secret, "another"])
  const hidden = "*".repeat(secret.length)
  const [key, other] = ["lvk_live_ab-c_1", "lvk_test_2"]
  const stars = `${hidden} ${"*".repeat(7)} ${"*".repeat(key.length)} ${"*".repeat(other.length)} \uFFFD`
  assert.strictEqual(kept(`${secret} another ${key} ${other} \0`), stars)
  const before = "x".repeat(8187)
  assert.strictEqual(kept(before + secret), before + hidden.slice(0, 5))
})
