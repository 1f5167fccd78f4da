/**
 * How directives are read out of a question.
 *
 * Planted and seen red: the directive left in the question, `retry-after` dropped, each bound off by one, a typo ignored.
 */
import { parseDirectives } from "@sightline/sandbox/Directive"
import type { Fault } from "@sightline/sandbox/Fault"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const parse = (text: string) => Result.getOrThrow(parseDirectives(text))
const refused = (text: string) => Result.getOrThrow(Result.flip(parseDirectives(text))).clause

describe("a directive", () => {
  it("leaves a question without directives as it is", () => {
    assert.deepEqual(parse("best [crm] [[wiki]]"), { question: "best [crm] [[wiki]]", faults: [] })
  })

  it("is removed from the question together with the blanks before it", () => {
    assert.strictEqual(parse("best crm [[sandbox:hang]]?").question, "best crm?")
    assert.strictEqual(parse("[[sandbox:hang]] best crm").question, "best crm")
  })

  it.each<[string, Fault]>([
    ["status=500", { ending: { kind: "status", status: 500 } }],
    ["status=429;retry-after=2", { ending: { kind: "status", status: 429, retryAfterSeconds: 2 } }],
    ["retry-after=2; status=429", { ending: { kind: "status", status: 429, retryAfterSeconds: 2 } }],
    ["gemini:hang", { target: "gemini", ending: { kind: "hang" } }],
    ["latency=2s", { latency: 2000 }],
    ["latency=120s", { latency: 120_000 }],
    ["status=599;retry-after=86400", { ending: { kind: "status", status: 599, retryAfterSeconds: 86_400 } }],
    ["latency=500ms;reset", { latency: 500, ending: { kind: "reset" } }],
    ["malformed;times=3", { times: 3, ending: { kind: "malformed" } }],
    ["oversized=5MiB", { ending: { kind: "oversized", bytes: 5_242_880 } }],
    ["oversized=64KiB", { ending: { kind: "oversized", bytes: 65_536 } }],
    ["silent-refusal", { ending: { kind: "outcome", outcome: "silent_refusal" } }],
    ["openai:truncated", { target: "openai", ending: { kind: "outcome", outcome: "truncated" } }],
    ["no-answer", { ending: { kind: "no_answer" } }],
    ["ai_mode:captcha", { target: "ai_mode", ending: { kind: "captcha" } }],
    ["web:login-wall;times=1", { target: "web", times: 1, ending: { kind: "login_wall" } }],
    ["dataforseo:container-empty", { target: "dataforseo", ending: { kind: "container_empty" } }],
    ["cloro:slow=3s;latency=1s", { target: "cloro", slow: 3000, latency: 1000 }],
    ["slow=120000ms;times=1000", { slow: 120_000, times: 1000 }],
    ["oversized=64MiB", { ending: { kind: "oversized", bytes: 67_108_864 } }],
    ["consent;slow=20ms", { slow: 20, ending: { kind: "consent" } }]
  ])("reads %s", (text, fault) => {
    assert.deepEqual(parse(`best crm [[sandbox:${text}]]`).faults, [fault])
  })

  it.each([
    ["", ""],
    ["nope", "nope"],
    ["constructor", "constructor"],
    ["claude:hang", "claude"],
    ["status", "status"],
    ["status=399", "status=399"],
    ["status=600", "status=600"],
    ["status=500ms", "status=500ms"],
    ["hang=1", "hang=1"],
    ["latency=5", "latency=5"],
    ["latency=121s", "latency=121s"],
    ["latency=120001ms", "latency=120001ms"],
    ["slow=121s", "slow=121s"],
    ["slow", "slow"],
    ["captcha=1", "captcha=1"],
    ["ai-mode:captcha", "ai-mode"],
    ["no_answer", "no_answer"],
    ["oversized=65537KiB", "oversized=65537KiB"],
    ["times=0", "times=0"],
    ["hang;times=1001", "times=1001"],
    ["status=429;retry-after=86401", "retry-after=86401"],
    ["status=500;;times=1", ""],
    ["retry-after=1", "retry-after without status"]
  ])("refuses %j and names what it does not understand", (text, clause) => {
    assert.strictEqual(refused(`best crm [[sandbox:${text}]]`), clause)
  })
})
