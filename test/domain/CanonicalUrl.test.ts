/**
 * The parameters are compared with the rules of `tidy-url`, a maintained list of trackers.
 *
 * Planted and seen red:
 * - `www.` is taken from `www.com` and `www.co.uk`
 * - empty parameters are kept
 * - the redirector itself is the answer where the bound is reached
 * - `q` is read before `url`
 * - destinations of other schemes are overlooked
 * - hosts are recognised by their ending, as are hosts that end like a redirector's name
 * - any port, or any path, of a redirector's host is accepted
 * - there is no bound on the input
 * - one of the list's trackers, or one of our own, is missing
 * - names of trackers are compared with their case
 * - a pattern is slow on slashes
 * - one encoding too many is taken for the destination
 * - an accelerated copy is given as Google's page
 */
import { readFileSync } from "node:fs"
import { TidyURL } from "tidy-url"
import { assert, describe, it } from "vitest"
import { canonicalUrl } from "@sightline/domain/CanonicalUrl"

const bing = (url: string) => `https://www.bing.com/ck/a?!&&p=8f1&u=a1${Buffer.from(url).toString("base64url")}&ntb=1`

const page = "https://acme.com/a?id=1"
const given = "https%3A%2F%2Fwww.acme.com%2Fa%3Fid%3D1%26utm_source%3Dx"

