/**
 * Planted faults that turned this red:
 * - the address lacks its environment
 * - answers are not counted
 * - an absence is recorded as an answer
 * - an advert that was not shown is counted
 * - a defect is not recorded, or a capture that nobody waits for any more
 * - there is no ceiling, or one that starts again after the wait in the queue
 * - a question that was never sent is counted
 * - milliseconds are measured as seconds
 * - failures of simulated vendors are logged like real ones
 */
import { it as effectful } from "@effect/vitest"
import {
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Metric,
  Option,
  Redacted,
  References,
  Result,
  Scope
} from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { ask } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import type { Answer, Sponsored } from "@sightline/domain/Answer"
import type { EndedCapture } from "@sightline/domain/EndedCapture"
import { shippedModels } from "@sightline/domain/Model"
import { type Platform, PlatformFailed } from "@sightline/domain/Platform"
import { providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import { address, type Capture, Capturing } from "@sightline/platforms/Capture"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { openVendor, question, sending } from "./LocalVendor.ts"

const answer: Answer = {
  text: "Acme",
  raw: "Acme [1]",
  citations: [{ url: "https://a.example/", title: "A", snippet: "s" }],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "m-2026",
  tokens: { input: 1, output: 2 },
  finish: "stop"
}
const failure = new PlatformFailed({
  platform: "claude_api",
  code: "provider_rate_limited",
  message: "Later.",
  retryAfterSeconds: 3
})

const advert = (rendered: boolean): Sponsored => ({
  advertiser: "A",
  title: "T",
  url: "https://ad.example/",
  domain: "ad.example",
  rendered
})

/** Open when a question has reached each of the two slow platforms. */
const arrivals = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()] as const
const arrive = (which: 0 | 1) => Deferred.succeed(arrivals[which], undefined)

const captures: ReadonlyArray<readonly [platform: Platform, capture: Capture]> = [
  ["chatgpt_api", (asked) => Effect.succeed({ ...answer, model: asked.model })],
  ["claude_api", () => Effect.fail(failure)],
  ["chatgpt_live", () => Effect.succeed({ ...answer, sponsored: [advert(true), advert(false)] })],
  ["ai_overview", () => Effect.succeed({ ...answer, text: "", raw: "", surfacePresent: false, sponsored: [] })],
  [
    "ai_mode",
    () =>
      Effect.fail(
        new PlatformFailed({
          platform: "ai_mode",
          code: "upstream_unavailable",
          message: "",
          ending: "container_empty"
        })
      )
  ],
  ["bing_copilot", () => Effect.die(new Error("a bug"))],
  [
    "gemini_api",
    () =>
      Effect.fail(
        new PlatformFailed({ platform: "gemini_api", code: "request_unsupported", message: "", unasked: true })
      )
  ],
  ["gemini_live", () => Effect.andThen(arrive(0), Effect.delay(Effect.succeed(answer), "7 seconds"))],
  ["perplexity_live", () => Effect.andThen(arrive(1), Effect.never)]
]

/** The journal's entries, in order. */
class Written extends Context.Service<Written, Array<EndedCapture>>()("Written") {}

const journal = Layer.effect(
  CaptureJournal,
  Effect.map(Written, (written) =>
    CaptureJournal.of({
      record: (entry) => Effect.sync(() => void written.push(entry)),
      keep: () => Effect.void
    })
  )
)

const running = PlatformActors.layer(
  captures.map(([platform, capture]): PlatformActors.Captured => {
    const captured = { environment: "live" as const, platform, capture, concurrency: 4, mailboxMax: 8 }
    return platform.endsWith("_api") ? captured : Object.assign(captured, { ceiling: "90 seconds" as const })
  })
).pipe(Layer.provideMerge(Bus.layerMemory), Layer.provide(journal), Layer.provideMerge(Layer.sync(Written, () => [])))

const asking = (key: string) => Effect.result(ask(Capturing, key, question("chatgpt_api"), "5 minutes"))

