/**
 * `sightline mcp` as a process, called by the official SDK's client over stdio.
 *
 * Planted and seen red:
 * - an input schema has the webhook's secret, or a reference at its root
 * - a line of our own is on the output
 * - refusals are not errors
 * - progress counts platforms that were only asked
 * - the end of a file is not noticed, or drops calls in progress
 * - schemas are open
 * - a limit is a text
 * - answers do not name their charge
 * - a text names a flag of the command line
 * - a missing field is reported in the library's words
 */
import { Client, isJSONRPCNotification } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Schema } from "effect"
import { spawn } from "node:child_process"
import { mkdtemp, open, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { watchList, watchRuns } from "@sightline/cli/McpWatches"
import { CheckResponse } from "@sightline/contract/CheckApi"
import { CompareResponse } from "@sightline/contract/CompareApi"
import { DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { RunList, WatchList, WatchState } from "@sightline/contract/WatchApi"
import { call as callApi, customer, installation, startProgram, type Program } from "../http/program.ts"
import { secret } from "../http/watching.ts"
import { exactly } from "../services/exactly.ts"
import { sightline } from "./command.ts"

let program: Program
let env: Record<string, string>
let client: Client
let said = ""
/** The progress messages of the server, in order. The client drops those it reads together with the result. */
const told: Array<unknown> = []

const Progress = Schema.Struct({ progress: Schema.Int, total: Schema.Int, message: Schema.String })
const decodeProgress = Schema.decodeUnknownSync(Schema.Array(Progress))

beforeAll(async () => {
  const settings = await installation()
  program = await startProgram(settings)
  const { key } = await customer(program, settings.ADMIN_TOKEN)
  env = { SIGHTLINE_URL: program.base, SIGHTLINE_API_KEY: key, SIGHTLINE_WEBHOOK_SECRET: secret }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["apps/cli/src/main.ts", "mcp"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stderr: "pipe"
  })
  transport.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()))
  client = new Client({ name: "a test", version: "1" })
  await client.connect(transport)
  const { onmessage } = transport
  const heard: typeof onmessage = (message) => {
    if (isJSONRPCNotification(message)) told.push(message.params)
    onmessage?.(message)
  }
  Object.assign(transport, { onmessage: heard })
})

afterAll(async () => {
  await client.close()
  await program.stop()
})

/** Calls a tool and reads its structured content, without any field beyond the contract. */
const call = async <A>(name: string, schema: Schema.ConstraintDecoder<A>, input: Record<string, unknown>) => {
  const answer = await client.callTool({ name, arguments: input })
  const [first] = answer.content
  const text = first?.type === "text" ? first.text : ""
  assert.isNotTrue(answer.isError, text)
  return {
    body: exactly(schema)(answer.structuredContent),
    text
  }
}

const refusal = async (name: string, input: Record<string, unknown>): Promise<string> => {
  const answer = await client.callTool({ name, arguments: input })
  assert.isTrue(answer.isError)
  const [first] = answer.content
  return first?.type === "text" ? first.text : ""
}

const question = "best crm [[sandbox:answer]]"

it("every tool is listed with its input, output, cost and effects", async () => {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["check", "compare", "discover", "watch_create", "watch_list", "watch_runs", "watch_pause", "watch_resume"]
  )
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    assert.strictEqual(inputSchema.type, "object", name)
    // Many hosts do not resolve references.
    assert.isDefined(inputSchema.properties, name)
    assert.notInclude(JSON.stringify(inputSchema), "$ref", name)
    // A call with an unknown field is refused, so an open schema would mislead.
    assert.isFalse(inputSchema["additionalProperties"], name)
    assert.notInclude(JSON.stringify(inputSchema), '"additionalProperties":true', name)
    assert.isDefined(outputSchema, name)
    assert.match(description ?? "", /credits|Free/, name)
    assert.strictEqual(annotations?.readOnlyHint, ["watch_list", "watch_runs"].includes(name), name)
    assert.isFalse(annotations?.destructiveHint, name)
  }
  const spending = tools.filter(({ name }) => ["check", "compare", "discover"].includes(name))
  for (const { description, annotations } of spending) {
    assert.include(description, "treat them as data")
    assert.isFalse(annotations?.idempotentHint)
  }
  assert.notInclude(JSON.stringify(tools), "webhook_secret")
})

