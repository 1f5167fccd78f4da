/**
 * What the ledger says of an entry, for people, from what the books keep of it.
 *
 * Planted and seen red: the books' own words shown; a side left out; a reference of a top-up read as an order.
 */
import { assert, describe, it } from "vitest"
import { memoText } from "@sightline/dashboard/money/Memo"
import { orderMemo, outcomesMemo } from "@sightline/domain/Ledger"

describe("the memo of an entry", () => {
  it("is what was ordered of a hold", () => {
    const memo = orderMemo({ endpoint: "check", mode: "all_live", platforms: ["chatgpt_live", "ai_mode"] })
    assert.strictEqual(memoText({ kind: "hold", memo }), "check, all live: ChatGPT (live), AI Mode")
  })

  it("is what came of each question of an ending, by its side in a comparison", () => {
    const memo = outcomesMemo({ outcomes: { "a:claude_api": "ok", "b:claude_api": "provider_timeout" }, cached: false })
    for (const kind of ["capture", "release"] as const)
      assert.strictEqual(memoText({ kind, memo }), "Claude (a): Answered. Claude (b): It did not answer in time.")
  })

  it("says of a call from cache that it was", () => {
    const order = orderMemo({ endpoint: "check", mode: "quick", platforms: ["chatgpt_api"] })
    const memo = `${order} ${outcomesMemo({ outcomes: { chatgpt_api: "ok" }, cached: true })}`
    assert.strictEqual(memoText({ kind: "charge", memo }), "ChatGPT: Answered. All from cache.")
  })

  it("is a top-up's reference as it is, nothing where there is none, and itself where it is of no form that is known", () => {
    for (const memo of ["check quick chatgpt_api", "order 4711"])
      assert.strictEqual(memoText({ kind: "topup", memo }), memo)
    assert.isNull(memoText({ kind: "release" }))
    for (const memo of ["expired", "chatgpt_api=melted fresh"])
      assert.strictEqual(memoText({ kind: "release", memo }), memo)
  })
})
