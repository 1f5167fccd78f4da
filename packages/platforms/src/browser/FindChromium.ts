import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/** The programs that can be used, the smallest first. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Where Chromium was found, or a line for operators that says what to do. */
export type FoundChromium = { readonly path: string } | { readonly missing: string }

/**
 * Looks for a Chromium to capture with: only the given path, if there is one; otherwise the programs in `PATH`.
 *
 *     findChromium(undefined, "/usr/local/bin:/usr/bin") // => { path: "/usr/bin/chromium-headless-shell" }
 */
export const findChromium = (given: string | undefined, searchPath: string): FoundChromium => {
  if (given !== undefined) {
    return isProgram(given) ? { path: given } : { missing: `CHROMIUM_PATH: ${given} is not a program that can be run` }
  }
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  const path = programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isProgram)
  if (path !== undefined) return { path }
  return { missing: "no Chromium found: install the package chromium-headless-shell or set CHROMIUM_PATH" }
}
