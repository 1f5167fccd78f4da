/**
 * A POST through the egress guard: no socket to a forbidden address, whatever the names resolve to next, and connections that belong to one
 * receiver as long as its address is the checked one.
 *
 * Planted and seen red:
 * - connections shared between receivers;
 * - a connection kept for a receiver that closed another;
 * - the address of an open connection not compared;
 * - one forbidden address accepted among others;
 * - connections left open at the end, at the deadline or when the caller is interrupted;
 * - the status lost when the body breaks off or is incomplete at the deadline;
 * - no limit to what is read besides a body, or 64 MiB;
 * - the bytes of earlier responses counted with the next;
 * - one-byte pieces counted only as bytes;
 * - the port of an open connection ignored;
 * - a look-up in addition to the deadline, or with a shorter one;
 * - timers left behind;
 * - a byte more or less of a body;
 * - a head without a limit, or of 8 KiB;
 * - the idle time that the receiver offers;
 * - all idle connections forgotten when one breaks, or its error not handled;
 * - only the first of several addresses tried, or the first two, or the next only after the deadline;
 * - a connection kept that was reset with its response, or one closed at the deadline although the response had arrived;
 * - a request not sent again whose connection had been closed before;
 * - a body parsed as interim responses, each piece of those parsed as the start of a head, the end of a head lost between two pieces, or a
 *   blank line taken for a response;
 * - an idle connection kept for ten minutes if its receiver names no time;
 * - at the end, only the connections of one receiver closed.
 */
import { type Duration, Effect, Fiber, ManagedRuntime, Predicate, Result } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { connect, Socket } from "node:net"
import { createServer, type Server } from "node:https"
import { createServer as createTlsServer } from "node:tls"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Worker } from "node:worker_threads"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { Egress } from "@sightline/egress/Egress"
import type { EgressFailed } from "@sightline/egress/EgressFailed"
import type { Resolve } from "@sightline/egress/Resolve"
import { allow, home, pem, trustReceivers } from "../engine/receivers.ts"
import { listen } from "../services/listen.ts"
import { corpus } from "./corpus.ts"

const forbidden = corpus.cases.filter(
  ({ expect, sink, stage }) => sink === "webhook" && expect === "deny" && stage !== "redirect"
)

/** The sockets opened by this process. */
let ours: Array<Socket> = []
const count = (message: unknown) => {
  if (Predicate.hasProperty(message, "socket") && message.socket instanceof Socket) ours.push(message.socket)
}
beforeEach(() => {
  ours = []
  subscribe("net.client.socket", count)
})
afterEach(() => {
  unsubscribe("net.client.socket", count)
})

const posting = (resolve: Resolve, allowed = allow) => {
  const runtime = ManagedRuntime.make(Egress.layer({ allow: allowed, resolve }))
  const reached: Array<string> = []
  const connected = (address: string) => reached.push(address)
  const posted = (url: string, receiver: string, body: string, deadline: Duration.Input) =>
    Egress.use((egress) =>
      egress.post({ url, receiver, connected, headers: () => ({}), body: Buffer.from(body) }, deadline)
    )
  const post = (url: string, receiver = "one", body = "{}", deadline: Duration.Input = "5 seconds") =>
    runtime.runPromise(Effect.result(posted(url, receiver, body, deadline)))
  const begin = (url: string) => runtime.runFork(posted(url, "one", "{}", "1 hour"))
  return { post, begin, reached, close: () => runtime.dispose() }
}

describe("a forbidden receiver", () => {
  it("covers every kind in the corpus", () => {
    assert.lengthOf(forbidden, 72)
  })

  it.each(forbidden)("$id: $why: no socket is opened", async ({ dns = {}, url }) => {
    const { close, post } = posting((name) => Effect.succeed((dns[name] ?? dns[`${name}.`])?.[0] ?? []), [])
    const answer = await post(url)
    assert.include(["blocked_address", "dns_error"], codeOf(answer))
    assert.isEmpty(ours)
    await close()
  })
})

let server: Server
let port: number
let connections: Array<Socket> = []
let raw: Array<Socket> = []
let requests: Array<{ readonly socket: Socket; readonly body: string }> = []
let answer: (socket: Socket) => Record<string, string> = () => ({})
let isCutShort: "no" | "closed" | "reset" | "held" = "no"
let isSilent = false
let body = "ok"

