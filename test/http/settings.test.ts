/**
 * Settings that stop a start: one line on standard error names the setting.
 *
 * Planted and seen red:
 * - a malformed PORT replaced by its default;
 * - SECRET_KEY of any length, or a byte shorter or longer;
 * - white space taken for a value;
 * - the stack of the cause printed;
 * - missing credentials of a chosen vendor accepted;
 * - a proxy without its port;
 * - the URL of the database printed;
 * - a failed start that exits with 0;
 * - a malformed range accepted;
 * - local receivers allowed in production;
 * - no message for a port in use;
 * - an empty file taken for the operator token;
 * - the port named when the host is wrong;
 * - endless retries for a folder that cannot be created;
 * - the configured port printed instead of the bound one;
 * - one key for every purpose;
 * - a version path or a query accepted in a vendor's URL;
 * - a token and a vendor key accepted that no header can carry;
 * - invalid credentials reported as a fault of NATS_URL, not passed on, or accepted in part;
 * - a port that is not a whole number;
 * - an unknown role in a list accepted, or the setting of an unknown surface ignored;
 * - a worker that no API could reach;
 * - NATS required where it is not needed;
 * - a vendor under the address of another;
 * - any environment taken for production, or production not recognised with a line ending;
 * - a host that looks like a version refused;
 * - no check of the browser's working folder;
 * - the first line of a parser's message for a table of models, which has no place, and unknown fields of a model left out;
 * - a missing file or program noticed only after the database is created;
 * - the folder named for a token that was not set;
 * - one port accepted for both listeners, also where one listens on every address, or refused where they have two addresses, or where it is
 *   0.
 */
import { LlmPlatform } from "@sightline/domain/Platform"
import { chromiumFor } from "@sightline/server/captures/Chromium"
import { loadModels } from "@sightline/server/captures/Models"
import { loadSecrets } from "@sightline/server/settings/Secrets"
import { readSettings } from "@sightline/server/settings/Settings"
import { Duration, Effect, Option, Redacted } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { compiled } from "../services/compiled.ts"
import { freePort } from "../services/freePort.ts"
import { listen } from "../services/listen.ts"
import { call, installation, startProgram } from "./program.ts"

const key = Buffer.alloc(32, 7).toString("base64")
const external = { DATABASE_URL: "postgres://127.0.0.1:1/none", SECRET_KEY: key, ADMIN_TOKEN: "0123456789" }

const dataDir = mkdtempSync(join(tmpdir(), "sightline-settings-"))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = (env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number | null; readonly stderr: string }>((resolve) => {
    const child = spawn(process.execPath, ["apps/server/start.ts"], {
      env: { ...compiled, PATH: process.env["PATH"], DATA_DIR: dataDir, ...env },
      // The timeout ends a start that succeeds contrary to the test.
      timeout: 60_000
    })
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.once("exit", (code) => resolve({ code, stderr }))
  })

// A user without the seed that proves its identity.
const halfCredentials = join(dataDir, "half.creds")
writeFileSync(halfCredentials, "-----BEGIN NATS USER JWT-----\na\n------END NATS USER JWT------\n")

const dataForSeo = { DATAFORSEO_LOGIN: "l", DATAFORSEO_PASSWORD: "p" }

