/**
 * How the server serves the page of the dashboard: a folder of the test behind the real listener, and the whole program in a real Chromium.
 *
 * Planted and seen red:
 * - framing not forbidden by the policy, or by the header;
 * - no Trusted Types;
 * - paths below `assets/` and names of any kind and extension read from the disk;
 * - an old page served after a new build, or a file reported as missing although it can be read again;
 * - brotli for a client that refuses it;
 * - the page at addresses of the API;
 * - a cookie without `Secure`, which Chromium then drops;
 * - a reference that is not compressed, or has no policy when compressed;
 * - the encoding not listed in `Vary`.
 */
import { Api } from "@sightline/contract/Api"
import * as Dashboard from "@sightline/server/Dashboard"
import * as Envelope from "@sightline/server/http/Envelope"
import * as NodeServer from "@sightline/server/http/NodeServer"
import * as Reference from "@sightline/server/Reference"
import { Effect, Layer, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, customer, installation, type Program, startProgram } from "./program.ts"

const script = `globalThis.ran = ${JSON.stringify("x".repeat(5000))}`

/** A server of these routes with the envelope. */
const listening = async (pages: typeof Reference.layer) => {
  const routes = Layer.mergeAll(pages, Envelope.layer(Api))
  const runtime = ManagedRuntime.make(
    NodeServer.serve(routes, {
      settings: { host: "HOST", port: "PORT" },
      host: "127.0.0.1",
      port: 0,
      grace: "1 second"
    })
  )
  const { address } = await runtime.runPromise(Effect.map(HttpServer.HttpServer, (server) => server))
  return { base: HttpServer.formatAddress(address), stop: () => runtime.dispose() }
}

/** A server of a folder that the test fills. */
const serving = async (fill: (folder: string) => void) => {
  const outer = mkdtempSync(join(tmpdir(), "dashboard-"))
  const folder = join(outer, "page")
  fill(folder)
  const { base, stop } = await listening(Dashboard.layer(folder))
  return {
    folder,
    base,
    stop: async () => {
      await stop()
      rmSync(outer, { recursive: true })
    }
  }
}

const page = (text: string) => `<!doctype html><title>${text}</title><script src="/assets/index-AbC_1-2.js"></script>`

const built = (folder: string) => {
  mkdirSync(join(folder, "assets"), { recursive: true })
  writeFileSync(join(folder, "index.html"), page("one"))
  writeFileSync(join(folder, "icon.svg"), "<svg/>")
  writeFileSync(join(folder, "manifest.json"), "{}")
  writeFileSync(join(folder, ".sources"), "secret")
  writeFileSync(join(folder, "assets/index-AbC_1-2.js"), script)
  writeFileSync(join(folder, "assets/font-1.woff2"), "woff")
}

/** A GET that sends its path verbatim and does not decode the response. */
const raw = (base: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | Array<string>>; body: Buffer }>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    get({ hostname, port, path, headers, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      )
    }).once("error", reject)
  })

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

