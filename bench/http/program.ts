import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { randomBytes } from "node:crypto"

/** An HTTP server in a process of its own. */
export interface Target {
  readonly base: string
  readonly key: string
  readonly stop: () => Promise<void>
}

const started = (child: ChildProcess, mark: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      const match = mark.exec(output)
      if (match !== null) resolve(match[1] ?? "")
    })
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${output}`)))
  })

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })

/** A script of this folder that prints `ready PORT`. */
export const startScript = async (name: string, argument: string): Promise<Target> => {
  const script = join(import.meta.dirname, name)
  const child = spawn(process.execPath, [script, argument], { stdio: ["ignore", "pipe", "inherit"] })
  const port = await started(child, /ready (\d+)/)
  return { base: `http://127.0.0.1:${port}`, key: "lvk_test_bench0123456789abcdef", stop: () => stopped(child) }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const post = async (url: string, token: string, body: object): Promise<Readonly<Record<string, string>>> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  return JSON.parse(await response.text())
}

const unlimited = { burst: 1_000_000, per_second: 1_000_000 }

/** The whole program. `limitedKey` makes a further customer with a large balance, whose key has the default rate limits. */
export interface Program extends Target {
  readonly limitedKey: () => Promise<string>
}

/** Starts the whole program on a Postgres of its own with fsync, and a customer with a large balance and no rate limits. */
export const startProgram = async (env: Readonly<Record<string, string>> = {}): Promise<Program> => {
  const dataDir = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  const [port, adminPort] = [await freePort(), await freePort()]
  const token = randomBytes(16).toString("hex")
  const child = spawn(process.execPath, ["apps/server/start.ts"], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      ADMIN_TOKEN: token,
      DATA_DIR: dataDir,
      ...env
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  await started(child, /(is ready)/)
  const admin = `http://127.0.0.1:${adminPort}/admin`
  const environment = env["OPENAI_API_KEY"] === undefined ? "test" : "live"
  const newKey = async (limits: object) => {
    const { id } = await post(`${admin}/accounts`, token, { name: "bench" })
    await post(`${admin}/accounts/${id}/topups`, token, { credits: 900_000_000, environment })
    const { key } = await post(`${admin}/accounts/${id}/keys`, token, { environment, ...limits })
    return key ?? ""
  }
  return {
    base: `http://127.0.0.1:${port}`,
    key: await newKey({ rate_limits: { "check:quick": unlimited } }),
    limitedKey: () => newKey({}),
    stop: async () => {
      await stopped(child)
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}
