/**
 * What every request leaves behind, whatever became of it: an answer with its id, one count, one duration, its lines in the log.
 *
 * Planted and seen red: lines without the id, or under another than the answer; a path with its query, another method; a line at info
 * level, or one in seconds; an answer that is not counted; the class of a status cut short; an interrupted request passed on, its two kinds
 * mixed up, its connection kept, its stream cut off without an answer; precautions left out, or put over what an answer says; a HEAD that
 * has no route; a probe counted, or not timed.
 */
import { Api } from "@sightline/contract/Api"
import { FinalAnswer } from "@sightline/contract/Progress"
import * as Envelope from "@sightline/server/http/Envelope"
import * as Followed from "@sightline/server/http/Followed"
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
/** What the routes do. */
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

/** How often answers were counted and timed, as `counter labels`. */
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

/** What was measured while `act` was done. */
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

/** The line that each request has at debug level. */
const lineOf = (path: string) =>
  lines.find(({ annotations, message }) => message === "Request" && annotations["path"] === path)

/** A call that nobody answers, once it has begun. */
const unanswered = () => {
  const begun = Promise.withResolvers<void>()
  work = Effect.andThen(Effect.sync(begun.resolve), Effect.never)
  return begun.promise
}

describe("a request", () => {
  it("that went well has one line, of what was asked and answered and not of what stood behind the path", async () => {
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

  it("that went well has none at info level, and is counted all the same", async () => {
    await stop()
    await listen("Info")
    assert.deepStrictEqual(await growth(() => call("POST", "/v1/check")), once("POST /v1/check", 200))
    assert.deepStrictEqual(lines, [])
  })

  it("500: that failed says why in the log alone, under the id of its answer", async () => {
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

  it("503: that a stopping server gives up is answered, counted and logged like any other", async () => {
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

  it.each(["/v1/check", "/v1/ask"])(
    "503: on %s that is followed says so in the answer that ends its stream",
    async (path) => {
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
    }
  )

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

  it.each(["GET", "HEAD"])("%s of a probe is timed, and not counted among what was asked for", async (method) => {
    work = Effect.succeed(HttpServerResponse.jsonUnsafe({}, { status: 503 }))
    const timed = { "sightline_http_request_duration_seconds GET /probe 5xx": 1 }
    assert.deepStrictEqual(await growth(() => call(method, "/probe")), timed)
  })
})

describe("an answer", () => {
  it("says what it says of itself, and else takes the precautions of all", async () => {
    const own = { "cache-control": "private", "x-request-id": "the first" }
    work = Effect.succeed(HttpServerResponse.jsonUnsafe({}, { headers: own }))
    const { headers } = await call("POST", "/v1/check")
    for (const [name, value] of Object.entries({ ...Envelope.guards, ...own }))
      assert.strictEqual(headers.get(name), value, name)
  })
})
