/**
 * The egress guard over sockets: a TLS receiver on loopback, allowed as a local receiver.
 *
 * Planted and seen red:
 * - the name looked up again when connecting;
 * - the certificate not checked against the name, or only if the environment says so;
 * - SNI left out, or an address sent as SNI;
 * - no ALPN for HTTP/1.1;
 * - any Location and any status accepted, or one less;
 * - no deadline;
 * - the socket left open.
 */
import { Effect, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, type Server } from "node:https"
import type { TLSSocket } from "node:tls"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Egress } from "@sightline/egress/Egress"
import type { Resolve } from "@sightline/egress/Resolve"
import { pem, trustReceivers } from "../engine/receivers.ts"
import { listen } from "../services/listen.ts"

let server: Server
let port: number
let answer: (response: ServerResponse, request: IncomingMessage) => void = () => undefined
const requests: Array<IncomingMessage> = []
const names: Array<string> = []
const protocols: Array<string | false | null> = []

beforeAll(async () => {
  trustReceivers()
  server = createServer({ key: pem("receiver.key"), cert: pem("receiver.crt") }, (request, response) => {
    requests.push(request)
    answer(response, request)
  })
  server.on("secureConnection", (socket: TLSSocket) => {
    names.push(String(socket.servername))
    protocols.push(socket.alpnProtocol)
  })
  port = await listen(server)
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const loopback: Resolve = () => Effect.succeed(["127.0.0.1"])

const resolveRedirect = (url: string, resolve: Resolve = loopback) =>
  Egress.use((egress) => egress.resolveRedirect(url)).pipe(
    Effect.provide(Egress.layer({ allow: ["127.0.0.0/8"], resolve })),
    Effect.map(Option.getOrUndefined),
    Effect.runPromise
  )

const redirecting =
  (location: string, status = 302) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { location, "set-cookie": "a=b" }).end("body")
  }

const url = (path = "/r/1?q=2") => `https://receiver.acme.com:${port}${path}`

describe("a redirect", () => {
  it("is returned but not followed", async () => {
    answer = redirecting("https://news.acme.com/a?b=c")
    requests.length = 0
    assert.strictEqual(await resolveRedirect(url()), "https://news.acme.com/a?b=c")
    assert.strictEqual(requests.length, 1)
  })

  it("is requested with only the path and the host, and no other data of ours", async () => {
    answer = redirecting("https://news.acme.com/a")
    requests.length = 0
    await resolveRedirect(url())
    await resolveRedirect(url())
    for (const { headers, method, url: path } of requests) {
      assert.deepStrictEqual([method, path], ["GET", "/r/1?q=2"])
      assert.deepStrictEqual(headers, {
        host: `receiver.acme.com:${port}`,
        "accept-encoding": "identity",
        connection: "close"
      })
    }
  })

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "https://127.0.0.1/",
    "https://93.184.216.34/",
    "https://[::1]/",
    "http://[::ffff:7f00:1]:8222/varz",
    "https://localhost/",
    "https://db.internal/",
    "https://2130706433/",
    "https://user:pass@news.acme.com/",
    "https://user@news.acme.com/",
    "https://:pass@news.acme.com/",
    "data:text/html,<script>1</script>",
    "javascript:alert(1)",
    "ftp://news.acme.com/",
    "/relative",
    "//news.acme.com/a",
    "",
    `https://news.acme.com/${"x".repeat(2027)}`
  ])("to %j is refused", async (location) => {
    answer = redirecting(location)
    assert.isUndefined(await resolveRedirect(url()))
  })

  it.each(["http://news.acme.com/a", `https://news.acme.com/${"x".repeat(2026)}`])(
    "to %j is accepted",
    async (location) => {
      answer = redirecting(location)
      assert.strictEqual(await resolveRedirect(url()), location)
    }
  )

  it("to two places is refused", async () => {
    answer = (response) => {
      response.setHeader("location", ["https://news.acme.com/a", "https://news.acme.com/b"])
      response.writeHead(302).end()
    }
    assert.isUndefined(await resolveRedirect(url()))
  })

  it.each([200, 204, 299, 400, 404, 500])("with status %i is refused", async (status) => {
    answer = redirecting("https://news.acme.com/a", status)
    assert.isUndefined(await resolveRedirect(url()))
  })

  it.each([300, 301, 302, 303, 307, 308, 399])("with status %i is accepted", async (status) => {
    answer = redirecting("https://news.acme.com/a", status)
    assert.strictEqual(await resolveRedirect(url()), "https://news.acme.com/a")
  })
})

