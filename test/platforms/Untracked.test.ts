/**
 * The removal of trackers from addresses.
 *
 * Planted and seen red: a fragment read as a query, lost, or cut at its second `#`; a query cut at its second `?`; a `?` added, or left
 * without parameters; an empty parameter dropped; only the first tracker removed.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { untracked } from "@sightline/platforms/Untracked"

describe("untracked", () => {
  it("removes trackers wherever they stand, and leaves the fragment", () => {
    assert.strictEqual(untracked("https://a.example/p/?utm_source=x"), "https://a.example/p/")
    assert.strictEqual(untracked("https://a.example/?a=1&gclid=x&b=2#top"), "https://a.example/?a=1&b=2#top")
    assert.strictEqual(untracked("https://a.example/?UTM_Term&msclkid=1&a=%zz"), "https://a.example/?a=%zz")
    assert.strictEqual(untracked("https://a.example/?mc_eid=1&igshid=2"), "https://a.example/")
    assert.strictEqual(untracked("https://a.example/?a=b?c&gclid=x"), "https://a.example/?a=b?c")
  })

  it("leaves an address without trackers as it is, character for character", () => {
    for (const url of [
      "HTTPS://A.example:443/b/../?",
      "https://a.example/?a=1&&b#c#d",
      "https://a.example/#?utm_source=x",
      "https://a.example/utm_source=x?ref=y",
      "not an address"
    ])
      assert.strictEqual(untracked(url), url)
  })

  it("is idempotent: untracked(untracked(x)) = untracked(x)", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("?", "&", "#", "=", "utm_source", "gclid", "a", "%", "/")), (parts) => {
        const once = untracked(`https://a.example/${parts.join("")}`)
        assert.strictEqual(untracked(once), once)
      })
    ))
})
