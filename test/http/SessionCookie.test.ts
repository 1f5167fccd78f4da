/**
 * Which requests a session cookie is accepted from.
 *
 * Planted and seen red: a page accepted whose origin only ends in the server's host; a request accepted that no page sent; a page behind
 * TLS refused; a CSRF token that reveals the session; a cookie accepted whose name differs from ours by blanks.
 */
import { assert, it } from "@effect/vitest"
import { csrfOf, isOwnPage, tokenOf } from "@sightline/server/keys/SessionCookie"
import { HttpServerRequest } from "effect/http"

const host = "app.example:8443"

const isOwn = (headers: Readonly<Record<string, string>>): boolean =>
  isOwnPage(HttpServerRequest.fromWeb(new Request(`http://${host}/session`, { headers: { host, ...headers } })))

it.each([
  { origin: `http://${host}` },
  // A proxy that terminates TLS leaves the host unchanged.
  { origin: `https://${host}` },
  { origin: `https://${host}`, "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "same-origin" }
])("%o comes from the program's own page", (headers) => assert.isTrue(isOwn(headers)))

it.each([
  {},
  { origin: "null" },
  { origin: `https://evil-${host}` },
  { origin: `https://${host}0` },
  { origin: "https://app.example" },
  // An address typed by the user, which no page sent.
  { "sec-fetch-site": "none" },
  { origin: `https://${host}`, "sec-fetch-site": "none" },
  { origin: `https://${host}`, "sec-fetch-site": "same-site" },
  { origin: "https://evil.example", "sec-fetch-site": "same-origin" }
])("%o does not come from the program's own page", (headers) => assert.isFalse(isOwn(headers)))

it("the CSRF token of a page reveals nothing of its session", () => {
  const tokens = ["A".repeat(43), "B".repeat(43)]
  const [one, other] = tokens.map(csrfOf)
  assert.notInclude(tokens, one)
  assert.notStrictEqual(one, other)
})

const [own, theirs] = ["A".repeat(43), "B".repeat(43)]

const named = (cookie: string) =>
  tokenOf(HttpServerRequest.fromWeb(new Request(`http://${host}/session`, { headers: { cookie } })))

it.each([
  `__Host-sightline=${own}`,
  `theme=dark; __Host-sightline=${own}; other=1`,
  `theme=dark;__Host-sightline=${own}`,
  // Chromium stores such a name for any host and path, because the prefix is not at its start.
  `\u00A0__Host-sightline=${theirs}; __Host-sightline=${own}`,
  `__host-sightline=${theirs}; x__Host-sightline=${theirs}; =__Host-sightline=${theirs}; __Host-sightline=${own}`
])("%j contains the session cookie", (cookie) => assert.strictEqual(named(cookie), own))

it.each([
  "",
  `\u00A0__Host-sightline=${theirs}`,
  `__Host-sightline\u00A0=${theirs}`,
  `other="; __Host-sightline=${theirs}x`,
  `__Host-sightline=${theirs.slice(1)}`
])("%j contains no session cookie", (cookie) => assert.isUndefined(named(cookie)))
