import { afterAll } from "vitest"
import { installation, startProgram } from "./program.ts"

/** The whole program, in its own installation, for the tests of a file. It is stopped after them. */
export const started = async (settings: Readonly<Record<string, string>> = {}) => {
  const env = await installation()
  const program = await startProgram({ ...env, ...settings })
  afterAll(() => program.stop())
  return { env, program }
}
