/** Planted faults that turned this red: the address without its environment; answers not counted. */
import { Effect, Layer, Metric, Option, Result } from "effect"
import { assert, it } from "vitest"
import { ask } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import type { Answer } from "@sightline/domain/Answer"
import { PlatformFailed } from "@sightline/domain/Platform"
import { address, type Capture, Capturing } from "@sightline/platforms/Capture"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { question } from "./LocalVendor.ts"

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

const captures = new Map<string, Capture>([
  [address("live", "chatgpt_api"), (asked) => Effect.succeed({ ...answer, model: asked.model })],
  [address("live", "claude_api"), () => Effect.fail(failure)]
])

const running = PlatformActors.layer(captures, { concurrency: 4, mailboxMax: 8 }).pipe(
  Layer.provideMerge(Bus.layerMemory)
)

const asking = (key: string) => Effect.result(ask(Capturing, key, question("chatgpt_api"), "5 seconds"))

it("answers and failures come back over the bus as they are", async () => {
  const [answered, failed, unknown] = await Effect.runPromise(
    Effect.all([asking("live-chatgpt_api"), asking("live-claude_api"), asking("test-chatgpt_api")]).pipe(
      Effect.provide(running)
    )
  )
  assert.deepStrictEqual(Option.getOrThrow(Result.getSuccess(answered)), { ...answer, model: "gpt-6.1-sol" })
  assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(failed)), failure)
  assert.strictEqual(Option.getOrThrow(Result.getFailure(unknown))._tag, "NoReply")
})

it("answers are counted by platform and by whether a search happened", async () => {
  const counted = await Effect.runPromise(
    Effect.andThen(asking("live-chatgpt_api"), Metric.snapshot).pipe(Effect.provide(running))
  )
  const own = counted.filter(({ id }) => id === "sightline_answers_total")
  assert.isTrue(
    own.some(({ attributes }) => attributes?.["platform"] === "live-chatgpt_api" && attributes["searched"] === "true")
  )
})
