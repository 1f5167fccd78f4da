/**
 * What an LLM platform sends and when, with a mock client that only records, on a test clock.
 *
 * Planted and seen red:
 * - the deadline is ten times as long
 * - a model is offered until the end of the month in which it expires
 * - a question that was never sent counts as asked
 * - blanks are taken for an answer
 * - a search is forced on a model that does not allow it
 * - fields are droppable that may not be left out
 * - the model's id changes the path
 * - redirects are awaited for longer, or past the deadline
 * - the deadline is by the wall clock, or starts again after the wait in the queue
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import type { Question } from "@sightline/domain/Answer"
import { type Model, ModelTable } from "@sightline/domain/Model"
import { LlmPlatform } from "@sightline/domain/Platform"
import { providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import { Waited } from "@sightline/platforms/Capture"
import type { UpstreamCall } from "@sightline/platforms/Exchange"
import type { Upstream } from "@sightline/platforms/LlmCapture"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { withClockSet } from "../services/withClockSet.ts"
import { shaped } from "./LocalVendor.ts"

const makers = {
  chatgpt_api: ChatGpt.make,
  claude_api: Claude.make,
  gemini_api: (upstream: Upstream) => Gemini.make({ ...upstream, resolveRedirect: () => Effect.succeedNone }),
  perplexity_api: Perplexity.make
}

const replies = {
  chatgpt_api: (text: string) => ({
    status: "completed",
    model: "m",
    output: [{ type: "message", content: [{ type: "output_text", text }] }]
  }),
  claude_api: (text: string) => ({ model: "m", content: [{ type: "text", text }], stop_reason: "end_turn" }),
  gemini_api: (text: string) => ({ modelVersion: "m", candidates: [{ content: { parts: [{ text }] } }] }),
  perplexity_api: (text: string) => ({
    status: "completed",
    model: "m",
    output: [{ type: "message", content: [{ type: "output_text", text }] }]
  })
}

const able = { webSearch: true, forcedSearch: true, temperature: true }

/** The operator's table: each platform's default, and another model of each with the given fields. */
const tableWith = (other: Partial<Model>) =>
  ModelTable.make(
    LlmPlatform.literals.flatMap((platform) => [
      { ...able, id: "main", platform, default: true },
      { ...able, id: "other/1", platform, default: false, ...other }
    ])
  )

/** One question to the other model: what was sent, and the outcome. */
const asked = (platform: LlmPlatform, other: Partial<Model>, said = "Asana.") =>
  Effect.gen(function* () {
    const sent: Array<UpstreamCall & { readonly until: number }> = []
    const door = Layer.mock(UpstreamClient, {
      post: (call, read, until) => {
        sent.push({ ...call, until })
        return Effect.orDie(Effect.fromResult(read(replies[platform](said))))
      }
    })
    const question: Question = { turns: [{ role: "user", content: "q" }], model: "other/1", webSearch: true }
    const upstream = {
      baseUrl: "http://vendor",
      apiKey: Option.some(Redacted.make("k")),
      models: tableWith(other),
      deadline: providerDeadline
    }
    const capture = makers[platform](upstream)
    const outcome = yield* Effect.result(Effect.flatMap(capture, (ask) => ask(question))).pipe(Effect.provide(door))
    return { sent, outcome }
  })

const failureOf = <A, E>(outcome: Result.Result<A, E>): E =>
  Result.isFailure(outcome) ? outcome.failure : assert.fail("it was answered")

