/** Planted and seen red: each ending of a code taken for another; a surface's rest cut short, or the vendor's longer one not kept. */
import { assert, it } from "vitest"
import { codeOf, endingOf, surfaceFailed } from "@sightline/platforms/SurfaceFailure"

it.each([
  ["provider_timeout", "timeout"],
  ["upstream_timeout", "timeout"],
  ["provider_rate_limited", "rate_limited"],
  ["upstream_rate_limited", "rate_limited"],
  ["provider_auth_failed", "refused"],
  ["request_unsupported", "refused"],
  ["surface_unavailable_in_region", "region"],
  ["provider_unavailable", "unavailable"],
  ["provider_error", "unavailable"]
] as const)("a capture known by %s ended as %s", (code, ending) => {
  assert.strictEqual(endingOf(code), ending)
})

it.each([
  ["captcha", "upstream_rate_limited"],
  ["challenge", "upstream_rate_limited"],
  ["rate_limited", "upstream_rate_limited"],
  ["timeout", "upstream_timeout"],
  ["region", "surface_unavailable_in_region"],
  ["login_wall", "upstream_unavailable"],
  ["parse_error", "upstream_unavailable"]
] as const)("a capture that ended as %s is told as %s", (ending, code) => {
  assert.strictEqual(codeOf(ending), code)
})

it.each([
  ["captcha", 0, 30],
  ["rate_limited", 29, 30],
  ["rate_limited", 45, 45],
  ["timeout", 45, undefined]
] as const)("after %s, with a hint of %i s, a surface rests for %s s", (ending, hint, rest) => {
  assert.strictEqual(surfaceFailed("ai_mode", ending, hint).retryAfterSeconds, rest)
})
