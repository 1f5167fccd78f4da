/**
 * Untrusted text before it is shown: addresses that may be linked, and marks.
 *
 * Planted and seen red: a link with any scheme; a mark that swallows a letter.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { piecesOf } from "@sightline/dashboard/text/Marking"
import { webAddress } from "@sightline/dashboard/text/WebAddress"

describe("a linked address", () => {
  it("leads to the web only", () => {
    const others = [
      "javascript:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://a.example/1",
      "//no.scheme.example",
      "/v1/keys",
      ""
    ]
    for (const url of others) assert.isUndefined(webAddress(url), url)
    assert.deepEqual(webAddress("HTTPS://Example.org/a b"), { href: "https://example.org/a%20b", host: "example.org" })
  })

  it("shows the host that a browser goes to, not the one that it appears to have", () => {
    assert.strictEqual(webAddress("https://bank.example@evil.example/")?.host, "evil.example")
    assert.strictEqual(webAddress("https://аpple.example/")?.host, "xn--pple-43d.example")
    assert.strictEqual(webAddress("http://2130706433/")?.host, "127.0.0.1")
  })
})

describe("a marked text", () => {
  const texts = fc.string({ unit: "binary", maxLength: 60 })

  it("is the text itself: join(piecesOf(text, span)) = text", () =>
    fc.assert(
      fc.property(texts, fc.nat(60), fc.nat(60), (text, from, to) => {
        const span = [Math.min(from, to, text.length), Math.min(Math.max(from, to), text.length)] as const
        const pieces = piecesOf(text, span)
        assert.strictEqual(pieces.map((piece) => piece.text).join(""), text)
        for (const piece of pieces.filter(({ marked }) => marked)) assert.strictEqual(piece.text, text.slice(...span))
      })
    ))

  it("has few pieces even where a hostile text repeats the name endlessly", () => {
    const pieces = piecesOf("Acme ".repeat(200_000), [0, 4])
    assert.isBelow(pieces.length, 500)
  })
})
