/**
 * Planted and seen red: one redirector too many is followed, or the last of too many is given as the destination; a user name, a
 * password or an address that is too long is let through; a destination that is not public is given.
 */
import { assert, it } from "vitest"
import { destinationOf } from "@sightline/platforms/Destination"

const behind = (redirectors: number, page: string) => "https://www.google.com/url?q=".repeat(redirectors) + page

it.each([0, 1, 2, 10])("a page behind %i redirectors is found", (redirectors) => {
  assert.strictEqual(destinationOf(behind(redirectors, "https://acme.com/a")), "https://acme.com/a")
})

it.each([
  behind(11, "https://acme.com/a"),
  behind(1, "https://user@acme.com/"),
  behind(1, "https://:word@acme.com/"),
  behind(1, `https://acme.com/${"é".repeat(500)}`),
  behind(1, "https://localhost/"),
  behind(1, "ftp://acme.com/"),
  behind(2, "https://10.0.0.1/")
])("%s stays as it is", (url) => {
  assert.strictEqual(destinationOf(url), url)
})
