import { Cause, Effect, Option, Result, Schedule, Schema, type Scope } from "effect"
import { hash } from "node:crypto"
import { chownSync, existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { makeFolder } from "./Folder.ts"
import * as RefCount from "./RefCount.ts"
import type { Address } from "./Postgres.ts"
import { findBinaries } from "./PostgresBinaries.ts"
import * as PostgresServer from "./PostgresServer.ts"

/** The bundled Postgres cannot run here. `message` is one line for the operator. */
export class EmbeddedPostgresFailed extends Schema.TaggedError<EmbeddedPostgresFailed>()("EmbeddedPostgresFailed", {
  message: Schema.String
}) {}

const failed = (why: string) =>
  new EmbeddedPostgresFailed({
    message: `The embedded Postgres did not start: ${why}. Set DATABASE_URL to use a Postgres of your own (15 or newer).`
  })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const attempt = <A>(step: () => A): Effect.Effect<A, EmbeddedPostgresFailed> =>
  Effect.try({ try: step, catch: (cause) => failed(reasonOf(cause)) })

// Postgres refuses to run as root. It then runs as the owner of the cluster, and a new cluster belongs to the user `nobody`.
const nobody = 65_534

const identityOf = (directory: string): PostgresServer.Identity => {
  if (process.getuid?.() !== 0) return {}
  const owner = existsSync(directory) ? statSync(directory) : { uid: 0, gid: 0 }
  return owner.uid === 0 ? { uid: nobody, gid: nobody } : { uid: owner.uid, gid: owner.gid }
}

/** Makes a directory that only the server's user may enter. If it exists already, this must be true of it. */
const privateDirectory = (path: string, identity: PostgresServer.Identity): void => {
  const owner = "uid" in identity ? identity : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 })
    chownSync(path, owner.uid, owner.gid)
  }
  const made = lstatSync(path)
  if (!made.isDirectory() || made.uid !== owner.uid || (made.mode & 0o077) !== 0) {
    throw new Error(`${path} belongs to someone else`)
  }
}

/** The cluster below `dataDir`, created at the first start. An interrupted `initdb` leaves no cluster. */
const provide = Effect.fnUntraced(function* (dataDir: string, durable: boolean) {
  const directory = join(dataDir, "postgres")
  const identity = yield* attempt(() => identityOf(directory))
  const asRoot = "uid" in identity
  const found = yield* attempt(() => findBinaries({ home: asRoot ? "/var/cache/sightline" : dataDir, shared: asRoot }))
  if ("missing" in found) return yield* failed(found.missing)
  const cluster = { directory, binaries: found.directory, identity, log: join(dataDir, "postgres.log") }
  if (!existsSync(directory)) {
    const unfinished = `${directory}.new`
    yield* attempt(() => {
      rmSync(unfinished, { recursive: true, force: true })
      privateDirectory(unfinished, identity)
    })
    yield* Effect.mapError(PostgresServer.initialise({ ...cluster, directory: unfinished }, durable), failed)
    yield* attempt(() => renameSync(unfinished, directory))
  }
  return cluster
})

/** Adopts the server that already runs on the cluster, else starts one. */
const adoptOrLaunch = Effect.fnUntraced(function* (dataDir: string, name: string, durable: boolean) {
  const directory = join(dataDir, "postgres")
  const gone = () => (Option.isNone(PostgresServer.find(directory)) ? "it ended" : undefined)
  if (gone() === undefined) {
    const left = yield* Effect.result(PostgresServer.awaitReady(directory, gone))
    if (Result.isSuccess(left)) {
      if (yield* PostgresServer.answers(left.success)) return left.success
      // Its socket was deleted, so no client can connect any more.
      yield* PostgresServer.stop(directory, left.success)
    } else if (gone() === undefined) return yield* failed(left.failure)
  }
  const cluster = yield* provide(dataDir, durable)
  const sockets = join("/tmp", name)
  yield* attempt(() => privateDirectory(sockets, cluster.identity))
  return yield* Effect.mapError(PostgresServer.launch(cluster, sockets, durable), failed)
})

/**
 * Runs the bundled Postgres on `dataDir` until the scope closes.
 *
 * Shape: the data is in `dataDir/postgres`, with the log beside it. There is no network address, only a Unix socket that its user (and
 * root) may open. `durable: false` turns fsync off and is for tests.
 * Laws: a server that a killed process left behind is adopted instead of starting a second one. Processes that share a `dataDir` share
 * its server, and the last one to close its scope stops it. A server that ends earlier is started again within seconds, at the same
 * address. Ctrl-C in the terminal does not reach the server.
 * Errors: one line that says what is wrong and what to set instead.
 */
export const start = Effect.fn("EmbeddedPostgres.start")(function* (options: {
  readonly dataDir: string
  readonly durable?: boolean
}): Effect.fn.Return<Address, EmbeddedPostgresFailed, Scope.Scope> {
  const dataDir = yield* Effect.try({
    try: () => {
      makeFolder(options.dataDir)
      return realpathSync(options.dataDir)
    },
    catch: (cause) => new EmbeddedPostgresFailed({ message: `DATA_DIR cannot be used: ${reasonOf(cause)}` })
  })
  const name = `sightline-${hash("sha256", dataDir).slice(0, 16)}`
  const leave = Effect.fnUntraced(function* (reference: RefCount.Reference) {
    const { last } = yield* reference.release
    if (!last) return
    const running = PostgresServer.find(join(dataDir, "postgres"))
    if (Option.isSome(running)) yield* PostgresServer.stop(join(dataDir, "postgres"), running.value)
    rmSync(join("/tmp", name), { recursive: true, force: true })
  })
  const enter = Effect.gen(function* () {
    const reference = yield* RefCount.acquire(name)
    const started = yield* Effect.result(adoptOrLaunch(dataDir, name, options.durable ?? true))
    if (Result.isSuccess(started)) return { reference, socket: started.success.socket }
    yield* leave(reference)
    return yield* started.failure
  })
  const { socket } = yield* Effect.acquireRelease(RefCount.withLock(name)(enter), ({ reference }) =>
    RefCount.withLock(name)(leave(reference))
  )
  let isOut = false
  const revive = Effect.gen(function* () {
    if (Option.isSome(PostgresServer.find(join(dataDir, "postgres")))) {
      isOut = false
      return
    }
    if (!isOut) yield* Effect.logError("The embedded Postgres has ended and is started again")
    yield* Effect.uninterruptible(RefCount.withLock(name)(adoptOrLaunch(dataDir, name, options.durable ?? true)))
    yield* Effect.logInfo("The embedded Postgres runs again")
  })
  // Each start runs a recovery, and a cause such as a full disk may last: the failure is logged once, and tries are further apart.
  const outage = Effect.fnUntraced(function* (cause: Cause.Cause<EmbeddedPostgresFailed>) {
    const reason = Option.match(Cause.findErrorOption(cause), { onNone: () => cause, onSome: ({ message }) => message })
    if (!isOut) yield* Effect.logError("The embedded Postgres cannot be looked after", reason)
    isOut = true
    yield* Effect.sleep("5 seconds")
  })
  yield* revive.pipe(Effect.catchCause(outage), Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
  return { socket }
})