beforeAll(async () => {
  trustReceivers()
  server = createServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      requests.push({ socket: request.socket, body: Buffer.concat(chunks).toString() })
      if (isSilent) return
      const { remotePort } = request.socket
      const cut = () => {
        if (isCutShort === "closed") request.socket.destroy()
        // Two turns later: otherwise the written data would be lost too.
        if (isCutShort === "reset")
          setImmediate(() => setImmediate(() => raw.find((each) => each.remotePort === remotePort)?.resetAndDestroy()))
      }
      if (isCutShort !== "no") response.writeHead(200, { "content-length": 100 }).write("o", cut)
      else response.writeHead(200, answer(request.socket)).end(body)
    })
  })
  // A receiver that keeps connections longer than the client.
  server.keepAliveTimeout = 0
  server.on("connection", (socket: Socket) => raw.push(socket))
  server.on("secureConnection", (socket: Socket) => connections.push(socket))
  // On all loopback addresses, so that a connection to a forbidden one would be noticed.
  port = await listen(server, "0.0.0.0")
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  connections = []
  raw = []
  requests = []
  answer = () => ({})
  isCutShort = "no"
  isSilent = false
  body = "ok"
})

const url = (name = "a.acme.com") => `https://${name}:${port}/in`
const codeOf = (sent: Result.Result<unknown, EgressFailed>) => (Result.isFailure(sent) ? sent.failure.code : "sent")
const steady: Resolve = () => Effect.succeed([home])

it("a name with another address at each look-up is never connected to at a forbidden one", async () => {
  let lookUps = 0
  const { close, post, reached } = posting(() => Effect.sync(() => (lookUps++ % 2 === 0 ? [home] : ["127.0.0.1"])))
  const codes: Array<string> = []
  for (let turn = 0; turn < 1000; turn++) {
    codes.push(codeOf(await post(url())))
  }
  await close()
  assert.strictEqual(lookUps, 1000)
  assert.deepStrictEqual(
    codes,
    Array.from({ length: 1000 }, (_, turn) => (turn % 2 === 0 ? "sent" : "blocked_address"))
  )
  assert.isTrue(connections.every(({ localAddress }) => localAddress === home))
  assert.lengthOf(requests, 500)
  assert.deepStrictEqual(
    reached,
    Array.from({ length: 500 }, () => home)
  )
})

describe("a connection to a name of several addresses", () => {
  const dead = "127.9.0.77"
  const several = (...addresses: ReadonlyArray<string>) => posting(() => Effect.succeed(addresses))

  it.each([
    ["one of two", [dead, home]],
    ["two of three", [dead, "127.9.0.78", home]]
  ])("tries the next address if %s refuse it, reports the last one, and reuses its connection", async (_, found) => {
    const other = createServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (_, response) => response.end("here"))
    const at = `https://a.acme.com:${await listen(other, home)}/in`
    const { close, post, reached } = several(...found)
    assert.deepStrictEqual([codeOf(await post(at)), codeOf(await post(at))], ["sent", "sent"])
    assert.deepStrictEqual(reached, [home, home])
    await close()
    other.close()
  })

  it("tries the next address if the first does not respond, within the common deadline", async () => {
    const other = createServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (_, response) => response.end("here"))
    const port = await listen(other, home)
    // In a separate thread that is then blocked, so that nobody accepts its connections.
    const silent = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads")
       require("node:net").createServer().listen({ ...workerData, backlog: 1 }, () => {
         parentPort.postMessage("there")
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
       })`,
      { eval: true, workerData: { host: dead, port } }
    )
    await once(silent, "message")
    // As many as the system queues: the next one is not even refused.
    const waiting = [1, 2].map(() => connect(port, dead).on("error", () => undefined))
    await Promise.all(waiting.map((socket) => once(socket, "connect")))
    const { close, post, reached } = several(dead, home)
    assert.strictEqual(codeOf(await post(`https://a.acme.com:${port}/in`, "one", "{}", "10 seconds")), "sent")
    assert.deepStrictEqual(reached, [home])
    await close()
    for (const socket of waiting) socket.destroy()
    await silent.terminate()
    other.close()
  })

  it("fails with the error of the first address if all refuse", async () => {
    const other = createServer()
    const at = `https://a.acme.com:${await listen(other, home)}/in`
    await new Promise((resolve) => other.close(resolve))
    const { close, post, reached } = several(dead, home)
    assert.strictEqual(codeOf(await post(at)), "connection_refused")
    assert.isEmpty(reached)
    await close()
  })

  it("checks the certificate against the name, whichever address it uses", async () => {
    const { close, post } = several(home, dead)
    assert.strictEqual(codeOf(await post(url("wrong.acme.org"))), "tls_error")
    assert.isEmpty(requests)
    await close()
  })

  it("is never opened if one of the addresses is forbidden, not even to the others", async () => {
    const { close, post } = several(home, "127.0.0.1")
    assert.strictEqual(codeOf(await post(url())), "blocked_address")
    assert.isEmpty(ours)
    await close()
  })
})

