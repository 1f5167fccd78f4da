/**
 * Planted and seen red: each ending of a code is taken for another; the vendor's wait is not kept, or is reported where no limit was
 * reached.
 */
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
  ["captcha", undefined, undefined],
  ["rate_limited", 45, 45],
  ["timeout", 45, undefined]
] as const)("after %s, with a hint of %s s, it is said to come back in %s s", (ending, hint, wait) => {
  assert.strictEqual(surfaceFailed("ai_mode", ending, hint).retryAfterSeconds, wait)
})