it("answers and failures cross the bus unchanged", async () => {
  const [answered, failed, unknown] = await Effect.runPromise(
    Effect.all([asking("live-chatgpt_api"), asking("live-claude_api"), asking("test-chatgpt_api")]).pipe(
      Effect.provide(running)
    )
  )
  assert.deepStrictEqual(Option.getOrThrow(Result.getSuccess(answered)), { ...answer, model: "gpt-6.1-sol" })
  assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(failed)), failure)
  assert.strictEqual(Option.getOrThrow(Result.getFailure(unknown))._tag, "NoReply")
})

it("answers are counted by platform and search, and captures are timed by ending", async () => {
  const counted = await Effect.runPromise(
    Effect.all([asking("live-chatgpt_api"), asking("live-ai_mode")]).pipe(
      Effect.andThen(Metric.snapshot),
      Effect.provide(running)
    )
  )
  const has = (name: string, wanted: Readonly<Record<string, string>>) =>
    counted.some(
      ({ id, attributes = {} }) =>
        id === name && Object.entries(wanted).every(([key, value]) => Reflect.get(attributes, key) === value)
    )
  assert.isTrue(has("sightline_answers_total", { platform: "live-chatgpt_api", searched: "true" }))
  assert.isTrue(has("sightline_capture_duration_seconds", { platform: "live-chatgpt_api", ending: "ok" }))
  assert.isTrue(has("sightline_capture_duration_seconds", { platform: "live-ai_mode", ending: "container_empty" }))
})

it("a refusal by a vendor is logged as an error, and one by a simulated vendor only at debug level", async () => {
  const vendor = await openVendor()
  vendor.answer(sending(401, "{}"))
  const told: Array<readonly [actor: string, level: string]> = []
  const platform = "chatgpt_api" as const
  const refusals = (actor: "live" | "test") =>
    Effect.gen(function* () {
      const apiKey = Option.some(Redacted.make("rotated"))
      const capture = yield* ChatGpt.make({
        baseUrl: vendor.url,
        apiKey,
        models: shippedModels,
        deadline: providerDeadline
      })
      const captured = { environment: actor, platform, capture, concurrency: 1, mailboxMax: 1 }
      const logger = Logger.make(({ logLevel }) => void told.push([actor, logLevel]))
      yield* asking(address(actor, platform)).pipe(
        Effect.provide(PlatformActors.layer([captured]).pipe(Layer.provideMerge(Bus.layerMemory))),
        Effect.provide([Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "Debug")])
      )
    }).pipe(
      Effect.provide([
        UpstreamClient.layer,
        Layer.provideMerge(
          journal,
          Layer.sync(Written, () => [])
        )
      ])
    )
  await Effect.runPromise(Effect.andThen(refusals("live"), refusals("test")))
  await vendor.close()
  assert.deepEqual(told, [
    ["live", "Error"],
    ["test", "Debug"]
  ])
})