const wrong: ReadonlyArray<readonly [name: string, env: Readonly<Record<string, string>>]> = [
  ["PORT", { PORT: "80800" }],
  ["PORT", { PORT: "65536" }],
  ["PORT", { PORT: "80.5" }],
  ["PORT", { PORT: "8081" }],
  ["PORT", { HOST: "0.0.0.0", PORT: "8081" }],
  ["PORT", { ADMIN_HOST: "::", ADMIN_PORT: "8080" }],
  ["ADMIN_PORT", { ADMIN_PORT: "http" }],
  ["ADMIN_TOKEN", { ADMIN_TOKEN: "short" }],
  ["ADMIN_TOKEN", { ADMIN_TOKEN: "seven-7" }],
  ["ADMIN_TOKEN", { ADMIN_TOKEN: "pass-words hunter2" }],
  ["ADMIN_TOKEN", { ADMIN_TOKEN: "geschlüsselt" }],
  ["ADMIN_TOKEN", { ...external, ADMIN_TOKEN: "" }],
  ["ROLES", { ROLES: "api,woker" }],
  ["NATS_URL", { ...external, ROLES: "api" }],
  ["NATS_URL", { ...external, ROLES: "worker" }],
  ["NATS_URL", { ROLES: "worker,scheduler" }],
  ["NATS_URL", { NATS_URL: "http://127.0.0.1" }],
  ["NATS_URL", { NATS_URL: "nats://127.0.0.1,http://127.0.0.1" }],
  ["NATS_URL", { NATS_URL: "wss://127.0.0.1" }],
  ["NATS_CREDS", { NATS_URL: "nats://127.0.0.1:1", NATS_CREDS: "/nowhere.creds" }],
  ["NATS_CREDS", { NATS_URL: "nats://127.0.0.1:1", NATS_CREDS: "package.json" }],
  ["NATS_CREDS", { NATS_URL: "nats://127.0.0.1:1", NATS_CREDS: halfCredentials }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://127.0.0.1/x" }],
  ["SECRET_KEY", { ...external, SECRET_KEY: "" }],
  ["SECRET_KEY", { ...external, SECRET_KEY: Buffer.alloc(16).toString("base64") }],
  ["SECRET_KEY", { ...external, SECRET_KEY: Buffer.alloc(31).toString("base64") }],
  ["SECRET_KEY", { ...external, SECRET_KEY: Buffer.alloc(33).toString("base64") }],
  ["SECRET_KEY", { ...external, SECRET_KEY: `!${key}` }],
  ["OPENAI_API_KEY", { OPENAI_API_KEY: "sk-hunter2…" }],
  ["ANTHROPIC_API_KEY", { ANTHROPIC_API_KEY: "sk-ant hunter2" }],
  ["OPENAI_BASE_URL", { OPENAI_BASE_URL: "api.openai.com" }],
  ["OPENAI_BASE_URL", { OPENAI_BASE_URL: "https://api.openai.com/v1" }],
  ["OPENAI_BASE_URL", { OPENAI_BASE_URL: "https://api.openai.com?key=hunter2" }],
  ["OPENAI_BASE_URL", { OPENAI_BASE_URL: "https://hunter2@api.openai.com" }],
  ["ANTHROPIC_BASE_URL", { ANTHROPIC_BASE_URL: "https://127.0.0.1/anthropic/V1/" }],
  ["GEMINI_BASE_URL", { GEMINI_BASE_URL: "https://generativelanguage.googleapis.com/v1beta" }],
  ["PERPLEXITY_BASE_URL", { PERPLEXITY_BASE_URL: "https://api.perplexity.ai/#" }],
  ["MODELS_FILE", { MODELS_FILE: "/nowhere.json" }],
  ["MODELS_FILE", { MODELS_FILE: "package.json" }],
  ["SANDBOX_SEED", { SANDBOX_SEED: "one" }],
  ["TOPUP_URL", { TOPUP_URL: "billing" }],
  ["TOPUP_URL", { TOPUP_URL: "https://:hunter2@example.com" }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "127.0.0.1" }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "127.0.0.0/33" }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "::1/129" }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "127.0.0.0/8,localhost/8" }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "127.0.0.0/8," }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "127.0.0.0/8", NODE_ENV: "production" }],
  ["DELIVERY_ALLOW_CIDRS", { DELIVERY_ALLOW_CIDRS: "127.0.0.0/8", NODE_ENV: "production\r" }],
  ["NODE_ENV", { NODE_ENV: "prod" }],
  ["NODE_ENV", { NODE_ENV: "Production" }],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://u:hunter2@collector:4318" }],
  ["DELIVERY_RETRY_DELAYS", { DELIVERY_RETRY_DELAYS: "60s" }],
  ["DELIVERY_RETRY_DELAYS", { DELIVERY_RETRY_DELAYS: "60s,300s,600s" }],
  ["DELIVERY_RETRY_DELAYS", { DELIVERY_RETRY_DELAYS: "60,300" }],
  ["DELIVERY_RETRY_DELAYS", { DELIVERY_RETRY_DELAYS: "0s,300s" }],
  ["DELIVERY_RETRY_DELAYS", { DELIVERY_RETRY_DELAYS: "60s,25h" }],
  ["LIVE_CAPTURE", { LIVE_CAPTURE: "on" }],
  ["LIVE_CAPTURE", { ...dataForSeo, LIVE_CAPTURE: "cloro" }],
  ["LIVE_CAPTURE_CHATPGT", { LIVE_CAPTURE_CHATPGT: "browser" }],
  ["LIVE_CAPTURE_PERPLEXITY_LIVE", { LIVE_CAPTURE_PERPLEXITY_LIVE: "off" }],
  ["LIVE_CAPTURE_AI_MODE", { LIVE_CAPTURE_AI_MODE: "vendor" }],
  ["LIVE_CAPTURE_PERPLEXITY", { ...dataForSeo, LIVE_CAPTURE_PERPLEXITY: "dataforseo" }],
  ["LIVE_CAPTURE_BING_COPILOT", { CLORO_API_KEY: "k", LIVE_CAPTURE_BING_COPILOT: "cloro" }],
  ["DATAFORSEO_LOGIN", { LIVE_CAPTURE: "dataforseo", DATAFORSEO_PASSWORD: "p" }],
  ["DATAFORSEO_LOGIN", { ...dataForSeo, DATAFORSEO_LOGIN: "l:hunter2" }],
  ["DATAFORSEO_PASSWORD", { LIVE_CAPTURE_GEMINI: "dataforseo", DATAFORSEO_LOGIN: "l" }],
  ["DATAFORSEO_BASE_URL", { DATAFORSEO_BASE_URL: "api.dataforseo.com" }],
  ["DATAFORSEO_BASE_URL", { DATAFORSEO_BASE_URL: "https://api.dataforseo.com/v3//" }],
  ["CLORO_API_KEY", { LIVE_CAPTURE_PERPLEXITY: "cloro" }],
  ["CLORO_API_KEY", { CLORO_API_KEY: "“hunter2”" }],
  ["CLORO_BASE_URL", { CLORO_BASE_URL: "api.cloro.dev" }],
  ["CLORO_BASE_URL", { CLORO_BASE_URL: "https://api.cloro.dev/v1" }],
  ["CHROMIUM_PATH", { CHROMIUM_PATH: "/nowhere/chromium" }],
  ["CHROMIUM_PATH", { CHROMIUM_PATH: "/tmp" }],
  ["CHROMIUM_PATH", { LIVE_CAPTURE: "browser", PATH: "/nowhere" }],
  ["CHROMIUM_PATH", { LIVE_CAPTURE_AI_MODE: "browser", CHROMIUM_PATH: "off" }],
  ["GEO_PROXIES", { GEO_PROXIES: "http://127.0.0.1:8000" }],
  ["GEO_PROXIES", { GEO_PROXIES: '{"us":"http://127.0.0.1:8000"' }],
  ["GEO_PROXIES", { GEO_PROXIES: '{"de":"http://127.0.0.1:8000"}' }],
  ["GEO_PROXIES", { GEO_PROXIES: '{"us":"http://user:hunter2@proxy"}' }],
  ["GEO_PROXIES", { GEO_PROXIES: '{"us":"ftp://user:hunter2@proxy:21"}' }],
  ["GEO_PROXIES", { GEO_PROXIES: '{"us":"http://user:hunter2%@proxy:80"}' }],
  ["GEO_PROXIES", { GEO_PROXIES: '{"us":"socks5://user:hunter2@proxy:1080"}' }],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
  ["LOG_FORMAT", { LOG_FORMAT: "xml" }]
]

