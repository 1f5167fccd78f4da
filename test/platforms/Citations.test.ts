/**
 * Planted and seen red:
 * - there is one citation too many, or a longer address
 * - an address that no database can store is kept
 * - the last use of a page is kept, or every use
 * - a title is blank, or an excerpt is not cut
 * - the tags of only one engine are removed, or the separators of other parameters with them
 * - the quoted passage is left in an address
 * - an address that cannot be parsed is kept
 * - an empty excerpt is listed
 */
import { assert, it } from "vitest"
import { citationsOf } from "@sightline/platforms/Citations"

const urlsOf = (...urls: ReadonlyArray<string>) => citationsOf(urls.map((url) => ({ url }))).map(({ url }) => url)

it("at most 100 citations are kept, the first ones", () => {
  const urls = Array.from({ length: 120 }, (_, index) => `https://a.example/${index}`)
  assert.deepStrictEqual(urlsOf(...urls), urls.slice(0, 100))
})

it("an address has at most 2048 characters", () => {
  const longest = `https://a.example/${"x".repeat(2048 - "https://a.example/".length)}`
  assert.deepStrictEqual(urlsOf(`${longest}x`, longest), [longest])
})

it.each([
  "https://a.example/\0",
  "https://a.example/\uD800",
  "https://user@a.example/",
  "https:\\\\a.example",
  "https://[",
  "https://a.example:99999/",
  "ftp://a.example",
  "https://a .example/"
])("%j is no address of a page", (url) => {
  assert.isEmpty(urlsOf(url))
})

it("a page keeps the details of its first citation, and only that claim is read", () => {
  const text = () => assert.fail("it is read again")
  assert.deepStrictEqual(
    citationsOf([
      { url: "https://www.a.example/", title: " First ", text: () => "a claim", snippet: "x".repeat(301) },
      { url: "https://www.a.example/", title: "Second", text }
    ]),
    [{ url: "https://www.a.example/", title: "First", text: "a claim", snippet: "x".repeat(300) }]
  )
})

it.each([null, undefined, "", "  "])(
  "a page whose title is %j is named after its site, and an empty excerpt is left out",
  (title) => {
    assert.deepStrictEqual(citationsOf([{ url: "https://www.a.example/b", title, snippet: "" }]), [
      { url: "https://www.a.example/b", title: "a.example" }
    ])
  }
)

it.each([
  ["https://a.example/?utm_source=openai", "https://a.example/"],
  ["https://a.example/?utm_source=chatgpt.com#b", "https://a.example/#b"],
  ["https://a.example/?utm_source=openai&b=1", "https://a.example/?b=1"],
  ["https://a.example/?b=1&utm_source=openai&utm_source=chatgpt.com&c=2", "https://a.example/?b=1&c=2"],
  ["https://a.example/?utm_source=openai.example", "https://a.example/?utm_source=openai.example"],
  // With blanks, read as browsers read them.
  ["https://a.example/files/Annual Report 2026.pdf", "https://a.example/files/Annual%20Report%202026.pdf"],
  [" https://a.example/b\n", "https://a.example/b"],
  ["https://a.example/long-\r\n\tname", "https://a.example/long-name"],
  ["https://a.example/b\u00A0c", "https://a.example/b%C2%A0c"]
])("%j is %s", (given, expected) => {
  assert.deepStrictEqual(urlsOf(given), [expected])
})

it("a page is the same whichever passages of it are quoted", () => {
  const page = "https://a.example/b?c=1"
  assert.deepStrictEqual(urlsOf(`${page}#:~:text=From%20here,to%20there`, `${page}#:~:text=Else&text=More`, page), [
    page
  ])
  assert.deepStrictEqual(urlsOf(`${page}#part:~:text=x`, `${page}#~:text=x`), [`${page}#part`, `${page}#~:text=x`])
})
