/** A process whose secret key is not the one that its database was filled with. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { text } from "node:stream/consumers"
import { assert, it } from "vitest"
import { installation, overNats, startProgram } from "./program.ts"

const endOf = async (env: Readonly<Record<string, string>>) => {
  const settings = { PATH: process.env["PATH"], PORT: "0", ADMIN_PORT: "0", CHROMIUM_PATH: "off", ...env }
  // The timeout ends a start that succeeds contrary to the test.
  const child = spawn(process.execPath, ["apps/server/start.ts"], { env: settings, timeout: 60_000 })
  const code = new Promise<number | null>((resolve) => child.once("exit", resolve))
  return { stderr: await text(child.stderr), code: await code }
}

it("fails to start with one line that names the setting, also as a scheduler", async () => {
  const env = await installation()
  await (await startProgram(env)).stop()
  const SECRET_KEY = randomBytes(32).toString("base64")
  const roles = [{}, { ...overNats, ROLES: "scheduler" }]
  for (const { code, stderr } of await Promise.all(roles.map((role) => endOf({ ...env, ...role, SECRET_KEY })))) {
    assert.strictEqual(code, 1)
    assert.match(stderr, /^sightline: SECRET_KEY is not [^\n]+\n$/)
    assert.notInclude(stderr, SECRET_KEY)
  }
})
