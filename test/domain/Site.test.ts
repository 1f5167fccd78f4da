/**
 * Planted and seen red: the domain is given as the address spells it; the name is given in the DNS encoding; an escaped host is
 * overlooked; the owner of a shared domain is named as the site; a site is named `www`; a shared domain is not recognised as a site
 * itself.
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
  // A domain under which other sites live too.
  ["https://www.gov.uk/visa", "Gov", "www.gov.uk"],
  ["https://www.notion.site/", "Notion", "notion.site"],
  ["https://notion.site/", "Notion", "notion.site"],
  ["https://www.com/", "Www", "www.com"]
])("%s is a page of %s at %s", (url, name, domain) => {
  assert.deepStrictEqual(siteOf(url), { name, domain, iconUrl: `https://${domain}/favicon.ico` })
})

it.each(["https://192.0.2.1/", "https://[2001:db8::1]/", "https://localhost/", "https://co.uk/", "acme"])(
  "%s belongs to no site",
  (url) => {
    assert.isNull(siteOf(url))
  }
)
