/**
 * Everything that can go wrong between us and a vendor, over real sockets: the captured error bodies, then broken servers.
 *
 * Planted faults that turned this red:
 * - 429 is taken for transient whatever its code, or 529 is not classified
 * - there is a second retry
 * - the wait is not compared with the deadline
 * - there is no pause where the vendor gives no hint
 * - the vendor's words are logged
 * - the temperature is droppable
 * - a dropped field is not remembered, or only the last one is, or it is remembered for every address, for every value, or although
 *   leaving it out did not help
 * - of two refused fields of one request, the second is sent, or the request is sent without the first for ever
 * - the size limit, or the deadline, is removed
 * - the content type is not checked
 * - the connection is left open at the deadline
 * - a request is sent although its time was over before its connection opened
 * - a timeout is reported before an answer that arrived in time is read
 */
import { Effect, Exit, Fiber, Layer, Logger, ManagedRuntime, Option, Redacted } from "effect"
import type { ServerResponse } from "node:http"
import { afterAll, assert, describe, it } from "vitest"
import type { Question } from "@sightline/domain/Answer"
import { shippedModels } from "@sightline/domain/Model"
import type { LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import { providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import {
  answerOf,
  captureWith,
  failureOf,
  type Fixture,
  fixture,
  openVendor,
  platformOf,
  question,
  secret,
  sending,
  serving,
  shaped
} from "./LocalVendor.ts"

const lines: Array<string> = []
const recording = Logger.layer([
  Logger.map(Logger.formatJson, (line) => {
    lines.push(line)
  })
])
const clientLayer = Layer.merge(UpstreamClient.layer, recording)
const client = ManagedRuntime.make(clientLayer)
const capture = captureWith(client)
const vendor = await openVendor()

afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

const ask = (platform: LlmPlatform, changes: Partial<Question> = {}, deadline = "10 seconds" as const) =>
  capture(platform, vendor.url, question(platform, changes), { deadline })

/** A question to the vendor at an address, for the caller to interrupt. */
const askOnly = (baseUrl: string) => {
  const upstream = {
    baseUrl,
    apiKey: Option.some(Redacted.make(secret)),
    models: shippedModels,
    deadline: providerDeadline
  }
  return Effect.flatMap(ChatGpt.make(upstream), (capture) => capture(question("chatgpt_api")))
}

/** Each error fixture: the code, how many requests are sent, and the hint passed on in seconds. */
const captured: ReadonlyArray<readonly [name: string, code: PlatformFailed["code"], requests: number, hint?: number]> =
  [
    ["openai_400_temperature", "request_unsupported", 1],
    ["openai_401", "provider_auth_failed", 1],
    ["openai_404_model", "provider_error", 1],
    ["openai_429", "provider_rate_limited", 2, 2],
    ["openai_429_quota", "provider_rate_limited", 1],
    ["openai_500", "provider_unavailable", 2],
    ["openai_503", "provider_unavailable", 2, 5],
    ["openai_failed_200", "provider_unavailable", 2],
    ["anthropic_400_temperature", "request_unsupported", 1],
    ["anthropic_401", "provider_auth_failed", 1],
    ["anthropic_404_model", "provider_error", 1],
    ["anthropic_429", "provider_rate_limited", 1, 17],
    ["anthropic_500", "provider_unavailable", 2],
    ["anthropic_529", "provider_unavailable", 2],
    ["gemini_400_bad_key", "provider_auth_failed", 1],
    ["gemini_403", "provider_auth_failed", 1],
    ["gemini_404_model", "provider_error", 1],
    ["gemini_429", "provider_rate_limited", 1, 37],
    ["gemini_500", "provider_unavailable", 2],
    ["gemini_503", "provider_unavailable", 2],
    ["perplexity_400_model", "provider_error", 1],
    ["perplexity_400_unknown_field", "request_unsupported", 1],
    ["perplexity_401", "provider_auth_failed", 1],
    ["perplexity_401_html", "provider_auth_failed", 1],
    ["perplexity_429", "provider_rate_limited", 2, 3],
    ["perplexity_500", "provider_unavailable", 2],
    ["perplexity_failed_200", "provider_unavailable", 2]
  ]

const codes = captured.map(([name, code, requests, hint]) => ({ name, code, requests, hint }))

const canary = "leaked-from-upstream"

/** The fixture with a mark at the end of each message of the vendor. */
const marked = (given: Fixture): Fixture =>
  JSON.parse(
    JSON.stringify(given, (key, value: unknown) =>
      key === "message" || key === "body_text" ? `${String(value)} ${canary}` : value
    )
  )

describe.concurrent("each captured error", () => {
  it.each(codes)("$name is $code after $requests requests", async ({ code, hint, name, requests }) => {
    const own = await openVendor()
    own.answer(serving(marked(fixture(name))))
    const platform = platformOf(name)
    const failure = failureOf(await capture(platform, own.url, question(platform), { deadline: "12 seconds" }))
    await own.close()
    assert.strictEqual(failure.code, code)
    assert.strictEqual(own.received.length, requests)
    assert.strictEqual(failure.retryAfterSeconds, hint)
    assert.strictEqual(failure.platform, platform)
    assert.notInclude(failure.message, canary)
  })
})

describe("a vendor that recovers", () => {
  it("gets one retry after the wait it asks for, and the second answer counts", async () => {
    vendor.answer(serving(fixture("openai_429")), serving(fixture("openai_grounded")))
    const started = performance.now()
    assert.strictEqual(answerOf(await ask("chatgpt_api")).finish, "stop")
    assert.isAtLeast(performance.now() - started, 1800)
    assert.strictEqual(vendor.received.length, 2)
  })

  it("gets no retry when the wait leaves too little of the deadline", async () => {
    vendor.answer(serving(fixture("openai_429")), serving(fixture("openai_grounded")))
    const outcome = await capture("chatgpt_api", vendor.url, question("chatgpt_api"), { deadline: "3 seconds" })
    assert.strictEqual(failureOf(outcome).code, "provider_rate_limited")
    assert.strictEqual(vendor.received.length, 1)
  })

  it("gets one retry after a failure of its own, whenever its limits reset", async () => {
    const headers = { "content-type": "application/json", "x-ratelimit-reset-tokens": "6m0s" }
    vendor.answer(serving({ ...fixture("openai_500"), headers }), serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await ask("chatgpt_api")).finish, "stop")
    assert.strictEqual(vendor.received.length, 2)
  })

  it.each([
    ["that failed by itself", 500, 490],
    ["that limits us and does not say for how long", 429, 990]
  ])("%s has its pause before it is asked once more", async (_what, status, pauseMillis) => {
    const asked: Array<number> = []
    vendor.answer(
      (response) => {
        asked.push(performance.now())
        sending(status, "{}")(response)
      },
      (response) => {
        asked.push(performance.now())
        serving(fixture("openai_grounded"))(response)
      }
    )
    assert.strictEqual(answerOf(await ask("chatgpt_api")).finish, "stop")
    const [first = 0, second = 0] = asked
    assert.isAtLeast(second - first, pauseMillis)
  })

  it("gets one retry after a broken connection", async () => {
    vendor.answer((response) => response.destroy(), serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await ask("chatgpt_api")).finish, "stop")
    assert.strictEqual(vendor.received.length, 2)
  })
})