/** Addresses and their canonical forms, by the fact that they show. */
const examples: ReadonlyArray<readonly [fact: string, ReadonlyArray<readonly [url: string, canon: string]>]> = [
  [
    "the scheme, the host and the port have one form",
    [
      ["http://WWW.Acme.COM:80/Shoes/", "https://acme.com/Shoes"],
      ["https://acme.com:443", "https://acme.com"],
      ["http://acme.com:443/", "https://acme.com"],
      ["http://acme.com:8080/", "https://acme.com:8080"],
      ["https://me:secret@acme.com./a", "https://acme.com/a"],
      ["https://bücher.example/", "https://xn--bcher-kva.example"],
      ["https://faß.de", "https://xn--fa-hia.de"],
      ["https://www.www.acme.co.uk/", "https://acme.co.uk"],
      ["https://www2.acme.com/", "https://www2.acme.com"],
      ["https://www.com/", "https://www.com"],
      ["https://www.co.uk/", "https://www.co.uk"],
      ["https://www.tumblr.com/", "https://tumblr.com"],
      ["https://[2001:DB8::1]/", "https://[2001:db8::1]"],
      ["  https://acme.com/a \n", "https://acme.com/a"]
    ]
  ],
  [
    "fragments, final slashes and empty queries are removed",
    [
      ["https://acme.com/a/#top", "https://acme.com/a"],
      ["https://acme.com/#!/app/a", "https://acme.com"],
      ["https://acme.com/a#:~:text=best%20shoes", "https://acme.com/a"],
      ["https://acme.com/a//?", "https://acme.com/a"],
      ["https://acme.com/?&", "https://acme.com"],
      ["https://acme.com/a/../b/./c/", "https://acme.com/b/c"],
      ["https://acme.com/?id=1", "https://acme.com?id=1"]
    ]
  ],
  [
    "each character has one spelling",
    [
      ["https://en.wikipedia.org/wiki/Foo_%28bar%29", "https://en.wikipedia.org/wiki/Foo_(bar)"],
      ["https://acme.com/%7ejoe/caf%c3%a9", "https://acme.com/~joe/caf%C3%A9"],
      ["https://acme.com/café", "https://acme.com/caf%C3%A9"],
      ["https://acme.com/O'Neill?a[]='x'", "https://acme.com/O%27Neill?a%5B%5D=%27x%27"],
      ["https://acme.com/100%?q=5%", "https://acme.com/100%25?q=5%25"],
      ["https://acme.com/%%34%31", "https://acme.com/%2541"],
      ["https://acme.com/a%2Fb", "https://acme.com/a%2Fb"],
      ["https://acme.com/%2A%21%2d%5f%2e", "https://acme.com/*!-_."],
      ["https://acme.com/?q=a+b%26c", "https://acme.com?q=a+b%26c"]
    ]
  ],
  [
    "parameters that identify a page stay, in their order; those that identify a visitor are removed",
    [
      ["https://acme.com/?b=2&utm_source=openai&a=1&b=3", "https://acme.com?b=2&a=1&b=3"],
      ["https://acme.com/?id=1&amp;utm_source=x&amp;page=2", "https://acme.com?id=1&page=2"],
      ["https://acme.com/?UTM_Source=x&utm%5Fmedium=y", "https://acme.com"],
      ["https://acme.com/?q=utm_source=x&empty=&bare", "https://acme.com?q=utm_source=x&empty=&bare"],
      ["https://acme.com/?ref=main&source=docs&tag=v1", "https://acme.com?ref=main&source=docs&tag=v1"],
      ["https://g.acme.com/??a.js,b.js", "https://g.acme.com??a.js,b.js"]
    ]
  ],
  [
    "a redirector whose address contains its destination becomes that destination",
    [
      [`https://www.google.com/url?sa=t&q=best+shoes&url=${given}&usg=AOv`, page],
      [`https://www.google.com/url?q=https://b.org/&url=${given}`, page],
      [`http://google.com.au/url?q=${given}&sa=U`, page],
      [bing("https://acme.com/a?id=1"), page],
      [`https://bing.com/ck/a?u=a1${btoa("https://acme.com/a?id=1&utm_source=xy")}`, page],
      [`https://duckduckgo.com/l/?uddg=${given}&rut=1`, page],
      [`https://l.facebook.com/l.php?u=${given}&h=AT`, page],
      [`https://l.instagram.com/?u=${given}&e=AT`, page],
      [`https://out.reddit.com/t3_1abc?url=${given}&token=A`, page],
      [`https://www.youtube.com/redirect?event=video&q=${given}`, page],
      [`https://m.youtube.com/redirect?q=${given}`, page],
      [`https://l.messenger.com/l.php?u=${given}`, page],
      [`https://www.linkedin.com/redir/redirect?url=${given}`, page],
      [`https://steamcommunity.com/linkfilter/?url=${given}`, page],
      [`https://vk.com/away.php?to=${given}&cc_key=`, page],
      [`https://r.search.yahoo.com/_ylt=Aw/RV=2/RE=17/RO=10/RU=${given}/RK=2/RS=k-`, page],
      ["https://www.google.com/amp/s/www.acme.com/a%3Fid=1", "https://acme.com/a%3Fid=1"],
      ["https://www.google.co.uk/amp/s/www.acme.com/a?id=1&utm_source=x", page],
      ["https://www-acme-com.cdn.ampproject.org/c/s/www.acme.com/a?id=1", page],
      ["https://www-acme-com.cdn.ampproject.org/v/s/www.acme.com/a?id=1", page],
      [`https://www.google.com/url?q=${given.replaceAll("%", "%25")}`, page],
      [`https://www.google.com/url?q=${given.replaceAll("%", "%2525")}`, page],
      [bing(`https://www.google.com/url?q=${given}`), page],
      [`https://www.google.com/%75rl/?q=${given}`, page]
    ]
  ],
  [
    "an address that only looks like a redirector, or contains no destination, stays",
    [
      ["https://www.google.com/search?q=https://acme.com/", "https://google.com/search?q=https://acme.com/"],
      [
        "https://google.com.evil.example/url?q=https://acme.com",
        "https://google.com.evil.example/url?q=https://acme.com"
      ],
      ["https://evil-bing.com/ck/a?u=a1aHR0cHM6Ly9hLmNvbQ", "https://evil-bing.com/ck/a?u=a1aHR0cHM6Ly9hLmNvbQ"],
      ["https://www.google.com:8443/url?q=https://acme.com", "https://google.com:8443/url?q=https://acme.com"],
      ["https://www.google.com/urls?q=https://acme.com/", "https://google.com/urls?q=https://acme.com/"],
      ["https://evilgoogle.com/url?q=https://acme.com", "https://evilgoogle.com/url?q=https://acme.com"],
      ["https://www.bing.com/ck/b?u=a1aHR0cHM6Ly9hLmNvbQ", "https://bing.com/ck/b?u=a1aHR0cHM6Ly9hLmNvbQ"],
      ["https://www.google.com/a/url?q=https://acme.com/", "https://google.com/a/url?q=https://acme.com/"],
      ["https://www.google.com/amp/s/acme", "https://google.com/amp/s/acme"],
      ["https://www.acme.com/amp/s/b.example/", "https://acme.com/amp/s/b.example"],
      ["https://a.b.example/c/s/acme.com/", "https://a.b.example/c/s/acme.com"],
      ["https://www.google.com/url?q=acme", "https://google.com/url?q=acme"],
      ["https://www.bing.com/ck/a?u=a1L2ltYWdlcw", "https://bing.com/ck/a?u=a1L2ltYWdlcw"],
      ["https://acme.com/login?next=https://b.example/", "https://acme.com/login?next=https://b.example/"],
      [
        "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ_x-1=",
        "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ_x-1="
      ]
    ]
  ]
]