/** Asserts the headers that forbid framing and content sniffing. */
const assertGuarded = (headers: NodeJS.Dict<string | Array<string>>) => {
  assert.include(String(headers["content-security-policy"]), "frame-ancestors 'none'")
  assert.strictEqual(headers["x-frame-options"], "DENY")
  assert.strictEqual(headers["x-content-type-options"], "nosniff")
  assert.strictEqual(headers["referrer-policy"], "no-referrer")
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

describe("the page's files", () => {
  let server: Awaited<ReturnType<typeof serving>>
  beforeAll(async () => void (server = await serving(built)))
  afterAll(() => server.stop())

  it("200 serves the page at / and at each of its addresses, to be revalidated each time, with its policy", async () => {
    for (const path of ["/", "/?a=b", "/watches", "/checks/1?x=%2e%2e", "/docsx", "/index.html"]) {
      const { status, headers, body } = await raw(server.base, path, html)
      assert.deepStrictEqual([status, body.toString()], [200, page("one")], path)
      assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
      assert.strictEqual(headers["cache-control"], "no-cache")
      assert.strictEqual(headers["content-security-policy"], policy)
      assert.strictEqual(headers["cross-origin-opener-policy"], "same-origin")
      assert.strictEqual(headers["cross-origin-resource-policy"], "same-origin")
      assert.isDefined(headers["permissions-policy"])
      assertGuarded(headers)
    }
  })

  it("200 serves hashed files as immutable, in the smallest encoding that the client accepts", async () => {
    const path = "/assets/index-AbC_1-2.js"
    const br = await raw(server.base, path, { "accept-encoding": "gzip, deflate, br, zstd" })
    const gzip = await raw(server.base, path, { "accept-encoding": "gzip, br;q=0" })
    const plain = await raw(server.base, path, { "accept-encoding": "identity" })
    for (const { status, headers } of [br, gzip, plain]) {
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
      assert.strictEqual(headers["content-type"], "text/javascript; charset=utf-8")
      assert.strictEqual(headers["vary"], "accept-encoding")
      assertGuarded(headers)
    }
    const encodings = [br, gzip, plain].map(({ headers }) => headers["content-encoding"])
    assert.deepStrictEqual(encodings, ["br", "gzip", undefined])
    const texts = [brotliDecompressSync(br.body), gunzipSync(gzip.body), plain.body].map(String)
    assert.deepStrictEqual(texts, [script, script, script])
    assert.strictEqual(Number(br.headers["content-length"]), br.body.length)
    const font = await raw(server.base, "/assets/font-1.woff2", { "accept-encoding": "br" })
    assert.deepStrictEqual([font.headers["content-encoding"], font.headers["content-type"]], [undefined, "font/woff2"])
  })

  it("304 without a body for a page that the browser has", async () => {
    const { headers } = await raw(server.base, "/", html)
    const again = await raw(server.base, "/", { ...html, "if-none-match": String(headers["etag"]) })
    assert.deepStrictEqual([again.status, again.body.length, again.headers["etag"]], [304, 0, headers["etag"]])
    assertGuarded(again.headers)
    const other = await raw(server.base, "/", { ...html, "if-none-match": 'W/"other"' })
    assert.strictEqual(other.status, 200)
  })

  it("HEAD is a GET without its body", async () => {
    const response = await fetch(`${server.base}/`, { method: "HEAD", headers: html })
    assert.deepStrictEqual([response.status, await response.text()], [200, ""])
  })

  it("404 as JSON for paths of the API without a route, and for files that the page does not have", async () => {
    const none = [
      "/v1/nothing",
      "/v1",
      "/session/x",
      "//v1/x",
      "/assets/unknown.js",
      "/assets/",
      "/assets",
      "/unknown.js"
    ]
    for (const path of none)
      for (const headers of path === "/unknown.js" ? [{}] : [{}, html]) {
        const { status, body, headers: answered } = await raw(server.base, path, headers)
        assert.strictEqual(status, 404, path)
        assert.strictEqual(JSON.parse(body.toString()).error.code, "not_found")
        assertGuarded(answered)
      }
    const { status, body } = await raw(server.base, "/v1/check", html)
    assert.deepStrictEqual([status, JSON.parse(body.toString()).error.code], [405, "request_failed"])
  })

  it("no file outside the page is served, whatever the spelling of the path", async () => {
    writeFileSync(join(server.folder, "..", "outside.js"), "outside")
    symlinkSync("/etc", join(server.folder, "assets/etc"))
    const paths = [
      "/../outside.js",
      "/assets/../../outside.js",
      "/assets/..%2f..%2foutside.js",
      "/assets/%2e%2e/icon.svg",
      "/assets/..\\..\\outside.js",
      "/assets/etc/hostname",
      "/assets/etc",
      "/assets//icon.svg",
      "/assets/.hidden.js",
      "/.sources",
      "/manifest.json",
      "/assets/index-AbC_1-2.js%00.css",
      "/%2e%2e/outside.js",
      "/assets/a/b.js"
    ]
    for (const path of paths) {
      const { status, body } = await raw(server.base, path)
      assert.include([400, 404], status, path)
      assert.notMatch(body.toString(), /outside|secret|localhost/, path)
    }
  })

  it("200 serves a rebuilt page, even if the previous one has been served", async () => {
    assert.strictEqual((await raw(server.base, "/", html)).body.toString(), page("one"))
    writeFileSync(join(server.folder, "index.html"), page("two"))
    utimesSync(join(server.folder, "index.html"), new Date(), new Date(Date.now() + 5000))
    assert.strictEqual((await raw(server.base, "/", html)).body.toString(), page("two"))
  })

  it("200 serves a file that could not be read before, even if its time is unchanged", async () => {
    const path = join(server.folder, "robots.txt")
    const at = new Date("2026-01-01")
    writeFileSync(path, "")
    // More than Node reads into memory.
    truncateSync(path, 2 ** 32)
    utimesSync(path, at, at)
    assert.strictEqual((await raw(server.base, "/robots.txt")).status, 404)
    writeFileSync(path, "none")
    utimesSync(path, at, at)
    assert.strictEqual((await raw(server.base, "/robots.txt")).body.toString(), "none")
  })
})

it("503 says that the page is being built; it is served as soon as it is there", async () => {
  const server = await serving(() => {})
  const { status, headers, body } = await raw(server.base, "/watches", html)
  assert.deepStrictEqual([status, headers["content-type"]], [503, "text/html; charset=utf-8"])
  assert.include(body.toString(), "is being built")
  assert.deepStrictEqual([headers["retry-after"], headers["cache-control"]], ["2", "no-store"])
  assert.strictEqual(headers["content-security-policy"], policy)
  assertGuarded(headers)
  built(server.folder)
  assert.strictEqual((await raw(server.base, "/watches", html)).status, 200)
  await server.stop()
})

describe("the reference", () => {
  let server: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => void (server = await listening(Reference.layer)))
  afterAll(() => server.stop())

  const kinds = [
    ["/docs", "text/html; charset=utf-8", 1_000_000],
    ["/openapi.json", "application/json", 50_000]
  ] as const

  it.each(kinds)(
    "200 serves %s in the smallest encoding that the client accepts, 304 if the client has it",
    async (path, type, most) => {
      const [br, gzip, plain] = [
        await raw(server.base, path, { "accept-encoding": "gzip, deflate, br, zstd" }),
        await raw(server.base, path, { "accept-encoding": "gzip, br;q=0" }),
        await raw(server.base, path)
      ]
      const [{ etag, "content-security-policy": policy }] = [plain.headers]
      for (const { headers, status } of [br, gzip, plain]) {
        assert.strictEqual(status, 200)
        assert.deepInclude(headers, { "content-type": type, "cache-control": "no-cache", vary: "accept-encoding" })
        assert.deepStrictEqual([headers["etag"], headers["content-security-policy"]], [etag, policy])
        assertGuarded(headers)
      }
      assert.deepStrictEqual(
        [br, gzip, plain].map(({ body, headers }) => [
          headers["content-encoding"],
          Number(headers["content-length"]) - body.length
        ]),
        [
          ["br", 0],
          ["gzip", 0],
          [undefined, 0]
        ]
      )
      assert.isTrue(brotliDecompressSync(br.body).equals(plain.body))
      assert.isTrue(gunzipSync(gzip.body).equals(plain.body))
      for (const { body } of [br, gzip]) assert.isBelow(body.length, most)
      const again = await raw(server.base, path, { "accept-encoding": "br", "if-none-match": String(etag) })
      assert.deepStrictEqual([again.status, again.body.length, again.headers["etag"]], [304, 0, etag])
      assertGuarded(again.headers)
    }
  )
})

