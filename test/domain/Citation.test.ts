/**
 * Planted and seen red:
 * - citations are listed under the address they came with
 * - every page is attributed to the first provider, or only the first provider is named
 * - the last title is used, or the site's name or the redirector's as a title
 * - the domain is the host alone
 * - the order of pages is reversed
 * - only the first three pages of a list are read
 * - destinations of other schemes are overlooked
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Citation } from "@sightline/domain/Answer"
import { canonicalUrl } from "@sightline/domain/CanonicalUrl"
import { aggregateCitations } from "@sightline/domain/Citation"

const cited = (provider: string, ...citations: ReadonlyArray<readonly [url: string, title: string]>) => ({
  provider,
  citations: citations.map(([url, title]): Citation => ({ url, title }))
})

describe("aggregateCitations", () => {
  it("a page that two providers cite is listed once, with both, in the order of first citation", () =>
    assert.deepEqual(
      aggregateCitations([
        cited("openai", ["https://www.acme.com/b/?utm_source=openai", "B"], ["https://acme.com/a", "A"]),
        cited("gemini", ["https://news.acme.com/", "News"], ["http://acme.com/b#x", "Other words for B"])
      ]),
      [
        { canonicalUrl: "https://acme.com/b", domains: ["acme.com"], providersCited: ["openai", "gemini"], title: "B" },
        { canonicalUrl: "https://acme.com/a", domains: ["acme.com"], providersCited: ["openai"], title: "A" },
        {
          canonicalUrl: "https://news.acme.com",
          domains: ["acme.com", "news.acme.com"],
          providersCited: ["gemini"],
          title: "News"
        }
      ]
    ))

  it("the domain is given both as the registrable domain and as the whole host", () => {
    const domains = (url: string) => aggregateCitations([cited("openai", [url, ""])])[0]?.domains
    assert.deepEqual(domains("https://www.shop.acme.co.uk:8443/"), ["acme.co.uk", "shop.acme.co.uk"])
    assert.deepEqual(domains("https://www.acme.co.uk/"), ["acme.co.uk"])
    assert.deepEqual(domains("https://acme.github.io/"), ["acme.github.io"])
    assert.deepEqual(domains("https://www.gov.uk/visa"), ["www.gov.uk"])
    assert.deepEqual(domains("https://192.0.2.1/"), ["192.0.2.1"])
    assert.deepEqual(domains("https://[2001:db8::1]/"), ["[2001:db8::1]"])
  })

  it("the title is the first that says more than the site's name", () => {
    const title = (...titles: ReadonlyArray<string>) =>
      aggregateCitations(titles.map((each, nth) => cited(`${nth}`, ["https://www.news.acme.com/a", each])))[0]
    assert.strictEqual(
      title("", " ", "acme.com", "WWW.News.Acme.com", "https://acme.com/", " Shoes ", "B")?.title,
      "Shoes"
    )
    assert.notProperty(title("acme.com", ""), "title")
    assert.strictEqual(title("Node.js")?.title, "Node.js")
  })

  it("the name of a redirector's host is not a page's title", () => {
    const url = "https://www.google.com/url?q=https://acme.com/a"
    assert.notProperty(aggregateCitations([cited("openai", [url, "google.com"])])[0], "title")
  })

  it("without citations there are no pages", () => assert.deepEqual(aggregateCitations([cited("openai")]), []))
})

const url = fc.oneof(
  fc.constantFrom(
    ..."https://acme.com/a http://www.acme.com/a/ https://ACME.com:443/a?utm_source=x https://acme.com/b https://b.example/ https://www.google.com/url?q=https://acme.com/a https://vk.com/away.php?to=https://b.example not-a-url".split(
      " "
    )
  ),
  fc.webUrl()
)
const lists = fc.array(
  fc.record({
    provider: fc.constantFrom("openai", "anthropic", "gemini", "perplexity"),
    citations: fc.array(fc.record({ url, title: fc.constantFrom("", "acme.com", "A", "B") }), { maxLength: 8 })
  }),
  { maxLength: 5 }
)
const runs = { numRuns: 300 }

describe("the laws of aggregation", () => {
  it("a page is listed once, under its canonical address, and every cited web address is listed", () =>
    fc.assert(
      fc.property(lists, (given) => {
        const urls = aggregateCitations(given).map(({ canonicalUrl }) => canonicalUrl)
        assert.lengthOf(new Set(urls), urls.length)
        const wanted = given.flatMap(({ citations }) => citations.flatMap((one) => canonicalUrl(one.url) ?? []))
        assert.deepEqual(urls, Array.from(new Set(wanted)))
      }),
      runs
    ))

  it("a provider is named once per page, and only if it cited the page", () =>
    fc.assert(
      fc.property(lists, (given) => {
        for (const page of aggregateCitations(given)) {
          const citing = given.flatMap(({ provider, citations }) =>
            citations.some((one) => canonicalUrl(one.url) === page.canonicalUrl) ? [provider] : []
          )
          assert.deepEqual(page.providersCited, Array.from(new Set(citing)))
        }
      }),
      runs
    ))

  it("reordering one provider's list changes only the order", () => {
    const untitled = lists.map((all) =>
      all.map(({ provider, citations }) => ({ provider, citations: citations.map((one) => ({ ...one, title: "" })) }))
    )
    const shuffled = untitled.chain((given) =>
      given.length === 0
        ? fc.constant([given, given] as const)
        : fc
            .nat(given.length - 1)
            .chain((nth) =>
              fc
                .shuffledSubarray([...(given[nth]?.citations ?? [])], { minLength: given[nth]?.citations.length ?? 0 })
                .map(
                  (citations) => [given, given.map((one, at) => (at === nth ? { ...one, citations } : one))] as const
                )
            )
    )
    const unordered = (given: Parameters<typeof aggregateCitations<string>>[0]) =>
      aggregateCitations(given).toSorted((a, b) => (a.canonicalUrl < b.canonicalUrl ? -1 : 1))
    fc.assert(
      fc.property(shuffled, ([given, other]) => assert.deepEqual(unordered(other), unordered(given))),
      runs
    )
  })

  it("a title is always one of those that the page was cited with", () =>
    fc.assert(
      fc.property(lists, (given) => {
        for (const page of aggregateCitations(given)) {
          const titles = given.flatMap(({ citations }) =>
            citations.filter((one) => canonicalUrl(one.url) === page.canonicalUrl).map(({ title }) => title)
          )
          if (page.title !== undefined) assert.include(titles, page.title)
          else assert.isFalse(titles.some((title) => title === "A" || title === "B"))
        }
      }),
      runs
    ))

  const bing = (target: string) => `https://www.bing.com/ck/a?u=a1${Buffer.from(target).toString("base64url")}`
  const payload = fc
    .tuple(
      fc.constantFrom("", " ", "\t", "\u0000", "\u200b", "\n"),
      fc.constantFrom(
        "javascript:",
        "JaVaScRiPt:",
        "java\nscript:",
        "data:",
        "DATA:",
        "vbscript:",
        "file:",
        "blob:https:"
      ),
      fc.constantFrom("", "//acme.com/%0a", "text/html,", "text/html;base64,"),
      fc.constantFrom("alert(1)", "<script>alert(1)</script>", "https://acme.com", '"onclick="x')
    )
    .map((parts) => parts.join(""))
  const hostile = fc
    .tuple(
      payload,
      fc.constantFrom(
        (text: string) => text,
        (text: string) => encodeURIComponent(text),
        (text: string) => `https://www.google.com/url?q=${encodeURIComponent(text)}`,
        (text: string) => `https://www.google.com/url?q=${text}&url=${text}`,
        (text: string) => `https://duckduckgo.com/l/?uddg=${encodeURIComponent(encodeURIComponent(text))}`,
        bing,
        (text: string) => bing(bing(text)),
        (text: string) => `https://${text}`,
        (text: string) => `https://acme.com/${text}`,
        (text: string) => `https://acme.com@${text}`
      )
    )
    .map(([text, wrap]) => wrap(text))

  it("only web addresses are listed: none of 5,000 hostile citations is or leads to a script or data", () =>
    fc.assert(
      fc.property(hostile, (given) => {
        for (const { canonicalUrl: out, domains } of aggregateCitations([cited("openai", [given, "x"])])) {
          assert.strictEqual(URL.parse(out)?.protocol, "https:")
          assert.match(out, /^https:\/\/[a-z0-9[]/)
          assert.notMatch(out, /[\s"'<>\\]/)
          if (/google|duckduckgo|bing/.test(domains.join(" ")))
            assert.notMatch(out, /[?=](?:javascript|data|vbscript|file):/i)
        }
      }),
      { numRuns: 5000 }
    ))
})
