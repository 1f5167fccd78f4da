/**
 * What is left of a sample page, which is kept for repairing a profile.
 *
 * Planted and seen red:
 * - mail addresses are kept, or their first part, or all but the first
 * - comments are kept; the page is cut inside a character
 * - a token after another is kept, or one in capitals
 * - the head is kept; any element or attribute that identifies a reader is kept
 * - removing an element, or reading its children, takes time in proportion to all other elements
 * - a page is read at any depth
 */
import { assert, describe, it } from "vitest"
import { redacted } from "@sightline/platforms/browser/Redaction"

describe("a sample page", () => {
  it("has no script, style, comment, frame or hidden input, and no value of any input", () => {
    const page = `<body><script>let csrf = "a"</script><style>p{}</style><!-- uuid --><iframe src="/x"></iframe>
      <input type="hidden" name="t" value="x"><input value="my question"><textarea>draft</textarea><p>kept</p></body>`
    const html = redacted(page, [])
    for (const gone of ["csrf", "p{}", "uuid", "iframe", "hidden", "my question", "draft"])
      assert.notInclude(html, gone)
    assert.include(html, "<p>kept</p>")
  })

  it("contains no mail address and no token, in text or in attributes", () => {
    const page = `<p data-id="sess_9f8e7d6c5b4a39281706f5e4d3c2b1a0" nonce="abc" onclick="go()" title="jo@example.org">
      Request 0b9f3c52-7a1e-4d88-9c11-2f3a4b5c6d7e, kX9-aB3dEfGh-iJkLmN-oPqR. Signed in as jo.doe+x@mail.example.org with eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0
      <a href="/url?q=https://shop.example/shoes&ved=2ahUKEwjA9fWq0bCJAxX9TKQEHcVtBZ4QFnoECB0QAQ">shoes</a></p>`
    const html = redacted(page, [])
    for (const gone of [
      "9f8e7d6c",
      "nonce",
      "onclick",
      "example.org",
      "eyJhbGci",
      "2ahUKEwjA9",
      "0b9f3c52",
      "kX9-aB3"
    ]) {
      assert.notInclude(html, gone)
    }
    assert.include(html, "https://shop.example/shoes")
  })

  it("masks each of them in any spelling, and leaves the text around it", () => {
    const id = "0B9F3C52-7A1E-4D88-9C11-2F3A4B5C6D7E"
    const token = "a1b2c3d4e5f6a7b8c9d0"
    const page = `<p>jo.doe+x@mail.example.org, al@example.org; ${token} and ${token}; ${id}.</p>`
    assert.strictEqual(redacted(page, []), "<p>[e-mail], [e-mail]; [token] and [token]; [token].</p>")
  })

  it("has no head, no hidden element, and no attribute that may identify the reader", () => {
    const unseen = ["noscript", "template", "svg"].map((name) => `<${name}><b>x</b></${name}>`).join("")
    const telling = ["data-token", "csrf", "cookie", "session-id", "data-auth", "style", "srcset", "NONCE", "onload"]
    const page = `<html><head><title>her search</title></head><body>${unseen}<link href="/x"><meta content="x"
      ><select><option value="1">hers</option></select><p ${telling.map((name) => `${name}="x"`).join(" ")} class="a">text</p></body></html>`
    assert.strictEqual(redacted(page, []), `<body><select><option></option></select><p class="a">text</p></body>`)
  })

  it("keeps ordinary words, even long ones", () => {
    const text =
      "Donaudampfschifffahrtsgesellschaftskapitän prefers incomprehensibilities in 2026: /best-running-shoes-of-2026."
    assert.include(redacted(`<p>${text}</p>`, []), text)
  })

  it("is the first container that exists, otherwise the body", () => {
    const page = `<nav>menu</nav><div id="b">answer</div><div id="c">other</div>`
    assert.strictEqual(redacted(page, ["#a", "#b", "#c"]), `<div id="b">answer</div>`)
    assert.include(redacted(page, ["#a"]), "menu")
  })

  it.each(["y", "Y", "7", "a.", "a-", "a@", "a/", "=", "a@b."])(
    "of nothing but %s is masked within seconds",
    (unit) => {
      const began = process.cpuUsage()
      const html = redacted(`<p title="${unit.repeat(100_000)}">${unit.repeat(100_000)}</p>`, [])
      const { system, user } = process.cpuUsage(began)
      assert.isAtMost(user + system, 3_000_000)
      assert.isAbove(html.length, 0)
    }
  )

  it.each(["<p>7</p>", "<svg></svg>", "<!-- -->", "<input value=7>", "<b>", "<i><p>"])(
    "of nothing but %s is kept within seconds",
    (unit) => {
      const began = process.cpuUsage()
      const html = redacted(`<html><body><main>text${unit.repeat(30_000)}</main></body></html>`, ["main"])
      const { system, user } = process.cpuUsage(began)
      assert.isAtMost(user + system, 4_000_000)
      assert.include(html, "<main>text")
    }
  )

  it("is at most 64 KiB of whole characters", () => {
    const html = redacted(`<p>${"é".repeat(100_000)}</p>`, [])
    assert.isAtMost(Buffer.byteLength(html), 64 * 1024)
    assert.isAbove(Buffer.byteLength(html), 64 * 1024 - 4)
    assert.notInclude(html, "\uFFFD")
  })
})