/** Opens the program's page, signs in, and calls the API with the cookie: a read, and a change without and with the token. */
const signInFromPage = async (page: Page, program: Program, key: string) => {
  await page.goto(`${program.base}/`)
  return page.evaluate(`(async (key) => {
    const headers = { "content-type": "application/json" }
    const made = await fetch("/session", { method: "POST", headers, body: JSON.stringify({ key }) })
    const { csrf_token: token } = await made.json()
    const read = await fetch("/v1/models")
    const change = (more) =>
      fetch("/v1/check", { method: "POST", headers: { ...headers, ...more }, body: "{}" }).then(({ status }) => status)
    const statuses = [made.status, read.status, await change({}), await change({ "x-csrf-token": token })]
    return { statuses, cookie: document.cookie }
  })(${JSON.stringify(key)})`)
}

describe("the program", () => {
  let program: Program
  let own: Awaited<ReturnType<typeof installation>>
  let browser: Browser
  beforeAll(async () => {
    own = await installation()
    program = await startProgram(own)
    browser = await chromium.launch({ executablePath: process.env["SIGHTLINE_CHROMIUM"] ?? "", args: ["--no-sandbox"] })
  })
  afterAll(() => Promise.all([browser.close(), program.stop()]))

  it("prints where the dashboard is", () => assert.include(program.output(), `Dashboard  ${program.base}/\n`))

  it("no page can be framed, including the reference, and no response of the API may be cached", async () => {
    const { key } = await customer(program, own.ADMIN_TOKEN)
    for (const path of ["/", "/watches", "/billing", "/docs"])
      assertGuarded((await raw(program.base, path, html)).headers)
    assert.strictEqual((await raw(program.base, "/docs", html)).status, 200)
    const bodies = [{ key, body: { query: "q", brand: "b" } }, { key, body: {} }, {}]
    for (const options of bodies) {
      const { headers } = await call(`${program.base}/v1/check`, options)
      assertGuarded(Object.fromEntries(headers))
      assert.strictEqual(headers.get("cache-control"), "no-store")
    }
  })

  it("Chromium stores the session cookie of a loopback page, hides it from scripts, and sends it back", async () => {
    const { key } = await customer(program, own.ADMIN_TOKEN, 0)
    const page = await browser.newPage()
    assert.deepStrictEqual(await signInFromPage(page, program, key), { statuses: [201, 200, 403, 400], cookie: "" })
    const [cookie] = await page.context().cookies()
    assert.deepInclude(cookie, {
      name: "__Host-sightline",
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
      path: "/"
    })
    await page.close()
  })

  it("Chromium lets a page of another origin neither sign in, nor read, nor change, nor frame", async () => {
    const { key } = await customer(program, own.ADMIN_TOKEN, 0)
    const other = await serving(built)
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInFromPage(page, program, key)
    const before = await context.cookies()
    // Without the policy of the dashboard's own page, like an attacker's page.
    const evil = { contentType: "text/html", body: "<title>evil</title>" }
    await page.route(`${other.base}/**`, (route) => route.fulfill(evil))
    await page.goto(`${other.base}/`)
    const seen = await page.evaluate(`(async (base, key) => {
      const outcome = (path, init) =>
        fetch(base + path, { ...init, credentials: "include" }).then(({ status }) => status, () => "refused")
      const plain = { "content-type": "text/plain" }
      const frame = document.createElement("iframe")
      const framed = new Promise((resolve) => frame.addEventListener("load", resolve))
      frame.src = base + "/"
      document.body.append(frame)
      await framed
      return [
        await outcome("/session", { method: "POST", headers: plain, body: JSON.stringify({ key }) }),
        await outcome("/session", { method: "POST", mode: "no-cors", headers: plain, body: JSON.stringify({ key }) }),
        await outcome("/v1/models", {}),
        await outcome("/session", { method: "DELETE" }),
        frame.contentDocument === null
      ]
    })(${JSON.stringify(program.base)}, ${JSON.stringify(key)})`)
    assert.deepStrictEqual(seen, ["refused", "refused", "refused", "refused", true])
    assert.deepStrictEqual(await context.cookies(), before)
    await page.goto(`${program.base}/`)
    assert.strictEqual(await page.evaluate(`fetch("/session").then(({ status }) => status)`), 200)
    await context.close()
    await other.stop()
  })
})

