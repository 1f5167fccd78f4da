/**
 * Which work folders of browsers are cleared away.
 *
 * Planted and seen red:
 * - a folder in use is cleared
 * - a holder is identified by its pid alone, or by its start time alone
 * - a folder of another program is cleared
 * - a holder is lost because it has another name
 * - processes in a folder are left, are only asked to end, or only one of them is ended
 * - processes in another folder are ended
 * - a folder that is being written to is given up at once
 * - a folder that cannot be removed, or read, causes a failure
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  makeUserDataFolder,
  removeAbandonedFolders,
  removeUserDataFolder
} from "@sightline/platforms/browser/UserDataFolder"

/** A folder with a file in it, removed with the scope. */
const folder = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const path = join(tmpdir(), name)
      mkdirSync(path)
      writeFileSync(join(path, "file"), "")
      return path
    }),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

it.effect("clears exactly the folders whose holder is gone, even where another process has its pid now", () =>
  Effect.gen(function* () {
    const own = yield* Effect.acquireRelease(makeUserDataFolder, removeUserDataFolder)
    const gone = spawnSync("true").pid
    const [pid, beginning] = own.split("-").slice(-3)
    assert.strictEqual(pid, String(process.pid))
    assert.isAbove(Number(beginning), 0)
    const [mine, its] = [`sightline-chromium-${process.pid}`, `sightline-chromium-${gone}`]
    const unique = `remains${process.pid}`
    const kept = [
      own,
      yield* folder(`${mine}--${unique}`),
      yield* folder(`sightline-chromium-x-1-${unique}`),
      yield* folder(`sightline-other-${gone}-1-${unique}`)
    ]
    const cleared = [
      yield* folder(`${mine}-${Number(beginning) + 1}-${unique}`),
      yield* folder(`${its}-${beginning}-${unique}`),
      yield* folder(`${its}--${unique}`)
    ]
    yield* removeAbandonedFolders
    assert.deepEqual(
      [...kept, ...cleared].filter((path) => existsSync(path)),
      kept
    )
  })
)

/** A process with this script and these arguments, once it reports that it is ready; ended with the scope. */
const program = (script: string, ...words: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly ended: Effect.Effect<NodeJS.Signals | null>; readonly kill: () => void }>((resume) => {
      const started = spawn(process.execPath, ["-e", script, "--", ...words], { stdio: ["ignore", "pipe", "inherit"] })
      const over = new Promise<NodeJS.Signals | null>((resolve) => {
        started.once("exit", (_, signal) => resolve(signal))
      })
      const kill = () => void started.kill("SIGUSR2")
      started.stdout.once("data", () => resume(Effect.succeed({ ended: Effect.promise(() => over), kill })))
    }),
    ({ kill }) => Effect.sync(kill)
  )

const stubborn = `process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000)`

it.live(
  "ends every process that works in a folder, even one that ignores signals, and none that works in another",
  () =>
    Effect.gen(function* () {
      const path = yield* folder(`remains-${process.pid}`)
      const working = [
        yield* program(stubborn, `--user-data-dir=${path}`),
        yield* program(stubborn, "--type=renderer", `--user-data-dir=${path}`)
      ]
      const other = yield* program(stubborn, `--user-data-dir=${path}x`)
      yield* removeUserDataFolder(path)
      assert.deepEqual(yield* Effect.forEach(working, ({ ended }) => ended), ["SIGKILL", "SIGKILL"])
      assert.isFalse(existsSync(path))
      other.kill()
      assert.strictEqual(yield* other.ended, "SIGUSR2")
    }).pipe(Effect.scoped)
)

it.live("removes a folder even while it is still being written to", () =>
  Effect.gen(function* () {
    const path = yield* folder(`remains-${process.pid}`)
    yield* program(
      `const end = Date.now() + 300
       let n = 0
       console.log("ready")
       while (Date.now() < end) try { fs.writeFileSync(${JSON.stringify(path)} + "/" + n++, "") } catch { break }`
    )
    yield* removeUserDataFolder(path)
    assert.isFalse(existsSync(path))
  }).pipe(Effect.scoped)
)

it.effect("recognises a holder whatever its name is", () =>
  Effect.gen(function* () {
    const own = yield* Effect.acquireRelease(makeUserDataFolder, removeUserDataFolder)
    const { title } = process
    yield* Effect.acquireRelease(
      Effect.sync(() => (process.title = "a) \n(b) 1 2")),
      () => Effect.sync(() => (process.title = title))
    )
    yield* removeAbandonedFolders
    assert.isTrue(existsSync(own))
  }).pipe(Effect.scoped)
)

it.effect("ignores what cannot be removed or read", () =>
  Effect.gen(function* () {
    const file = join(yield* folder(`remains-${process.pid}`), "file")
    yield* removeUserDataFolder(join(file, "within"))
    const { TMPDIR } = process.env
    yield* Effect.acquireRelease(
      Effect.sync(() => (process.env["TMPDIR"] = file)),
      () => Effect.sync(() => (TMPDIR === undefined ? delete process.env["TMPDIR"] : (process.env["TMPDIR"] = TMPDIR)))
    )
    yield* removeAbandonedFolders
  }).pipe(Effect.scoped)
)
