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

/** When a process started, in clock ticks since the machine's start; "" if there is no such process or this is not known. */
const processStartOf = (pid: number): string =>
  read(`/proc/${pid}/stat`)
    // The program's name is in parentheses and may contain anything.
    .replace(/^.*\)/s, "")
    .split(" ")[20] ?? ""

const makeFolder = (): string => mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${processStartOf(process.pid)}-`))

/** A new folder for one browser. Its name has the pid and the start of the process that owns it. */
export const makeUserDataFolder: Effect.Effect<string> = Effect.sync(makeFolder)

/** Why no folder for a browser can be made, in one line for operators; undefined if one can. */
export const folderFault = (): string | undefined => {
  try {
    rmdirSync(makeFolder())
    return undefined
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error
    return `TMPDIR: ${tmpdir()} takes no folder for Chromium to work in (${String(code)})`
  }
}

const isInUse = (folder: string): boolean => {
  const [pid = "", beginning = ""] = folder.slice(prefix.length).split("-")
  if (!/^\d+$/.test(pid)) return true
  if (beginning !== "") return processStartOf(Number(pid)) === beginning
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The processes of the browser that uses `folder`, found by the folder on their command line. */
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

/** Ends the processes that still use `folder`, and removes it. Never fails: what cannot be removed is left to the next start. */
export const removeUserDataFolder = (folder: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (const pid of processesIn(folder)) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // The process has ended in the meantime.
      }
    }
    return Effect.promise(() => rm(folder, { recursive: true, maxRetries: 5 }).catch(() => undefined))
  })

/** Clears the folders of browsers whose owner is gone, for example after a `kill -9`. */
export const removeAbandonedFolders: Effect.Effect<void> = Effect.suspend(() =>
  Effect.forEach(
    readFolder(tmpdir()).filter((name) => name.startsWith(prefix) && !isInUse(name)),
    (name) => removeUserDataFolder(join(tmpdir(), name)),
    { discard: true }
  )
)
