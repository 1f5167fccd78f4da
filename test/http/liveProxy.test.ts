/**
 * Captures for live keys in the browser of the whole program: the pages they open, their proxies, and that test keys do not delay them.
 *
 * Planted and seen red: the proxies not passed to the browser; no slots reserved for live keys.
 */
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { afterAll, assert, it } from "vitest"
import { listen } from "../services/listen.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { waitUntil } from "./waiting.ts"

const chromium = [
  process.env["SIGHTLINE_CHROMIUM"] ?? "",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium"
].find((path) => existsSync(path))

/** The hosts that the proxy was asked for; it refuses each. */
const sought: Array<string | undefined> = []
const proxy = createServer()
proxy.on("connect", ({ url }, socket) => {
  sought.push(url)
  socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
})
const address = `http://127.0.0.1:${await listen(proxy)}`
afterAll(() => proxy.close())

const { env, program } = await started({
  CHROMIUM_PATH: chromium ?? "no Chromium: run this through infra/services",
  LIVE_CAPTURE: "browser",
  GEO_PROXIES: JSON.stringify({ us: address, ca: address, au: address })
})
const { account, key } = await customer(program, env.ADMIN_TOKEN)
const api = operator(program, env.ADMIN_TOKEN)
await api.topUp(account, 10_000, "live")
const live = await api.key(account, { environment: "live" })

const check = (key: string, body: object) =>
  call(`${program.base}/v1/check`, { key, body: { query: "best kettle", brand: "Acme", ...body } })

it("200: each region is asked at its own Google through its proxy, and not at all without a proxy", async () => {
  for (const [region, asked] of [
    ["us", "www.google.com:443"],
    ["ca", "www.google.ca:443"],
    ["au", "www.google.com.au:443"],
    ["uk", undefined]
  ] as const) {
    sought.length = 0
    const { body } = await check(live.key, { mode: "ai_overview", region })
    assert.deepEqual([body.errors.ai_overview.code, body.cost_cents], ["upstream_unavailable", 0], region)
    assert.deepEqual([...new Set(sought)], asked === undefined ? [] : [asked])
  }
})

it("200: a live key does not wait for the pages of test keys, however many there are", async () => {
  const query = "best kettle [[sandbox:latency=15s;answer]]"
  const rehearsed = Promise.race(Array.from({ length: 10 }, () => check(key, { mode: "ai_mode", query })))
  await waitUntil(
    "the rehearsals under way",
    async () => (await call(`${program.base}/v1/wallet`, { key })).body.held_cents === 350
  )
  const first = await Promise.race([rehearsed, check(live.key, { mode: "bing_copilot", region: "us" })])
  assert.deepEqual([first.body.cost_cents, Object.keys(first.body.errors ?? {})], [0, ["bing_copilot"]])
})
