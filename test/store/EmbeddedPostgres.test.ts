/**
 * Faults planted once, and the tests that saw them:
 * - every process counted as the last, or no lock around start and stop ("the last one stops")
 * - `detached` left out ("Ctrl-C")
 * - a running server replaced instead of adopted ("adopts")
 * - a server that ends meanwhile waited for ("shutting down")
 * - the server considered alive by its process id alone ("unrelated process"), or by its name ("another cluster's")
 * - no response awaited at the socket ("socket was deleted")
 * - the cluster named by its path (every test, as root)
 * - a half-made cluster used ("is interrupted")
 * - fsync off by default ("keeps its data")
 * - a killed server not started again ("is killed")
 * - the server considered ended where it cannot be looked for ("no more files")
 * - each attempt to start it logged, or its recovery never ("cannot be started again")
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Option, Queue, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { start } from "@sightline/store/EmbeddedPostgres"
import * as Postgres from "@sightline/store/Postgres"
import * as PostgresServer from "@sightline/store/PostgresServer"
import { dataDirectory, emptyDirectory, serverIn } from "./dataDirectory.ts"

const pidIn = (dataDir: string): number => Option.getOrThrow(serverIn(dataDir)).pid

const query = (address: Postgres.Address, text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.unsafe(text)
  }).pipe(Effect.provide(Postgres.layer(address)))

interface Holder {
  readonly process: ChildProcess
  /** The next line it prints. */
  readonly says: Effect.Effect<string>
  readonly ended: Effect.Effect<void>
}

/** Another process that uses the embedded Postgres of `dataDir`; killed with the test. */
const holder = Effect.fnUntraced(function* (dataDir: string) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(import.meta.dirname, "holder.ts"), dataDir], {
        detached: true,
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const lines = yield* Queue.unbounded<string>()
  createInterface(child.stdout).on("line", (line) => Queue.offerUnsafe(lines, line))
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return { process: child, says: Queue.take(lines), ended: Effect.promise(() => ended) } satisfies Holder
})

/** The server that a killed process has left running on `dataDir`: its process id and its socket. */
const leftBehind = Effect.fnUntraced(function* (dataDir: string) {
  const killed = yield* holder(dataDir)
  const said = yield* killed.says
  assert.match(said, /^ready /)
  const pid = pidIn(dataDir)
  killed.process.kill("SIGKILL")
  yield* killed.ended
  return { pid, socket: said.replace("ready ", "") }
})

const often = Schedule.spaced("20 millis")

/** Uses up all file descriptors of this process. Returns what frees them. */
const useUpFiles = (): (() => void) => {
  const limit = (most: string) => execFileSync("prlimit", [`--pid=${process.pid}`, `--nofile=${most}:`])
  const before = execFileSync("prlimit", [`--pid=${process.pid}`, "--nofile", "--noheadings", "--output=SOFT"])
  limit(String(readdirSync("/proc/self/fd").length + 50))
  const opened: Array<number> = []
  try {
    for (;;) opened.push(openSync("/dev/null", "r"))
  } catch {
    return () => {
      opened.forEach(closeSync)
      limit(String(before).trim())
    }
  }
}

it.live("a server that is killed is started again with its data, and stops with the scope", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    yield* Effect.scoped(
      Effect.gen(function* () {
        const address = yield* start({ dataDir })
        yield* query(address, "CREATE TABLE kept AS SELECT 7 AS n")
        const first = pidIn(dataDir)
        process.kill(first, "SIGKILL")
        const read = Effect.retry(query(address, "SELECT n FROM kept"), Schedule.spaced("100 millis"))
        const rows = yield* Effect.repeat(read, {
          until: () => Option.exists(serverIn(dataDir), ({ pid }) => pid !== first)
        })
        assert.deepStrictEqual(rows, [{ n: 7 }])
      })
    )
    assert.isTrue(Option.isNone(serverIn(dataDir)))
  }).pipe(Effect.scoped)
)

