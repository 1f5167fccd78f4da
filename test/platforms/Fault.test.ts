/**
 * How a vendor's refusal is classified by its status and body.
 *
 * Planted and seen red:
 * - each code of a spent budget is left out
 * - a limit per day is taken for one per minute
 * - a wrong model is taken for a wrong parameter, by its field and by its message
 * - the code is not checked for a length error
 * - the field before a colon, and the parent of a refused field, given separately, before a colon or in a list, are not read
 * - a field is taken from a message about length
 * - Google's status and the error's type are not reported
 * - each name of a reported failure is left out
 */
import { Option } from "effect"
import { assert, describe, it } from "vitest"
import { classify, reportedFailure } from "@sightline/platforms/Fault"

const now = Date.parse("2026-11-21T10:00:00Z")

const read = (status: number, error: unknown, droppable: ReadonlyArray<string> = []) =>
  classify({ status, headers: {}, body: { error } }, droppable, now)

const quota = (quotaId: string) => ({ details: [{ violations: [{ quotaId }] }] })

describe("a rate limit", () => {
  it.each([
    { code: "insufficient_quota" },
    { code: "billing_hard_limit_reached" },
    { details: { error_code: "contract_spend_limit_reached" } },
    { details: { error_code: "enforced_spend_limit_reached" } },
    { details: { error_code: "ramp_limit_exceeded" } },
    quota("GenerateRequestsPerDayPerProjectPerModel")
  ])("%j is not asked again and needs an operator", (error) => {
    assert.deepInclude(read(429, error), { code: "provider_rate_limited", transient: false, alarm: true })
  })

  it.each([{ code: "rate_limit_exceeded" }, quota("GenerateRequestsPerMinutePerProjectPerModel"), {}])(
    "%j is transient",
    (error) => {
      assert.deepInclude(read(429, error), { code: "provider_rate_limited", transient: true, alarm: false })
    }
  )
})

describe("a request", () => {
  it.each([{ param: "model" }, { message: "model: claude-nope" }])(
    "with the wrong model, %j, is our fault",
    (error) => {
      assert.strictEqual(read(400, error).code, "provider_error")
    }
  )

  it.each([
    { param: "temperature" },
    { message: "max_tokens: must be below 8192" },
    { code: "context_length_exceeded", message: "No." },
    { message: "The input exceeds the maximum." },
    { details: [{ fieldViolations: [{ field: "generation_config.temperature" }] }] }
  ])("that cannot be taken, %j, is unsupported", (error) => {
    assert.strictEqual(read(400, error).code, "request_unsupported")
  })
})

describe("a field that may be left out", () => {
  const objection = (status: number, error: unknown) =>
    Option.getOrUndefined(read(status, error, ["tool_choice", "reasoning"]).objection)

  it.each([
    { param: "reasoning" },
    { param: "reasoning.effort" },
    { param: "reasoning[0]" },
    { message: "reasoning: is not supported by this model" },
    { message: "reasoning.effort: is not supported by this model" },
    { message: "temperature: does not go with 'reasoning'" },
    { message: 'temperature: does not go with "reasoning"' },
    { message: "temperature: does not go with `reasoning`" }
  ])("is the one that %j names", (error) => {
    assert.strictEqual(objection(400, error), "reasoning")
  })

  it.each([
    { param: "temperature" },
    { param: "reasoning_effort" },
    { param: "temperature", message: "reasoning: is not supported" },
    { message: "reasoning_effort: is not supported" },
    { message: "temperature: does not go with reasoning" },
    { message: "What follows is too long: 'reasoning'" }
  ])("is none that %j names", (error) => {
    assert.isUndefined(objection(400, error))
  })

  it("is the first that a validator lists, whatever its message", () => {
    const listed = (...loc: ReadonlyArray<string | number>) =>
      classify({ status: 422, headers: {}, body: { detail: [{ loc, msg: "Extra inputs" }] } }, ["tool_choice"], now)
    assert.deepStrictEqual(listed("body", "tool_choice").objection, Option.some("tool_choice"))
    assert.deepStrictEqual(listed("body", "tool_choice", "type").objection, Option.some("tool_choice"))
    assert.deepStrictEqual(listed("body", "tools", 0).objection, Option.none())
    assert.strictEqual(listed("body", "tools", 0).code, "request_unsupported")
  })

  it("is not read from a request that was refused for another reason", () => {
    assert.isUndefined(objection(500, { param: "reasoning" }))
  })
})

it.each([
  [{ code: "invalid_api_key", status: "S", type: "t" }, "invalid_api_key"],
  [{ code: 429, status: "RESOURCE_EXHAUSTED", type: "t" }, "RESOURCE_EXHAUSTED"],
  [{ code: "in words", type: "overloaded_error" }, "overloaded_error"],
  [{ type: "in words" }, "418"]
])("%j is told as %s", (error, detail) => {
  assert.strictEqual(read(418, error).detail, detail)
})

describe("a failure inside a success", () => {
  it.each([
    ["gateway_timeout", "provider_timeout"],
    ["408", "provider_timeout"],
    ["504", "provider_timeout"],
    ["rate_limit_exceeded", "provider_rate_limited"],
    ["request_rate_limit_exceeded", "provider_rate_limited"],
    ["429", "provider_rate_limited"],
    ["server_error", "provider_unavailable"],
    ["internal_error", "provider_unavailable"],
    ["internal_server_error", "provider_unavailable"],
    ["overloaded_error", "provider_unavailable"],
    ["service_unavailable", "provider_unavailable"],
    ["bad_gateway", "provider_unavailable"],
    ["502", "provider_unavailable"],
    ["invalid_prompt", "provider_error"],
    ["5021", "provider_error"],
    ["", "provider_error"]
  ] as const)("%j is %s, be it its code or its type", (name, code) => {
    assert.strictEqual(reportedFailure(name, ""), code)
    assert.strictEqual(reportedFailure("", name), code)
  })
})
