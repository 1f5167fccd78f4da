import { existsSync, mkdirSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * Makes a folder and those it lies in, as far as they are not there.
 *
 * One by one, because Node's own recursion never ends below a folder such as /proc, which lets nobody make one and says that it
 * is not there.
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
