/**
 * Whose browsers' folders are cleared away.
 *
 * Planted and seen red: what somebody holds cleared; a holder known by its pid alone, or by nothing but its beginning; what is not
 * ours cleared.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clear, clearAbandoned, ownFolder } from "@sightline/platforms/browser/Remains"

/** A folder with something in it, gone when the scope closes. */
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

it.effect("folders are cleared whose holder is gone, also where another process has its pid now, and no others", () =>
  Effect.gen(function* () {
    const own = yield* Effect.acquireRelease(ownFolder, clear)
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
    yield* clearAbandoned
    assert.deepEqual(
      [...kept, ...cleared].filter((path) => existsSync(path)),
      kept
    )
  })
)
