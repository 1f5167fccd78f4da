/**
 * How a charge is explained, so that a reader can recalculate it.
 *
 * Planted and seen red: an answer from cache is not counted as one; a refund of nothing is shown; a call in progress is shown as
 * failed; a call with failures only is shown as interrupted; a page without an answer is mentioned for no surface, or for an LLM API
 * too.
 */
import { assert, describe, it } from "vitest"
import { answeredOf, calculationOf, callText, type Charge } from "@sightline/dashboard/money/Calculation"
import { failureText, outcomeText } from "@sightline/dashboard/text/FailureWords"
import { FailureCode } from "@sightline/domain/Platform"

const charge = (changes: Partial<Charge>): Charge => ({
  id: "a",
  endpoint: "check",
  mode: "all_live",
  state: "settled",
  cached: false,
  price_cents: 165,
  charged_cents: 110,
  refunded_cents: 55,
  outcomes: [
    { platform: "chatgpt_live", outcome: "ok" },
    { platform: "gemini_live", outcome: "cached" },
    { platform: "ai_mode", outcome: "upstream_timeout" }
  ],
  sum: "165 × 2 / 3 = 110",
  created_at: "",
  finished_at: null,
  ...changes
})

const absence = " A page that was looked at and shows no AI answer counts as answered."

describe("a charge", () => {
  it("has the calculation of the charge, and that of the refund", () => {
    assert.deepEqual(calculationOf(charge({})), {
      why: `2 of 3 questions were answered; the others are not charged.${absence}`,
      sums: ["165 × 2 / 3 = 110 charged", "165 − 110 = 55 given back"]
    })
  })

  it("counts an answer from cache as an answer", () => {
    assert.strictEqual(answeredOf(charge({})), 2)
  })

  it("shows no refund where nothing was refunded", () => {
    const { why, sums } = calculationOf(
      charge({ outcomes: [{ platform: "ai_mode", outcome: "ok" }], sum: "35 × 1 / 1 = 35", refunded_cents: 0 })
    )
    assert.deepEqual([why, sums], [`The one question was answered.${absence}`, ["35 × 1 / 1 = 35 charged"]])
  })

  it("on a live surface says that a page without an answer is charged too, and no other does", () => {
    const outcomes = [{ platform: "chatgpt", outcome: "ok" }] as const
    assert.strictEqual(calculationOf(charge({ mode: "quick", outcomes })).why, "The one question was answered.")
    const { why } = calculationOf(charge({ mode: "quick", cached: true, outcomes }))
    assert.strictEqual(why, "The one question was answered. It came from cache, which has a price of its own.")
  })

  it("that is still held has no calculation yet", () => {
    const held = charge({
      state: "held",
      charged_cents: null,
      refunded_cents: null,
      sum: null,
      outcomes: [{ platform: "ai_mode", outcome: null }]
    })
    assert.deepEqual(calculationOf(held), { why: "The price is set aside until the call ends.", sums: [] })
  })

  it("without an answer is nothing, and says why", () => {
    assert.match(
      calculationOf(charge({ outcomes: [{ platform: "ai_mode", outcome: "upstream_timeout" }] })).why,
      /nothing/
    )
    const voided = (outcome: "upstream_timeout" | null) =>
      calculationOf(charge({ state: "voided", outcomes: [{ platform: "ai_mode", outcome }] })).why
    assert.match(voided(null), /given up/)
    assert.strictEqual(voided("upstream_timeout"), "No question was answered, so nothing was charged.")
  })

  it("is named after its call", () => {
    assert.strictEqual(callText(charge({})), "check, all live")
  })
})

describe("a failure", () => {
  it("is described in a sentence of its own, never by its code", () => {
    const texts = FailureCode.literals.map(failureText)
    assert.strictEqual(new Set(texts).size, texts.length)
    for (const text of texts) assert.match(text, /^[A-Z][^_]+\.$/)
    assert.strictEqual(outcomeText("provider_timeout"), failureText("provider_timeout"))
    assert.strictEqual(outcomeText(null), "Not known yet.")
  })
})
