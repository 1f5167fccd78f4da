/**
 * The process that stands in for the vendors in `FanOut.bench.ts`. It answers with the grounded fixtures, extended to 2.5 KB or the
 * given number of bytes, after the given number of milliseconds. With `ungrounded` Gemini cites nothing, so that no redirects are
 * resolved. It sends its port to its parent, and ends with it.
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const latency = Number(process.argv[2] ?? 0)
const gemini = process.argv[3] === "ungrounded" ? "gemini_no_search" : "gemini_grounded"

const prose =
  "Planora suits agencies that plan with charts, while Kanbo keeps small teams on one board without much set-up. " +
  "Reviewers mention support, exports and the price of extra seats, and none of them is best for everybody. "
const more = prose.repeat(Math.ceil(Number(process.argv[4] ?? 2000) / prose.length))

const body = (fixture: string): Buffer => {
  const { body } = JSON.parse(
    readFileSync(new URL(`../test/fixtures/upstreams/${fixture}.json`, import.meta.url), "utf8")
  )
  // The longest text of each body is the answer.
  const lengthened = JSON.stringify(body, (key, value: unknown) =>
    key === "text" && typeof value === "string" && value.includes("Planora") ? `${value}\n\n${more}` : value
  )
  return Buffer.from(lengthened)
}

const bodies: ReadonlyArray<readonly [string, Buffer]> = [
  ["/v1/responses", body("openai_grounded")],
  ["/v1/messages", body("anthropic_grounded")],
  ["/v1/models", body(gemini)],
  ["/v1/agent", body("perplexity_grounded")]
]

const server = createServer((request, response) => {
  const answer = bodies.find(([path]) => request.url?.startsWith(path))?.[1] ?? Buffer.from("{}")
  const send = () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer)
  }
  request.resume()
  request.on("end", () => (latency === 0 ? send() : setTimeout(send, latency)))
})

server.listen(0, "127.0.0.1", () => {
  const bound = server.address()
  process.send?.(typeof bound === "object" ? bound?.port : undefined)
})
process.on("disconnect", () => process.exit())
