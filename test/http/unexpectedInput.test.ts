/**
 * Input that an endpoint does not take is refused like any unknown field, whoever owns the object in the path, and nothing is done.
 *
 * Planted and seen red:
 * - bodies checked only for endpoints with a schema;
 * - queries ignored;
 * - an empty object refused;
 * - a repeated parameter reported as invalid text;
 * - queries and bodies checked only for endpoints with a key;
 * - a chunked body taken for no body;
 * - invalid escapes decoded as arbitrary text;
 * - an empty chunked body taken for a body;
 * - the length of an idempotency key checked after a token is taken, or also where the header is not declared;
 * - a cursor read after a token is taken.
 */
import { noChange } from "@sightline/contract/WebhookApi"
import { cursors } from "@sightline/server/handlers/Cursors"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { request } from "node:http"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "vitest"
import { originOf, signIn } from "./browsing.ts"
import { call, customer } from "./program.ts"
import { started } from "./started.ts"
import { decode, watching, wishes } from "./watching.ts"

// Without a scheduler, so that no slot that begins meanwhile starts a run.
const { env, program } = await started({ ROLES: "api,worker" })
const key = (await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: {} })).key
const own = watching(program, key)

const send = (method: string, path: string, text?: string, type = "application/json") =>
  fetch(`${program.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": type },
    ...(text === undefined ? {} : { body: text })
  })

/** Sends an empty chunked body, which `fetch` never does. */
const nothingInChunks = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
  const chunked = { ...headers, authorization: `Bearer ${key}`, "transfer-encoding": "chunked" }
  const sent = request(`${program.base}${path}`, { method, headers: chunked }).end()
  const [response] = await once(sent, "response")
  return { status: response.statusCode, body: await text(response) }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the body should hold
const bodyOf = async (response: Response): Promise<any> => response.json()

const seen = async (response: Response) => [response.status, (await bodyOf(response)).error?.code]

describe("a body on an endpoint without one", () => {
  const routes = [
    ["POST", `/v1/watch/${randomUUID()}/run`],
    ["POST", `/v1/watch/${randomUUID()}/resume`],
    ["DELETE", `/v1/watch/${randomUUID()}`],
    ["POST", `/v1/deliveries/${randomUUID()}/replay`],
    ["DELETE", `/v1/webhooks/${randomUUID()}`]
  ] as const

  it.each(routes)("%s %s: 400, 413 or 415, as for any body", async (method, path) => {
    assert.deepEqual(await seen(await send(method, path, '{"brand":"Other"}')), [400, "invalid_request"])
    assert.deepEqual(await seen(await send(method, path, "{bad")), [400, "invalid_request"])
    assert.deepEqual(await seen(await send(method, path, "[]")), [400, "invalid_request"])
    assert.deepEqual(await seen(await send(method, path, "x".repeat(200_000))), [413, "request_failed"])
    assert.deepEqual(await seen(await send(method, path, "{}", "text/plain")), [415, "request_failed"])
    // No body and an empty object reach the handler, which does not know the id.
    assert.strictEqual((await send(method, path)).status, 404)
    assert.strictEqual((await send(method, path, "{}")).status, 404)
  })

  it("400: also for a body without a length", async () => {
    const response = await fetch(`${program.base}/v1/watch/${randomUUID()}/run`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: new Blob(['{"brand":"Other"}']).stream(),
      duplex: "half"
    })
    assert.deepEqual(await seen(response), [400, "invalid_request"])
  })

  it("an empty chunked body counts as no body, with or without a content type", async () => {
    const { id } = await own.create()
    const hook = await send("POST", "/v1/webhooks", '{"url":"https://hooks.example.com/in","events":["ask.completed"]}')
    const { id: webhook } = await bodyOf(hook)
    const typed = { "content-type": "application/json" }
    for (const headers of [{}, typed]) {
      assert.strictEqual((await nothingInChunks("DELETE", `/v1/watch/${id}`, headers)).status, 200)
      assert.strictEqual((await nothingInChunks("POST", `/v1/watch/${id}/resume`, headers)).status, 200)
      const unchanged = await nothingInChunks("PATCH", `/v1/webhooks/${webhook}`, headers)
      assert.strictEqual(unchanged.status, 400)
      assert.include(unchanged.body, noChange)
    }
  })

  it("names the field, and nothing is done", async () => {
    const { id } = await own.create()
    const refused = await send("POST", `/v1/watch/${id}/run`, '{"dry_run":true}')
    const { error } = await bodyOf(refused)
    assert.deepEqual(
      error.details.issues.map(({ path }: { path: string }) => path),
      ["dry_run"]
    )
    assert.isNotNull(refused.headers.get("x-ratelimit-remaining"))
    assert.isEmpty(await own.runs(id))
    assert.strictEqual((await send("POST", `/v1/watch/${id}/resume`, "{}")).status, 200)
  })
})

describe("an Idempotency-Key that is empty or longer than 200 characters", () => {
  const bucket = { burst: 7, per_second: 0.0001 }
  const buckets = { "check:ai_mode": bucket, compare: bucket, ask: bucket, discover: bucket, default: bucket }

  it.each([
    ["/v1/check", { query: "q", brand: "b", mode: "ai_mode" }],
    ["/v1/compare", { query: "q", brand_a: "a", brand_b: "b" }],
    ["/v1/ask", { prompt: "p" }],
    ["/v1/discover", { brand: "b" }],
    ["/v1/watch", wishes],
    [`/v1/watch/${randomUUID()}/run`, {}],
    [`/v1/watch/${randomUUID()}/resume`, {}],
    [`/v1/deliveries/${randomUUID()}/replay`, {}]
  ])("400: POST %s names the header, shows its bucket and takes no token", async (path, body) => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: buckets })
    for (const length of [0, 201]) {
      const answer = await call(`${program.base}${path}`, {
        key,
        body,
        headers: { "idempotency-key": "x".repeat(length) }
      })
      assert.deepEqual(
        [answer.status, answer.body.error.details?.issues],
        [400, [{ path: "Idempotency-Key", message: "must have 1 to 200 characters" }]]
      )
      assert.deepEqual(
        ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => answer.headers.get(name)),
        ["7", "7"]
      )
    }
  })

  it("is ignored where the header is not declared", async () => {
    const headers = { authorization: `Bearer ${key}`, "idempotency-key": "" }
    const { id } = await own.create()
    assert.strictEqual((await fetch(`${program.base}/v1/watch/${id}`, { method: "DELETE", headers })).status, 200)
  })
})

describe("a cursor that no page of the list gave", () => {
  const foreign = cursors.actions.write(7)

  it.each([
    "/v1/watch",
    `/v1/watch/${randomUUID()}/runs`,
    "/v1/checks",
    "/v1/checks?brand=b",
    "/v1/deliveries",
    "/v1/deliveries?status=failed",
    "/v1/ledger",
    "/v1/charges"
  ])("400: GET %s names it and takes no token", async (path) => {
    const limits = { rate_limits: { default: { burst: 7, per_second: 0.0001 } } }
    const { key } = await customer(program, env.ADMIN_TOKEN, 0, limits)
    for (const cursor of ["x", foreign]) {
      const { status, body, headers } = await call(
        `${program.base}${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`,
        { key }
      )
      assert.deepEqual(
        [status, body.error?.details?.issues, headers.get("x-ratelimit-remaining")],
        [400, [{ path: "cursor", message: "must be a `next_cursor` of this list" }], "7"]
      )
    }
  })
})

describe("an endpoint without a key", () => {
  const named = [400, "invalid_request", [{ path: "other", message: "is not a known field" }]]
  const told = async (path: string, options: object) => {
    const { body, headers, status } = await call(`${program.base}${path}`, options)
    assert.isNull(headers.get("set-cookie"))
    return [status, body.error?.code, body.error?.details?.issues]
  }

  it("GET /v1/health: 400 that names the parameter", async () => {
    assert.deepEqual(await told("/v1/health?other=1", {}), named)
  })

  it("/session: 400 that names the parameter or the field; nobody is signed in or out", async () => {
    const { headers } = await signIn(program, key)
    const signingIn = { body: { key }, headers: { origin: originOf(program) } }
    assert.deepEqual(await told("/session?other=1", signingIn), named)
    assert.deepEqual(await told("/session?other=1", { headers }), named)
    assert.deepEqual(await told("/session?other=1", { headers, method: "DELETE" }), named)
    assert.deepEqual(await told("/session", { headers, method: "DELETE", body: { other: 1 } }), named)
    assert.strictEqual((await call(`${program.base}/session`, { headers })).status, 200)
  })
})

describe("a query on an endpoint without one", () => {
  it.each([
    ["GET", "/v1/webhooks?enabled=false", "enabled"],
    ["GET", `/v1/watch/${randomUUID()}?foo=1`, "foo"],
    ["DELETE", `/v1/watch/${randomUUID()}?foo`, "foo"],
    ["GET", "/v1/wallet?__proto__=1", "__proto__"],
    ["GET", "/v1/wallet?=1", '""'],
    ["GET", "/v1/usage?=1", '""'],
    ["GET", "/v1/models?limit=1", "limit"],
    ["POST", "/v1/check?mode=quick", "mode"]
  ])("%s %s: 400 that names the parameter", async (method, path, name) => {
    const answer = await call(`${program.base}${path}`, { key, method, ...(method === "POST" ? { body: {} } : {}) })
    assert.strictEqual(answer.status, 400, answer.text)
    assert.strictEqual(answer.body.error.code, "invalid_request")
    assert.deepEqual(
      answer.body.error.details.issues.map((issue: { path: string }) => issue.path),
      [name]
    )
  })

  it.each(["/v1/watch?limit=1&limit=2", "/v1/deliveries?status=failed&limit=1&limit=", "/v1/usage?limit=1&%6cimit=2"])(
    "GET %s: 400 that names the repeated parameter, even an unknown one",
    async (path) => {
      const { body, status } = await call(`${program.base}${path}`, { key })
      assert.strictEqual(status, 400)
      assert.deepInclude(body.error, {
        code: "invalid_request",
        message: "`limit` is given more than once.",
        details: { issues: [{ path: "limit", message: "is given more than once" }] }
      })
    }
  )

  it.each([
    "/v1/checks?brand=Nestl%E9",
    "/v1/visibility?query=a&brand=Nestl%E9%",
    "/v1/watch?limit=1&cursor=%ED%A0%80"
  ])("GET %s: 400 that names the parameter that is not UTF-8, instead of an empty list", async (path) => {
    const { body, status } = await call(`${program.base}${path}`, { key })
    const name = path.includes("brand") ? "brand" : "cursor"
    assert.strictEqual(status, 400)
    assert.deepInclude(body.error, {
      code: "invalid_request",
      details: { issues: [{ path: name, message: "must be UTF-8" }] }
    })
  })

  it.each(["Nestl%C3%A9", "Nestlé", "100%", "100%25", "%EF%BF%BD"])("GET /v1/checks?brand=%s: 200", async (brand) => {
    assert.strictEqual((await call(`${program.base}/v1/checks?brand=${brand}`, { key })).status, 200)
  })

  it("shows the bucket of the route; only a new ask has the bucket of asks", async () => {
    const limits = await Promise.all([
      call(`${program.base}/v1/ask/${randomUUID()}?foo=1`, { key }),
      call(`${program.base}/v1/ask?foo=1`, { key, body: {} })
    ])
    assert.deepEqual(
      limits.map(({ status, headers }) => [status, headers.get("x-ratelimit-limit")]),
      [
        [400, "120"],
        [400, "60"]
      ]
    )
  })

  it("may be empty", async () => {
    const { id } = await own.create()
    assert.strictEqual(decode.state((await own.send("GET", `/${id}?`)).body).id, id)
  })
})
