/**
 * The typed client with an API of a later release, whose responses contain values that the client's release does not know.
 *
 * Planted and seen red: responses and refusals validated by their schemas, so that a new value makes them invalid; a web page accepted as a
 * response; a response whose JSON is not what its type says.
 */
import { Effect, Result, SchemaAST } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApi, HttpApiSchema } from "effect/http-api"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Api } from "@sightline/contract/Api"
import * as Client from "@sightline/contract/Client"
import { fakeServer } from "../cli/command.ts"

interface Answer {
  readonly status: number
  readonly body: unknown
}

let next: Awaited<ReturnType<typeof fakeServer>>
let answer: Answer
beforeAll(async () => {
  next = await fakeServer((_, response) => {
    const text = typeof answer.body === "string"
    response
      .writeHead(answer.status, { "content-type": text ? "text/html" : "application/json", "x-mode": "dreamt" })
      .end(text ? answer.body : JSON.stringify(answer.body))
  })
})
afterAll(() => next.stop())

/** The result of a call that gets this response. */
const called = <A, E>(given: Answer, call: (client: Client.Client) => Effect.Effect<A, E>) => {
  answer = given
  return Client.make({ baseUrl: next.url, headers: {} }).pipe(
    Effect.flatMap(call),
    Effect.result,
    Effect.provide(FetchHttpClient.layer),
    Effect.runPromise
  )
}

const payload = { query: "best crm", brand: "Acme", mode: "quick", region: "us" } as const
const check = (client: Client.Client) => client.check.run({ headers: {}, payload })
const problem = (code: string) => ({ error: { code, message: "It is new." }, request_id: "r" })

describe("the client of a release", () => {
  it("returns a later response unchanged, with unknown fields, values and platforms", async () => {
    const body = {
      id: "1",
      mode: "dreamt",
      providers: { grok: { mentioned: true } },
      errors: { claude: problem("asleep") }
    }
    const found = await called({ status: 200, body }, check)
    assert.isTrue(Result.isSuccess(found))
    if (Result.isFailure(found)) return
    assert.deepEqual<unknown>(found.success.body, body)
    assert.strictEqual<string>(found.success.headers["x-mode"], "dreamt")
    const runs = { runs: [{ status: "dreaming" }], next_cursor: null }
    const listed = await called({ status: 200, body: runs }, (client) =>
      client.watch.runs({ params: { id: "1" }, query: {}, responseMode: "decoded-and-response" })
    )
    assert.deepEqual<unknown>(Result.isSuccess(listed) ? [listed.success[0], listed.success[1].status] : [], [
      runs,
      200
    ])
  })

  it("fails with a later refusal as with any other: by its code, even if the code or the status is unknown", async () => {
    for (const [status, body] of [
      [400, problem("moon_phase")],
      [451, problem("unavailable")],
      [501, { error: "mode_roadmap", mode: "dreamt", message: "Not yet.", request_id: "r" }]
    ] as const)
      assert.deepEqual<unknown>(await called({ status, body }, check), Result.fail(body))
  })

  it("fails with an HTTP error and the response if that is not the API's", async () => {
    for (const given of [
      { status: 200, body: "<p>Welcome</p>" },
      { status: 200, body: ["Welcome"] },
      { status: 502, body: "<p>Bad gateway</p>" },
      { status: 502, body: { message: "Bad gateway" } }
    ]) {
      const found = await called(given, check)
      const failure = Result.isFailure(found) ? found.failure : undefined
      assert.include(failure, { _tag: "HttpClientError" })
      assert.nestedPropertyVal(failure, "reason.response.status", given.status)
    }
  })

  it("returns nothing for a response without a body", async () => {
    const found = await called({ status: 204, body: "" }, (client) => client.session.signOut())
    assert.deepEqual(found, Result.succeed(undefined))
  })
})

it("the JSON of every response and refusal has the shape of its type", () => {
  const seen: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, successes, errors }) => {
      for (const schema of [...successes.values(), ...errors.values()].flat()) {
        const { ast } = HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema
        seen.push(endpoint.identifier)
        if (!HttpApiSchema.isNoContent(ast)) assert.strictEqual(SchemaAST.toType(ast), ast, endpoint.identifier)
      }
    }
  })
  assert.isAbove(seen.length, 100)
})
