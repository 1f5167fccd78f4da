/**
 * Paths are matched as they are written: another spelling has no route and costs nothing. Spellings that are equivalent in HTTP behave
 * identically.
 *
 * Planted and seen red: double or trailing slashes, and capitals, accepted; an encoded path that cannot be followed, has no `allow`, or has
 * another name in the metrics; a query behind a semicolon or a hash; an id that cannot be decoded treated as no id, or as one that includes
 * the query; no bucket shown without a route.
 */
import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { assert, describe, it } from "vitest"
import { signIn } from "./browsing.ts"
import { call, customer } from "./program.ts"
import { started } from "./started.ts"

const { env, program } = await started()
const { key } = await customer(program, env.ADMIN_TOKEN)

/** Sends a check, or the request of another method, to exactly this path. */
const send = (path: string, { method = "POST", accept = "application/json", base = program.base } = {}) =>
  new Promise<{
    readonly status: number | undefined
    readonly type: string | undefined
    readonly allow?: string
    readonly text: string
  }>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept }
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      const { statusCode: status, headers: answered } = response
      const { allow, "content-type": type } = answered
      response.on("end", () => resolve({ status, type, text, ...(allow === undefined ? {} : { allow }) }))
    })
    sent.on("error", reject)
    sent.end(method === "POST" ? JSON.stringify({ query: "best crm [[sandbox:answer]]", brand: "HubSpot" }) : undefined)
  })

const balance = async () => (await call(`${program.base}/v1/wallet`, { key })).body.balance_cents

describe("404: another spelling", () => {
  it.each([
    "/v1/check/",
    "//v1/check",
    "/v1//check",
    "/V1/check",
    "/v1/Check",
    "/v1/%2563heck",
    "/v1/check%2f",
    "/v1/check;",
    "/v1/check;mode=quick",
    "/v1/check#"
  ])("POST %s", async (path) => {
    const before = await balance()
    const { status, text } = await send(path)
    assert.deepStrictEqual([status, JSON.parse(text).error.code], [404, "not_found"])
    assert.strictEqual(await balance(), before)
    const followed = await send(path, { accept: "text/event-stream" })
    assert.deepStrictEqual([followed.status, JSON.parse(followed.text).error.code], [404, "not_found"])
  })

  it.each([
    "/v1/usage/",
    "/v1/usage;",
    "/v1/checks;limit=1",
    "/v1/models#x",
    "/livez/",
    "/livez;",
    "/openapi.json/",
    `/v1/watch/${randomUUID()}/`
  ])("GET %s", async (path) => {
    const { status, text } = await send(path, { method: "GET" })
    assert.deepStrictEqual([status, JSON.parse(text).error.code], [404, "not_found"])
  })

  it("an empty id is unknown like any other, and its route has its methods", async () => {
    const { status, text } = await send("/v1/watch/", { method: "GET" })
    assert.deepStrictEqual([status, JSON.parse(text).error.code], [404, "watch_not_found"])
    assert.deepInclude(await send("/v1/watch/", { method: "PUT" }), { status: 405, allow: "GET, HEAD, DELETE" })
  })

  it.each(["%ZZ", "%", "%C3", "%25%ZZ%2f", "%ZZ;", ";"])(
    "an id that cannot be decoded, such as %s, is unknown like any other",
    async (id) => {
      const { body, headers, status } = await call(`${program.base}/v1/watch/${id}?`, { key })
      assert.deepStrictEqual([status, body.error.code], [404, "watch_not_found"])
      assert.isNotNull(headers.get("x-ratelimit-remaining"))
      assert.strictEqual((await call(`${program.base}/v1/watch/${id}`)).status, 401)
      assert.strictEqual((await call(`${program.base}/v1/watch/${id}?limit=1`, { key })).status, 400)
      assert.deepInclude(await send(`/v1/watch/${id}`, { method: "PUT" }), { status: 405, allow: "GET, HEAD, DELETE" })
    }
  )

  it("the operators' port is as strict", async () => {
    for (const path of ["/admin/audit/", "//admin/audit", "/Admin/audit"])
      assert.strictEqual((await send(path, { method: "GET", base: program.admin })).status, 404)
  })
})

describe.each(["/v1/%63heck", "http://sightline.example/v1/check", "/v1/check?"])(
  "200: %s is equivalent to /v1/check",
  (path) => {
    it("can be followed", async () => {
      assert.deepInclude(await send(path), { status: 200, type: "application/json" })
      const followed = await send(path, { accept: "text/event-stream" })
      assert.deepInclude(followed, { status: 200, type: "text/event-stream" })
      assert.include(followed.text, "event: answer")
    })

    it("405: lists the allowed methods", async () => {
      assert.deepInclude(await send(path, { method: "GET" }), { status: 405, allow: "POST" })
    })
  }
)

it("400: a semicolon in a query is part of the value that contains it", async () => {
  const { status, text } = await send("/v1/usage?limit=1;cursor=2", { method: "GET" })
  assert.strictEqual(status, 400)
  assert.deepStrictEqual(
    JSON.parse(text).error.details.issues.map(({ path }: { path: string }) => path),
    ["limit"]
  )
})

it("404 and 405: an authenticated caller is shown the default bucket, but no token is taken", async () => {
  const own = await customer(program, env.ADMIN_TOKEN, 0, { rate_limits: { default: { burst: 7, per_second: 0.001 } } })
  const { cookie } = await signIn(program, own.key)
  const shown = async (method: string, path: string, by: object) => {
    const { headers, status } = await call(program.base + path, { method, ...by })
    return [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]
  }
  const unrouted = [
    ["GET", "/v1/nothing", 404],
    ["POST", "/v1/nothing", 404],
    ["GET", "/nothing", 404],
    ["GET", "/v1/check", 405],
    ["PUT", "/v1/wallet", 405]
  ] as const
  for (const [method, path, status] of unrouted) {
    for (const by of [{ key: own.key }, { headers: { cookie } }])
      assert.deepEqual(await shown(method, path, by), [status, "7", "7"], `${method} ${path}`)
    for (const by of [{}, { key: `lvk_test_${"A".repeat(49)}` }, { key: "nobody" }, { headers: { cookie: "a=b" } }])
      assert.deepEqual(await shown(method, path, by), [status, null, null], `${method} ${path}`)
  }
})

it("the metrics of an encoded path have the name of its route", async () => {
  await send("/v1/%6dodels", { method: "GET" })
  const metrics = await (await fetch(`${program.admin}/metrics`)).text()
  assert.match(metrics, /sightline_http_request_duration_seconds_count\{[^}]*route="GET \/v1\/models"[^}]*\} 1\b/)
})
