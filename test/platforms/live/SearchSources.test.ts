/**
 * Planted and seen red:
 * - of two equally good titles the later is used, or the last excerpt instead of the first
 * - a picture is taken for the page
 * - a link's quoted passage is left out where its card has no text, or is put before the card's text
 * - a title, a link or an address is taken for the excerpt, or those that are nested deeper
 * - a number that only cites is taken for a title
 * - the accessible name of a link is lost, or wins over a heading
 * - only five links, three levels of lists or the last comment are read
 * - markdown is left in a title
 * - a blank field, or one that is not text, is taken for a title or an address
 */
import { assert, it } from "vitest"
import { parseMarkup, select } from "@sightline/platforms/live/Markup"
import { merged, type NamedSource, sourcesIn, sourcesInComments } from "@sightline/platforms/live/SearchSources"

const url = "https://a.example/"
const named = (title: string, trust: NamedSource["trust"], snippet?: string): NamedSource => ({
  url,
  title,
  trust,
  snippet
})

it.each<[ReadonlyArray<NamedSource>, string, string | undefined]>([
  [[named("first", 1), named("second", 1, "said")], "first", "said"],
  [[named("link", 1, "said"), named("card", 2, "said later")], "card", "said"],
  [[named("card", 2), named("link", 1)], "card", undefined],
  [[named("a.example", 0)], "", undefined]
])("%j is one source, by the name that is known best", (sources, title, snippet) => {
  assert.deepStrictEqual(merged(sources), [{ url, title, snippet }])
})

it("a picture's address is not taken for the page", () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
  const record = [[id, ["Title", "Excerpt", url, "https://encrypted-tbn0.gstatic.com/images?q=x"]]]
  const page = parseMarkup(`<body><!--Sv6Kpe${JSON.stringify(record)}--></body>`)
  assert.deepStrictEqual(sourcesInComments(page.root().contents()).get(id), [
    { url, title: "Title", snippet: "Excerpt", trust: 2 }
  ])
})

it("blank fields of a record, and fields that are not text, are neither its title nor its page", () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
  const record = [
    [id, [null, "", 7, "Title", url, ["https://b.example/"], "Excerpt"], ["No page"], "https://c.example/"]
  ]
  const page = parseMarkup(`<body><!--Sv6Kpe|${JSON.stringify(record)}--></body>`)
  assert.deepStrictEqual(sourcesInComments(page.root().contents()).get(id), [
    { url, title: "Title", snippet: "Excerpt", trust: 2 }
  ])
})

it("a title is plain text, whatever markup surrounds it or is in it", () => {
  const link = (inside: string) => {
    const page = parseMarkup(`<p><a href="${url}">${inside}</a></p>`)
    return sourcesIn(page, select(page, "p"), "https://www.google.com/search?q=x", "li").map(({ title }) => title)
  }
  assert.deepStrictEqual(link(" <b>Free</b>  seats"), ["Free seats"])
  assert.deepStrictEqual(link("<h3>Free <b>seats</b></h3><div>for all</div>"), ["Free seats for all"])
  assert.deepStrictEqual(link("<ul><li>Free seats</li></ul>"), ["Free seats"])
})

it("a card without text of its own has the passage that its link quotes", () => {
  const page = parseMarkup(`<ul><li><a href="${url}#:~:text=Free%20seats"><h3>A</h3></a></li></ul>`)
  assert.deepStrictEqual(sourcesIn(page, select(page, "ul"), "https://www.google.com/search?q=x", "li"), [
    { url, title: "A", snippet: "Free seats", trust: 2 }
  ])
})

it("a card is named after its heading, otherwise after its link, and its own text wins over the passage that its link quotes", () => {
  const card = (inside: string) =>
    `<li><a href="${url}#:~:text=Pointed%20at" aria-label="Spoken">${inside}</a><p>Said.</p></li>`
  const read = (inside: string) => {
    const page = parseMarkup(`<ul>${card(inside)}</ul>`)
    return sourcesIn(page, select(page, "ul"), "https://www.google.com/search?q=x", "li")
  }
  assert.deepStrictEqual(read("<h3>Headed</h3>"), [{ url, title: "Headed", snippet: "Said.", trust: 2 }])
  assert.deepStrictEqual(read("Linked"), [{ url, title: "Spoken", snippet: "Said.", trust: 2 }])
})

it("a link in the text is named by its words, unless they only cite", () => {
  const hrefs = Array.from({ length: 12 }, (_, at) => `https://a${at}.example/`)
  const page = parseMarkup(
    `<p>${hrefs.map((href, at) => `<a href="${href}">${at % 2 === 0 ? "Words" : at}</a>`).join()}</p>`
  )
  assert.deepStrictEqual(
    sourcesIn(page, select(page, "p"), "https://www.google.com/search?q=x", "li").map((one) => [one.url, one.trust]),
    hrefs.map((href, at) => [href, at % 2 === 0 ? 1 : 0])
  )
})

it("source records are found in nested lists, and two comments for one button are both read", () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
  const comment = (title: string) => `<!--Sv6Kpe${JSON.stringify([[[[[[id, [title, url]]]]]]])}-->`
  const page = parseMarkup(`<body>${comment("one")}${comment("two")}</body>`)
  assert.deepStrictEqual(
    sourcesInComments(page.root().contents())
      .get(id)
      ?.map(({ title }) => title),
    ["one", "two"]
  )
})

it("a card's excerpt is its longest line besides its title, its address and its links, however deep they are nested", () => {
  const page = parseMarkup(
    `<ul><li><div><h3>A title that is longer than what is said</h3><cite>a.example › at › rather › some › length</cite>` +
      `<div><a href="${url}">Read all of it on that page and nowhere else</a> Free seats<br>for all of us</div></div></li></ul>`
  )
  assert.deepStrictEqual(sourcesIn(page, select(page, "ul"), "https://www.google.com/search?q=x", "li"), [
    { url, title: "A title that is longer than what is said", snippet: "for all of us", trust: 2 }
  ])
})