const refusing = (param: string) =>
  sending(400, JSON.stringify({ error: { message: "Unsupported", type: "invalid_request_error", param } }))

describe("a field of ours that the vendor refuses by name", () => {
  it("is left out on the retry, and from then on for that model", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = () => captureWith(fresh)("chatgpt_api", own.url)
    own.answer(refusing("tool_choice"), serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await asked()).finish, "stop")
    assert.deepStrictEqual(
      own.received.map(({ body }) => "tool_choice" in body),
      [true, false]
    )
    own.answer(serving(fixture("openai_grounded")))
    await asked()
    assert.deepStrictEqual(
      own.received.map(({ body }) => "tool_choice" in body),
      [false]
    )
    await own.close()
    await fresh.dispose()
  })

  it("is left out together with a field that was refused before", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = () => captureWith(fresh)("chatgpt_api", own.url)
    own.answer(refusing("tool_choice"), serving(fixture("openai_grounded")))
    await asked()
    own.answer(refusing("reasoning"), serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await asked()).finish, "stop")
    assert.deepStrictEqual(
      own.received.map(({ body }) => ["tool_choice" in body, "reasoning" in body]),
      [
        [false, true],
        [false, false]
      ]
    )
    await own.close()
    await fresh.dispose()
  })

  it("is left out together with the next refused field of the same request, and both stay out", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = () => captureWith(fresh)("chatgpt_api", own.url)
    own.answer(refusing("tool_choice"), refusing("reasoning"), serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await asked()).finish, "stop")
    const sent = () => own.received.map(({ body }) => ["tool_choice" in body, "reasoning" in body])
    assert.deepStrictEqual(sent(), [
      [true, true],
      [false, true],
      [false, false]
    ])
    own.answer(serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await asked()).finish, "stop")
    assert.deepStrictEqual(sent(), [[false, false]])
    await own.close()
    await fresh.dispose()
  })

  it("is sent again where the vendor refuses a second field and then the first one again", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = () => captureWith(fresh)("chatgpt_api", own.url)
    own.answer(refusing("tool_choice"), refusing("reasoning"), refusing("tool_choice"))
    assert.strictEqual(failureOf(await asked()).code, "request_unsupported")
    assert.lengthOf(own.received, 3)
    own.answer(serving(fixture("openai_grounded")))
    await asked()
    assert.deepStrictEqual(
      own.received.map(({ body }) => ["tool_choice" in body, "reasoning" in body]),
      [[true, true]]
    )
    await own.close()
    await fresh.dispose()
  })

  it("is still sent to another address with a model of that name, such as the sandbox", async () => {
    const [sandbox, own] = [await openVendor(), await openVendor()]
    const fresh = ManagedRuntime.make(clientLayer)
    sandbox.answer(refusing("tool_choice"), serving(fixture("openai_grounded")))
    await captureWith(fresh)("chatgpt_api", sandbox.url)
    own.answer(serving(fixture("openai_grounded")))
    await captureWith(fresh)("chatgpt_api", own.url)
    assert.deepStrictEqual(
      own.received.map(({ body }) => "tool_choice" in body),
      [true]
    )
    await Promise.all([sandbox.close(), own.close()])
    await fresh.dispose()
  })

  it("is sent again where the vendor refused the request without it too", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = () => captureWith(fresh)("chatgpt_api", own.url)
    own.answer(refusing("tool_choice"), refusing("tools"))
    assert.strictEqual(failureOf(await asked()).code, "request_unsupported")
    own.answer(serving(fixture("openai_grounded")))
    assert.strictEqual(answerOf(await asked()).finish, "stop")
    assert.deepStrictEqual(
      own.received.map(({ body }) => "tool_choice" in body),
      [true]
    )
    await own.close()
    await fresh.dispose()
  })

  it("is sent with another value: a temperature comes with another reasoning effort", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = (changes: Partial<Question>) =>
      captureWith(fresh)("chatgpt_api", own.url, question("chatgpt_api", { model: "gpt-5.2", ...changes }))
    own.answer(refusing("reasoning"), serving(fixture("openai_grounded")))
    await asked({})
    own.answer(serving(fixture("openai_grounded")))
    await asked({ temperature: 0.2 })
    await asked({})
    assert.deepStrictEqual(
      own.received.map(({ body }) => shaped(body).reasoning?.effort),
      ["none", undefined]
    )
    await own.close()
    await fresh.dispose()
  })

  it("is logged once for the operator", async () => {
    const own = await openVendor()
    const fresh = ManagedRuntime.make(clientLayer)
    const asked = () => captureWith(fresh)("chatgpt_api", own.url)
    const before = lines.length
    own.answer(refusing("tool_choice"), serving(fixture("openai_grounded")))
    await asked()
    await asked()
    const told = lines.slice(before).map((line): unknown => JSON.parse(line).message)
    assert.deepStrictEqual(told, ["A vendor refused a field, which is left out for an hour"])
    await own.close()
    await fresh.dispose()
  })

  it("is never the customer's temperature, whose refusal fails the slot", async () => {
    vendor.answer(refusing("temperature"), serving(fixture("openai_no_search")))
    const asked = { model: "gpt-4.1", webSearch: false, temperature: 0.2 }
    assert.strictEqual(failureOf(await ask("chatgpt_api", asked)).code, "request_unsupported")
    assert.strictEqual(vendor.received.length, 1)
  })
})