describe("canonicalUrl", () => {
  it.each(examples)("%s", (_, pairs) => {
    for (const [url, canon] of pairs) assert.strictEqual(canonicalUrl(url), canon, url)
  })

  it("what is no web address has no canonical form, even behind redirectors", () => {
    for (const url of [
      "",
      "acme.com",
      "//acme.com/",
      "/a",
      "javascript:alert(1)",
      "JavaScript://acme.com/%0aalert(1)",
      "data:text/html,x",
      "ftp://acme.com/",
      "mailto:a@acme.com",
      "https:acme.com",
      "https://",
      "https://a..b/",
      'https://a"onload=x.com/',
      "https://www.1.2.3.4/",
      `https://acme.com/${"a".repeat(2048)}`,
      `https://acme.com/?utm_source=${"a".repeat(2048)}`,
      `https://acme.com/${"ä".repeat(400)}`,
      "https://www.google.com/url?q=javascript:alert(1)",
      "https://www.youtube.com/redirect?q=data:text/html,x",
      bing("javascript:alert(1)"),
      bing(bing("ftp://acme.com/"))
    ])
      assert.isUndefined(canonicalUrl(url), url.slice(0, 80))
  })

  it("an address has at most 2,048 characters, both as given and as returned", () => {
    const long = (length: number) => "https://acme.com/".padEnd(length, "a")
    assert.strictEqual(canonicalUrl(long(2048)), long(2048))
    assert.isUndefined(canonicalUrl(`${long(2048)}/`))
    const http = `http${long(2048).slice(5)}`
    assert.strictEqual(canonicalUrl(http), long(2048))
    assert.isUndefined(canonicalUrl(`${http}a`))
  })

  it("an address made to be slow costs less than 2 ms of processor time", () => {
    for (const url of [
      `https://acme.com/${"/".repeat(2000)}x`,
      `https://www.google.com/url${"/".repeat(2000)}x`,
      `https://${"www.".repeat(400)}acme.com/`,
      `https://acme.com/?${"&amp;".repeat(400)}`,
      `https://www.google.com/url?q=https${"%25".repeat(600)}3A`
    ]) {
      const before = process.cpuUsage()
      for (let nth = 0; nth < 100; nth++) canonicalUrl(url)
      const { user } = process.cpuUsage(before)
      assert.isBelow(user / 100, 2000, url.slice(0, 40))
    }
  })

  it("a chain of more than ten redirectors leads nowhere", () => {
    const rowOf = (length: number) => {
      let url = "https://a.co"
      for (let nth = 0; nth < length; nth++) url = `https://vk.com/away.php?to=${url}`
      return url
    }
    assert.strictEqual(canonicalUrl(rowOf(10)), "https://a.co")
    assert.isUndefined(canonicalUrl(rowOf(11)))
  })
})

describe("beside a maintained list of trackers", () => {
  /** Parameters that are stripped here on every site and not by the list, each set by a single tracker. */
  const ours = ["gbraid", "wbraid", "srsltid", "msclkid", "dclid", "yclid", "ttclid", "twclid", "li_fat_id", "igshid"]

  const everywhere = TidyURL.rules.filter(({ match }) => String(match) === "/.*/").flatMap(({ rules }) => rules)

  const tidy = (url: string): string => {
    TidyURL.config.setMany({ allowRedirects: false, allowAMP: true, allowCustomHandlers: false, silent: false })
    return TidyURL.clean(url).url
  }

  it("whatever the list strips on every site is stripped here too, without exception", () => {
    assert.isAbove(everywhere.length, 100)
    for (const name of everywhere)
      assert.strictEqual(canonicalUrl(`https://acme.com/a?id=7&${name}=x&p=2`), "https://acme.com/a?id=7&p=2", name)
  })

  it("trackers that the list leaves in are stripped here", () => {
    for (const name of ours) {
      assert.include(tidy(`https://acme.com/a?id=7&${name}=x`), name)
      assert.strictEqual(canonicalUrl(`https://acme.com/a?id=7&${name}=x`), "https://acme.com/a?id=7", name)
    }
  })

  const pages = readFileSync(new URL("../fixtures/citations/pages.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
  const parametersOf = (url: string) => Array.from(new URL(url).searchParams, ([name, value]) => `${name}=${value}`)

  it("whatever the list keeps of real pages is kept here, and everything else too", () => {
    assert.isAtLeast(pages.length, 200)
    for (const url of pages) {
      const kept = parametersOf(canonicalUrl(url) ?? "about:blank")
      assert.includeMembers(kept, parametersOf(tidy(url)), url)
      assert.deepEqual(kept, parametersOf(url), url)
    }
  })

  it("trackers between the parameters are stripped too", () => {
    for (const [nth, url] of pages.entries()) {
      const [whole = ""] = url.split("#")
      const tracked = `${whole}&${everywhere[nth % everywhere.length]}=x&utm_source=chatgpt.com`
      assert.strictEqual(canonicalUrl(tracked), canonicalUrl(url), tracked)
    }
  })
})
