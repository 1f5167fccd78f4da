/**
 * 6,000 URLs per law: nested redirectors, nested encodings, stray percent signs, dots, ports, trailing parts.
 *
 * Planted and seen red, each by the law it breaks:
 * - only one of several `www.` removed
 * - a stray percent sign kept, or decoded; escapes in lower case; all characters decoded
 * - port 80 kept; only one of several slashes removed; `&amp;` not recognised; the root dot kept
 * - equal parameters merged; parameters sorted
 * - quotes allowed in hosts; a result of any length; any scheme accepted
 * - a destination not normalised; no redirector followed, or only one; a doubly encoded value not read
 * - `utm` without its underscore removed as a tracker; a tracker prefix matched inside a name; values matched as names; `ref` and `source`
 *   removed
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { canonicalUrl } from "@sightline/domain/CanonicalUrl"
import { destinationIn } from "@sightline/domain/Redirector"

const runs = { numRuns: 6000 }

const oneOf = (text: string) => fc.constantFrom(...text.split(" "))

const tracker = fc
  .tuple(
    oneOf(
      "utm_source UTM_Medium utm%5Fcampaign utm_x gclid fbclid mc_eid _hsenc __s elqTrackId srsltid _ga pk_kwd mtm_cid"
    ),
    oneOf("= =openai =a%20b =a=b =https://t.example/")
  )
  .map(([name, value]) => name + value)

const redirectors = [
  (url: string) => `https://www.google.com/url?sa=t&url=${url}&ved=2ah`,
  (url: string) => `http://www.google.co.uk/url?q=${url}`,
  (url: string) => `https://duckduckgo.com/l/?uddg=${url}&rut=ab`,
  (url: string) => `https://l.facebook.com/l.php?u=${url}&h=AT0`,
  (url: string) => `https://l.instagram.com/?u=${url}`,
  (url: string) => `https://out.reddit.com/t3_ab12?url=${url}&token=x`,
  (url: string) => `https://www.youtube.com/redirect?event=d&q=${url}`,
  (url: string) => `https://www.linkedin.com/safety/go?url=${url}`,
  (url: string) => `https://r.search.yahoo.com/_ylt=A/RV=2/RU=${url}/RK=2/RS=x-`
].map((wrap) => (url: string) => wrap(encodeURIComponent(url)))

const throughBing = (url: string) =>
  `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from(url).toString("base64url")}&ntb=1`

const wrapper = fc.constantFrom(...redirectors, throughBing)

/** Malformed URLs. */
const nasty = fc.letrec<{ url: string; plain: string; wrapped: string }>((tie) => ({
  plain: fc
    .tuple(
      oneOf("http:// https:// HTTPS:// hTtP:// https:/// http:\\\\ ftp:// javascript: data: // "),
      fc.constantFrom("", "", "", "user@", "user:pass@"),
      fc.oneof(
        oneOf(
          "acme.com WWW.Acme.COM www.www.acme.co.uk www.com www.co.uk acme.com. a..b münchen.de BÜCHER.example xn--p1ai"
        ),
        oneOf(
          "www.google.com google.com bing.com l.instagram.com m.youtube.com out.reddit.com 127.0.0.1 0x7f.1 [::1] a_b.c"
        ),
        oneOf('%61cme.com a"b.com www.локал.рф localhost www. www.xn--mnchen-3ya.de'),
        fc.domain()
      ),
      fc.constantFrom("", "", "", ":80", ":443", ":8080", ":0443", ":"),
      fc.array(
        fc.oneof(
          oneOf(
            "a A . .. %2e %2E. %7e %7E %41 % %% %%34%31 %4 %zz %25%34%31 %252e ä %c3%a4 %E4 (b) %28b%29 ' | {c} [d] \\ c++"
          ),
          oneOf("url %75rl ck a l l.php redirect safety go index.html p;x=1 @evil.example : \u202e"),
          fc.string({ unit: "binary", maxLength: 4 })
        ),
        { maxLength: 5 }
      ),
      fc.oneof(
        fc.array(
          fc.oneof(
            tracker,
            tie("url").map((url) => `url=${encodeURIComponent(url)}`),
            tie("url").map((url) => `q=${encodeURIComponent(encodeURIComponent(url))}`),
            tie("url").map((url) => `u=${url}`),
            oneOf(
              "id=1 q=a+b q=%% v= a[]=1 a%5B%5D=1 amp;x=1 ? ?? =x = x é=ü %=% ID=2 u=a1 u=a1%% url=javascript:alert(1)"
            ),
            fc.string({ unit: "binary", maxLength: 5 })
          ),
          { maxLength: 4 }
        )
      ),
      oneOf("& &amp; && &AMP;amp;"),
      fc.constantFrom("", "", "/", "//", "?", "&", "?&", "/?", "#", "#!/x", "#:~:text=a", " ")
    )
    .map(([scheme, user, host, port, path, query, and, tail]) => {
      const way = path.length === 0 ? "" : `/${path.join("/")}`
      return scheme + user + host + port + way + (query.length === 0 ? "" : `?${query.join(and)}`) + tail
    }),
  wrapped: fc.tuple(wrapper, tie("url")).map(([wrap, url]) => wrap(url)),
  url: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie("plain"), tie("wrapped"))
})).url

