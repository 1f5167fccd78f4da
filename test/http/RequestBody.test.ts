/**
 * The limits of a request body: each is met by one body and exceeded by one.
 *
 * Planted and seen red:
 * - each limit moved by one, either way;
 * - brackets and colons counted inside strings;
 * - an escaped quote taken for the end of a string;
 * - closed brackets not subtracted;
 * - only a media type without parameters accepted, or any charset, or no other parameter;
 * - an encoding other than gzip accepted;
 * - invalid UTF-8 repaired;
 * - the connection of a body that is too large kept open;
 * - the last of two members with one name accepted;
 * - the place of a repeated name told without the objects and lists around it, or with a wrong index;
 * - names compared as they are written, over all objects, or only where no blank precedes their colon;
 * - a body awaited although its declared length is too large;
 * - an encoding not recognised because of its capitals.
 */
import { readJson } from "@sightline/server/http/RequestBody"
import { Effect, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import { text as received } from "node:stream/consumers"
import { assert, describe, it } from "vitest"
import { served } from "./served.ts"

const reading = Effect.map(Effect.flatMap(HttpServerRequest.HttpServerRequest, readJson), (read) =>
  Result.isFailure(read) ? read.failure : HttpServerResponse.empty()
)

const base = served(HttpRouter.add("POST", "/", reading))

const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(base(), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body
  })
  const text = await response.text()
  return {
    status: response.status,
    connection: response.headers.get("connection"),
    message: text === "" ? "" : JSON.parse(text).error.message
  }
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
const members = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 0])))
const ofBytes = (bytes: number) => `"${"x".repeat(bytes - 2)}"`

describe("204", () => {
  it.each([
    ["32 levels", nested(32)],
    ["many levels one after another", `[${Array(100).fill(nested(30)).join()}]`],
    ["2000 members", members(2000)],
    ["128 KiB", ofBytes(128 * 1024)],
    ["brackets and colons in a string", JSON.stringify({ ["{".repeat(50)]: `${"[".repeat(50)}${":".repeat(3000)}` })],
    ["a quote in a string before brackets", JSON.stringify(`"${"[".repeat(50)}`)],
    ["a name in two objects, and inside itself", '[{"a":1},{"a":{"a":1,"b":"a","__proto__":{"a":2}}}]'],
    ["a backslash at the end of a string", `["\\\\",${nested(31)}]`]
  ])("%s", async (_what, body) => {
    assert.strictEqual((await post(body)).status, 204)
  })

  it.each([
    "application/json;charset=utf-8",
    'application/json ; charset="UTF-8"',
    "application/json;charset=UTF8",
    "Application/JSON",
    "application/json;",
    'application/json; odata.metadata=minimal; profile="https://example.com/a b"; charset=utf-8'
  ])("of type %s", async (type) => {
    assert.strictEqual((await post("{}", { "content-type": type })).status, 204)
  })

  it.each(['[{"a":1},{"a":2}]', '{"a":{"a":[{"a":"a"}]},"b":"\\"a\\":"}'])(
    "with a name in several objects: %s",
    async (body) => {
      assert.strictEqual((await post(body)).status, 204)
    }
  )

  it.each(["identity", "Identity"])("in the encoding %s", async (encoding) => {
    assert.strictEqual((await post("{}", { "content-encoding": encoding })).status, 204)
  })
})

it.each([
  ["33 levels", nested(33), "is nested deeper than 32 levels"],
  ["33 levels behind a backslash", `["\\\\",${nested(32)}]`, "is nested deeper than 32 levels"],
  ["2001 members", members(2001), "has more than 2000 members"],
  ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "is not valid UTF-8"],
  ["a name twice", '{"b":{"a":":"},"a":1,"a":1}', "`a` is given more than once"],
  [
    "a name twice, once with an escape, in a nested object",
    '[{"b":[{"a":1,"\\u0061" :{}}]}]',
    "`0.b.0.a` is given more than once"
  ],
  [
    "a name twice, among values that read like it",
    '{"\\":":"a","b":["a",{"a":"b"}],"b":0}',
    "`b` is given more than once"
  ],
  ["the empty name twice", '{"":1,"":1}', '`""` is given more than once'],
  [
    "a name twice, behind lists, objects and commas in strings",
    '{"x":[1,",",[0,0],{"y":{}},{"c":",","y":{"d":1,"a":[1,2],"a":3}}]}',
    "`x.4.y.a` is given more than once"
  ],
  [
    "a name twice, too long to be shown",
    `{"${"a".repeat(300)}":1,"${"a".repeat(300)}":1}`,
    `\`${"a".repeat(200)}\` is`
  ],
  [
    "the name of a property of all objects twice",
    '{"__proto__":1,"__proto__":2}',
    "`__proto__` is given more than once"
  ],
  ["no JSON", "{", "is not valid JSON"]
])("400: %s", async (_what, body, message) => {
  const refused = await post(body)
  assert.strictEqual(refused.status, 400)
  assert.include(refused.message, message)
})

it("413: a body one byte over 128 KiB, and the connection is closed", async () => {
  const { connection, status } = await post(ofBytes(128 * 1024 + 1))
  assert.deepStrictEqual([status, connection], [413, "close"])
})

/** The response to the head of a request and these first bytes of its body, until the server closes the connection. */
const opened = (size: string, sent = "") => {
  const socket = connect(Number(base().port), base().hostname)
  socket.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${size}\r\n\r\n${sent}`)
  return received(socket)
}

it("413: a chunked body as soon as its chunks exceed 128 KiB by a byte", async () => {
  const pieces = `20001\r\n${ofBytes(128 * 1024 + 1)}\r\n`
  assert.match(await opened("Transfer-Encoding: chunked", pieces), /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i)
})

it.each(["", "\r\nExpect: 100-continue"])(
  "413: a content length one byte over 128 KiB, without the body; what follows is not read as a request (%j)",
  async (more) => {
    const second = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"
    const heard = await opened(`Content-Length: ${128 * 1024 + 1}${more}`, second)
    assert.match(heard, /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i)
    assert.lengthOf(heard.match(/HTTP\/1\.1/g) ?? [], 1)
  }
)

it("100 and 204: a content length of 128 KiB whose sender waits for 100 Continue", async () => {
  const socket = connect(Number(base().port), base().hostname)
  const head = `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${128 * 1024}\r\n`
  socket.write(`${head}Expect: 100-continue\r\nConnection: close\r\n\r\n`)
  const [first] = await once(socket, "data")
  assert.match(String(first), /^HTTP\/1\.1 100 /)
  socket.write(ofBytes(128 * 1024))
  assert.match(await received(socket), /^HTTP\/1\.1 204 /)
})

it.each([
  [{ "content-type": "text/plain" }, "application/json"],
  [{ "content-type": "application/json-seq" }, "application/json"],
  [{ "content-type": "application/json; charset=latin1" }, "utf-8"],
  [{ "content-type": 'application/json; v=1; charset="latin1"' }, "utf-8"],
  [{ "content-type": "application/json; charset=utf-16" }, "utf-8"],
  [{ "content-type": "application/json; v" }, "application/json"],
  [{ "content-encoding": "gzip" }, "content encoding"],
  [{ "content-encoding": "br" }, "content encoding"]
])("415: the refusal of %j names %s", async (headers, told) => {
  const { status, message } = await post("{}", headers)
  assert.strictEqual(status, 415)
  assert.include(message, told)
})
