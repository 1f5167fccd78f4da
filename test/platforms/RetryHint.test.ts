/**
 * Planted faults that turned this red: seconds are read as milliseconds; `m` is read before `ms`; a date in the past gives a negative
 * wait, and one of an upstream whose clock differs from ours a wait of hours; a duration is larger than any integer; a wait is longer than
 * a day.
 */
import { Option } from "effect"
import { assert, it } from "vitest"
import { retryHint } from "@sightline/platforms/RetryHint"

const now = Date.parse("2026-11-21T10:00:00Z")

it.each<[Record<string, string>, string | undefined, number | undefined]>([
  [{ "retry-after": "2" }, undefined, 2000],
  [{ "retry-after": "2", "retry-after-ms": "1840" }, undefined, 1840],
  [{ "retry-after-ms": "1840.2 " }, undefined, 1841],
  [{ "retry-after": "Sat, 21 Nov 2026 10:00:17 GMT" }, undefined, 17_000],
  [{ "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, undefined, 0],
  [{ "retry-after": "Sat, 21 Nov 2026 10:00:17 GMT", date: "Sat, 21 Nov 2026 10:00:12 GMT" }, undefined, 5000],
  [{ "retry-after": "Sat, 21 Nov 2026 12:00:17 GMT", date: "Sat, 21 Nov 2026 12:00:00 GMT" }, undefined, 17_000],
  [{ "retry-after": "Sat, 21 Nov 2026 08:00:17 GMT", date: "Sat, 21 Nov 2026 08:00:00 GMT" }, undefined, 17_000],
  [{ "retry-after": "Sat, 21 Nov 2026 10:00:17 GMT", date: "now" }, undefined, 17_000],
  [{ "retry-after": "soon" }, undefined, undefined],
  [{ "retry-after": "soon" }, "37s", 37_000],
  [{}, "0.5s", 500],
  [{ "retry-after": "1" }, "37s", 1000],
  [{ "x-ratelimit-reset-requests": "1.84s" }, undefined, 1840],
  [{ "x-ratelimit-reset-requests": "12ms", "x-ratelimit-reset-tokens": "6m0s" }, undefined, 360_000],
  [{ "x-ratelimit-reset-tokens": "1h2m3s4ms" }, undefined, 3_723_004],
  [{ "retry-after": "86401" }, undefined, 86_400_000],
  [{ "retry-after": "Sat, 21 Nov 2126 10:00:00 GMT" }, undefined, 86_400_000],
  [{ "retry-after": "-5" }, "x", undefined],
  [{ "retry-after": "9".repeat(400) }, "9".repeat(400), undefined],
  [{ "x-ratelimit-reset-tokens": `${"9".repeat(400)}s` }, `${"9".repeat(400)}s`, undefined],
  [{ "x-ratelimit-reset-tokens": `${"9".repeat(30)}s` }, `${"9".repeat(30)}s`, undefined],
  [{}, undefined, undefined]
])("%j and %j ask for %j ms", (headers, delay, expected) => {
  assert.strictEqual(Option.getOrUndefined(retryHint(headers, delay, now, true)), expected)
})

it("the reset of a limit is a hint only where the limit was reached, and Retry-After is always one", () => {
  const reset = { "x-ratelimit-reset-requests": "12ms", "x-ratelimit-reset-tokens": "6m0s" }
  assert.deepStrictEqual(retryHint(reset, undefined, now, false), Option.none())
  assert.deepStrictEqual(retryHint({ ...reset, "retry-after": "5" }, undefined, now, false), Option.some(5000))
})
