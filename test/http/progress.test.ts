/**
 * Calls that are followed while they run: the events of a real server, and that the final answer equals the plain response.
 *
 * Planted and seen red:
 * - heartbeats too rare;
 * - a shared question reported for one side only;
 * - an engine without a suggestion reported as answered;
 * - an answer from cache not reported;
 * - the members of the body in another order;
 * - headers that are set last left out;
 * - platforms reported as asked only when they have answered;
 * - a call that ends with its stream;
 * - a header of the call on the stream.
 */
import { Effect, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { assert, describe, it } from "vitest"
import { bearer, connect } from "@sightline/contract/Client"
import { FinalAnswer, follow, PlatformProgress, type ProgressEvent } from "@sightline/contract/Progress"
import { exactly } from "../services/exactly.ts"
import { signIn } from "./browsing.ts"
import { call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"
import { waitUntil } from "./waiting.ts"

/** One event as received: its name, its data, and the time. A comment has no name. */
interface Heard {
  readonly name: string
  readonly data: string
  readonly at: number
}

interface Sent {
  readonly key?: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const streamed = ({ key, body, headers = {} }: Sent, path = "/v1/check", signal?: AbortSignal) =>
  fetch(`${program.base}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(key === undefined ? {} : bearer(key)),
      ...headers
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal })
  })

const eventIn = (block: string): Heard => {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? ""
  return { name: field("event"), data: field("data"), at: performance.now() }
}

/** Reads a stream to its end, with the time of each event. */
async function* events(response: Response): AsyncGenerator<Heard> {
  let text = ""
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split("\n\n")
    text = blocks.pop() ?? ""
    yield* blocks.map(eventIn)
  }
}

const heardOf = async (sent: Sent, path?: string): Promise<ReadonlyArray<Heard>> =>
  Array.fromAsync(events(await streamed(sent, path)))

const decodeStep = exactly(Schema.fromJsonString(PlatformProgress))
const decodeAnswer = exactly(Schema.fromJsonString(FinalAnswer))

const stepsOf = (heard: ReadonlyArray<Heard>) =>
  heard.filter(({ name }) => name === "platform").map(({ data }) => decodeStep(data))

/** The steps as words, in the order received. */
const wordsOf = (heard: ReadonlyArray<Heard>) =>
  stepsOf(heard).map(({ platform, side, state, code }) => [platform, side, state, code].filter(Boolean).join(" "))

/** The one answer at the end of a stream, and the text of its body. */
const answerOf = (heard: ReadonlyArray<Heard>) => {
  const answers = heard.filter(({ name }) => name === "answer")
  assert.lengthOf(answers, 1)
  const data = heard.at(-1)?.data ?? ""
  assert.strictEqual(heard.at(-1)?.name, "answer")
  return { ...decodeAnswer(data), text: data.slice(data.indexOf(`,"body":`) + 8, -1) }
}

const withoutId = (text: string) => text.replaceAll(/"request_id":"[0-9a-f-]{36}"/g, "").replaceAll(/\d+ s\./g, "")

const { env, program } = await started()
const { key } = await customer(program, env.ADMIN_TOKEN)
const slow = heardOf({
  key,
  body: { query: "slow [[sandbox:openai:latency=20s]]", brand: "Acme", providers: ["chatgpt"] }
})

describe("a followed check", () => {
  it("200: reports when each platform is asked, answers or fails, and ends with the answer", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const query = "best crm [[sandbox:openai:status=500]] [[sandbox:gemini:latency=6s]]"
    const sent = { key, body: { query, brand: "HubSpot" }, headers: { "idempotency-key": "k1" } }
    const response = await streamed(sent)
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
    assert.strictEqual(response.headers.get("cache-control"), "no-store")
    assert.strictEqual(response.headers.get("x-accel-buffering"), "no")
    for (const [name] of response.headers) assert.notMatch(name, /^x-(?:ratelimit|request|cost)/)
    const heard = await Array.fromAsync(events(response))
    const words = wordsOf(heard)
    assert.sameMembers(words.slice(0, 4), ["chatgpt asked", "claude asked", "gemini asked", "perplexity asked"])
    assert.sameMembers(words.slice(4, 7), [
      "chatgpt failed provider_unavailable",
      "claude answered",
      "perplexity answered"
    ])
    assert.deepStrictEqual(words.slice(7), ["gemini answered"])
    const at = (word: string) => heard.find((event) => wordsOf([event]).includes(word))?.at ?? Number.NaN
    // Steps are reported early, not together with the answer.
    assert.isAbove(at("gemini answered") - at("claude answered"), 500)
    const answer = answerOf(heard)
    assert.strictEqual(answer.status, 200)
    const replay = await call(`${program.base}/v1/check`, sent)
    assert.strictEqual(replay.headers.get("idempotency-replay"), "true")
    assert.strictEqual(answer.text, replay.text)
    for (const [name, value] of Object.entries(answer.headers))
      if (!name.startsWith("x-ratelimit")) assert.strictEqual(replay.headers.get(name), value, name)
    assert.isDefined(answer.headers["x-ratelimit-remaining"])
    assert.isDefined(answer.headers["x-cost-cents"])
  })

  it("200: a replay and an answer from cache have no steps; a replay has the same bytes", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const sent = { key, body: { query: "what is replayed", brand: "Acme" }, headers: { "idempotency-key": "k2" } }
    const first = await call(`${program.base}/v1/check`, sent)
    const heard = await heardOf(sent)
    assert.deepStrictEqual(stepsOf(heard), [])
    const { status, headers, text } = answerOf(heard)
    assert.deepStrictEqual([status, headers["idempotency-replay"], text], [200, "true", first.text])
    const cached = answerOf(await heardOf({ key, body: sent.body }))
    assert.strictEqual(cached.headers["x-cache-status"], "hit-l1")
  })

  it("each refusal is the same as without the stream", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const poor = await customer(program, env.ADMIN_TOKEN, 0)
    const reader = await customer(program, env.ADMIN_TOKEN, 0, { read_only: true })
    const once = { "check:quick": { burst: 1, per_second: 0.0001 } }
    const limited = await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: { ...generous, ...once } })
    const live = await operator(program, env.ADMIN_TOKEN).key(poor.account, { environment: "live" })
    const body = { query: "q", brand: "b" }
    await call(`${program.base}/v1/check`, { key: limited.key, body })
    const refusals: ReadonlyArray<readonly [number, Sent]> = [
      [400, { key, body: { query: "", brand: "b" } }],
      [401, { body }],
      [401, { key: `lvk_test_${"A".repeat(49)}`, body }],
      [402, { key: poor.key, body }],
      [403, { key: reader.key, body }],
      [413, { key, body: { query: "x".repeat(200_000), brand: "b" } }],
      [415, { key, body, headers: { "content-type": "text/plain" } }],
      [429, { key: limited.key, body }],
      [501, { key, body: { ...body, mode: "deep" } }],
      [501, { key: live.key, body: { ...body, mode: "ai_mode" } }]
    ]
    for (const [expected, sent] of refusals) {
      const { status, headers, text } = answerOf(await heardOf(sent))
      const plain = await call(`${program.base}/v1/check`, sent)
      assert.deepStrictEqual([status, plain.status], [expected, expected])
      assert.strictEqual(withoutId(text), withoutId(plain.text))
      assert.strictEqual(headers["x-request-id"], JSON.parse(text).request_id)
      assert.sameMembers(
        Object.keys(headers).filter((name) => name.startsWith("x-r") || name === "retry-after"),
        [...plain.headers.keys()].filter((name) => name.startsWith("x-r") || name === "retry-after")
      )
    }
  })

  it("200 for a page with a session, and 403 without its CSRF token", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const { cookie, headers } = await signIn(program, key)
    const body = { query: "by the cookie", brand: "Acme" }
    assert.strictEqual(answerOf(await heardOf({ body, headers })).status, 200)
    assert.strictEqual(answerOf(await heardOf({ body, headers: { cookie } })).status, 403)
  })

  it("continues when its caller hangs up, is charged once, and can be replayed", async () => {
    const { account, key } = await customer(program, env.ADMIN_TOKEN, 1000)
    const query = "who hangs up [[sandbox:anthropic:latency=1s]]"
    const sent = { key, body: { query, brand: "Acme" }, headers: { "idempotency-key": "k3" } }
    const gone = new AbortController()
    for await (const { name } of events(await streamed(sent, "/v1/check", gone.signal))) if (name === "platform") break
    gone.abort()
    const { ledger } = operator(program, env.ADMIN_TOKEN)
    await waitUntil("the charge is settled", async () => (await ledger(account)).entries.length === 3)
    const again = answerOf(await heardOf(sent))
    assert.deepStrictEqual([again.status, again.headers["idempotency-replay"]], [200, "true"])
    assert.lengthOf((await ledger(account)).entries, 3)
  })

  it("a duplicate waits for the first call and gets its answer, without steps", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const query = "asked twice at once [[sandbox:anthropic:latency=1s]]"
    const sent = { key, body: { query, brand: "Acme" }, headers: { "idempotency-key": "k4" } }
    const [one, two] = await Promise.all([heardOf(sent), heardOf(sent)])
    assert.strictEqual(answerOf(one).text, answerOf(two).text)
    assert.sameMembers([stepsOf(one).length, stepsOf(two).length], [0, 8])
  })

  it("the response is JSON if events are not accepted, and on every other path", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const body = { query: "plain", brand: "Acme" }
    for (const [accept, expected] of [
      ["application/json", "application/json"],
      ["text/event-stream;q=0, application/json", "application/json"],
      ["text/event-streams", "application/json"],
      ["application/json, Text/Event-Stream;q=0.1", "text/event-stream"]
    ] as const) {
      const { headers } = await streamed({ key, body, headers: { accept } })
      assert.strictEqual(headers.get("content-type"), expected, accept)
    }
    const headers = { accept: "text/event-stream" }
    const models = await call(`${program.base}/v1/models`, { key, headers })
    assert.strictEqual(models.headers.get("content-type"), "application/json")
    assert.strictEqual((await call(`${program.base}/v1/check`, { key, headers })).status, 405)
  })

  it("a stream without events sends a heartbeat every 15 s", async () => {
    const heard = await slow
    assert.lengthOf(
      heard.filter(({ name }) => name === ""),
      2
    )
    assert.deepStrictEqual(wordsOf(heard), ["chatgpt asked", "chatgpt answered"])
    assert.strictEqual(answerOf(heard).status, 200)
  })
})

describe("the other calls", () => {
  it("200: a live check names its surfaces", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const heard = await heardOf({ key, body: { query: "best crm", brand: "HubSpot", mode: "all_live" } })
    const surfaces = ["perplexity_live", "chatgpt_live", "gemini_live", "ai_overview", "ai_mode", "bing_copilot"]
    assert.sameMembers(
      wordsOf(heard).filter((word) => word.endsWith(" asked")),
      surfaces.map((name) => `${name} asked`)
    )
    assert.lengthOf(stepsOf(heard), 12)
  })

  it("200: a comparison reports both sides, even with one query", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const engines = ["chatgpt", "claude", "gemini", "perplexity"]
    const expected = ["a", "b"].flatMap((side) =>
      engines.flatMap((name) => [`${name} ${side} asked`, `${name} ${side} answered`])
    )
    const bodies = [
      { query: "best crm for a shop", brand_a: "HubSpot", brand_b: "Salesforce" },
      { query_a: "best crm for a bank", query_b: "best crm for a school", brand: "HubSpot" }
    ]
    for (const body of bodies) {
      const heard = await heardOf({ key, body }, "/v1/compare")
      assert.sameMembers(wordsOf(heard), expected)
      assert.strictEqual(answerOf(heard).status, 200)
    }
  })

  it("200: an ask reports each provider, including a cached one; if all are cached there are no steps", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const ask = { prompt: "who is followed", web_search: true }
    await call(`${program.base}/v1/ask`, { key, body: { ...ask, providers: ["openai"] } })
    const body = { ...ask, providers: ["openai", "anthropic"] }
    const heard = await heardOf({ key, body }, "/v1/ask")
    const { status, text } = answerOf(heard)
    assert.strictEqual(status, 200, text)
    assert.sameMembers(wordsOf(heard), ["chatgpt asked", "chatgpt answered", "claude asked", "claude answered"])
    assert.deepStrictEqual(wordsOf(await heardOf({ key, body }, "/v1/ask")), [])
  })

  it("202: a queued ask is acknowledged immediately", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const heard = await heardOf(
      { key, body: { prompt: "later", providers: ["anthropic"], mode: "standard" } },
      "/v1/ask"
    )
    assert.deepStrictEqual([stepsOf(heard).length, answerOf(heard).status], [0, 202])
  })

  it("200: a discovery reports an engine without suggestions as failed", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const body = { brand: "Acme [[sandbox:openai:refusal]]", count: 5 }
    const heard = await heardOf({ key, body }, "/v1/discover")
    assert.include(wordsOf(heard), "chatgpt failed provider_error")
    assert.lengthOf(stepsOf(heard), 8)
    const answer = answerOf(heard)
    assert.deepNestedInclude(answer.body, { "errors.chatgpt.code": "provider_error" })
  })
})

describe("the contract's reader", () => {
  const read = (path: Parameters<typeof follow>[0], body: unknown, headers: Readonly<Record<string, string>>) =>
    follow(path, body).pipe(
      Stream.runCollect,
      Effect.updateService(HttpClient.HttpClient, connect({ baseUrl: program.base, headers })),
      Effect.provide(FetchHttpClient.layer),
      Effect.runPromise
    )

  it("yields every step and then the answer, whatever its status", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const body = { query: "read by the client [[sandbox:openai:status=401]]", brand: "Acme" }
    const heard: ReadonlyArray<ProgressEvent> = await read("/v1/check", body, bearer(key))
    assert.lengthOf(heard, 9)
    const failed = heard.find(({ event, data }) => event === "platform" && data.state === "failed")
    assert.deepInclude(failed?.data, { platform: "chatgpt", code: "provider_auth_failed" })
    assert.deepInclude(heard.at(-1), { event: "answer" })
    const [refused] = await read("/v1/check", body, {})
    assert.deepNestedInclude(refused, { event: "answer", "data.status": 401 })
  })
})
