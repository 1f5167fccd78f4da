import { readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly command: ReadonlyArray<string>
}

const entryOf = (pid: string): ReadonlyArray<ProcessEntry> => {
  try {
    const [state, parent, group] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
    return state === "Z" ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }]
  } catch {
    return []
  }
}

const entries = (): ReadonlyArray<ProcessEntry> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(entryOf)

/** The work folders of the browsers that process `holder` runs, in the folder for temporary files. */
export const foldersOf = (holder: number, place = tmpdir()): ReadonlyArray<string> =>
  readdirSync(place)
    .filter((name) => name.startsWith(`sightline-chromium-${holder}-`))
    .map((name) => join(place, name))

/** The process groups of the browsers in the given folders; each browser is a group of its own. */
export const groupsIn = (folders: ReadonlyArray<string>): ReadonlyArray<number> => {
  const marks = folders.map((folder) => `--user-data-dir=${folder}`)
  const mine = entries().filter(({ command }) => marks.some((mark) => command.includes(mark)))
  return [...new Set(mine.map(({ group }) => group))]
}

/** Every process that still runs in the given groups. */
export const membersOf = (groups: ReadonlyArray<number>): ReadonlyArray<number> =>
  entries()
    .filter(({ group }) => groups.includes(group))
    .map(({ pid }) => pid)

/** The browser process itself in each of the given groups: the one with the flag, not the shell that started it. */
export const browsersOf = (groups: ReadonlyArray<number>): ReadonlyArray<number> => {
  const inGroups = entries().filter(({ group }) => groups.includes(group))
  const main = inGroups.filter(({ command }) => command.some((word) => word.startsWith("--user-data-dir=")))
  return main.filter(({ pid }) => !main.some(({ parent }) => parent === pid)).map(({ pid }) => pid)
}

/** The processes of pages in the given groups; a forked one has its command line in one piece. */
export const renderersOf = (groups: ReadonlyArray<number>): ReadonlyArray<number> =>
  entries()
    .filter(({ group, command }) => groups.includes(group) && command.join(" ").includes("--type=renderer"))
    .map(({ pid }) => pid)