describe("the connection", () => {
  it("goes to the checked address, whatever the next look-up returns, with the name as SNI", async () => {
    answer = redirecting("https://news.acme.com/a")
    names.length = 0
    let lookups = 0
    const rebinding: Resolve = () => Effect.sync(() => (lookups++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]))
    assert.strictEqual(await resolveRedirect(url(), rebinding), "https://news.acme.com/a")
    assert.strictEqual(lookups, 1)
    assert.deepStrictEqual(names, ["receiver.acme.com"])
  })

  it("offers HTTP/1.1 by ALPN", async () => {
    answer = redirecting("https://news.acme.com/a")
    protocols.length = 0
    await resolveRedirect(url())
    assert.deepStrictEqual(protocols, ["http/1.1"])
  })

  it("is refused if the certificate is for another name", async () => {
    answer = redirecting("https://news.acme.com/a")
    requests.length = 0
    assert.isUndefined(await resolveRedirect(`https://other.acme.com:${port}/`))
    assert.isEmpty(requests)
  })

  it("is refused for that even if the environment tells Node to accept any certificate", async () => {
    answer = redirecting("https://news.acme.com/a")
    requests.length = 0
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
    try {
      assert.isUndefined(await resolveRedirect(`https://other.acme.com:${port}/`))
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
    }
    assert.isEmpty(requests)
  })

  it("to an IP address is checked against the address, without SNI", async () => {
    answer = redirecting("https://news.acme.com/a")
    names.length = 0
    assert.strictEqual(await resolveRedirect(`https://127.0.0.1:${port}/`), "https://news.acme.com/a")
    assert.isUndefined(await resolveRedirect(`https://127.0.0.2:${port}/`))
    assert.deepStrictEqual(new Set(names), new Set(["false"]))
  })

  it("is never opened to an address that is not public", async () => {
    names.length = 0
    const attempt = Egress.use((egress) => egress.resolveRedirect(url())).pipe(
      Effect.provide(Egress.layer({ allow: [], resolve: loopback })),
      Effect.runPromise
    )
    assert.isTrue(Option.isNone(await attempt))
    assert.isEmpty(names)
  })

  it("is closed once the head of the response is complete", async () => {
    answer = (response) => {
      response.writeHead(302, { location: "https://news.acme.com/a" }).flushHeaders()
    }
    const closed = new Promise<void>((resolve) => {
      server.once("secureConnection", (socket: TLSSocket) => {
        socket.once("close", () => resolve())
      })
    })
    const started = performance.now()
    assert.isDefined(await resolveRedirect(url()))
    // At the deadline it would be closed too.
    assert.isBelow(performance.now() - started, 2990)
    await closed
  })
})

/** Receivers that would hold a connection for ever. */
const slow: ReadonlyArray<readonly [string, (response: ServerResponse) => void]> = [
  ["never answers", () => undefined],
  [
    "sends endless interim responses",
    (response) => {
      const timer = setInterval(() => {
        response.writeProcessing()
      }, 20)
      response.on("close", () => {
        clearInterval(timer)
      })
    }
  ]
]

describe.each(slow)("a receiver that %s", (_what, behave) => {
  it("is disconnected at the deadline", async () => {
    answer = behave
    const started = performance.now()
    assert.isUndefined(await resolveRedirect(url()))
    // Three times the deadline; that of a delivery is longer.
    assert.isBelow(performance.now() - started, 9000)
  })
})

it("a receiver that sends an endless body is disconnected once its headers are complete", async () => {
  const left = Promise.withResolvers<void>()
  let written = 0
  answer = (response) => {
    response.writeHead(302, { location: "https://news.acme.com/a" })
    const chunk = "x".repeat(65_536)
    const more = () => {
      do written += chunk.length
      while (response.write(chunk) && !response.destroyed)
    }
    response.on("drain", more).on("close", left.resolve)
    more()
  }
  assert.strictEqual(await resolveRedirect(url()), "https://news.acme.com/a")
  await left.promise
  // The system buffers some of it unread; until the deadline it would be hundreds of MiB.
  assert.isBelow(written, 32 * 1024 * 1024)
})

it("a name without an address is handled", async () => {
  assert.isUndefined(await resolveRedirect(url(), () => Effect.succeed([])))
})

it("a name under a reserved suffix is not even looked up", async () => {
  // A name without an address would pass.
  const { code } = await Egress.use((egress) => Effect.flip(egress.vet("https://nobody.invalid/"))).pipe(
    Effect.provide(Egress.layer({ allow: [] })),
    Effect.runPromise
  )
  assert.strictEqual(code, "blocked_address")
})