it.live("a process that can open no more files does not consider its server ended", () => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    yield* start({ dataDir })
    const first = pidIn(dataDir)
    yield* Effect.acquireRelease(
      Effect.sync(() => useUpFiles()),
      (giveBack) => Effect.sync(giveBack)
    ).pipe(
      Effect.andThen(
        Effect.repeat(
          Effect.sync(() => logged.length),
          { schedule: often, until: (count) => count > 0 }
        )
      ),
      Effect.scoped
    )
    assert.deepStrictEqual(new Set(logged), new Set(["The embedded Postgres cannot be looked after"]))
    assert.strictEqual(pidIn(dataDir), first)
  }).pipe(
    Effect.scoped,
    Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String([message].flat()[0])))]))
  )
})

it.live("a server that cannot be started again is reported once, and runs once it can", () => {
  const logged: Array<unknown> = []
  return Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const address = yield* start({ dataDir })
    const [part, away] = [join(dataDir, "postgres", "global"), join(dataDir, "away")]
    renameSync(part, away)
    process.kill(pidIn(dataDir), "SIGKILL")
    // Two attempts, of which one comes after the first report.
    const tries = () => readFileSync(join(dataDir, "postgres.log"), "utf8").split("global/pg_control").length - 1
    const told = tries()
    yield* Effect.repeat(Effect.sync(tries), { schedule: often, until: (now) => now >= told + 2 })
    renameSync(away, part)
    const read = Effect.retry(query(address, "SELECT 7 AS n"), Schedule.spaced("100 millis"))
    assert.deepStrictEqual(yield* read, [{ n: 7 }])
    yield* Effect.repeat(
      Effect.sync(() => logged.length),
      { schedule: often, until: (count) => count >= 3 }
    )
    assert.deepStrictEqual(
      logged.map((message) => [message].flat()[0]),
      [
        "The embedded Postgres has ended and is started again",
        "The embedded Postgres cannot be looked after",
        "The embedded Postgres runs again"
      ]
    )
    assert.isString([logged[1]].flat()[1])
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
})

it.live("keeps its data over a restart, and stops when its scope closes", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    yield* Effect.scoped(
      Effect.gen(function* () {
        const address = yield* start({ dataDir })
        yield* query(address, "CREATE TABLE kept AS SELECT 7 AS n")
      })
    )
    assert.isTrue(Option.isNone(serverIn(dataDir)))
    const address = yield* start({ dataDir })
    assert.deepStrictEqual(yield* query(address, "SELECT n FROM kept"), [{ n: 7 }])
    const settings = "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits"
    assert.deepStrictEqual(yield* query(address, settings), [{ fsync: "on", commits: "on" }])
    assert.deepStrictEqual(yield* query(address, "SHOW listen_addresses"), [{ listenAddresses: "" }])
  }).pipe(Effect.scoped)
)

it.live("adopts the server that a killed process left running, and stops it in the end", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const left = yield* leftBehind(dataDir)
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* query(yield* start({ dataDir }), "SELECT 1")
        assert.strictEqual(pidIn(dataDir), left.pid)
      })
    )
    assert.isTrue(Option.isNone(serverIn(dataDir)))
  }).pipe(Effect.scoped)
)

it.live("lets processes share one server, which the last one stops", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const first = yield* holder(dataDir)
    const second = yield* holder(dataDir)
    // Concurrently, and on a data directory that does not exist yet.
    const [one, two] = yield* Effect.all([first.says, second.says], { concurrency: 2 })
    assert.match(one, /^ready /)
    assert.strictEqual(one, two)
    const shared = pidIn(dataDir)
    first.process.kill("SIGTERM")
    assert.strictEqual(yield* first.says, "closed")
    assert.strictEqual(pidIn(dataDir), shared)
    second.process.kill("SIGTERM")
    assert.strictEqual(yield* second.says, "closed")
    assert.isTrue(Option.isNone(serverIn(dataDir)))
  }).pipe(Effect.scoped)
)

