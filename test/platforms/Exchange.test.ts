/**
 * Which part of a vendor's response is taken for its answer, over real sockets.
 *
 * Planted and seen red:
 * - a vendor's own JSON type is refused
 * - a redirect's body is read
 * - the id of a response that is not JSON is left out
 * - the size limit is off by one byte
 * - a piece counts as one byte
 * - only the first piece of an answer is read
 * - encodings are left open
 * - the query is left out
 * - an expired deadline counts as none
 */
import { Effect, ManagedRuntime, Result } from "effect"
import { HttpClient } from "effect/http"
import type { ServerResponse } from "node:http"
import { afterAll, assert, it } from "vitest"
import { exchange, type UpstreamCall } from "@sightline/platforms/Exchange"
import * as Transport from "@sightline/platforms/Transport"
import { openVendor, sending } from "./LocalVendor.ts"

const client = ManagedRuntime.make(Transport.layer)
const vendor = await openVendor()

afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

/** The outcome of a call that gets this response; a success is its body. */
const outcomeOf = (answer: (response: ServerResponse) => void, changes: Partial<UpstreamCall> = {}) => {
  vendor.answer(answer)
  const call: UpstreamCall = {
    platform: "chatgpt_api",
    model: "gpt-6.1-sol",
    url: `${vendor.url}/v1/responses?a=1&b=%20`,
    headers: { authorization: "Bearer key" },
    body: { input: "Überall" },
    droppable: [],
    ...changes
  }
  return client.runPromise(Effect.flatMap(HttpClient.HttpClient, (http) => exchange(http, call, Result.succeed)))
}

const faultOf = async (...given: Parameters<typeof outcomeOf>) => {
  const outcome = await outcomeOf(...given)
  return Result.isFailure(outcome) ? outcome.failure : assert.fail("it was taken for an answer")
}

it("is requested at the whole address, as uncompressed JSON", async () => {
  await outcomeOf(sending(200, "{}"))
  const [{ path, headers, body } = assert.fail("nothing was sent")] = vendor.received
  assert.deepStrictEqual([path, body], ["/v1/responses?a=1&b=%20", { input: "Überall" }])
  assert.deepInclude(headers, {
    authorization: "Bearer key",
    accept: "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json"
  })
})

it.each(["application/json; charset=utf-8", "Application/JSON", "application/vnd.vendor.v2+json"])(
  "a success of type %s is read",
  async (type) => {
    assert.deepStrictEqual(await outcomeOf(sending(200, '{"a":1}', type)), Result.succeed({ a: 1 }))
  }
)

it("an answer has at most 4 MiB", async () => {
  const text = (bytes: number) => "x".repeat(bytes - 2)
  const most = 4 * 1024 * 1024
  assert.deepStrictEqual(await outcomeOf(sending(200, `"${text(most)}"`)), Result.succeed(text(most)))
  assert.deepInclude(await faultOf(sending(200, `"${text(most + 1)}"`)), {
    code: "provider_error",
    detail: "oversized"
  })
})

it("an answer that arrives byte by byte has at most 65,536 pieces", async () => {
  const dripping = (pieces: number) => (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" })
    for (let piece = 1; piece < pieces; piece++) response.write(" ")
    response.end("1")
  }
  assert.deepStrictEqual(await outcomeOf(dripping(60_000)), Result.succeed(1))
  assert.deepInclude(await faultOf(dripping(70_000)), { code: "provider_error", detail: "oversized" })
})

it("a redirect is no answer, whatever its body", async () => {
  assert.strictEqual((await faultOf(sending(302, '{"a":1}'))).code, "provider_error")
})

it("a response that is not JSON is reported with the vendor's request id", async () => {
  const fault = await faultOf((response) => response.writeHead(200, { "x-request-id": "req_1" }).end("<html>"))
  assert.deepInclude(fault, { code: "provider_error", detail: "not_json", requestId: "req_1" })
})
