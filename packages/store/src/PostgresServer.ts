import { Duration, Effect, Option } from "effect"
import { execFile, spawn } from "node:child_process"
import { closeSync, fstatSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"

/** A running server: its postmaster and the socket it listens on. */
export interface Server {
  readonly pid: number
  readonly socket: string
  /** The status that it reports: `ready`, `starting` as long as it recovers, or `stopping`. */
  readonly status: string | undefined
}

/** The user that the server runs as; empty means the user of this process. */
export type Identity = { readonly uid: number; readonly gid: number } | Record<string, never>

/** What one cluster needs to run. */
export interface Cluster {
  readonly directory: string
  readonly binaries: string
  readonly identity: Identity
  readonly log: string
}

/** Above every process id that Linux gives out. */
const noProcess = 4_194_304

const settings = {
  cluster_name: "sightline",
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "200",
  shared_buffers: "64MB",
  // Nothing replicates from this server, so the write-ahead log need contain only what a crash recovery needs.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "1GB",
  max_parallel_workers_per_gather: "0",
  jit: "off",
  // Clients report their own errors; the file keeps what happened to the server.
  log_min_messages: "log",
  log_checkpoints: "off",
  timezone: "UTC"
}

/** Settings for disposable data: a crash of the machine loses it, nothing else changes. */
const ephemeralSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }

// The cluster is named by the working directory, not by its path: an unprivileged server can then live in a directory
// whose parents it may not pass (a checkout below /root). Node changes directory before it gives up its rights.
const here = "/proc/self/cwd"

/**
 * The content of a file that exists and is readable. Errors: throws if no file can be opened at all, because that says nothing about
 * this one.
 */
const contentOf = (path: string): Option.Option<string> => {
  try {
    return Option.some(readFileSync(path, "utf8"))
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE")) throw error
    return Option.none()
  }
}

/** Whether the working directory of a process is the cluster, as it is for the cluster's own server. True if it cannot be read. */
const worksIn = (directory: string, pid: number): boolean => {
  try {
    const [own, its] = [statSync(directory), statSync(`/proc/${pid}/cwd`)]
    return own.dev === its.dev && own.ino === its.ino
  } catch {
    return true
  }
}

/**
 * The server that runs on the cluster, according to the pid file that Postgres keeps in it. Errors: throws if no file can be opened at
 * all.
 */
export const find = (directory: string): Option.Option<Server> => {
  const file = join(directory, "postmaster.pid")
  const content = contentOf(file)
  if (Option.isNone(content)) return Option.none()
  const lines = content.value.split("\n")
  const pid = Number(lines[0])
  const command = contentOf(`/proc/${pid}/comm`)
  const isOwn = Option.contains(command, "postgres\n") && worksIn(directory, pid)
  if (Option.isSome(command) && !isOwn) {
    // The process id belongs to another program now, which Postgres would take for a live server. The rest of the file stays: Postgres
    // finds orphaned backends by it.
    writeFileSync(file, [String(noProcess), ...lines.slice(1)].join("\n"))
  }
  return isOwn
    ? Option.some({ pid, socket: `${lines[4]}/.s.PGSQL.${lines[3]}`, status: lines[7]?.trim() })
    : Option.none()
}

/** Whether the server takes connections at its socket. */
export const answers = (server: Server): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = createConnection(server.socket)
    const end = (answer: boolean) => {
      socket.destroy()
      resume(Effect.succeed(answer))
    }
    socket.once("connect", () => end(true)).once("error", () => end(false))
  })

/** Creates an empty cluster in `directory`. Fails with the error message of `initdb`. */
export const initialise = (cluster: Cluster, durable: boolean): Effect.Effect<void, string> =>
  Effect.callback((resume) => {
    execFile(
      join(cluster.binaries, "bin", "initdb"),
      [
        "-D",
        here,
        "--username=postgres",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--auth=trust",
        "--data-checksums",
        ...(durable ? [] : ["--no-sync"])
      ],
      { cwd: cluster.directory, env: {}, ...cluster.identity },
      (error, _, stderr) =>
        resume(error === null ? Effect.void : Effect.fail(stderr === "" ? error.message : complaintIn(stderr)))
    )
  })

