import { Effect } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const prefix = "sightline-chromium-"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** When a process began, in ticks since the machine did; "" where there is no such process or no way to know. */
const beginningOf = (pid: number): string =>
  read(`/proc/${pid}/stat`)
    // The program's name stands in parentheses and may hold anything.
    .replace(/^.*\)/s, "")
    .split(" ")[20] ?? ""

const makeFolder = (): string => mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${beginningOf(process.pid)}-`))

/** A new folder for one browser, whose name says which process holds it: its pid and beginning. */
export const ownFolder: Effect.Effect<string> = Effect.sync(makeFolder)

/** Why no browser could have a folder, in one line for operators; nothing where one could. */
export const folderFault = (): string | undefined => {
  try {
    rmdirSync(makeFolder())
    return undefined
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error
    return `TMPDIR: ${tmpdir()} takes no folder for Chromium to work in (${String(code)})`
  }
}

const isHeld = (folder: string): boolean => {
  const [pid = "", beginning = ""] = folder.slice(prefix.length).split("-")
  if (!/^\d+$/.test(pid)) return true
  if (beginning !== "") return beginningOf(Number(pid)) === beginning
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The processes of the browser that works in `folder`, by the folder on their command line. */
const processesIn = (folder: string): ReadonlyArray<number> => {
  const mark = `--user-data-dir=${folder}`
  return readFolder("/proc")
    .filter((pid) => read(`/proc/${pid}/cmdline`).split("\0").includes(mark))
    .map(Number)
}

const readFolder = (path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Ends whatever still works in `folder` and removes it. Never fails: what cannot be removed is left to the next start. */
export const clear = (folder: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (const pid of processesIn(folder)) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // It ended by itself in between.
      }
    }
    return Effect.promise(() => rm(folder, { recursive: true, maxRetries: 5 }).catch(() => undefined))
  })

/** Clears the folders of browsers whose holders are gone, as after a `kill -9`. */
export const clearAbandoned: Effect.Effect<void> = Effect.suspend(() =>
  Effect.forEach(
    readFolder(tmpdir()).filter((name) => name.startsWith(prefix) && !isHeld(name)),
    (name) => clear(join(tmpdir(), name)),
    { discard: true }
  )
)
