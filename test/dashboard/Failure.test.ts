/**
 * What a page is told when a call fails.
 *
 * Planted and seen red: issues that are dropped, an announced mode read as unknown, an ended session told in the words of
 * the API, a change without an answer told as a question; a server out of reach said to have answered oddly; an answer that the page no longer waits for taken for one that is out of reach.
 */
import { HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { assert, describe, it } from "vitest"
import { failureInSession, failureOf, isSignedOut } from "@sightline/dashboard/Failure"

const refusal = (code: string, details?: unknown) => ({
  error: { code, message: "No.", ...(details === undefined ? {} : { details }) },
  request_id: "r-1"
})

describe("a failed call", () => {
  it("is told with its code, its message, its request and the issues of its fields", () => {
    const issues = [{ path: "models.claude", message: "is not available" }]
    const failure = failureOf(refusal("invalid_request", { issues }))
    assert.deepInclude(failure, { code: "invalid_request", message: "No.", requestId: "r-1" })
    assert.deepEqual(failure.issues, issues)
  })

  it("is told as well where its details are figures: a balance that is too small", () => {
    const details = { balance_cents: 3, required_cents: 150, topup_url: "http://127.0.0.1/billing" }
    const failure = failureOf({ ...refusal("insufficient_balance", details), ...details })
    assert.deepInclude(failure, { code: "insufficient_balance", issues: [] })
  })

  it("is told by its word where a mode is only announced", () => {
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

  it("says no more than that it failed where nobody meant it to be read", () => {
    for (const odd of [undefined, null, "x", 7, new Error("secret"), { error: { code: 1 } }, { _tag: "SchemaError" }])
      assert.notInclude(failureOf(odd).message, "secret")
    assert.strictEqual(failureOf({ _tag: "HttpClientError" }).code, "unreachable")
  })

  it("is told to be unanswered where the page gave up waiting, for the answer or in the middle of it", () => {
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

  it("says of a change that it may have been done, and of one with a key that it is not done twice", () => {
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

  it("is told of the session, not of keys and headers, where the page calls by its session", () => {
    for (const code of ["unauthorized", "missing_authorization"])
      assert.deepInclude(failureInSession(refusal(code)), {
        code,
        message: "The session had ended, so this was not done. Do it again."
      })
    assert.strictEqual(failureInSession(refusal("forbidden")).message, "No.")
  })
})
