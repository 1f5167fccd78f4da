import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { type Browser, type BrowserContext, chromium as driver, type Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll } from "vitest"
import * as Postgres from "@sightline/store/Postgres"
import { customer, installation, operator, type Program, startProgram } from "../http/program.ts"
import { chromium } from "../platforms/browser/Captures.ts"

const repository = join(import.meta.dirname, "../..")

/** The folder for what the tests see: pictures and figures. */
export const kept = join(repository, "build/e2e")

/** What must never happen on a page, whatever it shows. */
export interface Violations {
  readonly dialogs: Array<string>
  /** Requests to anywhere but the program. */
  readonly foreign: Array<string>
  /** What the page's policy had to block. */
  readonly reports: Array<string>
  /** What scripts threw or logged as errors, and answers with server errors. */
  readonly errors: Array<string>
}

/** A program that serves the page, and a browser to open it in. */
export interface Dashboard {
  readonly base: string
  readonly program: Program
  readonly env: Readonly<Record<string, string>>
  /** A customer of its own, with credits in the wallet of the given environment. */
  readonly newCustomer: (options?: {
    readonly environment?: "live" | "test"
    readonly credits?: number
    readonly read_only?: boolean
  }) => Promise<{ readonly account: string; readonly keyId: string; readonly key: string }>
  /** A browser profile of its own, watched for violations; closed when the test ends. */
  readonly open: (options?: Visit) => Promise<Page>
  /** The same, signed in through the page. */
  readonly signIn: (key: string, options?: Visit) => Promise<Page>
  /** The violations in this test; a test that provokes one removes it. */
  readonly violations: Violations
}

/** How a visitor views the page. */
export interface Visit {
  readonly colours?: "light" | "dark"
  readonly width?: number
  readonly path?: string
  /** The visitor's language and region, which set the notation of numbers and dates. */
  readonly zone?: string
  readonly locale?: string
}

/** The longest wait for anything on the page. */
const waitMaxMillis = 10_000

const building = promisify(execFile)

// Test files run concurrently, and only one of them may build the page.
const buildOnce = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The holder of the lock may be building the page, which can take longer than a statement timeout on a busy machine.
  yield* sql`SET statement_timeout = 0`
  // A session lock on the layer's only connection: a transaction that is idle for long would be ended.
  yield* sql`SELECT pg_advisory_lock(7)`
  yield* Effect.promise(() => building(process.execPath, ["apps/dashboard/build.ts"], { cwd: repository }))
})

const buildPage = () => {
  const socket = process.env["SIGHTLINE_TEST_POSTGRES"] ?? ""
  const url = Redacted.make(`postgres:///postgres?host=${dirname(socket)}&user=postgres`)
  // The connection is idle while the page is built, here or by the holder of the lock.
  const layer = Postgres.layer({ url }, { maxConnections: 1, silenceMax: "2 minutes" })
  return Effect.runPromise(buildOnce.pipe(Effect.provide(layer)))
}

const none = (): Violations => ({ dialogs: [], foreign: [], reports: [], errors: [] })

// The browser itself logs each refused request; the page's handling of it is tested elsewhere.
const refused = /^Failed to load resource: the server responded with a status of 4\d\d/

/** Runs in the page before the page's own code. */
const reporting = () => {
  document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective, sample }) => {
    Reflect.get(globalThis, "reportPolicy")(`${effectiveDirective} ${blockedURI} ${sample}`)
  })
}

