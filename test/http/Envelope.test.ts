/**
 * What every request leaves behind, whatever its outcome: a response with its id, one count, one duration, and its log lines.
 *
 * Planted and seen red:
 * - log lines without the request id, or with another id than the response;
 * - a logged path with its query, or another method;
 * - the line at info level, or its duration in seconds;
 * - a response that is not counted;
 * - the class of a status truncated;
 * - an interrupted request passed on, its two kinds confused, its connection kept open, its stream cut off without a final answer;
 * - security headers left out, or written over those of the response;
 * - a HEAD request without a route;
 * - a probe counted, or not timed.
 */
import { Api } from "@sightline/contract/Api"
import { FinalAnswer } from "@sightline/contract/Progress"
import * as Envelope from "@sightline/server/http/Envelope"
import * as Followed from "@sightline/server/http/EventStream"
import * as NodeServer from "@sightline/server/http/NodeServer"
import { Effect, Exit, Layer, Logger, Metric, References, Schema, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { request } from "node:http"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { exactly } from "../services/exactly.ts"
import { waitFor } from "./waiting.ts"

interface Line {
  readonly message: unknown
  readonly level: string
  readonly annotations: Readonly<Record<string, unknown>>
}

let lines: Array<Line>
let base: string
let stop: () => Promise<void>
/** The work of every route. */
let work: Effect.Effect<HttpServerResponse.HttpServerResponse>

const recording = Logger.make(({ fiber, logLevel, message }) => {
  const said = Array.isArray(message) ? message[0] : message
  lines.push({ message: said, level: logLevel, annotations: fiber.getRef(References.CurrentLogAnnotations) })
})

const route = (method: "GET" | "POST", path: `/${string}`) =>
  HttpRouter.add(
    method,
    path,
    Effect.suspend(() => work)
  )

const routes = Layer.mergeAll(
  route("POST", "/v1/check"),
  route("POST", "/v1/ask"),
  route("GET", "/v1/watch/:id"),
  route("GET", "/page"),
  route("GET", "/probe"),
  Envelope.layer(Api, { pages: ["/page"], probes: ["/probe"] }).pipe(Layer.provide(Followed.layer))
)

const listen = async (level: "Debug" | "Info") => {
  const scope = Scope.makeUnsafe()
  const settings = { host: "HOST", port: "PORT" }
  const layer = NodeServer.serve(routes, { settings, host: "127.0.0.1", port: 0, grace: "50 millis" }).pipe(
    Layer.provide([Logger.layer([recording]), Layer.succeed(References.MinimumLogLevel, level)])
  )
  const address = Effect.map(HttpServer.HttpServer, (server) => HttpServer.formatAddress(server.address))
  base = await Effect.runPromise(
    Effect.flatMap(Layer.buildWithScope(layer, scope), (context) => Effect.provideContext(address, context))
  )
  stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
}

beforeEach(async () => {
  lines = []
  work = Effect.succeed(HttpServerResponse.jsonUnsafe({}))
  await listen("Debug")
})
afterEach(() => stop())

/** How many responses were counted and timed, as `counter labels`. */
const measured = async () => {
  const all = await Effect.runPromise(Metric.snapshot)
  return new Map(
    all.flatMap(({ id, attributes, state }) =>
      id.startsWith("sightline_http_") && "count" in state
        ? [
            [
              [id, attributes?.["route"], attributes?.["status"]].filter(Boolean).join(" "),
              Number(state.count)
            ] as const
          ]
        : []
    )
  )
}

/** How much the metrics grew while `act` ran. */
const growth = async (act: () => Promise<unknown>) => {
  const before = await measured()
  await act()
  const grown = [...(await measured())].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(grown.filter(([, by]) => by !== 0))
}

const once = (route: string, status: number) => ({
  [`sightline_http_responses_total ${status}`]: 1,
  [`sightline_http_request_duration_seconds ${route} ${Math.floor(status / 100)}xx`]: 1
})

const call = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(base + path, { method, headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

/** The debug line of a request. */
const lineOf = (path: string) =>
  lines.find(({ annotations, message }) => message === "Request" && annotations["path"] === path)

/** Makes the routes never respond. Resolves once a call has begun. */
const unanswered = () => {
  const begun = Promise.withResolvers<void>()
  work = Effect.andThen(Effect.sync(begun.resolve), Effect.never)
  return begun.promise
}

describe("a request", () => {
  it("that succeeds has one log line, with the request and the status but without the query string", async () => {
    const answer = HttpServerResponse.jsonUnsafe({}, { status: 201 })
    work = Effect.logInfo("Inside").pipe(Effect.andThen(Effect.sleep("30 millis")), Effect.as(answer))
    const begun = performance.now()
    const { headers } = await call("POST", "/v1/check?secret=1")
    const id = headers.get("x-request-id")
    assert.match(id ?? "", /^[0-9a-f-]{36}$/)
    const [inside, line, ...more] = lines
    assert.deepStrictEqual(inside, { message: "Inside", level: "Info", annotations: { requestId: id } })
    const ms = Number(line?.annotations["ms"])
    assert.isTrue(Number.isInteger(ms))
    assert.isAtLeast(ms, 29)
    assert.isAtMost(ms, Math.ceil(performance.now() - begun))
    const annotations = { requestId: id, method: "POST", path: "/v1/check", status: 201, ms }
    assert.deepStrictEqual(line, { message: "Request", level: "Debug", annotations })
    assert.deepStrictEqual(more, [])
  })

  it("that succeeds logs nothing at info level, but is counted", async () => {
    await stop()
    await listen("Info")
    assert.deepStrictEqual(await growth(() => call("POST", "/v1/check")), once("POST /v1/check", 200))
    assert.deepStrictEqual(lines, [])
  })

  it("500: that fails has its cause in the log only, under the request id of the response", async () => {
    work = Effect.die(new Error("why"))
    let answer: Awaited<ReturnType<typeof call>> | undefined
    const grown = await growth(async () => (answer = await call("POST", "/v1/check")))
    assert.deepStrictEqual(grown, once("POST /v1/check", 500))
    const { error, request_id } = JSON.parse(answer?.text ?? "")
    assert.strictEqual(error.code, "internal_error")
    assert.notInclude(answer?.text, "why")
    assert.strictEqual(answer?.headers.get("x-request-id"), request_id)
    const [failed] = lines
    assert.deepStrictEqual(failed, {
      message: "Request failed",
      level: "Error",
      annotations: { requestId: request_id }
    })
    assert.strictEqual(lineOf("/v1/check")?.annotations["requestId"], request_id)
  })

  it("503: that is interrupted by the shutdown of the server is answered, counted and logged like any other", async () => {
    const begun = unanswered()
    const grown = await growth(async () => {
      const answered = call("POST", "/v1/check")
      await begun
      await stop()
      const { status, headers, text } = await answered
      const { error, request_id } = JSON.parse(text)
      assert.deepStrictEqual([status, error.code], [503, "service_unavailable"])
      const last = { "content-length": String(text.length), connection: "close", "content-type": "application/json" }
      for (const [name, value] of Object.entries({ ...Envelope.guards, ...last }))
        assert.strictEqual(headers.get(name), value, name)
      assert.strictEqual(headers.get("x-request-id"), request_id)
      assert.strictEqual(lineOf("/v1/check")?.annotations["requestId"], request_id)
    })
    assert.deepStrictEqual(grown, once("POST /v1/check", 503))
  })

  it.each(["/v1/check", "/v1/ask"])("503: on %s that is followed ends its stream with that answer", async (path) => {
    const begun = unanswered()
    const grown = await growth(async () => {
      const answered = call("POST", path, { accept: "text/event-stream" })
      await begun
      await stop()
      const followed = await answered
      assert.deepStrictEqual([followed.status, followed.headers.get("content-type")], [200, "text/event-stream"])
      const decode = exactly(Schema.fromJsonString(FinalAnswer))
      const { status, headers, body } = decode(/^event: answer\ndata: (.*)$/m.exec(followed.text)?.[1])
      const { error, request_id } = Object(body)
      assert.deepStrictEqual([status, error.code], [503, "service_unavailable"])
      assert.strictEqual(headers["x-request-id"], path === "/v1/check" ? request_id : undefined)
    })
    assert.deepStrictEqual(grown, once(`POST ${path}`, 503))
  })

  it("whose caller hangs up is counted and logged as 499", async () => {
    const begun = unanswered()
    const grown = await growth(async () => {
      const { hostname, port } = new URL(base)
      const sent = request({ hostname, port, path: "/v1/check", method: "POST" }).on("error", () => undefined)
      sent.end()
      await begun
      sent.destroy()
      const { annotations } = await waitFor("its line", () => lineOf("/v1/check"))
      assert.strictEqual(annotations["status"], 499)
    })
    assert.deepStrictEqual(grown, once("POST /v1/check", 499))
  })

  it.each([
    ["HEAD", "/v1/watch/7", "GET /v1/watch/{id}", 200],
    ["GET", "/v1/watch/7?a=1", "GET /v1/watch/{id}", 200],
    ["HEAD", "/page", "GET /page", 200],
    ["HEAD", "/v1/check", "other", 405],
    ["PUT", "/v1/watch/7", "other", 405],
    ["HEAD", "/v1/nothing", "other", 404]
  ] as const)("%s %s is counted under %s", async (method, path, route, status) => {
    assert.deepStrictEqual(await growth(() => call(method, path)), once(route, status))
  })

  it.each(["GET", "HEAD"])("%s of a probe is timed, but not counted as a response", async (method) => {
    work = Effect.succeed(HttpServerResponse.jsonUnsafe({}, { status: 503 }))
    const timed = { "sightline_http_request_duration_seconds GET /probe 5xx": 1 }
    assert.deepStrictEqual(await growth(() => call(method, "/probe")), timed)
  })
})

describe("an answer", () => {
  it("keeps the headers it sets itself, and gets the security headers otherwise", async () => {
    const own = { "cache-control": "private", "x-request-id": "the first" }
    work = Effect.succeed(HttpServerResponse.jsonUnsafe({}, { headers: own }))
    const { headers } = await call("POST", "/v1/check")
    for (const [name, value] of Object.entries({ ...Envelope.guards, ...own }))
      assert.strictEqual(headers.get(name), value, name)
  })
})