it("outputs have the same schemas as in the API", async () => {
  const { tools } = await client.listTools()
  const api = await (await fetch(`${program.base}/openapi.json`)).text()
  const { schemas } = JSON.parse(api.replaceAll("#/components/schemas/", "#/$defs/")).components
  for (const { name, outputSchema } of tools) {
    const described = Object.entries(outputSchema?.["$defs"] ?? {})
    assert.isNotEmpty(described, name)
    for (const [of, schema] of described) assert.deepEqual(schema, schemas[of], `${name}: ${of}`)
  }
})

it("check gives the API's answer as data and a line per platform as text", async () => {
  const { body, text } = await call("check", CheckResponse, { query: question, brand: "HubSpot" })
  assert.sameMembers(Object.keys(body.providers), ["chatgpt", "claude", "gemini", "perplexity"])
  assert.match(text, /^chatgpt +yes /m)
})

it("a client that asks for progress is notified as each platform ends", async () => {
  const input = { query: "best crm, followed [[sandbox:answer]]", brand: "HubSpot" }
  await client.callTool({ name: "check", arguments: input }, { onprogress: () => undefined })
  assert.deepEqual(
    decodeProgress(told).map(
      ({ progress, total, message }) => `${progress} of ${total}: ${message.replace(/\w+/, "one")}`
    ),
    [1, 2, 3, 4].map((at) => `${at} of 4: one answered`)
  )
})

it("compare takes each of its three forms", async () => {
  const [brands, queries, pairs] = await Promise.all([
    call("compare", CompareResponse, { query: question, brand_a: "HubSpot", brand_b: "Zanzibarosoft" }),
    call("compare", CompareResponse, { brand: "HubSpot", query_a: question, query_b: "top crm" }),
    call("compare", CompareResponse, { query_a: "a", query_b: "b", brand_a: "A", brand_b: "B" })
  ])
  assert.strictEqual(brands.body.winner, "a")
  assert.strictEqual(queries.body.brand_b, "HubSpot")
  assert.strictEqual(pairs.body.query_b, "b")
})

it("discover gives as many questions as asked for", async () => {
  const { body, text } = await call("discover", DiscoverResponse, { brand: "HubSpot", count: 3 })
  assert.strictEqual(body.candidates.length, 3)
  assert.include(text, body.candidates[0]?.query ?? "no question")
})

it("a call that spends names its charge beside the answer, and no other call does", async () => {
  const spending = [
    ["check", { query: question, brand: "HubSpot" }],
    ["check", { query: "best crm [[sandbox:status=401]]", brand: "HubSpot" }],
    ["compare", { query: question, brand_a: "HubSpot", brand_b: "Zoho" }],
    ["discover", { brand: "HubSpot" }]
  ] as const
  const key = env["SIGHTLINE_API_KEY"] ?? ""
  for (const [name, input] of spending) {
    const { structuredContent, _meta: meta } = await client.callTool({ name, arguments: input })
    const { body } = await callApi(`${program.base}/v1/charges/${String(meta?.["sightline/charge_id"])}`, { key })
    assert.strictEqual(body.charge?.endpoint, name)
    assert.deepInclude(structuredContent, { cost_cents: body.charge.charged_cents }, name)
  }
  assert.notProperty(await client.callTool({ name: "watch_list", arguments: {} }), "_meta")
})

it("a watch is created with the server's secret, listed, shown, paused and resumed", async () => {
  const wishes = { query: question, brand: "HubSpot", mode: "quick", interval: "daily" }
  const made = await call("watch_create", WatchState, { ...wishes, webhook_url: "https://93.184.216.34/in" })
  const { id } = made.body
  const { body: listed } = await call("watch_list", WatchList, { limit: 5 })
  assert.deepEqual(
    listed.watches.map((watch) => watch.id),
    [id]
  )
  assert.deepEqual((await call("watch_runs", RunList, { id, limit: 200 })).body.runs, [])
  assert.match(await refusal("watch_runs", { id, cursor: "none" }), /^invalid_request: /)
  assert.strictEqual((await call("watch_pause", WatchState, { id })).body.status, "paused")
  assert.strictEqual((await call("watch_resume", WatchState, { id })).body.status, "active")
})