describe("the journal", () => {
  const written = (platform: Platform) =>
    Effect.gen(function* () {
      yield* asking(address("live", platform))
      return (yield* Written).map(({ ending, adverts, environment, platform: of }) => [
        environment,
        of,
        ending,
        adverts
      ])
    }).pipe(Effect.provide(running), Effect.runPromise)

  it("has an entry per capture, with the number of adverts shown where adverts are looked for", async () => {
    assert.deepEqual(await written("chatgpt_api"), [["live", "chatgpt_api", "ok", undefined]])
    assert.deepEqual(await written("chatgpt_live"), [["live", "chatgpt_live", "ok", 1]])
    assert.deepEqual(await written("ai_overview"), [["live", "ai_overview", "no_answer", 0]])
  })

  it("records a failure by its own ending, otherwise by its code, and a defect as unavailable", async () => {
    assert.deepEqual(await written("ai_mode"), [["live", "ai_mode", "container_empty", undefined]])
    assert.deepEqual(await written("claude_api"), [["live", "claude_api", "rate_limited", undefined]])
    assert.deepEqual(await written("bing_copilot"), [["live", "bing_copilot", "unavailable", undefined]])
  })

  it("has no entry for a question that was refused before it was sent", async () => {
    assert.deepEqual(await written("gemini_api"), [])
  })

  it("has no entry for a capture that was interrupted because its actor stopped", async () => {
    const written: Array<EndedCapture> = []
    await Effect.runPromise(
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const capture: Capture = () => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never)
        const platform = "claude_api" as const
        const captured = { environment: "live" as const, platform, capture, concurrency: 1, mailboxMax: 1 }
        const actor = yield* Scope.make()
        yield* Layer.buildWithScope(PlatformActors.layer([captured]), actor)
        yield* Effect.forkChild(asking("live-claude_api"))
        yield* Deferred.await(arrived)
        yield* Scope.close(actor, Exit.void)
      }).pipe(Effect.provide([Bus.layerMemory, Layer.provide(journal, Layer.succeed(Written, written))]))
    )
    assert.isEmpty(written)
  })

  effectful.effect(
    "records a timeout for a capture that reaches its ceiling, which includes the wait of its question",
    () =>
      Effect.gen(function* () {
        const [begun, first] = [yield* Deferred.make<void>(), Effect.delay(Effect.succeed(answer), "20 seconds")]
        const capture: Capture = () =>
          Effect.flatMap(Deferred.succeed(begun, undefined), (isFirst) => (isFirst ? first : Effect.never))
        const alone = { environment: "live" as const, platform: "ai_mode" as const, concurrency: 1, mailboxMax: 1 }
        yield* Effect.gen(function* () {
          yield* Effect.forkChild(Effect.replicateEffect(asking("live-ai_mode"), 2, { concurrency: 2 }))
          yield* Deferred.await(begun)
          yield* TestClock.adjust("20 seconds")
          yield* TestClock.adjust("69 seconds")
          assert.lengthOf(yield* Written, 1)
          yield* TestClock.adjust("1 second")
        }).pipe(Effect.provide(PlatformActors.layer([{ ...alone, capture, ceiling: "90 seconds" }])))
        assert.deepEqual(
          (yield* Written).map(({ ending, millis }) => [ending, millis]),
          [
            ["ok", 20_000],
            ["timeout", 70_000]
          ]
        )
      }).pipe(
        Effect.provide(Layer.mergeAll(Bus.layerMemory, journal).pipe(Layer.provideMerge(Layer.sync(Written, () => []))))
      )
  )

  effectful.effect("records the duration of each capture, and a timeout for one that reaches its ceiling", () =>
    Effect.gen(function* () {
      const asked = yield* Effect.forkChild(
        Effect.all([asking("live-gemini_live"), asking("live-perplexity_live")], { concurrency: 2 })
      )
      yield* Effect.forEach(arrivals, Deferred.await)
      yield* TestClock.adjust("89 seconds")
      assert.lengthOf(yield* Written, 1)
      yield* TestClock.adjust("1 second")
      const [, late] = yield* Fiber.join(asked)
      const failed = Option.getOrThrow(Result.getFailure(late))
      assert.strictEqual(failed._tag === "PlatformFailed" ? failed.code : "", "upstream_timeout")
      assert.deepEqual(
        (yield* Written).map(({ ending, millis }) => [ending, millis]),
        [
          ["ok", 7000],
          ["timeout", 90_000]
        ]
      )
      const timed = (yield* Metric.snapshot).flatMap(({ attributes, id, state }) =>
        id === "sightline_capture_duration_seconds" && attributes?.["platform"] === "live-gemini_live" && "sum" in state
          ? [state.sum]
          : []
      )
      assert.deepEqual(
        timed.filter((seconds) => seconds > 0),
        [7]
      )
    }).pipe(Effect.provide(running))
  )
})
