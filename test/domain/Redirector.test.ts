/**
 * Which addresses redirect their visitors, and which parameters only track them: one fact at a time, as seen in `canonicalUrl`.
 *
 * Planted and seen red:
 * - hosts, parameters and names of families are left out; a family has too many names
 * - an address in base64 is read without its mark
 * - blanks before an address are kept
 * - only one scheme has a default port
 * - what cannot be decoded is dropped
 */
import { assert, describe, it } from "vitest"
import { canonicalUrl } from "@sightline/domain/CanonicalUrl"
import { destinationIn } from "@sightline/domain/Redirector"

const page = "https://acme.com/a?id=1"
const given = "https%3A%2F%2Fwww.acme.com%2Fa%3Fid%3D1"

/** The addresses whose canonical form is not the page. */
const astray = (...urls: ReadonlyArray<string>) => urls.filter((url) => canonicalUrl(url) !== page)

describe("a redirector", () => {
  it("is recognised with and without www", () => {
    for (const host of ["google.com", "www.google.com"])
      assert.strictEqual(destinationIn(new URL(`https://${host}/url?q=${page}`)), page)
  })

  it("of Google may have a country's ending", () =>
    assert.isEmpty(
      astray(
        `https://www.google.de/url?url=${given}`,
        `https://www.google.co.jp/url?url=${given}`,
        `https://www.google.com.br/url?url=${given}`
      )
    ))

  it('of Bing has its page in base64 after "a1", with or without padding, and in no other form', () => {
    const [code, padded] = [btoa(`${page}&x=1`), btoa(`${page}&x`)]
    assert.match(padded, /=$/)
    assert.strictEqual(canonicalUrl(`https://www.bing.com/ck/a?u=a1${code}`), `${page}&x=1`)
    assert.strictEqual(canonicalUrl(`https://www.bing.com/ck/a?u=a1${padded}`), `${page}&x`)
    assert.strictEqual(canonicalUrl(`https://www.bing.com/ck/a?u=xx${code}`), `https://bing.com/ck/a?u=xx${code}`)
  })

  it("of Facebook has one of three hosts, of Reddit a path or none, and of Steam one of two parameters", () =>
    assert.isEmpty(
      astray(
        `https://www.facebook.com/l.php?u=${given}`,
        `https://l.facebook.com/l.php?u=${given}`,
        `https://lm.facebook.com/l.php?u=${given}`,
        `https://out.reddit.com/?url=${given}`,
        `https://out.reddit.com/t3_1abc?url=${given}`,
        `https://steamcommunity.com/linkfilter/?u=${given}`
      )
    ))

  it("of accelerated pages has a page, a viewer and an image form", () =>
    assert.isEmpty(
      astray(...["c", "i", "v"].map((kind) => `https://acme-com.cdn.ampproject.org/${kind}/s/acme.com/a?id=1`))
    ))

  it("may have blanks before the address it leads to", () =>
    assert.isEmpty(
      astray(`https://www.google.com/url?q=%20${given}`, `https://www.google.com/url?q=%20${encodeURIComponent(given)}`)
    ))

  it("whose destination cannot be decoded keeps it as written", () => {
    const broken = "https%253A%252F%252Facme.com%252F%25ff"
    const url = `https://www.google.com/url?q=${broken}`
    assert.strictEqual(canonicalUrl(url), url.replace("www.", ""))
  })
})

describe("a parameter that only tracks visitors", () => {
  const kept = (names: string) => names.split(" ").filter((name) => canonicalUrl(`${page}&${name}=x`) !== page)

  it("may belong to an advertisement", () =>
    assert.isEmpty(
      kept(
        "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _gl _ga msclkid fbclid fb_action_ids fb_action_types " +
          "twclid ttclid li_fat_id epik rdt_cid sccid yclid ysclid s_kwcid ef_id irclickid irgwc zanpid"
      )
    ))

  it("may belong to a share, a newsletter or a campaign", () =>
    assert.isEmpty(
      kept(
        "igsh igshid __twitter_impression _branch_match_id _branch_referrer guccounter guce_referrer guce_referrer_sig " +
          "mc_cid mc_eid _hsenc _hsmi mkt_tok oly_enc_id vero_id __s elqTrackId _kx ml_subscriber _bta_tid dm_i " +
          "cmpid mbid ncid wickedid _openstat"
      )
    ))

  it("may be any name of a family, but not a name that only begins like one", () => {
    assert.isEmpty(
      kept(
        "utm_any hsa_any mtm_any matomo_any piwik_any itm_source itm_source_s int_campaign int_cmp_x pk_kwd ga_place at_medium " +
          "at_campaign at_custom1"
      )
    )
    const others = "itm_id int_id pk_id ga_id at_id at_customer utm hsa"
    assert.strictEqual(kept(others).join(" "), others)
  })

  it("whose name cannot be decoded is recognised by its spelling", () =>
    assert.strictEqual(canonicalUrl("https://acme.com/a?%ff=1&utm_%ff=1"), "https://acme.com/a?%FF=1"))
})

describe("the spelling of an address", () => {
  const spelled = (url: string) => canonicalUrl(`https://acme.com/${url}`)?.slice("https://acme.com".length)

  it("drops parameters of question marks alone, and the default port of either scheme", () => {
    assert.strictEqual(spelled("a?x=1&?&??&y=2"), "/a?x=1&y=2")
    assert.strictEqual(canonicalUrl("https://acme.com:80/a"), "https://acme.com/a")
    assert.strictEqual(canonicalUrl("http://acme.com:443/a"), "https://acme.com/a")
  })

  it("has `&` for any run of `&amp;amp;`", () => assert.strictEqual(spelled("a?x=1&amp;amp;y=2"), "/a?x=1&y=2"))

  it("encodes an apostrophe and a backslash", () => {
    assert.strictEqual(spelled("a%27b"), "/a%27b")
    assert.strictEqual(spelled("a?x=a\\b"), "/a?x=a%5Cb")
  })
})
