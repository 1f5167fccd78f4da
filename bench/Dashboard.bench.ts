/**
 * What opening the dashboard costs: the overview of a customer with 10,000 checks, for a signed-in user with an empty
 * browser cache, against the whole program on a Postgres of its own.
 *
 * Unit: milliseconds from the navigation to the first contentful paint, and to the appearance of the chart, the median of
 * five visits; kilobytes of everything the first page loads, after gzip. Limit: the promised figures; the ratio is
 * limit / value.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Browser, type BrowserContext, chromium } from "playwright-core"
import { findChromium } from "@sightline/platforms/browser/FindChromium"
import { start } from "@sightline/store/EmbeddedPostgres"
import * as Postgres from "@sightline/store/Postgres"
import { seedChecks } from "../test/http/manyChecks.ts"
import { type Bench, median, type Row } from "./Bench.ts"
import { startProgram } from "./http/program.ts"

const checks = 10_000
const visits = 5
const millisMax = 1500
const kilobytesMax = 250

/** Records when the chart first appears. Runs in the page before the page's own scripts. */
const noting = `
  const look = () => {
    if (document.querySelector("main figure svg[role=img]") === null) requestAnimationFrame(look)
    else globalThis.chartAt = performance.now()
  }
  look()`

const paint = `new Promise((resolve) => {
  const look = () => {
    const [first] = performance.getEntriesByName("first-contentful-paint")
    if (first === undefined || globalThis.chartAt === undefined) requestAnimationFrame(look)
    else resolve([first.startTime, globalThis.chartAt])
  }
  look()
})`

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>

const signIn = async (browser: Browser, base: string, key: string): Promise<Cookies> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(base)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("navigation", { name: "Pages" }).waitFor()
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** One visit with an empty cache: the two durations, and the kilobytes that were loaded, after gzip. */
const visit = async (browser: Browser, base: string, cookies: Cookies) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.addCookies(cookies)
  await context.addInitScript(noting)
  const page = await context.newPage()
  const bodies: Array<Promise<Buffer>> = []
  page.on("response", (response) => {
    if (!/\/(?:v1|session)\b/.test(response.url())) bodies.push(response.body())
  })
  await page.goto(base)
  const [painted = Number.NaN, charted = Number.NaN]: ReadonlyArray<number> = await page.evaluate(paint)
  const packed = (await Promise.all(bodies)).map((body) => gzipSync(body).length)
  await context.close()
  return { painted, charted, kilobytes: packed.reduce((sum, bytes) => sum + bytes, 0) / 1000 }
}

/** Ten thousand checks of the only account. */
const seeding = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [account] = yield* sql<{ readonly id: string }>`SELECT id FROM accounts WHERE name = 'bench'`
  const pair = { brand: "HubSpot", query: "best crm for a small company" }
  yield* seedChecks({ accountId: account?.id ?? "", environment: "test", ...pair, checks, days: 30 })
  yield* sql`VACUUM ANALYZE check_records, check_results, answer_texts, charges`
})

const measured = async (browser: Browser, base: string, key: string): Promise<ReadonlyArray<Row>> => {
  const cookies = await signIn(browser, base, key)
  const seen: Array<Awaited<ReturnType<typeof visit>>> = []
  for (let n = 0; n < visits; n++) seen.push(await visit(browser, base, cookies))
  const row = (subject: string, unit: string, value: number, limit: number): Row => {
    return { subject, unit, value, limit, ratio: limit / value, target: 1 }
  }
  return [
    row(`overview of ${checks} checks: first paint`, "ms", median(seen.map(({ painted }) => painted)), millisMax),
    row(`overview of ${checks} checks: chart there`, "ms", median(seen.map(({ charted }) => charted)), millisMax),
    row("first page after gzip", "kB", median(seen.map(({ kilobytes }) => kilobytes)), kilobytesMax)
  ]
}

const run = async (): Promise<ReadonlyArray<Row>> => {
  const found = findChromium(process.env["SIGHTLINE_CHROMIUM"], process.env["PATH"] ?? "")
  if ("missing" in found) throw new Error(found.missing)
  execFileSync(process.execPath, ["apps/dashboard/build.ts"])
  const dataDir = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  const scope = Scope.makeUnsafe()
  try {
    const address = await Effect.runPromise(Scope.provide(start({ dataDir }), scope))
    if (!("socket" in address)) throw new Error("the bundled Postgres listens on a socket")
    const url = `postgres:///postgres?host=${join(address.socket, "..")}&user=postgres`
    const secret = randomBytes(32).toString("base64")
    const { base, key, stop } = await startProgram({ DATABASE_URL: url, SECRET_KEY: secret, CHROMIUM_PATH: "off" })
    const browser = await chromium.launch({ executablePath: found.path, args: ["--disable-gpu"] })
    try {
      const layer = Postgres.layer({ url: Redacted.make(url) }, { maxConnections: 1, silenceMax: "5 minutes" })
      await Effect.runPromise(Effect.provide(seeding, layer))
      return await measured(browser, base, key)
    } finally {
      await browser.close()
      await stop()
    }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The bench of the dashboard's first page. */
export const bench: Bench = { name: "dashboard", run }