const refusalOf = (env: Readonly<Record<string, string>>) =>
  readSettings(env, false).pipe(
    Effect.tap(loadModels),
    Effect.flatMap(({ live }) => chromiumFor(live)),
    Effect.flip,
    Effect.runPromise
  )

describe("settings", () => {
  it.each(wrong)("an invalid %s is refused in one line that names it (%o)", async (name, env) => {
    const { message } = await refusalOf(env)
    assert.strictEqual(/[A-Z][A-Z_]{3,}/.exec(message)?.[0], name)
    assert.notInclude(message, "\n")
    assert.notInclude(message, "hunter2")
  })

  it("a fault in the table of models is told with its place, also a field that is not known", async () => {
    const able = { webSearch: true, forcedSearch: true, temperature: true }
    const row = (platform: LlmPlatform): object => ({ id: "m", platform, default: true, ...able })
    const rows = LlmPlatform.literals.map(row)
    const refused = async (table: unknown) => {
      const file = join(dataDir, "models.json")
      writeFileSync(file, JSON.stringify(table))
      const { message } = await refusalOf({ MODELS_FILE: file })
      return message.replace("MODELS_FILE is not a table of models: ", "")
    }
    assert.strictEqual(await refused({}), "must be a list")
    assert.strictEqual(
      await refused(rows.with(2, { ...rows[2], webSearch: "yes" })),
      "`2.webSearch` must be true or false"
    )
    assert.strictEqual(
      await refused(rows.with(1, { ...rows[1], expires_at: "2027-01-14" })),
      "`1.expires_at` is not a known field"
    )
    assert.strictEqual(await refused(rows.slice(1)), "chatgpt_api needs exactly one default model, not 0")
  })

  it("the default top-up page is the program's own, also with an IPv6 host", async () => {
    const settings = await Effect.runPromise(readSettings({ HOST: "::1", PORT: "8090" }, false))
    assert.strictEqual(settings.topupUrl, "http://[::1]:8090/billing")
  })

  it("both ports may be 0, or equal on two addresses, or equal without an API", async () => {
    for (const env of [
      { PORT: "0", ADMIN_PORT: "0" },
      { HOST: "192.0.2.1", PORT: "8081" },
      { PORT: "8081", ROLES: "worker", NATS_URL: "nats://127.0.0.1" }
    ])
      assert.isDefined(await Effect.runPromise(readSettings(env, false)))
  })

  it("a token of the first and the last allowed character is accepted", async () => {
    const { adminToken } = await Effect.runPromise(readSettings({ ADMIN_TOKEN: "!!!!~~~~" }, false))
    assert.deepEqual(Option.map(adminToken, Redacted.value), Option.some("!!!!~~~~"))
  })

  it("a secret key may be in base64 or base64url", async () => {
    const bytes = Buffer.alloc(32, 251)
    for (const form of ["base64", "base64url"] as const) {
      const settings = await Effect.runPromise(readSettings({ SECRET_KEY: bytes.toString(form) }, false))
      assert.deepEqual(Option.map(settings.secretKey, Redacted.value), Option.some(new Uint8Array(bytes)))
    }
  })

  it("a vendor URL may have a path, and its host may look like a version", async () => {
    const env = { OPENAI_BASE_URL: "https://v1/", DATAFORSEO_BASE_URL: "http://127.0.0.1:1/v1/dataforseo/" }
    const { live, vendors } = await Effect.runPromise(readSettings(env, false))
    assert.strictEqual(vendors.openai.baseUrl, "https://v1")
    assert.strictEqual(live.dataForSeo.baseUrl, "http://127.0.0.1:1/v1/dataforseo")
  })

  it("defaults: listen locally, all roles, and a log format for the reader", async () => {
    const settings = await Effect.runPromise(readSettings({ HOST: "0.0.0.0" }, false))
    assert.deepInclude(settings, { adminHost: "127.0.0.1", adminPort: 8081, logFormat: "json", logLevel: "Info" })
    assert.deepEqual(settings.roles, new Set(["api", "worker", "scheduler"]))
    assert.deepEqual(settings.deliveryRetryDelays.map(Duration.toSeconds), [60, 300])
    const unsaid = await Effect.runPromise(readSettings({}, true))
    assert.deepInclude(unsaid, { host: "127.0.0.1", dataDir: ".data", sandboxSeed: 1, logFormat: "pretty" })
    assert.deepEqual(
      Object.values(unsaid.vendors).map(({ baseUrl }) => baseUrl),
      [
        "https://api.openai.com",
        "https://api.anthropic.com",
        "https://generativelanguage.googleapis.com",
        "https://api.perplexity.ai"
      ]
    )
  })

  it("lists may have blanks, words any case, numbers a sign, and durations each unit up to a day", async () => {
    const given = {
      PORT: "65535",
      ROLES: "scheduler, API",
      NATS_URL: "nats://127.0.0.1:4222, tls://127.0.0.1",
      SANDBOX_SEED: "-7",
      LOG_LEVEL: "WARN"
    }
    const settings = await Effect.runPromise(readSettings(given, false))
    assert.deepInclude(settings, { port: 65_535, sandboxSeed: -7, logLevel: "Warn" })
    assert.deepEqual(settings.roles, new Set(["api", "scheduler"]))
    const delays = async (text: string) => {
      const { deliveryRetryDelays } = await Effect.runPromise(readSettings({ DELIVERY_RETRY_DELAYS: text }, false))
      return deliveryRetryDelays.map(Duration.toMillis)
    }
    assert.deepEqual(await delays("250ms,2s"), [250, 2000])
    assert.deepEqual(await delays("3m, 24h"), [180_000, 86_400_000])
  })

  it("with an external database, an API needs a token and other roles do not", async () => {
    const worker = { ...external, ADMIN_TOKEN: "", NATS_URL: "nats://127.0.0.1", ROLES: "worker" }
    const { adminToken } = await Effect.runPromise(readSettings(worker, false))
    assert.isTrue(Option.isNone(adminToken))
  })

  it("an API with workers needs neither NATS nor a scheduler", async () => {
    const { nats } = await Effect.runPromise(readSettings({ ROLES: "api,worker" }, false))
    assert.isTrue(Option.isNone(nats))
  })

  it("a database URL may have either of its protocols, and NATS a credentials file", async () => {
    const file = join(dataDir, "nats.creds")
    writeFileSync(file, "-----BEGIN NATS USER JWT-----\na\n-----BEGIN USER NKEY SEED-----\nb\n")
    const given = { ...external, DATABASE_URL: "postgresql://h/x", NATS_URL: "nats://h", NATS_CREDS: file }
    const { database, nats } = await Effect.runPromise(readSettings(given, false))
    assert.strictEqual(database._tag === "External" && Redacted.value(database.url), "postgresql://h/x")
    assert.deepEqual(Option.getOrUndefined(nats), { url: "nats://h", credentials: Option.some(file) })
  })

  it("an empty value counts as not set", async () => {
    const settings = await Effect.runPromise(readSettings({ PORT: "", DATABASE_URL: " " }, false))
    assert.strictEqual(settings.port, 8080)
    assert.strictEqual(settings.database._tag, "Embedded")
  })

  it("private receivers are allowed by range, and not by default", async () => {
    const allowed = async (env: Readonly<Record<string, string>>) =>
      (await Effect.runPromise(readSettings(env, false))).deliveryAllow
    assert.deepEqual(await allowed({}), [])
    assert.deepEqual(await allowed({ DELIVERY_ALLOW_CIDRS: "", NODE_ENV: "production" }), [])
    const local = { DELIVERY_ALLOW_CIDRS: "127.0.0.0/8, ::1/128", NODE_ENV: "development" }
    assert.deepEqual(await allowed(local), ["127.0.0.0/8", "::1/128"])
  })

  it("an invalid setting ends the start with exit code 1 and that one line", async () => {
    const { code, stderr } = await start({ PORT: "80800" })
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "sightline: PORT must be a port from 0 to 65535\n")
  })

  it.each([{ MODELS_FILE: "/nowhere.json" }, { CHROMIUM_PATH: "/nowhere" }])(
    "a missing file or program ends the start with that one line before anything is created (%o)",
    async (env) => {
      const untouched = join(dataDir, "untouched")
      const { code, stderr } = await start({ ...env, DATA_DIR: untouched })
      assert.strictEqual(code, 1)
      assert.match(stderr, /^sightline: (MODELS_FILE|CHROMIUM_PATH).*\n$/)
      assert.isFalse(existsSync(untouched))
    }
  )

  it("a missing browser ends the start of a worker, but not of an API", async () => {
    const { code, stderr } = await start({ LIVE_CAPTURE: "browser", PATH: "/nowhere" })
    assert.strictEqual(code, 1)
    assert.lengthOf(stderr.trimEnd().split("\n"), 1)
    assert.include(stderr, "CHROMIUM_PATH")
    const api = await start({
      ...external,
      LIVE_CAPTURE: "browser",
      PATH: "/nowhere",
      ROLES: "api",
      NATS_URL: "nats://127.0.0.1:1"
    })
    assert.notInclude(api.stderr, "CHROMIUM_PATH")
  })

  it("an unusable working folder of the browser ends the start of a worker in one line", async () => {
    const { code, stderr } = await start({ LIVE_CAPTURE: "browser", TMPDIR: "/nowhere" })
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "sightline: TMPDIR: /nowhere takes no folder for Chromium to work in (ENOENT)\n")
  })

  it("an unreachable database ends the start with one line, without its password", async () => {
    const { code, stderr } = await start({ ...external, DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/none" })
    assert.strictEqual(code, 1)
    assert.lengthOf(stderr.trimEnd().split("\n"), 1)
    assert.include(stderr, "DATABASE_URL")
    assert.notInclude(stderr, "hunter2")
  })

  it("an unreachable NATS ends the start with one line", async () => {
    const { code, stderr } = await start({ NATS_URL: "nats://127.0.0.1:1" })
    assert.strictEqual(code, 1)
    assert.lengthOf(stderr.trimEnd().split("\n"), 1)
    assert.include(stderr, "NATS_URL")
  })

  it.each([
    ["secret-key", ""],
    ["secret-key", "abc"],
    ["admin-token", ""],
    ["admin-token", " \n"]
  ])("an invalid stored %s (%j) ends the start with one line, and is left unchanged", async (name, text) => {
    const folder = mkdtempSync(join(tmpdir(), "sightline-kept-"))
    const file = join(folder, name)
    writeFileSync(file, text)
    const { code, stderr } = await start({ DATA_DIR: folder, PORT: "0", ADMIN_PORT: "0", CHROMIUM_PATH: "off" })
    const left = readFileSync(file, "utf8")
    rmSync(folder, { recursive: true })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^sightline: DATA_DIR cannot be used: [^\n]+ must hold [^\n]+\n$/)
    assert.include(stderr, file)
    assert.strictEqual(left, text)
  })

  it("a missing secret key for an existing database ends the start with one line, and none is created", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sightline-gone-"))
    mkdirSync(join(folder, "postgres"))
    const { code, stderr } = await start({ DATA_DIR: folder, PORT: "0", ADMIN_PORT: "0", CHROMIUM_PATH: "off" })
    const left = readdirSync(folder)
    rmSync(folder, { recursive: true })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^sightline: DATA_DIR cannot be used: [^\n]+secret-key is missing, [^\n]+\n$/)
    assert.deepStrictEqual(left, ["postgres"])
  })

  it.each([{}, { SECRET_KEY: key, ADMIN_TOKEN: "0123456789" }])(
    "a folder that cannot be created ends the start with one line (%o)",
    async (given) => {
      const folder = "/proc/sightline/data"
      const { code, stderr } = await start({
        DATA_DIR: folder,
        PORT: "0",
        ADMIN_PORT: "0",
        CHROMIUM_PATH: "off",
        ...given
      })
      assert.strictEqual(code, 1)
      assert.match(stderr, /^sightline: DATA_DIR cannot be used: ENOENT: [^\n]*\/proc\/sightline[^\n]*\n$/)
    }
  )

  it("a worker without a token and without a place to store one names the missing token", async () => {
    const worker = {
      ...external,
      ADMIN_TOKEN: "",
      ROLES: "worker",
      NATS_URL: "nats://127.0.0.1:1",
      CHROMIUM_PATH: "off"
    }
    const { code, stderr } = await start({ ...worker, DATA_DIR: "/proc/sightline/data" })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^sightline: DATA_DIR cannot be used: [^\n]+ADMIN_TOKEN, which is not set[^\n]*\n$/)
  })

  it("prints the bound ports if any were allowed", async () => {
    const program = await startProgram({ ...(await installation()), PORT: "0", ADMIN_PORT: "0" })
    const [, api] = /API +(\S+)/.exec(program.output()) ?? []
    const [, admin] = /Operators +(\S+)/.exec(program.output()) ?? []
    const statuses = await Promise.all([api, admin].map(async (origin) => (await call(`${origin}/livez`)).status))
    await program.stop()
    assert.deepStrictEqual(statuses, [200, 200])
    assert.notStrictEqual(api, admin)
  })

  it("missing secrets are created once, completely, and readable by their owner only", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sightline-made-"))
    const settings = await Effect.runPromise(readSettings({ DATA_DIR: join(folder, "data") }, false))
    const both = await Effect.runPromise(Effect.all([loadSecrets(settings), loadSecrets(settings)]))
    const [one, other] = both.map(({ adminToken, derive }) => [Redacted.value(adminToken), Redacted.value(derive("x"))])
    assert.deepStrictEqual(one, other)
    const files = readdirSync(join(folder, "data")).sort()
    const modes = files.map((name) => statSync(join(folder, "data", name)).mode & 0o777)
    rmSync(folder, { recursive: true })
    assert.deepStrictEqual(files, ["admin-token", "secret-key"])
    assert.deepStrictEqual(modes, [0o600, 0o600])
  })

  it("two purposes never share a key, and the same secret yields the same keys in every process", async () => {
    const load = readSettings({ ...external, DATA_DIR: dataDir }, false).pipe(Effect.flatMap(loadSecrets))
    const [one, other] = await Effect.runPromise(Effect.all([load, load]))
    assert.deepStrictEqual(Redacted.value(one.derive("x")), Redacted.value(other.derive("x")))
    assert.notDeepEqual(Redacted.value(one.derive("x")), Redacted.value(one.derive("y")))
  })

  it.each(["HOST", "ADMIN_HOST"])("a %s that this machine does not have ends the start with one line", async (name) => {
    const ports = { PORT: "0", ADMIN_PORT: "0", CHROMIUM_PATH: "off" }
    const { code, stderr } = await start({ ...(await installation()), ...ports, [name]: "192.0.2.1" })
    assert.strictEqual(code, 1)
    assert.match(stderr, new RegExp(`^sightline: ${name} cannot be used: [^\\n]+\\n$`))
  })

  it.each(["PORT", "ADMIN_PORT"])("a %s that is in use ends the start with one line", async (name) => {
    const taken = createServer()
    const port = String(await listen(taken))
    const ports = { PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) }
    const { code, stderr } = await start({ ...(await installation()), ...ports, CHROMIUM_PATH: "off", [name]: port })
    taken.close()
    assert.strictEqual(code, 1)
    assert.strictEqual(
      stderr,
      `sightline: ${name} cannot be used: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`
    )
  })
})
