/**
 * What an API of a later release may answer within `/v1` to a command line and a client of this one: they skip what they do not know,
 * and show an answer that was paid for whatever is new in it.
 *
 * Planted and seen red: outputs of tools allow no unknown properties; a tool drops an answer with a new code; a step of a new kind
 * ends the stream; an unreadable answer is skipped.
 */
import { Effect, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { mkdtemp, open, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { connect } from "@sightline/contract/Client"
import { follow } from "@sightline/contract/Progress"
import { fakeServer, sightline } from "./command.ts"

const slot = { mentioned: true, rank: 1, context: "Acme.", citations: [], fan_out: [], seen_by: "a later release" }
const checked = {
  request_id: "1",
  id: "2",
  mode: "quick",
  query: "best crm",
  brand: "Acme",
  providers: { chatgpt: slot },
  created_at: "2027-01-01T00:00:00.000Z",
  duration_ms: 1,
  cost_cents: 150,
  cache_hit: false,
  balance_after_cents: 1,
  seen_by: "a later release"
}
const withNewCode = { ...checked, errors: { claude: { code: "provider_asleep", message: "It sleeps." } } }

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const steps = [
  event("platform", { platform: "chatgpt", state: "asked" }),
  event("queue", { place: 1 }),
  event("platform", { platform: "grok", state: "asked" }),
  event("platform", { platform: "chatgpt", state: "answered", after_ms: 1 }),
  event("platform", { platform: "claude", state: "failed", code: "provider_asleep" })
]
const answer = (body: unknown) => event("answer", { status: 200, headers: {}, body })

let next: Awaited<ReturnType<typeof fakeServer>>
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  next = await fakeServer((request, response) => {
    const texts: Array<string> = []
    request.on("data", (chunk: Buffer) => texts.push(chunk.toString()))
    request.on("end", () => {
      const { query } = JSON.parse(texts.join(""))
      const last = query === "torn" ? event("answer", {}) : answer(query === "new code" ? withNewCode : checked)
      response.writeHead(200, { "content-type": "text/event-stream" }).end(steps.join("") + last)
    })
  })
  env = { SIGHTLINE_URL: next.url, SIGHTLINE_API_KEY: "lvk_test_x" }
})
afterAll(() => next.stop())

const check = (query: string, ...more: ReadonlyArray<string>) =>
  sightline(env, ["check", query, "--brand", "Acme", ...more])

describe("a command", () => {
  it("shows an answer with unknown fields, after unknown steps", async () => {
    const { code, stdout, stderr } = await check("best crm")
    assert.deepEqual([code, stderr], [0, ""])
    assert.match(stdout, /^chatgpt +yes +1 /m)
  })

  it("prints an answer with an unknown code with --json, and otherwise says that --json shows it", async () => {
    const { code, stdout } = await check("new code", "--json")
    assert.deepEqual([code, JSON.parse(stdout)], [0, withNewCode])
    const { stderr, ...shown } = await check("new code")
    assert.deepEqual(shown, { code: 7, stdout: "" })
    assert.include(stderr, "--json shows it")
  })

  it("has no answer where the answer itself is malformed", async () => {
    const { code, stderr } = await check("torn")
    assert.deepEqual([code, stderr], [7, "sightline: the answer cannot be read\n"])
  })
})

describe("an MCP tool", () => {
  const called = async (query: string) => {
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a file", version: "1" } }
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "check", arguments: { query, brand: "Acme" } } }
    ]
    const path = join(await mkdtemp(join(tmpdir(), "mcp-")), "messages")
    await writeFile(path, messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
    const file = await open(path)
    const { stdout } = await sightline(env, ["mcp"], file.fd)
    await file.close()
    return JSON.parse(stdout.trim().split("\n")[1] ?? "{}").result
  }

  it("returns an answer with unknown fields unchanged", async () => {
    const { isError, structuredContent, content } = await called("best crm")
    assert.isUndefined(isError, content[0].text)
    assert.deepEqual(structuredContent, checked)
  })

  it("returns an answer that does not match its output schema as an error with the answer in it", async () => {
    const { isError, structuredContent, content } = await called("new code")
    assert.deepEqual([isError, structuredContent], [true, undefined])
    const { text } = content[0]
    assert.deepEqual(JSON.parse(text.slice(text.indexOf("{"))), withNewCode)
  })
})

it("the contract's reader yields the steps that it knows, and then the answer", async () => {
  const heard = await follow("/v1/check", { query: "best crm" }).pipe(
    Stream.runCollect,
    Effect.updateService(HttpClient.HttpClient, connect({ baseUrl: next.url, headers: {} })),
    Effect.provide(FetchHttpClient.layer),
    Effect.runPromise
  )
  assert.deepEqual(heard, [
    { event: "platform", data: { platform: "chatgpt", state: "asked" } },
    { event: "platform", data: { platform: "chatgpt", state: "answered" } },
    { event: "answer", data: { status: 200, headers: {}, body: checked } }
  ])
})