const json = { "content-type": "application/json" }

const broken: ReadonlyArray<
  readonly [what: string, code: PlatformFailed["code"], requests: number, answer: (response: ServerResponse) => void]
> = [
  ["that resets", "provider_unavailable", 2, (response) => response.destroy()],
  [
    "that breaks off inside the body",
    "provider_unavailable",
    2,
    (response) => {
      response.writeHead(200, { ...json, "content-length": "5000" })
      response.write('{"status":"comp', () => response.destroy())
    }
  ],
  ["that cuts its JSON short", "provider_error", 1, sending(200, '{"status":"completed","output":[')],
  ["whose JSON is of another shape", "provider_error", 1, sending(200, '{"status":7}')],
  ["whose JSON is no object", "provider_error", 1, sending(200, "null")],
  ["that sends nothing", "provider_error", 1, sending(200, "")],
  ["that sends a page with a 200", "provider_error", 1, sending(200, "<html></html>", "text/html")],
  [
    "that calls its JSON text",
    "provider_error",
    1,
    sending(200, JSON.stringify(fixture("openai_grounded").body), "text/plain")
  ],
  ["that says a page is JSON", "provider_error", 1, sending(200, "<html></html>")],
  ["that sends a page with a 502", "provider_unavailable", 2, sending(502, "<html></html>", "text/html")],
  ["that sends more than 4 MiB", "provider_error", 1, sending(200, `"${"x".repeat(5 * 1024 * 1024)}"`)],
  [
    "that never stops sending",
    "provider_error",
    1,
    (response) => {
      response.writeHead(200, json)
      const chunk = "x".repeat(64 * 1024)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on("drain", more)
      more()
    }
  ],
  ["that redirects", "provider_error", 1, (response) => response.writeHead(302, { location: "/elsewhere" }).end()],
  ["that nests too deeply", "provider_error", 1, sending(200, "[".repeat(100_000) + "]".repeat(100_000))],
  ["that answers with an error of strange shape", "provider_error", 1, sending(400, '{"error":[{"message":{}}]}')],
  ["that times out itself", "provider_timeout", 1, sending(504, "", "text/plain")],
  ["that says the request took too long", "provider_timeout", 1, sending(408, "{}")],
  ["that wants money", "provider_auth_failed", 1, sending(402, "{}")],
  ["that finds the request too large", "request_unsupported", 1, sending(413, "", "text/plain")],
  [
    "that finds the context too long",
    "request_unsupported",
    1,
    sending(400, '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}')
  ],
  ["that complains of nothing in particular", "provider_error", 1, sending(400, '{"error":{"message":"No."}}')],
  ["that refuses a validated body", "request_unsupported", 1, sending(422, '{"detail":[{"loc":["body","tools"]}]}')]
]

