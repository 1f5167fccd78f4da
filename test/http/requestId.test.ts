/**
 * `X-Request-ID`: every response of a check has it, also one that no handler made. Responses of an ask and of a comparison have only the
 * `request_id` in the body.
 *
 * Planted and seen red: the path compared as it is written, or ignored; refusals of the parser and of an expectation without the header, or
 * with another id; a replay with its own id.
 */
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { assert, it } from "vitest"
import { signIn } from "./browsing.ts"
import { type Answered, call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"

const { env, program } = await started()
const own = (credits: number, options: object = {}) => customer(program, env.ADMIN_TOKEN, credits, options)
const poor = await own(0)
const once = { burst: 1, per_second: 0.0001 }
const rate_limits = { ...generous, "check:quick": once, ask: once, compare: once }
const keys = {
  key: (await own(10_000)).key,
  poor: poor.key,
  reader: (await own(0, { read_only: true })).key,
  limited: (await own(1000, { rate_limits })).key,
  live: (await operator(program, env.ADMIN_TOKEN).key(poor.account, { environment: "live" })).key
}

const bodies = {
  check: { query: "best running shoes [[sandbox:answer]]", brand: "Nike" },
  ask: { prompt: "best running shoes [[sandbox:answer]]" },
  compare: { query: "best running shoes [[sandbox:answer]]", brand_a: "Nike", brand_b: "Asics" }
} as const

/** Sends a request verbatim, and reads its one response. */
const raw = async (
  head: ReadonlyArray<string>,
  body: string
): Promise<Pick<Answered, "body" | "headers" | "status">> => {
  const { hostname, port } = new URL(program.base)
  const socket = connect(Number(port), hostname)
  socket.write([...head, "Host: h", "Connection: close", "", body].join("\r\n"))
  const [lines = "", ...rest] = (await text(socket)).split("\r\n\r\n")
  const [line = "", ...fields] = lines.split("\r\n")
  const headers = new Headers(
    fields.map((field): [string, string] => [field.split(": ")[0] ?? "", field.split(": ")[1] ?? ""])
  )
  return { status: Number(line.split(" ")[1]), headers, body: JSON.parse(rest.join("")) }
}

/** The responses of one call, one of each kind, with the expected status. */
const answersOf = async (name: keyof typeof bodies) => {
  const { key, poor, reader, limited, live } = keys
  const [url, body] = [`${program.base}/v1/${name}`, bodies[name]]
  const { cookie } = await signIn(program, key)
  const same = { key, body, headers: { "idempotency-key": name } }
  await call(url, { key: limited, body })
  const post = [`POST /v1/${name} HTTP/1.1`, `Authorization: Bearer ${key}`, "Content-Type: application/json"]
  const chunked = "Transfer-Encoding: chunked"
  return [
    [200, await call(url, same)],
    [200, await call(url, same)],
    [400, await call(url, { key, body: {} })],
    [400, await call(`${url}?more=1`, { key, body })],
    [400, await call(url, { key, body, headers: { "idempotency-key": "x".repeat(201) } })],
    [400, await raw([...post, "Content-Type: text/plain", "Content-Length: 2"], "{}")],
    [400, await raw([...post, chunked], "no length\r\n")],
    [401, await call(url, { body })],
    [401, await call(url, { key: `lvk_test_${"A".repeat(49)}`, body })],
    [401, await call(url, { body, headers: { cookie: cookie.replace(/=.*/, `=${"A".repeat(43)}`) } })],
    [402, await call(url, { key: poor, body })],
    [403, await call(url, { key: reader, body })],
    [403, await call(url, { body, headers: { cookie } })],
    [405, await call(url, { key })],
    [413, await call(url, { key, body: "x".repeat(200_000) })],
    [413, await raw([...post, chunked], `1;${"x".repeat(20_000)}\r\nx\r\n0\r\n\r\n`)],
    [415, await call(url, { key, body, headers: { "content-type": "text/plain" } })],
    [417, await raw([...post, "Expect: cake", "Content-Length: 2"], "{}")],
    [
      422,
      await call(url, {
        ...same,
        body: { ...body, ...bodies[name], ...(name === "ask" ? { prompt: "q" } : { query: "q" }) }
      })
    ],
    [429, await call(url, { key: limited, body })],
    ...(name === "check"
      ? ([
          [400, await call(url, { key, body: { ...body, models: { chatgpt: "none" } } })],
          [501, await call(url, { key, body: { ...body, mode: "deep" } })],
          [501, await call(url, { key: live, body: { ...body, mode: "ai_mode" } })],
          [200, await call(`${program.base}/v1/%63heck`, { key, body })]
        ] as const)
      : [])
  ] as const
}

it("every response of a check has the id of its body in its header", async () => {
  for (const [expected, { status, headers, body }] of await answersOf("check")) {
    assert.strictEqual(status, expected, JSON.stringify(body))
    assert.match(body.request_id, /^[0-9a-f-]{36}$/)
    assert.strictEqual(headers.get("x-request-id"), body.request_id, `${status} ${JSON.stringify(body.error)}`)
  }
})

it.each(["ask", "compare"] as const)("no response of %s has the id in a header", async (name) => {
  for (const [expected, { status, headers, body }] of await answersOf(name)) {
    assert.strictEqual(status, expected, JSON.stringify(body))
    assert.match(body.request_id, /^[0-9a-f-]{36}$/)
    assert.isNull(headers.get("x-request-id"), String(status))
  }
})
