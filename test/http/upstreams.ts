import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listen } from "../services/listen.ts"

/** Engines for live keys, played by the test. Every question waits until `letGo`. */
export interface Upstreams {
  /** Settings that point the program at them. */
  readonly env: Readonly<Record<string, string>>
  /** How many questions have been received in all. */
  readonly asked: () => number
  /** The bodies of the questions to the vendor of this name, in the order received. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the body should hold
  readonly received: (vendor: string) => ReadonlyArray<any>
  /** Resolves once `count` questions have arrived in all. */
  readonly arrived: (count: number) => Promise<void>
  /** Answers every waiting question, and from now on every question at once. */
  readonly letGo: () => void
  /** From now on each vendor gives this answer; a number is the status it fails with. */
  readonly say: (saying: (vendor: string) => string | number) => void
  readonly stop: () => Promise<void>
}

const answers: Readonly<Record<string, (text: string) => object>> = {
  openai: (text) => ({
    status: "completed",
    model: "gpt-test",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }],
    usage: { input_tokens: 1, output_tokens: 1 }
  }),
  anthropic: (text) => ({
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [{ type: "text", text, citations: null }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 }
  }),
  gemini: (text) => ({
    candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text }] } }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    modelVersion: "gemini-test"
  }),
  perplexity: (text) => ({
    status: "completed",
    model: "perplexity/sonar",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }],
    usage: { input_tokens: 1, output_tokens: 1 }
  })
}

/** Starts the engines; `held` says whether questions wait at first. */
export const startUpstreams = async (held: boolean): Promise<Upstreams> => {
  let holding = held
  let asked = 0
  const bodies: Array<{ readonly vendor: string; readonly body: unknown }> = []
  let saying: (vendor: string) => string | number = () => "1. **Acme** leads.\n2. **Globex** follows."
  const waiting: Array<() => void> = []
  const watchers: Array<{ readonly count: number; readonly tell: () => void }> = []
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    asked++
    for (const { count, tell } of watchers) if (asked >= count) tell()
    const vendor = (request.url ?? "").split("/")[1] ?? ""
    const answer = () => {
      const said = saying(vendor)
      response.writeHead(typeof said === "number" ? said : 200, { "content-type": "application/json" })
      response.end(JSON.stringify((typeof said === "string" && answers[vendor]?.(said)) || {}))
    }
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push({ vendor, body: JSON.parse(Buffer.concat(chunks).toString()) })
      if (holding) waiting.push(answer)
      else answer()
    })
  }
  const server = createServer(receive)
  const origin = `http://127.0.0.1:${await listen(server)}`
  const names = ["openai", "anthropic", "gemini", "perplexity"]
  return {
    env: Object.fromEntries(
      names.flatMap((name) => [
        [`${name.toUpperCase()}_BASE_URL`, `${origin}/${name}`],
        [`${name.toUpperCase()}_API_KEY`, "a-vendor-key"]
      ])
    ),
    asked: () => asked,
    received: (name) => bodies.filter(({ vendor }) => vendor === name).map(({ body }) => body),
    arrived: (count) =>
      new Promise((tell) => {
        if (asked >= count) tell()
        else watchers.push({ count, tell })
      }),
    letGo: () => {
      holding = false
      for (const answer of waiting.splice(0)) answer()
    },
    say: (next) => {
      saying = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
