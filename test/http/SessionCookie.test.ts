/**
 * Whom a cookie is believed from.
 *
 * Planted and seen red: a page whose origin only ends in our host, what no page sent, a page behind TLS refused; a token that
 * gives the session away.
 */
import { assert, it } from "@effect/vitest"
import { csrfOf, isOwnPage } from "@sightline/server/keys/SessionCookie"
import { HttpServerRequest } from "effect/http"

const host = "app.example:8443"

const isOwn = (headers: Readonly<Record<string, string>>): boolean =>
  isOwnPage(HttpServerRequest.fromWeb(new Request(`http://${host}/session`, { headers: { host, ...headers } })))

it.each([
  { origin: `http://${host}` },
  // What ends TLS in front of us leaves the host as it was.
  { origin: `https://${host}` },
  { origin: `https://${host}`, "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "same-origin" }
])("%o is a page of ours", (headers) => assert.isTrue(isOwn(headers)))

it.each([
  {},
  { origin: "null" },
  { origin: `https://evil-${host}` },
  { origin: `https://${host}0` },
  { origin: "https://app.example" },
  // An address that somebody typed, which is no page.
  { "sec-fetch-site": "none" },
  { origin: `https://${host}`, "sec-fetch-site": "none" },
  { origin: `https://${host}`, "sec-fetch-site": "same-site" },
  { origin: "https://evil.example", "sec-fetch-site": "same-origin" }
])("%o is none", (headers) => assert.isFalse(isOwn(headers)))

it("what a page shows for its changes says nothing of its session", () => {
  const tokens = ["A".repeat(43), "B".repeat(43)]
  const [one, other] = tokens.map(csrfOf)
  assert.notInclude(tokens, one)
  assert.notStrictEqual(one, other)
})
