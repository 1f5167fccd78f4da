/**
 * Which route a capture takes: through the proxy of its region, directly where no proxy is configured at all, and no other.
 *
 * Planted and seen red:
 * - a capture goes directly where its region has no proxy, or where the proxy's credentials are malformed
 * - a proxy has no host
 * - SOCKS is not supported
 * - a SOCKS proxy, or a proxy that lets nothing through, is taken for a site that is down
 * - one visitor is used for live and test keys
 * - peers are asked for the machine's address
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { createServer } from "node:http"
import { localeOf } from "@sightline/platforms/live/Locale"
import { routeOf, type Visitor, visitorKey } from "@sightline/platforms/browser/Visitor"
import { browsing, captured, question } from "./Captures.ts"
import { listen } from "../../services/listen.ts"

const visitor = (country: string, environment: "live" | "test" = "live"): Visitor => ({
  environment,
  surface: "ai_mode",
  locale: localeOf(country),
  origin: "https://site.invalid"
})

describe("a visitor", () => {
  it("belongs to one surface and one country, and to live keys or to test keys", () => {
    const names = [
      visitorKey(visitor("US")),
      visitorKey(visitor("GB")),
      visitorKey(visitor("US", "test")),
      visitorKey({ ...visitor("US"), surface: "ai_overview" })
    ]
    assert.strictEqual(new Set(names).size, names.length)
    assert.strictEqual(visitorKey({ ...visitor("US"), origin: "https://other.invalid" }), names[0])
  })
})

describe("the route of a capture", () => {
  it("is the proxy of its region, with the parts of its address decoded", () => {
    assert.deepEqual(routeOf(visitor("GB"), { uk: "http://us%40er:p%3Ass@proxy.example:8080" }), {
      server: "http://proxy.example:8080",
      username: "us@er",
      password: "p:ss"
    })
  })

  it.each(["http", "https", "socks5"])("may be a proxy that speaks %s", (scheme) => {
    assert.deepInclude(routeOf(visitor("US"), { us: `${scheme}://proxy.example:8080` }), {
      server: `${scheme}://proxy.example:8080`
    })
  })

  it("is direct where no proxy is configured, and in the sandbox", () => {
    assert.strictEqual(routeOf(visitor("US"), {}), "direct")
    assert.strictEqual(routeOf(visitor("US", "test"), { us: "http://proxy.example:1" }), "direct")
  })

  it("is barred where another region has a proxy and this one has none, or an invalid one", () => {
    assert.strictEqual(routeOf(visitor("AU"), { us: "http://proxy.example:1" }), "blocked")
    for (const malformed of [
      "",
      "proxy.example:1",
      "ftp://proxy.example",
      "http://",
      "socks5://",
      "http://%zz@proxy.example"
    ]) {
      assert.strictEqual(routeOf(visitor("US"), { us: malformed }), "blocked", malformed)
    }
  })
})

interface Seen {
  readonly url: string
  readonly authorization: string
}

/** A proxy that requires credentials and answers for every site with this page. */
const startProxy = (page: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const seen: Array<Seen> = []
      const server = createServer((request, response) => {
        const authorization = request.headers["proxy-authorization"]
        if (authorization === undefined) {
          response.writeHead(407, { "proxy-authenticate": 'Basic realm="proxy"' }).end()
          return
        }
        seen.push({ url: request.url ?? "", authorization })
        response.writeHead(200, { "content-type": "text/html" }).end(page)
      })
      server.on("connect", (_, socket) => void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"))
      return { host: `127.0.0.1:${await listen(server)}`, seen, server }
    }),
    ({ server }) => Effect.sync(() => server.close().closeAllConnections())
  )

const outcome = (origin: string, country: string) =>
  Effect.map(captured(origin, {}, { environment: "live" }, question("x", country)), (result) =>
    Result.isSuccess(result) ? result.success.text : `${result.failure.code} ${result.failure.ending}`
  )

describe("a live capture", () => {
  it.live(
    "reaches its site through the proxy of its region and with that proxy's credentials, and not without them",
    () =>
      Effect.gen(function* () {
        const proxy = yield* startProxy(`<div id="answer">Brooks</div>`)
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* outcome("http://site.invalid", "US"), "Brooks")
          assert.deepEqual([...new Set(proxy.seen.map(({ url }) => new URL(url).hostname))], ["site.invalid"])
          const credentials = `Basic ${Buffer.from("user:secret").toString("base64")}`
          assert.deepEqual([...new Set(proxy.seen.map(({ authorization }) => authorization))], [credentials])
          const before = proxy.seen.length
          assert.strictEqual(yield* outcome(`http://${proxy.host}`, "CA"), "upstream_unavailable proxy_error")
          assert.strictEqual(yield* outcome("http://other.invalid", "AU"), "upstream_unavailable proxy_error")
          for (const [site, country] of [
            ["http://other.invalid", "GB"],
            ["https://site.invalid", "US"]
          ] as const) {
            assert.strictEqual(yield* outcome(site, country), "upstream_unavailable proxy_error", country)
          }
          assert.lengthOf(proxy.seen, before)
        }).pipe(
          Effect.provide(
            browsing({
              proxies: {
                us: `http://user:secret@${proxy.host}`,
                au: "http://127.0.0.1:1",
                uk: "socks5://127.0.0.1:1"
              }
            })
          )
        )
      }).pipe(Effect.scoped)
  )

  it.live("reports a proxy that rejects its credentials", () =>
    Effect.gen(function* () {
      const proxy = yield* startProxy("")
      proxy.server
        .removeAllListeners("connect")
        .on(
          "connect",
          (_, socket) => void socket.end(`HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm="p"\r\n\r\n`)
        )
      for (const user of ["user:wrong@", ""]) {
        const proxies = { us: `http://${user}${proxy.host}` }
        const ended = yield* Effect.provide(outcome("https://site.invalid", "US"), browsing({ proxies }))
        assert.strictEqual(ended, "upstream_unavailable proxy_error", user)
      }
    }).pipe(Effect.scoped)
  )

  it.live("asks no server for its address past the proxy", () =>
    Effect.gen(function* () {
      const heard: Array<Buffer> = []
      const stranger = yield* Effect.acquireRelease(
        Effect.callback<Socket>((resume) => {
          const socket = createSocket("udp4", (message) => void heard.push(message))
          socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
        }),
        (socket) => Effect.sync(() => socket.close())
      )
      const proxy = yield* startProxy(
        `<div id="answer"></div><script>
           const connection = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${stranger.address().port}" }] })
           connection.onicecandidate = ({ candidate }) => {
             if (candidate === null) document.querySelector("#answer").textContent = "all found"
           }
           connection.createDataChannel("")
           connection.setLocalDescription()
         </script>`
      )
      const result = yield* Effect.provide(
        outcome("http://site.invalid", "US"),
        browsing({ proxies: { us: `http://user:secret@${proxy.host}` } })
      )
      assert.deepEqual([result, heard], ["all found", []])
    }).pipe(Effect.scoped)
  )
})
