/**
 * What a fresh check costs, complete: hold, four adapters over the bus, detector, settlement, on Postgres with fsync.
 *
 * Unit: checks per second, 32 in flight, each a question never asked before, over engines that answer at once.
 * Limit: the same four questions as bare `undici` requests whose bodies are read and dropped.
 */
import { fork } from "node:child_process"
import { Agent } from "undici"
import { type Bench, median, type Row } from "./Bench.ts"
import { load, requestBytes } from "./http/load.ts"
import { startProgram, type Target } from "./http/program.ts"

const inFlight = 32
const seconds = 3
const rounds = 3

const startUpstream = async () => {
  const child = fork(new URL("FanOutUpstream.ts", import.meta.url), ["0", "ungrounded"])
  const port = await new Promise((resolve) => {
    child.once("message", resolve)
  })
  return { origin: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() }
}

const vendorsAt = (origin: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY"].flatMap((vendor) => [
      [`${vendor}_BASE_URL`, origin],
      [`${vendor}_API_KEY`, "bench"]
    ])
  )

const paths = ["/v1/responses", "/v1/messages", "/v1/models/bench:generateContent", "/v1/agent"]

/** Bare fan-outs per second. */
const bare = async (origin: string, agent: Agent): Promise<number> => {
  const begin = performance.now()
  const until = begin + seconds * 1000
  let done = 0
  const ask = async (path: string) => {
    const { body } = await agent.request({ origin, path, method: "POST", body: "{}" })
    await body.arrayBuffer()
  }
  const worker = async () => {
    while (performance.now() < until) {
      await Promise.all(paths.map(ask))
      done++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return (done * 1000) / (performance.now() - begin)
}

let asked = 0

const freshChecks = ({ base, key }: Target) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  return () =>
    requestBytes(base, "/v1/check", headers, JSON.stringify({ query: `question ${asked++}`, brand: "Brandmore" }))
}

const run = async (): Promise<ReadonlyArray<Row>> => {
  const upstream = await startUpstream()
  const program = await startProgram(vendorsAt(upstream.origin))
  const agent = new Agent()
  try {
    const drive = () => load(program.base, freshChecks(program), { inFlight, seconds })
    await drive()
    const [values, limits]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < rounds; round++) {
      values.push((await drive()).rate)
      limits.push(await bare(upstream.origin, agent))
    }
    const [value, limit] = [median(values), median(limits)]
    return [{ subject: "fresh check, complete", unit: "checks/s", value, limit, ratio: value / limit, target: 0.1 }]
  } finally {
    await agent.close()
    await program.stop()
    upstream.stop()
  }
}

/** The fresh check, complete. */
export const bench: Bench = { name: "check", run }