it.live("is not stopped by Ctrl-C in the terminal: the server runs until its process is done", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const running = yield* holder(dataDir)
    const socket = (yield* running.says).replace("ready ", "")
    process.kill(-(running.process.pid ?? 0), "SIGINT")
    assert.strictEqual(yield* running.says, "interrupted")
    assert.deepStrictEqual(yield* query({ socket }, "SELECT 1 AS n"), [{ n: 1 }])
    running.process.kill("SIGTERM")
    assert.strictEqual(yield* running.says, "closed")
  }).pipe(Effect.scoped)
)

it.live("starts over a lock file whose process id now belongs to an unrelated process", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    yield* Effect.scoped(start({ dataDir, durable: false }))
    const lock = join(dataDir, "postgres", "postmaster.pid")
    // A process that the server may signal: it considers others dead anyway.
    const { uid, gid } = statSync(join(dataDir, "postgres"))
    const stranger = yield* Effect.acquireRelease(
      Effect.sync(() => spawn("sleep", ["60"], { uid, gid, stdio: "ignore" })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    writeFileSync(lock, `${stranger.pid}\n/\n1\n5432\n/tmp\n\n  1  1\nready\n`)
    chmodSync(lock, 0o644)
    yield* query(yield* start({ dataDir, durable: false }), "SELECT 1")
  }).pipe(Effect.scoped)
)

it.live("leaves another cluster's server alone, even if it now has the process id in the lock file", () =>
  Effect.gen(function* () {
    const [dataDir, others] = [yield* dataDirectory, yield* dataDirectory]
    yield* Effect.scoped(start({ dataDir, durable: false }))
    const other = yield* start({ dataDir: others, durable: false })
    const pid = pidIn(others)
    const lock = join(dataDir, "postgres", "postmaster.pid")
    writeFileSync(lock, `${pid}\n/\n1\n5432\n/nowhere\n\n  1  1\nready\n`)
    chmodSync(lock, 0o644)
    yield* query(yield* start({ dataDir, durable: false }), "SELECT 1")
    yield* query(other, "SELECT 1")
    assert.strictEqual(pidIn(others), pid)
  }).pipe(Effect.scoped)
)