/**
 * Starts a server that the signals of this terminal's process group do not reach, and waits until it is ready. Fails with the server's
 * error message.
 */
export const launch = (cluster: Cluster, socketDirectory: string, durable: boolean): Effect.Effect<Server, string> =>
  Effect.try({ try: () => openSync(cluster.log, "a"), catch: String }).pipe(
    Effect.flatMap((log) => {
      const options = { ...settings, unix_socket_directories: socketDirectory, ...(durable ? {} : ephemeralSettings) }
      const before = fstatSync(log).size
      const child = spawn(
        join(cluster.binaries, "bin", "postgres"),
        ["-D", here, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
        { cwd: cluster.directory, env: {}, detached: true, stdio: ["ignore", log, log], ...cluster.identity }
      )
      closeSync(log)
      child.unref()
      let failed = (): string | undefined => undefined
      child.once("error", (error) => (failed = () => error.message))
      child.once(
        "exit",
        () =>
          (failed = () => complaintIn(readFileSync(cluster.log).toString("utf8", before)) || "it ended without a word")
      )
      return awaitReady(cluster.directory, () => failed())
    })
  )

/**
 * Waits until the server on the cluster is ready. Fails with its error message.
 *
 * Laws: a server that is starting is waited for as long as that takes. Giving up would end it, and its recovery from a crash would
 * begin again with the next start.
 */
export const awaitReady: (directory: string, failed: () => string | undefined) => Effect.Effect<Server, string> =
  Effect.fnUntraced(function* (directory, failed) {
    const look = () =>
      Option.orElse(
        Option.map(Option.fromUndefinedOr(failed()), (words): Server | string => words),
        () => Option.filter(find(directory), ({ status }) => status === "ready")
      )
    let found = yield* poll("60 seconds", look)
    while (Option.isNone(found) && Option.exists(find(directory), ({ status }) => status === "starting")) {
      yield* Effect.logWarning("Waiting for the embedded Postgres, which is still starting, as after a crash")
      found = yield* poll("60 seconds", look)
    }
    const outcome = Option.getOrElse(found, () => "it was not ready within a minute")
    return typeof outcome === "string" ? yield* Effect.fail(outcome) : outcome
  })

/**
 * Ends the server: clients are disconnected, and everything committed is kept. Returns when it is gone, or 10 s after the second
 * signal.
 */
export const stop = Effect.fnUntraced(function* (directory: string, server: Server) {
  const gone = () => (Option.isNone(find(directory)) ? Option.some(true) : Option.none())
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    yield* Effect.ignore(Effect.try(() => process.kill(server.pid, signal)))
    if (Option.isSome(yield* poll("10 seconds", gone))) return
  }
})

/** Looks every 5 ms until something is found, as long as `timeout` lasts. */
const poll = Effect.fnUntraced(function* <A>(timeout: Duration.Input, look: () => Option.Option<A>) {
  const turns = Duration.toMillis(timeout) / 5
  for (let turn = 0; turn < turns; turn++) {
    const found = look()
    if (Option.isSome(found)) return found
    yield* Effect.sleep("5 millis")
  }
  return Option.none<A>()
})

/** The response of a server to each client that connects before it is ready or while it stops. */
const turningAway = /\bFATAL: +the database system is /

/**
 * The first error message of a program that failed, with its detail, or else its last line. The server's time and process id and the
 * final full stop are removed. Later lines only report the clean-up and the end.
 */
const complaintIn = (text: string): string => {
  const lines = text.trimEnd().split("\n")
  const first = lines.findIndex((line) => /\b(?:FATAL|PANIC|error):/.test(line) && !turningAway.test(line))
  const [complaint = "", next = ""] = first === -1 ? lines.slice(-1) : lines.slice(first)
  const bare = (line: string) => line.replace(/^[\d-]+ [\d:.]+ UTC \[\d+\] /, "").replace(/\.$/, "")
  return next.includes(" DETAIL: ") ? `${bare(complaint)}; ${bare(next)}` : bare(complaint)
}
