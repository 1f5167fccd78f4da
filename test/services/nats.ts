import { execFileSync, spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { freePort } from "./freePort.ts"

/** A separate NATS server on a private port, initially empty. */
export interface NatsServer {
  readonly url: string
  readonly port: number
  /** Reloads the configuration, with these lines in place of the previous extra lines. */
  readonly reload: (config: ReadonlyArray<string>) => Promise<void>
  /** Stops the server and removes its store. `SIGKILL` stops it without a clean shutdown. */
  readonly stop: (signal?: "SIGTERM" | "SIGKILL") => Promise<void>
}

/**
 * The program that starts a server: the path of a `nats-server`, or `docker:IMAGE`. Undefined if neither is found; then `infra/services`
 * must be used.
 */
export const natsProgram = (): string | undefined =>
  process.env["SIGHTLINE_NATS_SERVER"] ??
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]
    .map((folder) => join(folder, "nats-server"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/**
 * Starts a server, on the given port if there is one, with extra lines of configuration. In the folder `store`, if given, its data outlives
 * the server.
 */
export const startNats = async (
  options: { readonly port?: number; readonly config?: ReadonlyArray<string>; readonly store?: string } = {}
): Promise<NatsServer> => {
  const program = natsProgram()
  if (program === undefined)
    throw new Error("no nats-server found: run this through infra/services, which installs one")
  const image = program.startsWith("docker:") ? program.slice("docker:".length) : undefined
  const port = options.port ?? (await freePort())
  const dir = await mkdtemp(join(tmpdir(), "sightline-nats-"))
  const store = options.store ?? join(dir, "jetstream")
  const config = join(dir, "nats.conf")
  const name = `sightline-test-nats-${port}`
  const configure = (more: ReadonlyArray<string>) =>
    writeFile(
      config,
      [
        `host: ${image === undefined ? "127.0.0.1" : "0.0.0.0"}`,
        `port: ${port}`,
        "max_payload: 4MB",
        `jetstream { store_dir: "${store}" }`,
        ...more
      ].join("\n")
    )
  await configure(options.config ?? [])
  const volumes = [dir, store].flatMap((folder) => ["-v", `${folder}:${folder}`])
  const [command, args] =
    image === undefined
      ? [program, []]
      : ["docker", ["run", "--rm", "--name", name, "-p", `127.0.0.1:${port}:${port}`, ...volumes, image]]
  const child = spawn(command, [...args, "-c", config], { stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-2_000)))
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject)
    void ended.then(() => reject(new Error(`${command} did not start:\n${log}`)))
  })
  failed.catch(() => undefined)
  const tell = (signal: NodeJS.Signals) => {
    if (image === undefined) child.kill(signal)
    else execFileSync("docker", ["kill", "--signal", signal, name])
  }
  await Promise.race([greeting(port), failed])
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    reload: async (more) => {
      await configure(more)
      tell("SIGHUP")
    },
    stop: async (signal = "SIGTERM") => {
      tell(signal)
      await ended
      await rm(dir, { recursive: true, force: true })
    }
  }
}

/** Vitest's global set-up: one server for the whole run, with its URL in `SIGHTLINE_TEST_NATS_URL`. */
export const setup = async (): Promise<() => Promise<void>> => {
  // Tests that need a server fail with a message of their own; the others must run without one.
  if (natsProgram() === undefined) return async () => undefined
  const server = await startNats()
  process.env["SIGHTLINE_TEST_NATS_URL"] = server.url
  return () => server.stop()
}

/** Resolves once the server on the port sends its greeting. */
const greeting = async (port: number): Promise<void> => {
  for (;;) {
    const greeted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1")
      const done = (answer: boolean) => {
        socket.destroy()
        resolve(answer)
      }
      socket.once("data", () => done(true))
      socket.once("error", () => done(false))
      socket.once("close", () => resolve(false))
    })
    if (greeted) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