describe("a connection", () => {
  it("is reused for the same receiver, one request at a time", async () => {
    const { close, post } = posting(steady)
    for (const body of ["1", "2", "3"]) await post(url(), "one", body)
    assert.lengthOf(connections, 1)
    await Promise.all(["4", "5"].map((body) => post(url(), "one", body)))
    assert.lengthOf(connections, 2)
    assert.deepStrictEqual(requests.map(({ body }) => body).sort(), ["1", "2", "3", "4", "5"])
    await close()
  })

  it("is not shared between receivers, even at one address", async () => {
    const { close, post } = posting(steady)
    await post(url(), "one")
    await post(url(), "two")
    assert.lengthOf(connections, 2)
    await close()
  })

  it("is not shared between ports, even of one receiver", async () => {
    const { close, post } = posting(steady)
    const other = createServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (_, response) => response.end("other"))
    const otherPort = await listen(other, home)
    for (const [at, text] of [
      [port, "ok"],
      [otherPort, "other"],
      [port, "ok"]
    ] as const) {
      const sent = await post(`https://a.acme.com:${at}/in`)
      assert.strictEqual(Buffer.from(Result.getOrThrow(sent).body).toString(), text)
    }
    await close()
    other.close()
  })

  it("carries any number of responses, whatever their total size", async () => {
    const { close, post } = posting(steady)
    body = "x".repeat(60 * 1024)
    answer = () => ({ "x-long": "x".repeat(15 * 1024) })
    for (let turn = 0; turn < 40; turn++) assert.lengthOf(Result.getOrThrow(await post(url())).body, body.length)
    assert.lengthOf(connections, 1)
    await close()
  })

  it("is closed at the deadline, also if it is reused", async () => {
    const { close, post } = posting(steady)
    await post(url())
    isSilent = true
    const gone = new Promise((resolve) => connections[0]?.once("close", resolve))
    assert.strictEqual(codeOf(await post(url(), "one", "{}", "200 millis")), "timeout")
    await gone
    assert.lengthOf(connections, 1)
    await close()
  })

  it("is closed when the caller is interrupted", async () => {
    const { begin, close, post } = posting(steady)
    await post(url())
    isSilent = true
    const asked = new Promise((resolve) => server.once("request", resolve))
    const gone = new Promise((resolve) => connections[0]?.once("close", resolve))
    const waiting = begin(url())
    await asked
    await Effect.runPromise(Fiber.interrupt(waiting))
    await gone
    assert.lengthOf(connections, 1)
    await close()
  })

  it("is closed after seconds without use, whatever idle time its receiver offers, or if it offers none", async () => {
    const { close, post } = posting(steady)
    answer = (socket) => (socket === connections[0] ? { "keep-alive": "timeout=600" } : {})
    const since = performance.now()
    await Promise.all([post(url()), post(url())])
    assert.lengthOf(connections, 2)
    await Promise.all(connections.map((socket) => new Promise((resolve) => socket.once("close", resolve))))
    assert.isBelow(performance.now() - since, 60_000)
    await close()
  })

  it("is closed when the name no longer has its address", async () => {
    const homes = [home, "127.9.0.2", home]
    const { close, post, reached } = posting(() => Effect.sync(() => [homes.shift() ?? home]))
    await post(url())
    await post(url())
    await post(url())
    assert.deepStrictEqual(
      requests.map(({ socket }) => socket.localAddress),
      [home, "127.9.0.2", home]
    )
    assert.deepStrictEqual(reached, [home, "127.9.0.2", home])
    assert.lengthOf(connections, 2)
    await close()
  })

  it("goes to the checked address in any spelling, and sends nothing if it reached another", async () => {
    const posted = async (address: string, allowed: string) => {
      const { close, post } = posting(() => Effect.succeed([address]), [allowed])
      const sent = codeOf(await post(url()))
      await close()
      return sent
    }
    assert.strictEqual(await posted("::FFFF:7f09:1", "::ffff:127.9.0.0/112"), "sent")
    assert.lengthOf(requests, 1)
    // The system treats it as this machine's own address.
    assert.strictEqual(await posted("0.0.0.0", "0.0.0.0/8"), "blocked_address")
    assert.lengthOf(requests, 1)
  })

  it("is forgotten once it is closed, also if its response broke off", async () => {
    setFlagsFromString("--expose-gc")
    const { close, post } = posting(steady)
    const closed: Array<WeakRef<Socket>> = []
    const postAndClose = async () => {
      for (let turn = 0; turn < 20; turn++) await post(url(), `${isCutShort} ${turn}`)
      for (const socket of connections) socket.end()
      for (const socket of ours.splice(0)) {
        if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve))
        closed.push(new WeakRef(socket))
      }
    }
    await postAndClose()
    isCutShort = "closed"
    await postAndClose()
    isCutShort = "reset"
    await postAndClose()
    assert.lengthOf(closed, 60)
    await new Promise(setImmediate)
    runInNewContext("gc()")
    assert.isBelow(closed.filter((socket) => socket.deref() !== undefined).length, 5)
    await close()
  })

  it("is replaced if the receiver closed it, and nothing is sent twice", async () => {
    const { close, post } = posting(steady)
    await post(url())
    const gone = new Promise((resolve) => connections[0]?.once("close", resolve))
    connections[0]?.end()
    await gone
    assert.isTrue(Result.isSuccess(await post(url())))
    assert.lengthOf(connections, 2)
    answer = () => ({ connection: "close" })
    await post(url())
    assert.isTrue(Result.isSuccess(await post(url())))
    assert.lengthOf(requests, 4)
    await close()
  })

  it("is also replaced if it was closed while this process was busy", async () => {
    const { close, post } = posting(steady)
    await post(url())
    // From here on incoming data is read before the request is written.
    await new Promise(setImmediate)
    const again = post(url())
    raw[0]?.destroy()
    assert.strictEqual(codeOf(await again), "sent")
    assert.lengthOf(requests, 2)
    await close()
  })

  it("is not reused if the receiver has closed one by itself: the next request could already be on its way", async () => {
    const { close, post } = posting(steady)
    await post(url())
    const gone = new Promise((resolve) => connections[0]?.once("close", resolve))
    connections[0]?.end()
    await gone
    for (let turn = 0; turn < 3; turn++) await post(url())
    assert.lengthOf(connections, 4)
    await post(url("b.acme.com"))
    await post(url("b.acme.com"))
    assert.lengthOf(connections, 5)
    await close()
  })

  it("that breaks while idle leaves the others open", async () => {
    const { close, post } = posting(steady)
    await Promise.all([post(url()), post(url())])
    assert.lengthOf(connections, 2)
    const gone = Promise.race(ours.map((socket) => new Promise((resolve) => socket.once("close", resolve))))
    raw[0]?.resetAndDestroy()
    await gone
    for (let turn = 0; turn < 3; turn++) assert.strictEqual(codeOf(await post(url())), "sent")
    assert.lengthOf(connections, 2)
    await close()
  })

  it("is closed with the scope, together with all others", async () => {
    const since = performance.now()
    for (let nth = 0; nth < 6; nth++) {
      const { close, post } = posting(steady)
      await Promise.all([post(url()), post(url()), post(url(), "two")])
      const gone = connections.splice(0).map((socket) => new Promise((resolve) => socket.once("close", resolve)))
      assert.lengthOf(gone, 3)
      await close()
      await Promise.all(gone)
    }
    // Without that, each would be closed after 4 s.
    assert.isBelow(performance.now() - since, 12_000)
  })
})

