import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { dirname } from "node:path"
import { compiled } from "../services/compiled.ts"
import { freePort } from "../services/freePort.ts"
import { makeDatabase } from "../store/database.ts"

/** The whole program as a separate process, on private ports. */
export interface Program {
  readonly base: string
  readonly admin: string
  readonly process: ChildProcess
  /** All output so far. */
  readonly output: () => string
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** The settings that every program of one installation shares. */
export const installation = async () => {
  const { socket, database } = await Effect.runPromise(makeDatabase)
  return {
    DATABASE_URL: `postgres:///${database}?host=${dirname(socket)}&user=postgres`,
    SECRET_KEY: randomBytes(32).toString("base64"),
    ADMIN_TOKEN: randomBytes(16).toString("hex")
  }
}

/** The setting by which the processes of an installation share the NATS of the test run. */
export const overNats = { NATS_URL: process.env["SIGHTLINE_TEST_NATS_URL"] ?? "" }

/** Starts the program. Resolves when it reports that it is ready, and rejects with its output otherwise. */
export const startProgram = async (env: Readonly<Record<string, string>>): Promise<Program> => {
  const [port, adminPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ["--use-system-ca", "--no-regexp-tier-up", "apps/server/start.ts"], {
    env: {
      ...compiled,
      PATH: process.env["PATH"],
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      LOG_FORMAT: "json",
      // Test keys use the formats of the vendors, which is faster; a test that wants the browser sets it.
      CHROMIUM_PATH: "off",
      ...env
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  let stopping = false
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)))
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes("is ready")) resolve()
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    void exited.then((code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  await ready
  // A program that ends by itself prints the reason.
  void exited.then((code) => stopping || console.error(`ended by itself with ${code}: ${output.slice(-4000)}`))
  return {
    base: `http://127.0.0.1:${port}`,
    admin: `http://127.0.0.1:${adminPort}`,
    process: child,
    output: () => output,
    stop: (signal = "SIGTERM") => {
      stopping = true
      child.kill(signal)
      return exited
    }
  }
}

/** A response in the form that tests use. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the body should hold
  readonly body: any
}

/** Makes one JSON call. */
export const call = async (
  url: string,
  options: { readonly key?: string; readonly method?: string; readonly body?: unknown; readonly headers?: object } = {}
): Promise<Answered> => {
  const response = await fetch(url, {
    method: options.method ?? (options.body === undefined ? "GET" : "POST"),
    headers: {
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...options.headers
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) }
}

/**
 * The milliseconds from `since` to the start of the last call that was let in. `look` calls everything and returns the statuses. The time
 * that a slow machine takes to respond does not count.
 */
export const lastLetIn = async (since: number, look: () => Promise<ReadonlyArray<number>>): Promise<number> => {
  let last = since
  for (;;) {
    const called = Date.now()
    if ((await look()).every((status) => status === 401)) return last - since
    last = called
  }
}

/** The operator's calls to a program. */
export const operator = (program: Program, token: string) => {
  const admin = (path: string, body?: unknown, method?: string) =>
    call(`${program.admin}/admin${path}`, { key: token, body, ...(method === undefined ? {} : { method }) })
  return {
    admin,
    account: async (name: string): Promise<string> => (await admin("/accounts", { name })).body.id,
    topUp: (account: string, credits: number, environment = "test") =>
      admin(`/accounts/${account}/topups`, { credits, environment }),
    key: async (account: string, options: object = {}): Promise<{ readonly id: string; readonly key: string }> =>
      (await admin(`/accounts/${account}/keys`, { environment: "test", ...options })).body,
    ledger: async (account: string) => (await admin(`/accounts/${account}/ledger?limit=200`)).body,
    audit: async () => (await admin("/audit")).body
  }
}

/** Limits that no test reaches. */
export const generous = {
  "check:quick": { burst: 100_000, per_second: 10_000 },
  compare: { burst: 100_000, per_second: 10_000 },
  discover: { burst: 100_000, per_second: 10_000 },
  ask: { burst: 100_000, per_second: 10_000 },
  default: { burst: 100_000, per_second: 10_000 }
}

/** An account with test credits, and a key whose limits no test reaches. */
export const customer = async (program: Program, token: string, credits = 100_000, options: object = {}) => {
  const api = operator(program, token)
  const account = await api.account("customer")
  if (credits > 0) await api.topUp(account, credits)
  const { id, key } = await api.key(account, { rate_limits: generous, ...options })
  return { account, keyId: id, key }
}
