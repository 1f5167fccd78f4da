import { existsSync, mkdirSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * Makes a folder and its missing parents.
 *
 * One by one, because Node's own recursion never ends below a folder such as /proc, which permits no new folder and reports that it
 * does not exist.
 */
export const makeFolder = (path: string): void => {
  const folder = resolve(path)
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(folder)) throw error
  }
}