/** Endless responses of which nothing counts as body, and their outcome. */
const floods: ReadonlyArray<readonly [string, string, string, string | number]> = [
  ["interim answers", "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", "protocol_error"],
  ["blank lines", "", "\r\n", "protocol_error"],
  ["an extension of a chunk", "HTTP/1.1 500 X\r\ntransfer-encoding: chunked\r\n\r\n1;", "extension", 500]
]

it.each(floods)(
  "a response of %s without an end is cut off long before the deadline",
  async (_what, head, more, outcome) => {
    let written = 0
    const flooding = createTlsServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (socket) => {
      const chunk = more.repeat(4096)
      const pour = () => {
        do written += chunk.length
        while (!socket.destroyed && socket.write(chunk))
      }
      socket
        .on("error", () => undefined)
        .once("data", () => {
          socket.on("drain", pour).write(head)
          pour()
        })
    })
    const port = await listen(flooding, home)
    const { close, post } = posting(steady)
    const since = performance.now()
    const sent = await post(`https://a.acme.com:${port}/`)
    assert.strictEqual(Result.isSuccess(sent) ? sent.success.status : codeOf(sent), outcome)
    assert.isBelow(performance.now() - since, 4500)
    // 1 MiB is read; the system buffers the rest unread.
    assert.isBelow(written, 32 * 1024 * 1024)
    await close()
    flooding.close()
  }
)