describe.each(LlmPlatform.literals)("%s", (platform) => {
  it.effect("has one minute for its answer, whatever the wall clock is set to", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("5 seconds")
      const { sent } = yield* withClockSet(asked(platform, {}), (millis) => millis + 3_600_000)
      assert.deepStrictEqual(
        sent.map(({ until }) => until),
        [65_000]
      )
    })
  )

  it.effect("has the rest of that minute where its question has waited in the queue", () =>
    Effect.gen(function* () {
      const { sent } = yield* Effect.provideService(asked(platform, {}), Waited, 20_000)
      assert.deepStrictEqual(
        sent.map(({ until }) => until),
        [40_000]
      )
    })
  )

  it.effect("offers a model until the day it expires, and sends nothing for it afterwards", () =>
    Effect.gen(function* () {
      const offered = Effect.map(asked(platform, { expiresAt: "2026-11-15" }), ({ outcome, sent }) => {
        assert.strictEqual(sent.length, Result.isSuccess(outcome) ? 1 : 0)
        return Result.isSuccess(outcome) || failureOf(outcome)
      })
      yield* TestClock.setTime(Date.parse("2026-11-14T23:59:59Z"))
      assert.isTrue(yield* offered)
      yield* TestClock.setTime(Date.parse("2026-11-16T00:00:00Z"))
      assert.deepInclude(yield* offered, { code: "provider_auth_failed", unasked: true })
    })
  )

  it.effect("an answer of blanks is no answer", () =>
    Effect.gen(function* () {
      const { outcome } = yield* asked(platform, {}, " \n")
      assert.strictEqual(failureOf(outcome).code, "provider_error")
    })
  )
})

it.effect.each([
  ["chatgpt_api", "auto"],
  ["claude_api", { type: "auto" }]
] as const)("%s: a model that cannot be made to search chooses for itself", ([platform, choice]) =>
  Effect.gen(function* () {
    const { sent } = yield* asked(platform, { forcedSearch: false })
    assert.deepStrictEqual(shaped(sent[0]?.body).tool_choice, choice)
  })
)

it.effect.each([
  ["chatgpt_api", ["tool_choice", "reasoning"]],
  ["claude_api", ["tool_choice", "thinking"]],
  ["gemini_api", []],
  ["perplexity_api", ["tool_choice"]]
] as const)("%s: what may be left out is how to go about the answer, never what was asked", ([platform, droppable]) =>
  Effect.gen(function* () {
    const { sent } = yield* asked(platform, { reasoning: "low" })
    assert.deepStrictEqual(sent[0]?.droppable, [...droppable])
  })
)

it.effect("gemini_api: the model's id is one segment of the path", () =>
  Effect.gen(function* () {
    const { sent } = yield* asked("gemini_api", {})
    assert.strictEqual(sent[0]?.url, "http://vendor/v1/models/other%2F1:generateContent")
  })
)

it.effect.each([
  ["60 seconds", 3000],
  ["1 second", 1000]
] as const)("gemini_api: within %s, redirects that lead nowhere cost %i ms together", ([deadline, millis]) =>
  Effect.gen(function* () {
    const redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
    const groundingChunks = ["a", "b"].map((id) => ({
      web: { uri: redirect + id, title: `${id.toUpperCase()}.example` }
    }))
    const [candidate] = replies.gemini_api("Asana.").candidates
    const reply = { modelVersion: "m", candidates: [{ ...candidate, groundingMetadata: { groundingChunks } }] }
    const door = Layer.mock(UpstreamClient, {
      post: (_call, read) => Effect.orDie(Effect.fromResult(read(reply)))
    })
    const upstream = { baseUrl: "http://vendor", apiKey: Option.some(Redacted.make("k")), models: tableWith({}) }
    const question: Question = { turns: [{ role: "user", content: "q" }], model: "main", webSearch: true }
    const capture = Gemini.make({ ...upstream, deadline, resolveRedirect: () => Effect.never })
    const asking = Effect.provide(
      Effect.flatMap(capture, (ask) => ask(question)),
      door
    )
    const fiber = yield* Effect.forkChild(asking)
    yield* TestClock.adjust(millis - 1)
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust(1)
    const { citations } = yield* Fiber.join(fiber)
    assert.deepStrictEqual(
      citations.map(({ url }) => url),
      ["https://a.example/", "https://b.example/"]
    )
  })
)
