/**
 * How a ledger entry is described to people, from what the books keep of it.
 *
 * Planted and seen red: the books' own words are shown; a side is left out; the reference of a top-up is read as an order.
 */
import { assert, describe, it } from "vitest"
import { memoText } from "@sightline/dashboard/money/Memo"
import { orderMemo, outcomesMemo } from "@sightline/domain/Ledger"

describe("the memo of an entry", () => {
  it("is the order, for a hold", () => {
    const memo = orderMemo({ endpoint: "check", mode: "all_live", platforms: ["chatgpt_live", "ai_mode"] })
    assert.strictEqual(memoText({ kind: "hold", memo }), "check, all live: ChatGPT (live), AI Mode")
  })

  it("is the outcome of each question, for the end of a call, with its side in a comparison", () => {
    const memo = outcomesMemo({ outcomes: { "a:claude_api": "ok", "b:claude_api": "provider_timeout" }, cached: false })
    for (const kind of ["capture", "release"] as const)
      assert.strictEqual(memoText({ kind, memo }), "Claude (a): Answered. Claude (b): It did not answer in time.")
  })

  it("says that a call was answered from cache", () => {
    const order = orderMemo({ endpoint: "check", mode: "quick", platforms: ["chatgpt_api"] })
    const memo = `${order} ${outcomesMemo({ outcomes: { chatgpt_api: "ok" }, cached: true })}`
    assert.strictEqual(memoText({ kind: "charge", memo }), "ChatGPT: Answered. All from cache.")
  })

  it("is a top-up's reference unchanged, nothing where there is none, and the memo itself where its form is unknown", () => {
    for (const memo of ["check quick chatgpt_api", "order 4711"])
      assert.strictEqual(memoText({ kind: "topup", memo }), memo)
    assert.isNull(memoText({ kind: "release" }))
    for (const memo of ["expired", "chatgpt_api=melted fresh"])
      assert.strictEqual(memoText({ kind: "release", memo }), memo)
  })
})