describe.concurrent("a server", () => {
  it.each(broken)("%s is %s after %i requests", async (_what, code, requests, answer) => {
    const own = await openVendor()
    own.answer(answer)
    const failure = failureOf(
      await capture("chatgpt_api", own.url, question("chatgpt_api"), { deadline: "10 seconds" })
    )
    await own.close()
    assert.strictEqual(failure.code, code)
    assert.strictEqual(own.received.length, requests)
  })

  it("that does not exist is provider_unavailable", async () => {
    const outcome = await capture("chatgpt_api", "http://127.0.0.1:1", question("chatgpt_api"), {
      deadline: "5 seconds"
    })
    assert.strictEqual(failureOf(outcome).code, "provider_unavailable")
  })
})

const slow: ReadonlyArray<readonly [what: string, answer: (response: ServerResponse) => void]> = [
  ["never answers", () => undefined],
  ["sends headers and no more", (response) => response.writeHead(200, json).flushHeaders()],
  [
    "drips",
    (response) => {
      response.writeHead(200, json)
      const timer = setInterval(() => response.write(" "), 50)
      response.on("close", () => {
        clearInterval(timer)
      })
    }
  ]
]

describe.concurrent("a server that", () => {
  it.each(slow)("%s is interrupted at the deadline and its connection is closed", async (_what, answer) => {
    const own = await openVendor()
    const closed = Promise.withResolvers<void>()
    own.answer((response) => {
      response.on("close", () => {
        closed.resolve()
      })
      answer(response)
    })
    const started = performance.now()
    const outcome = await capture("chatgpt_api", own.url, question("chatgpt_api"), { deadline: "4 seconds" })
    const took = performance.now() - started
    await closed.promise
    await own.close()
    assert.strictEqual(failureOf(outcome).code, "provider_timeout")
    assert.isAtLeast(took, 3990)
    // The client's next limit, on connecting, is 10 s.
    assert.isBelow(took, 9000)
  })
})