it.live("waits for a running server that is shutting down, and starts a new one", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const left = yield* leftBehind(dataDir)
    const starting = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT 1`
      // With a client connected, this kind of shutdown takes longer.
      process.kill(left.pid, "SIGTERM")
      yield* Effect.repeat(Effect.yieldNow, { until: () => Option.getOrThrow(serverIn(dataDir)).status !== "ready" })
      return yield* Effect.forkScoped(start({ dataDir, durable: false }))
    }).pipe(Effect.provide(Postgres.layer({ socket: left.socket })))
    yield* query(yield* Fiber.join(starting), "SELECT 1")
    assert.notStrictEqual(pidIn(dataDir), left.pid)
  }).pipe(Effect.scoped)
)

it.effect("waits for a server that recovers as long as it takes, and at most a minute for one that shuts down", () =>
  Effect.gen(function* () {
    const directory = yield* emptyDirectory
    const program = join(directory, "postgres")
    // Appears under its own name in /proc, and ends with its input.
    writeFileSync(program, "#!/bin/sh\nread -r line\n", { mode: 0o755 })
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(program, { cwd: directory, stdio: ["pipe", "ignore", "inherit"] })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const say = (status: string) =>
      writeFileSync(join(directory, "postmaster.pid"), `${server.pid}\n/\n1\n5432\n/tmp\n\n  1  1\n${status}\n`)
    say("starting")
    const waiting = yield* Effect.forkScoped(PostgresServer.awaitReady(directory, () => undefined))
    yield* TestClock.adjust("70 seconds")
    say("ready")
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(waiting)).pid, server.pid)
    say("stopping")
    const leaving = yield* Effect.forkScoped(Effect.flip(PostgresServer.awaitReady(directory, () => undefined)))
    yield* TestClock.adjust("61 seconds")
    assert.strictEqual(yield* Fiber.join(leaving), "it was not ready within a minute")
  }).pipe(Effect.scoped)
)

it.live("replaces a running server whose socket was deleted", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const { socket } = yield* leftBehind(dataDir)
    rmSync(socket)
    yield* query(yield* start({ dataDir, durable: false }), "SELECT 1")
  }).pipe(Effect.scoped)
)

it.live("runs in a directory whose parents others cannot enter, with a path longer than a socket allows", () =>
  Effect.gen(function* () {
    const closed = yield* emptyDirectory
    chmodSync(closed, 0o700)
    const dataDir = join(closed, "long".repeat(30), ".data")
    mkdirSync(dataDir, { recursive: true })
    yield* query(yield* start({ dataDir, durable: false }), "CREATE TABLE here (n int)")
  }).pipe(Effect.scoped)
)

it.live("leaves nothing half done when the first start is interrupted", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    mkdirSync(join(dataDir, "postgres.new"), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, "postgres.new", "PG_VERSION"), "17\n")
    yield* query(yield* start({ dataDir, durable: false }), "SELECT 1")
  }).pipe(Effect.scoped)
)

it.live("reports in one line what is wrong and what to set instead", () =>
  Effect.gen(function* () {
    const path = yield* emptyDirectory
    writeFileSync(join(path, "data"), "a file, not a directory")
    const file = yield* Effect.flip(start({ dataDir: join(path, "data") }))
    assert.match(file.message, /^The embedded Postgres did not start: .+\. Set DATABASE_URL .+$/)
    const other = join(path, "other")
    yield* Effect.scoped(start({ dataDir: other, durable: false }))
    writeFileSync(join(other, "postgres", "PG_VERSION"), "9.6\n")
    const version = yield* Effect.flip(start({ dataDir: other }))
    assert.match(version.message, /^The embedded Postgres did not start: .*version.*\. Set DATABASE_URL .+$/)
  }).pipe(Effect.scoped)
)

it.live("reports what kept the server from starting, not the shutdown that follows", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    yield* Effect.scoped(start({ dataDir, durable: false }))
    const log = join(dataDir, "postgres", "pg_wal")
    for (const segment of readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name)))
      truncateSync(join(log, segment))
    const { message } = yield* Effect.flip(start({ dataDir }))
    assert.include(message, "PANIC:  could not locate a valid checkpoint record")
  }).pipe(Effect.scoped)
)

it.live("reports what kept a cluster from being made, not initdb's cleanup after it", () =>
  Effect.gen(function* () {
    const path = yield* emptyDirectory
    mkdirSync(join(path, "bin"))
    const said =
      "FATAL:  could not extend file: No space left on device\nchild process exited\ninitdb: removing contents"
    writeFileSync(
      join(path, "bin", "initdb"),
      `#!/bin/sh\necho '2026-11-25 20:15:38.883 UTC [7] ${said}' >&2\nexit 1\n`,
      {
        mode: 0o755
      }
    )
    const cluster = { directory: path, binaries: path, identity: {}, log: join(path, "log") }
    const reason = yield* Effect.flip(PostgresServer.initialise(cluster, false))
    assert.strictEqual(reason, "FATAL:  could not extend file: No space left on device")
  }).pipe(Effect.scoped)
)

it.live("reports what kept the server from starting, not the clients it rejected meanwhile", () =>
  Effect.gen(function* () {
    const path = yield* emptyDirectory
    mkdirSync(join(path, "bin"))
    const said = [
      "FATAL:  the database system is not yet accepting connections",
      "DETAIL:  Consistent recovery state has not been yet reached.",
      "FATAL:  could not write to file: No space left on device",
      "FATAL:  the database system is starting up",
      "LOG:  database system is shut down"
    ].map((line) => `echo '2026-11-25 20:15:38.883 UTC [7] ${line}' >&2`)
    writeFileSync(join(path, "bin", "postgres"), ["#!/bin/sh", ...said, "exit 1"].join("\n"), { mode: 0o755 })
    const cluster = { directory: path, binaries: path, identity: {}, log: join(path, "log") }
    const reason = yield* Effect.flip(PostgresServer.launch(cluster, path, false))
    assert.strictEqual(reason, "FATAL:  could not write to file: No space left on device")
  }).pipe(Effect.scoped)
)