it("Chromium runs only the page's own files: no inline script, no markup from text, no foreign image", async () => {
  const hostile = `<!doctype html><body onload="globalThis.inline = 1"><script>globalThis.inline = 1</script>
    <img src="https://evil.example/a.png"><script src="/assets/index-1.js"></script></body>`
  const server = await serving((folder) => {
    built(folder)
    writeFileSync(join(folder, "index.html"), hostile)
    writeFileSync(
      join(folder, "assets/index-1.js"),
      `globalThis.own = 1
      try { document.body.innerHTML = "<b>x</b>" } catch { globalThis.kept = 1 }
      try { globalThis.eval("globalThis.inline = 1") } catch { globalThis.unevaluated = 1 }
      try { trustedTypes.createPolicy("default", {}) } catch { globalThis.unpolicied = 1 }`
    )
  })
  const browser = await chromium.launch({
    executablePath: process.env["SIGHTLINE_CHROMIUM"] ?? "",
    args: ["--no-sandbox"]
  })
  const tab = await browser.newPage()
  const asked: Array<string> = []
  tab.on("requestfinished", (request) => asked.push(request.url()))
  await tab.goto(`${server.base}/`)
  const seen = await tab.evaluate(() =>
    ["inline", "own", "kept", "unevaluated", "unpolicied"].map((name) => Reflect.get(globalThis, name))
  )
  assert.deepStrictEqual(seen, [undefined, 1, 1, 1, 1])
  assert.isTrue(asked.every((url) => url.startsWith(server.base)))
  await browser.close()
  await server.stop()
})