/** What precedes a response; each piece is written separately. */
const before: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["100", ["HTTP/1.1 100 Continue\r\n\r\n"]],
  ["100 with fields, twice", ["HTTP/1.1 100 Continue\r\ndate: now\r\n\r\nHTTP/1.1 100\r\n\r\n"]],
  ["103 and 100", ["HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"]],
  ["102 and 100 at once", ["HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"]],
  ["a blank line and 100", ["\r\nHTTP/1.1 100 Continue\r\n\r\n"]],
  ["100 in bytes", Array.from("HTTP/1.1 100 Continue\r\ndate: now\r\n\r\n")],
  ["100 in pieces, twice", ["HTTP/1.1 10", "0 Continue\r\n\r", "\nHTTP/1.1 1", "00\r\n", "\r\n"]]
]

it.each(before)("%s before a response is not taken for the response", async (_what, pieces) => {
  const last = ["HTTP/1.1 201 Created\r\ncontent-length: 12\r\n\r\n", "HTTP/1.1 100"]
  const hasty = createTlsServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (socket) => {
    connections.push(socket)
    let places: ReadonlyArray<string> = []
    const next = () => {
      const [piece, ...more] = places
      places = more
      if (piece !== undefined) socket.write(piece, () => setImmediate(next))
    }
    let turn = 0
    socket.on("data", (chunk: Buffer) => {
      if (!chunk.includes("POST")) return
      // First all in one write, then each piece separately.
      places = turn++ === 0 ? [[...pieces, ...last].join("")] : [...pieces, ...last]
      next()
    })
  })
  const port = await listen(hasty, home)
  const { close, post } = posting(steady)
  for (let turn = 0; turn < 2; turn++) {
    const sent = await post(`https://a.acme.com:${port}/`)
    assert.strictEqual(codeOf(sent), "sent")
    const { body, status } = Result.getOrThrow(sent)
    assert.deepStrictEqual([status, Buffer.from(body).toString()], [201, "HTTP/1.1 100"])
  }
  assert.lengthOf(connections, 1)
  await close()
  hasty.close()
})

/** Blocks this process for this many milliseconds. */
const hold = (millis: number) => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