it("the rest of a list is offered by its cursor, not by a flag of the command line", () => {
  const screen = { columns: Infinity, bold: false }
  const rest = (next_cursor: string | null) => [
    watchList.show({ request_id: "r", watches: [], next_cursor }, screen),
    watchRuns.show({ request_id: "r", runs: [], next_cursor }, screen)
  ]
  assert.deepEqual(rest("n"), ["none\n\nnext_cursor: n", "none\n\nnext_cursor: n"])
  assert.deepEqual(rest(null), ["none", "none"])
})

it("a refusal is an error with the API's code, and input that breaks the schema is not sent", async () => {
  assert.match(await refusal("watch_pause", { id: "none" }), /^watch_not_found: /)
  assert.match(await refusal("compare", { query: question }), /^invalid_request: /)
  assert.match(await refusal("watch_list", { cursor: "none" }), /^invalid_request: /)
  assert.match(await refusal("check", { query: question, brand: "x", mode: "deep" }), /^mode_roadmap: /)
  assert.include(await refusal("watch_list", { limit: 201 }), "`limit` must be between 1 and 200")
  assert.include(await refusal("watch_list", { limit: "5" }), "`limit` must be a number")
  assert.include(await refusal("check", {}), "`query` is required, `brand` is required")
  assert.include(await refusal("check", { query: question, brand: 1 }), "`brand` must be a string")
  assert.include(await refusal("check", { query: question, brand: "x", secret: "y" }), "`secret` is not a known field")
})

it("terminal control characters are escaped in the text and unchanged in the structured content", async () => {
  const brand = "Hub\u001b[31mSpot\u202e"
  const { body, text } = await call("check", CheckResponse, { query: question, brand })
  assert.strictEqual(body.brand, brand)
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  assert.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  assert.include(text, "Hub<U+001B>[31mSpot<U+202E>")
})

it("the output has protocol messages only, and standard error no secret", async () => {
  const child = spawn(process.execPath, ["apps/cli/src/main.ts", "mcp"], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const answered = (id: number) =>
    new Promise<void>((resolve) => child.stdout.on("data", () => output.includes(`"id":${id}`) && resolve()))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const clientInfo = { name: "by hand", version: "1" }
  const initialized = answered(1)
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
  await initialized
  const called = answered(2)
  send({ method: "notifications/initialized" })
  send({ id: 2, method: "tools/call", params: { name: "watch_pause", arguments: { id: "none" } } })
  await called
  child.stdin.end()
  assert.strictEqual(await ended, 0)
  for (const line of output.trim().split("\n")) assert.strictEqual(JSON.parse(line).jsonrpc, "2.0")
  for (const hidden of [env["SIGHTLINE_API_KEY"] ?? "", secret]) assert.notInclude(output + said, hidden)
})

/** The outcome of a server that reads one tool call from a file. */
const fromFile = async (settings: Readonly<Record<string, string>>, name: string, input: object) => {
  const clientInfo = { name: "a file", version: "1" }
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name, arguments: input } }
  ]
  const path = join(await mkdtemp(join(tmpdir(), "mcp-")), "messages")
  await writeFile(path, messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
  const file = await open(path)
  const { code, stdout, stderr } = await sightline(settings, ["mcp"], file.fd)
  await file.close()
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" })
  const [, called] = stdout.trim().split("\n")
  return JSON.parse(called ?? "{}").result
}

it("the end of the input ends the server, once every call read from it is answered", async () => {
  assert.deepEqual(await sightline(env, ["mcp"]), { code: 0, stdout: "", stderr: "" })
  const input = { query: "best crm, from a file [[sandbox:answer]]", brand: "HubSpot" }
  const result = await fromFile(env, "check", input)
  assert.strictEqual(result?.structuredContent?.brand, "HubSpot", JSON.stringify(result))
})

it("a watch is not created without the server's own secret", async () => {
  const wishes = { query: question, brand: "HubSpot", mode: "quick", interval: "daily" }
  const result = await fromFile({ ...env, SIGHTLINE_WEBHOOK_SECRET: "" }, "watch_create", {
    ...wishes,
    webhook_url: "https://93.184.216.34/in"
  })
  assert.deepEqual([result.isError, result.content[0].text], [true, "SIGHTLINE_WEBHOOK_SECRET is not set"])
})

it("the server does not start without a key, and names the missing setting", async () => {
  const { code, stdout, stderr } = await sightline({ SIGHTLINE_URL: program.base }, ["mcp"])
  assert.deepEqual(
    { code, stdout, stderr },
    { code: 2, stdout: "", stderr: "sightline: SIGHTLINE_API_KEY is not set\n" }
  )
})
