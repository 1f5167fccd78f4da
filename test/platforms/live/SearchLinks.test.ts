/**
 * Planted faults that turned this red:
 * - a redirector on any host is followed
 * - the text fragment is kept
 * - an own page counts as outside
 * - a script address is let through
 * - one redirector too many or too few is followed, or one of them is unknown
 * - an address that cannot be parsed is taken for a target
 * - a passage after another directive is lost
 * - a wrapped page of the search site itself counts as outside, or a secret or another site's address is taken for one
 * - the search query is followed in place of the target
 * - a redirector that does not contain its destination is taken for a page
 * - an own page of any engine counts as inside
 */
import { assert, it } from "vitest"
import { searchLink } from "@sightline/platforms/live/SearchLinks"

const google = "https://www.google.co.uk/search?q=x"
const bing = "https://www.bing.com/search?q=x"
const base64 = (text: string) => Buffer.from(text).toString("base64url")

it.each([
  ["/url?q=https%3A%2F%2Fshop.example%2Fa%3Fb%3D1%26c%3D2&sa=U", "https://shop.example/a?b=1&c=2"],
  ["https://www.google.com/url?url=https%3A%2F%2Fshop.example%2F", "https://shop.example/"],
  ["/goto?url=https://shop.example/a", "https://shop.example/a"],
  ["/url?q=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fshop.example%252F", "https://shop.example/"],
  ["/aclk?sa=l&adurl=https%3A%2F%2Fshop.example%2F", "https://shop.example/"],
  ["https://shop.example/url?q=https://other.example/", "https://shop.example/url?q=https://other.example/"],
  ["https://shop.example/a#part", "https://shop.example/a#part"],
  ["/goto?url=opaque", "https://www.google.co.uk/goto?url=opaque"],
  ["//shop.example/a", "https://shop.example/a"],
  ["/aclk?sa=l&q=https%3A%2F%2Fshop.example%2F", "https://shop.example/"],
  ["/pagead/aclk?sa=l&adurl=https%3A%2F%2Fshop.example%2F", "https://shop.example/"],
  ["/interstitial?url=https%3A%2F%2Fshop.example%2F", "https://shop.example/"],
  ["/url?q=https%3A%2F%2F%5B", "https://www.google.co.uk/url?q=https%3A%2F%2F%5B"],
  ["/url?q=https%3A%2F%2Fsupport.google.com%2Fa", "https://support.google.com/a"],
  ["/url?q=https%3A%2F%2Fasked.example%2F&url=https%3A%2F%2Fshop.example%2F", "https://shop.example/"],
  ["/url?q=%2F%2Fshop.example%2F", "https://www.google.co.uk/url?q=%2F%2Fshop.example%2F"],
  ["https://www.googleadservices.com/pagead/aclk?sa=L&adurl=https%3A%2F%2Fshop.example%2F", "https://shop.example/"]
])("Google: %s leads out to %s", (href, url) => {
  assert.deepInclude(searchLink(href, google), { url, outside: true })
})

it.each([
  [`/ck/a?!&&p=0&u=a1${base64("https://shop.example/ä?b=1")}&ntb=1`, "https://shop.example/ä?b=1"],
  [`https://www.bing.com/aclick?ld=1&u=${base64("https%3a%2f%2fshop.example%2fa")}`, "https://shop.example/a"],
  [
    `https://www.bing.com/aclk?ld=1&u=${base64("https%3a%2f%2fshop.example%2fa%3fb%3dx%2520y%26msclkid%3d1")}`,
    "https://shop.example/a?b=x%20y&msclkid=1"
  ],
  ["https://www.bing.com/ck/a?u=a1%20%20", "https://www.bing.com/ck/a?u=a1%20%20"],
  [`https://www.bing.com/ck/a?u=a1${base64("javascript:alert(1)")}`, undefined],
  [`https://www.bing.com/ck/a?u=a1${base64("/\u0001\u0002 secret")}`, undefined]
])("Bing: %s leads out to %s", (href, url) => {
  assert.deepInclude(searchLink(href, bing), { url: url ?? href, outside: true })
})

it.each([
  "/search?q=y",
  "#top",
  "https://www.google.com/search?q=y",
  "https://support.google.com/a",
  "https://policies.google.com/a",
  "https://accounts.google.com/a",
  "https://myaccount.google.com/a",
  "https://myactivity.google.com/a",
  "/preferences"
])("%s stays inside", (href) => {
  assert.deepInclude(searchLink(href, google), { outside: false })
})

it.each([
  [`/ck/a?!&&p=0&u=a1${base64("/videos/search?q=y")}&ntb=1`, bing],
  ["/url?q=%2Fsearch%3Fq%3Dy", google]
])("%s, a page of the search site behind its redirector, stays inside", (href, page) => {
  assert.deepInclude(searchLink(href, page), { outside: false })
})

it.each([
  ["https://support.google.com/accounts/answer/1", bing],
  ["https://help.bing.com/a", google]
])("%s, another engine's help, leads out", (url, page) => {
  assert.deepInclude(searchLink(url, page), { url, outside: true })
})

it("an engine's help page is inside where the page does not show whose it is", () => {
  assert.deepInclude(searchLink("https://support.google.com/a", "http://127.0.0.1:9/search"), { outside: false })
})

it("a redirector that does not contain its destination is marked as closed", () => {
  const closed = (href: string) => searchLink(href, google)?.closed
  assert.isTrue(closed("https://www.google.com/aclk?sa=l"))
  assert.isTrue(closed("https://www.googleadservices.com/pagead/aclk?sa=L&adurl="))
  assert.isUndefined(closed("/url?q=https%3A%2F%2Fwww.google.co.uk%2Fchrome"))
  assert.isUndefined(closed("https://shop.example/url?q=opaque"))
})

it("a site that simulates a search site has redirectors of its own", () => {
  const page = "http://127.0.0.1:9/web/bing_copilot/search?q=x"
  const href = `/web/bing_copilot/ck/a?u=a1${base64("https://shop.example/")}`
  assert.deepInclude(searchLink(href, page), { url: "https://shop.example/", outside: true })
})

it("three nested redirectors are followed, and a fourth is not", () => {
  const behind = (redirectors: number) => "https://www.google.com/url?q=".repeat(redirectors) + "https://shop.example/"
  assert.deepInclude(searchLink(behind(3), google), { url: "https://shop.example/" })
  assert.isUndefined(searchLink(behind(4), google))
})

it.each(["javascript:alert(1)", "mailto:a@b.example", "data:text/html,x", "http://", "", "   "])(
  "%j leads nowhere",
  (href) => {
    assert.isUndefined(searchLink(href, google))
  }
)

it.each([
  ["https://a.example/#:~:text=Free%20for%20five", "https://a.example/", "Free for five"],
  ["https://a.example/x#part:~:text=said%2C%20once", "https://a.example/x#part", "said, once"],
  ["https://a.example/#:~:text=before-,from%20here,to%20there,-after", "https://a.example/", "from here … to there"],
  ["/url?q=https%3A%2F%2Fa.example%2F%23%3A~%3Atext%3DFree%2520seats", "https://a.example/", "Free seats"],
  ["https://a.example/#:~:text=%E0%A4%A", "https://a.example/", "%E0%A4%A"],
  ["https://a.example/#:~:other=1", "https://a.example/", undefined],
  ["https://a.example/#:~:other=1&text=Free&text=seats", "https://a.example/", "Free"]
])("%s points at a passage", (href, url, passage) => {
  assert.deepEqual(searchLink(href, google), { url, outside: true, ...(passage !== undefined && { passage }) })
})