it("a response that arrived in time is accepted even if the process was too busy to read it then", async () => {
  const { close, post } = posting(steady)
  await post(url())
  isSilent = true
  const sent = post(url(), "one", "{}", "1 second")
  while (requests.length < 2) await new Promise((resolve) => setImmediate(resolve))
  requests[1]?.socket.write("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
  hold(1500)
  assert.strictEqual(Result.getOrThrow(await sent).status, 201)
  await new Promise(setImmediate)
  assert.isFalse(ours[0]?.destroyed)
  await close()
})

it("a process that was busy until after the deadline sends nothing", async () => {
  // In a separate thread, because the server continues the handshake meanwhile.
  const apart = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads")
     const server = require("node:tls").createServer(workerData, (socket) => {
       socket.on("error", () => undefined).on("data", () => parentPort.postMessage("sent"))
       socket.on("close", () => parentPort.postMessage("closed"))
     })
     server.listen(0, "${home}", () => parentPort.postMessage(server.address().port))`,
    { eval: true, workerData: { key: pem("acme.key"), cert: pem("acme.crt") } }
  )
  const told = (): Promise<unknown> => new Promise((resolve) => apart.once("message", resolve))
  const port = Number(await told())
  const { close, post } = posting(steady)
  const first = told()
  const sent = post(`https://a.acme.com:${port}/`, "one", "{}", "1 second")
  while (ours.length === 0) await new Promise((resolve) => setImmediate(resolve))
  ours[0]?.once("connect", () => setImmediate(() => hold(1500)))
  assert.strictEqual(codeOf(await sent), "timeout")
  assert.strictEqual(await first, "closed")
  await close()
  await apart.terminate()
})

it("a response that breaks off after its head still counts", async () => {
  const { close, post } = posting(steady)
  isCutShort = "closed"
  const sent = await post(url())
  assert.deepStrictEqual(Result.isSuccess(sent) ? [sent.success.status, sent.success.body.toString()] : [], [200, "o"])
  await close()
})

it("a response whose body is incomplete at the deadline still counts, and its connection is closed", async () => {
  const { close, post } = posting(steady)
  isCutShort = "held"
  const { body, status } = Result.getOrThrow(await post(url(), "one", "{}", "1 second"))
  assert.deepStrictEqual([status, Buffer.from(body).toString()], [200, "o"])
  assert.isTrue(ours[0]?.destroyed)
  await close()
})

it("at most 64 KiB of a body are read, then its connection is closed", async () => {
  const { close, post } = posting(steady)
  const most = 64 * 1024
  for (const bytes of [most - 1, most, most + 1, 3 * most]) {
    body = "0123456789".repeat(20_000).slice(0, bytes)
    const sent = Result.getOrThrow(await post(url()))
    assert.strictEqual(Buffer.from(sent.body).toString(), body.slice(0, most))
  }
  assert.lengthOf(connections, 3)
  await close()
})

it("at most 1024 pieces of a body are read if it comes byte by byte, then its connection is closed", async () => {
  const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
  const dripping = createTlsServer({ key: pem("acme.key"), cert: pem("acme.crt") }, (socket) => {
    socket.on("error", () => undefined).once("data", () => socket.write(head + "1\r\nx\r\n".repeat(60_000)))
  })
  const { close, post } = posting(steady)
  const sent = Result.getOrThrow(await post(`https://a.acme.com:${await listen(dripping, home)}/`))
  assert.strictEqual(Buffer.from(sent.body).toString(), "x".repeat(1024))
  await close()
  dripping.close()
})

it("a head may have 16 KiB", async () => {
  const { close, post } = posting(steady)
  const outcomes: Array<string> = []
  for (const kibibytes of [15, 17]) {
    answer = () => ({ "x-long": "x".repeat(kibibytes * 1024) })
    outcomes.push(codeOf(await post(url())))
  }
  assert.deepStrictEqual(outcomes, ["sent", "protocol_error"])
  await close()
})

it("a name without an address is not reported as forbidden", async () => {
  const { close, post } = posting(() => Effect.succeed([]))
  assert.strictEqual(codeOf(await post(url())), "dns_error")
  await close()
})

it("a look-up may use the whole deadline, and the rest of the exchange has only what is left", async () => {
  const { close, post, reached } = posting(() => Effect.as(Effect.sleep("3 seconds"), [home]))
  isSilent = true
  const since = performance.now()
  assert.strictEqual(codeOf(await post(url())), "timeout")
  // Three seconds more if the exchange had a deadline of its own.
  assert.isBelow(performance.now() - since, 7500)
  assert.deepStrictEqual(reached, [home])
  await close()
})

it("no timer outlives its request, whatever the outcome", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length
  const { close, post } = posting(steady)
  await post(url())
  const before = timers()
  for (let turn = 0; turn < 50; turn++) {
    assert.strictEqual(codeOf(await post(url(), "one", "{}", "1 hour")), "sent")
    assert.strictEqual(codeOf(await post("https://a.acme.com:1024/", "one", "{}", "1 hour")), "connection_refused")
  }
  // Meanwhile only a few other timers come and go.
  assert.isBelow(timers(), before + 20)
  await close()
})