const watch = async (context: BrowserContext, base: string, seen: () => Violations) => {
  context.on("dialog", (dialog) => {
    seen().dialogs.push(`${dialog.type()} ${dialog.message()}`)
    // A dialog that closed with its page cannot be dismissed.
    dialog.dismiss().catch(() => undefined)
  })
  context.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${base}/`) && !url.startsWith(`blob:${base}/`)) seen().foreign.push(url)
  })
  context.on("response", (response) => {
    if (response.status() >= 500) seen().errors.push(`${response.status()} ${response.url()}`)
  })
  context.on("weberror", (failure) => seen().errors.push(String(failure.error().stack)))
  context.on("console", (message) => {
    if (message.type() === "error" && !refused.test(message.text())) seen().errors.push(message.text())
  })
  await context.exposeBinding("reportPolicy", (_, report: string) => void seen().reports.push(report))
  await context.addInitScript(reporting)
}

/** Signs in like a person. */
export const enter = async (page: Page, key: string) => {
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "Skip to content" }).waitFor({ state: "attached" })
}

/** Goes to the named page by clicking in the navigation. */
export const go = async (page: Page, name: string) => {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click()
  await page.waitForFunction(loaded)
}

/** The form of a new watch, with its required fields filled in. */
export const fillWatch = async (page: Page, webhookUrl: string) => {
  await go(page, "Watches")
  await page.getByRole("button", { name: "New watch" }).click()
  const dialog = page.getByRole("dialog", { name: "New watch" })
  await dialog.getByLabel("Question").fill("best running shoes")
  await dialog.getByLabel("Brand").fill("Nike")
  await dialog.getByLabel("Webhook URL").fill(webhookUrl)
  return dialog
}

/** Whether a page is loaded with its data. Runs in the page. */
export const loaded = () =>
  document.querySelector("main h1") !== null && document.querySelector("[role=status][aria-label^=Loading]") === null

/** The file that a click downloads. */
export const download = async (page: Page, click: () => Promise<void>) => {
  const [saved] = await Promise.all([page.waitForEvent("download"), click()])
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), "utf8") }
}

/** Keeps a screenshot of the whole page. */
export const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(kept, `${name}.png`), fullPage: true, animations: "disabled" })

/**
 * The dashboard for the tests of a file: built, served and opened once; after each test, no violation may have happened.
 *
 * Shape: called at the top of the file; what it returns may be used within tests and later hooks.
 */
export const useDashboard = (
  settings: () => Promise<Readonly<Record<string, string>>> = async () => ({})
): Dashboard => {
  let program: Program
  let browser: Browser
  let env: Awaited<ReturnType<typeof installation>>
  let violations = none()
  const contexts: Array<BrowserContext> = []

  beforeAll(async () => {
    mkdirSync(kept, { recursive: true })
    await buildPage()
    env = await installation()
    program = await startProgram({ ...env, ...(await settings()) })
    browser = await driver.launch({ executablePath: chromium(), args: ["--disable-gpu"] })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await program?.stop()
  })

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail")
      for (const [n, page] of contexts.flatMap((context) => context.pages()).entries())
        await picture(page, `failed/${task.name.replaceAll(/\W+/g, "-").slice(0, 80)}-${n}`).catch(() => undefined)
    // A page may send a request as it closes, for which a test's route can no longer fetch an answer.
    const close = async (context: BrowserContext) => {
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })))
      await context.close()
    }
    await Promise.all(contexts.splice(0).map(close))
    const seen = violations
    violations = none()
    // What the page sees of it does not give its cause.
    assert.deepEqual(seen, none(), `The page had violations; the program said last: ${program.output().slice(-4000)}`)
  })

  const open = async ({ colours = "light", path = "/", width = 1280, zone = "UTC", locale = "en-US" }: Visit = {}) => {
    const context = await browser.newContext({
      viewport: { width, height: width < 600 ? 844 : 900 },
      colorScheme: colours,
      reducedMotion: "reduce",
      locale,
      timezoneId: zone,
      permissions: ["clipboard-read", "clipboard-write"]
    })
    context.setDefaultTimeout(waitMaxMillis)
    contexts.push(context)
    await watch(context, program.base, () => violations)
    const page = await context.newPage()
    await page.goto(program.base + path)
    return page
  }

  return {
    get base() {
      return program.base
    },
    get program() {
      return program
    },
    get env() {
      return env
    },
    get violations() {
      return violations
    },
    newCustomer: async ({ environment = "test", credits = 100_000, ...options } = {}) => {
      const made = await customer(program, env.ADMIN_TOKEN, 0, { environment, ...options })
      if (credits > 0) await operator(program, env.ADMIN_TOKEN).topUp(made.account, credits, environment)
      return made
    },
    open,
    signIn: async (key, visit) => {
      const page = await open(visit)
      await enter(page, key)
      return page
    }
  }
}