const anything = fc.oneof(
  { weight: 8, arbitrary: nasty },
  { weight: 1, arbitrary: fc.webUrl({ withQueryParameters: true }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary" })
  }
)

/** A page with its parameters, whose canonical URL is known without the function under test. */
const page = fc.record({
  host: oneOf("acme.com shop.acme.co.uk xn--mnchen-3ya.de acme.github.io news.acme.org"),
  port: fc.constantFrom("", "", ":8080"),
  path: fc.array(oneOf("shoes Red ~me a.b caf%C3%A9 foo_(bar) x%2Fy %2541 p"), { maxLength: 3 }),
  query: fc.array(
    fc
      .tuple(
        oneOf("id q v p page ref source tag t ID lang utm gclid2 xutm_source _gat k%5B%5D"),
        oneOf("1 2 a+b %C3%BC = %26")
      )
      .map(([name, value]) => `${name}=${value}`),
    { maxLength: 4 }
  )
})
type Page = typeof page extends fc.Arbitrary<infer A> ? A : never

/** Two pages that mostly differ in one part only. */
const pair = fc
  .tuple(page, page, fc.constantFrom("host", "port", "path", "query", "all"))
  .map(([one, other, part]) => [one, part === "all" ? other : { ...one, [part]: other[part] }] as const)

const plainly = ({ host, path, port, query }: Page): string =>
  `https://${host}${port}${path.map((each) => `/${each}`).join("")}${query.length === 0 ? "" : `?${query.join("&")}`}`

/** A random spelling of a page. */
const spelling = fc.record({
  scheme: oneOf("http https HTTPS"),
  user: fc.constantFrom("", "me@", "me:you@"),
  www: fc.constantFrom("", "www.", "WWW.", "www.www."),
  loud: fc.boolean(),
  root: fc.boolean(),
  defaultPort: fc.constantFrom("", ":80", ":443"),
  slash: fc.constantFrom("", "/", "//", "/./", "/x/../"),
  encode: fc.boolean(),
  small: fc.boolean(),
  trackers: fc.array(fc.tuple(fc.nat(4), tracker), { maxLength: 3 }),
  and: oneOf("& && &amp;"),
  tail: fc.constantFrom("", "&", "#top", "#!/a?b", "#:~:text=x", "&#"),
  wraps: fc.array(wrapper, { maxLength: 3 })
})
type Spelling = typeof spelling extends fc.Arbitrary<infer A> ? A : never

const respelled = ({ host, path, port, query }: Page, how: Spelling): string => {
  const encoded = (text: string) => {
    const whole = how.encode ? text.replace(/(?<!%|%.)[a-zR~]/g, (each) => `%${each.charCodeAt(0).toString(16)}`) : text
    return how.small ? whole.replace(/%../g, (each) => each.toLowerCase()) : whole
  }
  const pairs = query.map((pair) => encoded(pair))
  for (const [at, pair] of how.trackers) pairs.splice(at, 0, pair)
  const site = how.www + (how.loud ? host.toUpperCase() : host) + (how.root ? "." : "")
  const way = path.map((each) => `/${encoded(each)}`).join("") + how.slash
  // A trailing parameter needs a query before it.
  const tail = pairs.length === 0 ? how.tail.replaceAll("&", "") : how.tail
  const search = pairs.length === 0 ? "" : `?${pairs.join(how.and)}`
  const url = `${how.scheme}://${how.user}${site}${port === "" ? how.defaultPort : port}${way}${search}${tail}`
  return how.wraps.reduce((inner, wrap) => wrap(inner), url)
}

describe("canonicalUrl", () => {
  it("is idempotent: canon(canon(x)) = canon(x)", () => {
    let found = 0
    fc.assert(
      fc.property(anything, (url) => {
        const once = canonicalUrl(url)
        if (once === undefined) return
        found += 1
        assert.strictEqual(canonicalUrl(once), once)
      }),
      runs
    )
    assert.isAbove(found, runs.numRuns / 3)
  })

  it("has one form: https, bare host, no default port, user, fragment or trailing slash, at most 2,048 characters", () =>
    fc.assert(
      fc.property(anything, (url) => {
        const canon = canonicalUrl(url)
        if (canon === undefined) return
        assert.match(canon, /^https:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d+)?(?:\/[^?#]*[^/?#])?(?:\?[^#]+)?$/)
        assert.notMatch(canon, /^https:\/\/[^/?]*(?:\.\.|\.(?=[/?:]|$)|:(?:80|443)(?=[/?]|$))/)
        assert.notMatch(canon, /[^\x21-\x7e]|["'<>\\^`{|}]|%(?![0-9A-F]{2})|%(?:4[1-9A-F]|5[0-9A]|2D|2E|5F|7E)/)
        assert.isAtMost(canon.length, 2048)
        assert.strictEqual(
          URL.parse(canon)?.href.replace(/^(https:\/\/[^/?]*)\//, "$1"),
          canon.replace(/^(https:\/\/[^/?]*)\//, "$1")
        )
      }),
      runs
    ))

  it("is never a redirector with a known destination", () =>
    fc.assert(
      fc.property(anything, (url) => {
        const canon = canonicalUrl(url)
        if (canon !== undefined) assert.isUndefined(destinationIn(new URL(canon)))
      }),
      runs
    ))

  it("all spellings of a page have the same canonical URL, the plain one", () =>
    fc.assert(
      fc.property(page, spelling, (one, how) => {
        assert.strictEqual(canonicalUrl(respelled(one, how)), plainly(one))
      }),
      runs
    ))

  it("no parameter that identifies a page is lost, changed or moved", () =>
    fc.assert(
      fc.property(page, spelling, (one, how) => {
        const canon = new URL(canonicalUrl(respelled(one, how)) ?? "about:blank")
        assert.deepEqual([...canon.searchParams], [...new URL(plainly(one)).searchParams])
      }),
      runs
    ))

  it("two pages never share a canonical URL", () =>
    fc.assert(
      fc.property(pair, spelling, spelling, ([one, other], how, otherwise) => {
        fc.pre(plainly(one) !== plainly(other))
        assert.notStrictEqual(canonicalUrl(respelled(one, how)), canonicalUrl(respelled(other, otherwise)))
      }),
      runs
    ))
})
