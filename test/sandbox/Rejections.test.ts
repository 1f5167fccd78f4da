/**
 * Each vendor's words for a status, and the fields beside them.
 *
 * Planted and seen red: a status has the words of another, or none of its own; no hint on when to retry; no quota is named; a request
 * has two different ids.
 */
import { assert, it } from "vitest"
import type { VendorName } from "@sightline/sandbox/Inquiry"
import { vendors } from "./Answering.ts"

const words: ReadonlyArray<readonly [VendorName, status: number, error: object]> = [
  ["openai", 400, { type: "invalid_request_error", code: null }],
  ["openai", 401, { type: "invalid_request_error", code: "invalid_api_key" }],
  ["openai", 429, { type: "requests", code: "rate_limit_exceeded" }],
  ["openai", 502, { type: "server_error", code: "server_error" }],
  ["openai", 503, { type: "service_unavailable_error", code: "server_overloaded" }],
  ["anthropic", 422, { type: "invalid_request_error" }],
  ["anthropic", 429, { type: "rate_limit_error" }],
  ["anthropic", 502, { type: "api_error" }],
  ["anthropic", 529, { type: "overloaded_error" }],
  ["gemini", 422, { code: 422, status: "INVALID_ARGUMENT" }],
  ["gemini", 429, { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ violations: [{ quotaValue: "60" }] }] }],
  ["gemini", 503, { code: 503, message: "The model is overloaded. Please try again later." }],
  ["gemini", 504, { code: 504, status: "DEADLINE_EXCEEDED" }],
  ["perplexity", 422, { code: 422, type: "invalid_request" }],
  ["perplexity", 503, { code: 503, type: "internal_error" }],
  ["perplexity", 504, { code: 504, type: "gateway_timeout" }]
]

it.each(words)("%s: %i", (name, status, error) => {
  const reply = vendors[name].reject({ status }, "1")
  assert.strictEqual(reply.status, status)
  assert.containSubset(reply.body, { error })
  assert.isNotEmpty(Object(reply.body).error.message)
})

it.each(["openai", "anthropic", "perplexity"] as const)("%s says in a header when to come back", (name) => {
  const headersOf = (hint: object) => vendors[name].reject({ status: 429, ...hint }, "1").headers
  assert.deepStrictEqual([headersOf({ retryAfterSeconds: 7 }), headersOf({})], [{ "retry-after": "7" }, {}])
})

it("anthropic gives a refused request the same id in its header and its body", () => {
  const { body } = vendors.anthropic.reject({ status: 400 }, "1")
  assert.strictEqual(Object(body).request_id, vendors.anthropic.headers("1")["request-id"])
})
