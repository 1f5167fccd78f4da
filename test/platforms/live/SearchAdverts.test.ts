/**
 * What is read of the adverts on a page of search results.
 *
 * Planted and seen red:
 * - the label of an advert is taken for its owner, or the title is, or the first of several names
 * - a site shown with `www.`, in capitals or after a blank is not recognised
 * - only ten adverts, or one name, are read
 * - a click counter on another host is taken for the advert's site
 */
import { assert, it } from "vitest"
import { parseMarkup } from "@sightline/platforms/live/Markup"
import { advertsIn } from "@sightline/platforms/live/SearchAdverts"

const page = "https://www.google.com/search?q=x"
const closed = "https://www.google.com/aclk?sa=l"
const read = (cards: string) => advertsIn(parseMarkup(`<body>${cards}</body>`), undefined, "li", page)

const card = (above: string, address = "kanbo.example", href = closed) =>
  `<li><a href="${href}"><h3>Boards</h3><div>${above}<cite>${address}</cite></div></a></li>`

it.each([
  ["<span>Kanbo Ltd</span>", "Kanbo Ltd"],
  ["<span>Sponsored</span><span>Kanbo Ltd</span><span>Ad</span><span></span>", "Kanbo Ltd"],
  ["<span>By</span><span>Kanbo Ltd</span><span>ADS</span>", "Kanbo Ltd"],
  ["<span>Kanbo Ltd</span><h3>Boards for all</h3>", "Kanbo Ltd"]
])("above the address, %s names its owner", (above, advertiser) => {
  assert.deepStrictEqual(
    read(card(above)).map((advert) => advert.advertiser),
    [advertiser]
  )
})

it.each(["", "<span>Sponsored</span>", "<span>Ads</span>", "<h3>Boards for all</h3>"])(
  "%j above the address names no advertiser",
  (above) => {
    assert.strictEqual(read(card(above))[0]?.advertiser, "")
  }
)

it.each(["kanbo.example", "www.kanbo.example", "  https://www.Kanbo.Example › boards"])(
  "%j behind a click counter gives the site",
  (address) => {
    assert.deepInclude(read(card("", address)), {
      url: closed,
      title: "Boards",
      advertiser: "",
      domain: "kanbo.example",
      rendered: true
    })
  }
)

it("a click counter need not be on the page's own host", () => {
  const counters = ["https://www.google.co.uk/aclk?sa=l", "https://www.googleadservices.com/pagead/aclk?sa=L&adurl="]
  assert.deepStrictEqual(
    counters.flatMap((href) => read(card("", "kanbo.example", href)).map(({ domain }) => domain)),
    ["kanbo.example", "kanbo.example"]
  )
})

it("each card is an advert, however many there are", () => {
  const hrefs = Array.from({ length: 60 }, (_, at) => `https://a${at}.example/`)
  assert.deepStrictEqual(
    read(hrefs.map((href) => card("", "", href)).join("")).map(({ url }) => url),
    hrefs
  )
})
