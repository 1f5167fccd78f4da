/**
 * A receiver on the customer's own machine, as in docs/webhooks.md, called by the watch of docs/customers/watch.md. Both are used verbatim,
 * except for the address of the receiver.
 *
 * Planted and seen red: a query that two customers share.
 */
import { execFile, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, it, onTestFinished } from "vitest"
import { listen } from "../services/listen.ts"
import { customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { waitUntil } from "./waiting.ts"
import { decode, watching } from "./watching.ts"

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8")
const guide = read("webhooks.md")
const own = guide.slice(guide.indexOf("## On your own machine"))

const blockIn = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? assert.fail(`no block in ${language}`)

const quoted = (pattern: RegExp) => pattern.exec(own)?.[1] ?? assert.fail(`not there: ${pattern}`)

const directory = mkdtempSync(join(tmpdir(), "sightline-receiver-"))
afterAll(() => rmSync(directory, { recursive: true }))

const [certify = "", start = ""] = blockIn(own, "sh").trim().split("\n")
execFileSync("sh", ["-c", certify], { cwd: directory, stdio: "ignore" })
const settings = Object.fromEntries(start.split(" ").flatMap((word) => (word.includes("=") ? [word.split("=")] : [])))
const { env, program } = await started({
  ...settings,
  NODE_EXTRA_CA_CERTS: join(directory, settings.NODE_EXTRA_CA_CERTS)
})

const freePort = async () => {
  const server = createServer()
  const port = await listen(server)
  await new Promise((closed) => server.close(closed))
  return String(port)
}

const [before = "", after = ""] = blockIn(read("customers/watch.md").split("## Trying it")[1] ?? "", "sh").split(
  "https://hooks.example.com/sightline"
)

/** Creates the watch of the guide in a shell, with a receiver on that port. */
const madeWatch = async (key: string, port: string) => {
  const url = quoted(/`(https:.*?)`/).replace("9443", port)
  const env = { PATH: process.env["PATH"], BASE: program.base, KEY: key }
  const { stdout } = await promisify(execFile)("sh", ["-c", `${before}${url}${after}`], { env })
  return decode.state(JSON.parse(stdout))
}

it(
  "receives both runs of each customer, and accepts their signatures as genuine and fresh",
  { timeout: 120_000 },
  async () => {
    const port = await freePort()
    writeFileSync(join(directory, "genuine.mjs"), blockIn(guide, "js"))
    writeFileSync(join(directory, "receiver.mjs"), blockIn(own, "js").replace("9443", port))
    const secrets = { SECRET: quoted(/SECRET='(.*?)'/) }
    const receiver = spawn(process.execPath, ["receiver.mjs"], { cwd: directory, env: secrets })
    onTestFinished(() => void receiver.kill())
    let said = ""
    receiver.stdout.on("data", (text) => (said += String(text)))
    const told = (count: number) => waitUntil(`delivery ${count}`, () => said === "watch.fired true\n".repeat(count))
    for (const customers of [0, 1]) {
      const { account, key } = await customer(program, env.ADMIN_TOKEN, 0, { environment: "test" })
      await operator(program, env.ADMIN_TOKEN).topUp(account, 1000, "test")
      const { run } = watching(program, key)
      const { id } = await madeWatch(key, port)
      const made = Date.now()
      assert.deepEqual((await run(id)).triggers_fired, ["mention_added"])
      await told(2 * customers + 1)
      assert.deepEqual((await run(id)).triggers_fired, ["mention_removed", "citation_changed"])
      await told(2 * customers + 2)
      // The shell makes the query unique by the current second.
      await waitUntil("the next second", () => Date.now() > made + 1000)
    }
  }
)
