import { spawn } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import { compiled } from "../services/compiled.ts"
import { listen } from "../services/listen.ts"

/** How a command ended and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `sightline` as a process of its own, with only the given settings; its input is empty, or the open file. */
export const sightline = (
  env: Readonly<Record<string, string>>,
  args: ReadonlyArray<string>,
  input: "ignore" | number = "ignore"
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["apps/cli/src/main.ts", ...args], {
      env: { ...compiled, PATH: process.env["PATH"], ...env },
      stdio: [input, "pipe", "pipe"]
    })
    const [stdout, stderr]: [Array<Buffer>, Array<Buffer>] = [[], []]
    child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk))
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk))
    child.once("error", reject)
    child.once("close", (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() })
    )
  })

/** A server with answers that a healthy one never gives, on a port of its own. */
export const fakeServer = async (listener: RequestListener) => {
  const server = createServer(listener)
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
