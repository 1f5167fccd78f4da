/**
 * What the four adapters cost: one question to each LLM platform over loopback, decoded, its citations collected, a brand
 * searched. The limit is four bare `undici` requests whose bodies are read and dropped.
 *
 * The first row is at zero latency, where the adapters are the only cost. The second row is at an upstream latency of 200 ms:
 * how much longer than with bare requests the slowest of a hundred fan-outs takes. Both have 32 fan-outs in flight. The third
 * row is the delay of the event loop with 32 answers of 500 KB in flight that are searched for a brand of 100 characters.
 * Unit: fan-outs per second, the median of alternating rounds; likewise milliseconds at p99.
 */
import { Effect, Logger, ManagedRuntime, Layer, Option, Redacted } from "effect"
import { fork } from "node:child_process"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { Agent } from "undici"
import type { Question } from "@sightline/domain/Answer"
import { findBrand } from "@sightline/domain/Brand"
import { defaultModel, shippedModels } from "@sightline/domain/Model"
import type { LlmPlatform } from "@sightline/domain/Platform"
import { providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { type Bench, median, percentile, type Row } from "./Bench.ts"

const inFlight = 32
const perRound = 2000
const rounds = 5
const latency = 200
const addedMax = 5
const long = {
  bytes: 500_000,
  inFlight: 8,
  perRound: 60,
  delayMax: 50,
  brand: "Brandmore".padEnd(100, " of the North")
}

const startUpstream = async (...options: ReadonlyArray<string>) => {
  const child = fork(new URL("FanOutUpstream.ts", import.meta.url), options)
  const port = await new Promise((resolve) => {
    child.once("message", resolve)
  })
  return { baseUrl: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() }
}

const question = (platform: LlmPlatform): Question => ({
  turns: [{ role: "user", content: "What is the best project management software for a small design agency?" }],
  model: defaultModel(shippedModels, platform).id,
  country: "GB",
  webSearch: true
})

/** One fan-out through the adapters. Dies if an answer does not mention the brand, or mentions a brand that is not in it. */
const ours = (baseUrl: string, brand = "Brandmore") =>
  Effect.gen(function* () {
    const upstream = {
      baseUrl,
      apiKey: Option.some(Redacted.make("bench")),
      models: shippedModels,
      deadline: providerDeadline
    }
    const resolveRedirect = (url: string) => Effect.succeed(Option.some(`https://page.example/${url.slice(-9)}`))
    const captures = [
      [yield* ChatGpt.make(upstream), question("chatgpt_api")],
      [yield* Claude.make(upstream), question("claude_api")],
      [yield* Gemini.make({ ...upstream, resolveRedirect }), question("gemini_api")],
      [yield* Perplexity.make(upstream), question("perplexity_api")]
    ] as const
    return Effect.map(
      Effect.forEach(captures, ([capture, asked]) => Effect.map(capture(asked), (answer) => findBrand(answer, brand)), {
        concurrency: "unbounded"
      }),
      (found) => {
        if (found.some(({ mentioned }) => mentioned !== (brand === "Brandmore")))
          throw new Error("an adapter lost the brand")
      }
    )
  })

const bare = (baseUrl: string, agent: Agent) => {
  const body = JSON.stringify(question("chatgpt_api"))
  const headers = { "content-type": "application/json", authorization: "Bearer bench" }
  const paths = ["/v1/responses", "/v1/messages", "/v1/models/x:generateContent", "/v1/agent"]
  const one = async (path: string) => {
    const response = await agent.request({ origin: baseUrl, path, method: "POST", headers, body })
    return response.body.text()
  }
  return () => Promise.all(paths.map(one))
}

/** Runs `times` fan-outs, `inFlight` at a time, started `spread` milliseconds apart. Returns the duration of each and of all. */
const timed = async (times: number, once: () => Promise<unknown>, spread = 0, workers = inFlight) => {
  const each: Array<number> = []
  let left = times
  const start = performance.now()
  const worker = async (_: unknown, index: number) => {
    if (spread > 0) await setTimeout(index * spread)
    while (left-- > 0) {
      const begun = performance.now()
      await once()
      each.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return { each, all: performance.now() - start }
}

/** The medians of alternating rounds, after one round that warms up both. */
const medians = async (ours: () => Promise<number>, bare: () => Promise<number>) => {
  const [values, limits]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [value, limit] = [await ours(), await bare()]
    if (round === 0) continue
    values.push(value)
    limits.push(limit)
  }
  return [median(values), median(limits)] as const
}

type Compare = (subject: () => Promise<unknown>, limit: () => Promise<unknown>) => Promise<Row>

const throughput: Compare = async (subject, limit) => {
  const rate = async (once: () => Promise<unknown>) => (perRound / (await timed(perRound, once)).all) * 1000
  const [value, most] = await medians(
    () => rate(subject),
    () => rate(limit)
  )
  return {
    subject: "4 adapters, decode and detector",
    unit: "fan-outs/s",
    value,
    limit: most,
    ratio: value / most,
    target: 0.55
  }
}

const added: Compare = async (subject, limit) => {
  const p99 = async (once: () => Promise<unknown>) => {
    // Reopens connections: the upstream closes those that were idle while the other side was measured.
    await timed(2 * inFlight, once)
    return percentile((await timed(20 * inFlight, once, latency / inFlight)).each, 0.99)
  }
  const [reached, least] = await medians(
    () => p99(subject),
    () => p99(limit)
  )
  const value = Math.max(reached - least, 0.01)
  return {
    subject: "p99 beyond bare requests of 200 ms",
    unit: "ms",
    value,
    limit: addedMax,
    ratio: addedMax / value,
    target: 1
  }
}

const delayed: Compare = async (subject) => {
  const delays: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await timed(long.perRound, subject, 0, long.inFlight)
    delay.disable()
    if (round > 0) delays.push(delay.percentile(99) / 1e6)
  }
  const value = median(delays)
  return {
    subject: "event loop delay, 32 answers of 500 KB in flight, p99",
    unit: "ms",
    value,
    limit: long.delayMax,
    ratio: long.delayMax / value,
    target: 1
  }
}

const against = async (compare: Compare, brand?: string, ...options: ReadonlyArray<string>): Promise<Row> => {
  const upstream = await startUpstream(...options)
  const runtime = ManagedRuntime.make(Layer.merge(UpstreamClient.layer, Logger.layer([])))
  const agent = new Agent()
  const fanOut = await runtime.runPromise(ours(upstream.baseUrl, brand))
  const row = await compare(() => runtime.runPromise(fanOut), bare(upstream.baseUrl, agent))
  await runtime.dispose()
  await agent.close()
  upstream.stop()
  return row
}

/** The fan-out bench. */
export const bench: Bench = {
  name: "fanout",
  run: async () => [
    await against(throughput),
    await against(added, undefined, String(latency)),
    await against(delayed, long.brand, "0", "grounded", String(long.bytes))
  ]
}