it("an answer that arrived in time counts even where the process was too busy to read it in time", async () => {
  const { body, headers, http_status } = fixture("openai_grounded")
  vendor.answer((response) => {
    // Nothing else runs from the arrival of the whole answer until the deadline is over.
    const standStill = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_100)
    response.writeHead(http_status, headers).end(JSON.stringify(body), standStill)
  })
  const outcome = await capture("chatgpt_api", vendor.url, question("chatgpt_api"), { deadline: "3 seconds" })
  assert.strictEqual(answerOf(outcome).finish, "stop")
})

describe("a capture that is interrupted", () => {
  it("sends nothing once it is interrupted before its connection is open", async () => {
    const own = await openVendor()
    own.answer(serving(fixture("openai_grounded")))
    // Interrupted in the same turn, so that no connection can have opened meanwhile.
    const fiber = client.runFork(askOnly(own.url))
    await client.runPromise(Fiber.interrupt(fiber))
    // Once another request is through, the first would have been too.
    await capture("chatgpt_api", own.url, question("chatgpt_api", { maxTokens: 77 }))
    await own.close()
    assert.deepStrictEqual(
      own.received.map(({ body }) => body["max_output_tokens"]),
      [77]
    )
  })

  it("by its caller closes the connection", async () => {
    const own = await openVendor()
    const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    own.answer((response) => {
      response.on("close", () => {
        closed.resolve()
      })
      arrived.resolve()
    })
    const fiber = client.runFork(askOnly(own.url))
    await arrived.promise
    const exit = await client.runPromise(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)))
    await closed.promise
    await own.close()
    assert.isTrue(Exit.hasInterrupts(exit))
  })
})

it("a key that is not a valid header value fails the call, not the process", async () => {
  const apiKey = Option.some(Redacted.make("line\nbreak"))
  const outcome = await capture("chatgpt_api", vendor.url, question("chatgpt_api"), { apiKey, deadline: "10 seconds" })
  assert.strictEqual(failureOf(outcome).code, "provider_unavailable")
})

describe("the log of all these failures", () => {
  it("has the vendor's code and request id", () => {
    const line = lines.find((each) => each.includes("invalid_api_key")) ?? ""
    assert.include(line, String(fixture("openai_401").headers["x-request-id"]))
    assert.include(line, '"level":"ERROR"')
  })

  it("has no key, no question and no text of a body", () => {
    assert.isNotEmpty(lines)
    const log = lines.join("\n")
    for (const leak of [secret, canary, "design agency"]) assert.notInclude(log, leak)
  })
})
