/**
 * Planted and seen red: the domain as it is spelled in the address, the name in the letters of the DNS, the host of an escape
 * overlooked, the owner of a shared domain named for the site, a site by the name of `www`, a host of sites that is none itself.
 */
import { assert, it } from "vitest"
import { siteOf } from "@sightline/domain/Site"

it.each([
  ["https://www.shop.acme.co.uk/a", "Acme", "acme.co.uk"],
  ["http://ACME.com.:8080/", "Acme", "acme.com"],
  ["https://acme.github.io/a", "Acme", "acme.github.io"],
  ["https://acme.com@bolt.com/", "Bolt", "bolt.com"],
  ["https://acme.com%2Ebolt.com/", "Bolt", "bolt.com"],
  ["https://www.bücher.de/a", "Bücher", "xn--bcher-kva.de"],
  ["https://www.xn--bcher-kva.de/a", "Bücher", "xn--bcher-kva.de"],
  // A site where others have theirs, too.
  ["https://www.gov.uk/visa", "Gov", "www.gov.uk"],
  ["https://www.notion.site/", "Notion", "notion.site"],
  ["https://notion.site/", "Notion", "notion.site"],
  ["https://www.com/", "Www", "www.com"]
])("%s is a page of %s at %s", (url, name, domain) => {
  assert.deepStrictEqual(siteOf(url), { name, domain, iconUrl: `https://${domain}/favicon.ico` })
})

it.each(["https://192.0.2.1/", "https://[2001:db8::1]/", "https://localhost/", "https://co.uk/", "acme"])(
  "%s is a page of no site",
  (url) => {
    assert.isNull(siteOf(url))
  }
)
