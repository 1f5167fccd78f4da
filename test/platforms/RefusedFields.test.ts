/**
 * The memory of request fields that vendors refused.
 *
 * Planted and seen red: a refusal is remembered for ever; a refusal counts for every value of the field, or for every model; a known
 * refusal is reported as new.
 */
import { assert, describe, it } from "vitest"
import type { UpstreamCall } from "@sightline/platforms/Exchange"
import { RefusedFields, withoutField } from "@sightline/platforms/RefusedFields"

const call: UpstreamCall = {
  platform: "chatgpt_api",
  model: "gpt-6.1-sol",
  url: "https://vendor.example/v1/responses",
  headers: {},
  body: { input: "Which?", reasoning: { effort: "low" }, tool_choice: "required" },
  droppable: ["tool_choice", "reasoning"]
}
const hour = 3_600_000

describe("a refused field", () => {
  it("is left out for an hour, and then sent again", () => {
    const refused = new RefusedFields()
    assert.isTrue(refused.remember(call, "tool_choice", 5))
    assert.deepStrictEqual(refused.spare(call, 6), withoutField(call, "tool_choice"))
    assert.deepStrictEqual(refused.spare(call, 4 + hour), withoutField(call, "tool_choice"))
    assert.deepStrictEqual(refused.spare(call, 5 + hour), call)
  })

  it("is reported as new once an hour", () => {
    const refused = new RefusedFields()
    assert.deepStrictEqual(
      [5, 6, 5 + hour].map((now) => refused.remember(call, "tool_choice", now)),
      [true, false, false]
    )
    assert.isTrue(refused.remember(call, "tool_choice", 5 + 2 * hour))
  })

  it("is sent with another value, to another model and to another address", () => {
    const refused = new RefusedFields()
    refused.remember(call, "reasoning", 5)
    for (const other of [
      { ...call, body: { input: "Which?", reasoning: { effort: "none" } } },
      { ...call, model: "gpt-6-sol" },
      { ...call, url: "https://sandbox.example/v1/responses" }
    ])
      assert.deepStrictEqual(refused.spare(other, 6), other)
  })

  it("is never a field of a list of tasks", () => {
    const tasks = { ...call, body: [{ keyword: "Which?" }] }
    const refused = new RefusedFields()
    assert.isFalse(refused.remember(tasks, "keyword", 5))
    assert.deepStrictEqual(refused.spare(tasks, 6), tasks)
  })
})
