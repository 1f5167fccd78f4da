import { afterAll } from "vitest"
import { installation, startProgram } from "./program.ts"

/** The whole program, in an installation of its own, for the tests of a file: it ends after them. */
export const started = async (settings: Readonly<Record<string, string>> = {}) => {
  const env = await installation()
  const program = await startProgram({ ...env, ...settings })
  afterAll(() => program.stop())
  return { env, program }
}
