/**
 * What a page shows when a call fails.
 *
 * Planted and seen red:
 * - issues are dropped
 * - an announced mode is read as unknown
 * - the end of a session is reported in the words of the API
 * - a change without an answer is reported like a read
 * - an unreachable server is reported as one with an odd answer
 * - an answer that the page no longer waits for is reported as an unreachable server
 */
import { HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { assert, describe, it } from "vitest"
import { failureInSession, failureOf, isSignedOut } from "@sightline/dashboard/Failure"

const refusal = (code: string, details?: unknown) => ({
  error: { code, message: "No.", ...(details === undefined ? {} : { details }) },
  request_id: "r-1"
})

describe("a failed call", () => {
  it("has its code, its message, its request id and the issues of its fields", () => {
    const issues = [{ path: "models.claude", message: "is not available" }]
    const failure = failureOf(refusal("invalid_request", { issues }))
    assert.deepInclude(failure, { code: "invalid_request", message: "No.", requestId: "r-1" })
    assert.deepEqual(failure.issues, issues)
  })

  it("is reported just as well where its details are figures: a balance that is too low", () => {
    const details = { balance_cents: 3, required_cents: 150, topup_url: "http://127.0.0.1/billing" }
    const failure = failureOf({ ...refusal("insufficient_balance", details), ...details })
    assert.deepInclude(failure, { code: "insufficient_balance", issues: [] })
  })

  it("has its code where a mode is only announced", () => {
    const body = {
      error: "mode_roadmap",
      mode: "deep",
      eta: "2027",
      available_modes: [],
      message: "Later.",
      request_id: "r"
    }
    assert.deepInclude(failureOf(body), { code: "mode_roadmap", message: "Later." })
  })

  it("shows nothing of an unexpected value except that the call failed", () => {
    for (const odd of [undefined, null, "x", 7, new Error("secret"), { error: { code: 1 } }, { _tag: "SchemaError" }])
      assert.notInclude(failureOf(odd).message, "secret")
    assert.strictEqual(failureOf({ _tag: "HttpClientError" }).code, "unreachable")
  })

  it("is unanswered where the page stopped waiting, before the answer or in the middle of it", () => {
    const request = HttpClientRequest.get("http://127.0.0.1/")
    const response = HttpClientResponse.fromWeb(request, new Response())
    const reasons = (name: string) => {
      const cause = new DOMException("", name)
      return [
        new HttpClientError.TransportError({ request, cause }),
        new HttpClientError.DecodeError({ request, response, cause })
      ].map((reason) => failureOf(new HttpClientError.HttpClientError({ reason })).code)
    }
    assert.deepEqual(reasons("TimeoutError"), ["unanswered", "unanswered"])
    assert.deepEqual(reasons("AbortError"), ["unanswered", "unanswered"])
    assert.deepEqual(reasons("NetworkError"), ["unreachable", "unreachable"])
  })

  it("says that a change may have been made, and that one with a key is not made twice", () => {
    const said = (request: HttpClientRequest.HttpClientRequest) =>
      failureInSession(
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
      ).message.replace("The server could not be reached.", "")
    const doubt = " It is not known whether this was done."
    const change = HttpClientRequest.post("http://127.0.0.1/")
    assert.strictEqual(said(HttpClientRequest.get("http://127.0.0.1/")), "")
    assert.strictEqual(said(change), doubt)
    assert.strictEqual(
      said(HttpClientRequest.setHeader(change, "idempotency-key", "k")),
      `${doubt} Sent again as it is, it is done once.`
    )
  })

  it("leads to the sign-in only where a key or a session is missing", () => {
    assert.isTrue(isSignedOut(failureOf(refusal("unauthorized"))))
    assert.isTrue(isSignedOut(failureOf(refusal("missing_authorization"))))
    assert.isFalse(isSignedOut(failureOf(refusal("forbidden"))))
  })

  it("mentions the session, and not keys and headers, where the page calls by its session", () => {
    for (const code of ["unauthorized", "missing_authorization"])
      assert.deepInclude(failureInSession(refusal(code)), {
        code,
        message: "The session had ended, so this was not done. Do it again."
      })
    assert.strictEqual(failureInSession(refusal("forbidden")).message, "No.")
  })
})
