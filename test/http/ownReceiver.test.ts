/**
 * A receiver on one's own machine, as docs/webhooks.md has it, told by the watch that docs/customers/watch.md has: what is written
 * there, to the letter, but for the port.
 */
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it, onTestFinished } from "vitest"
import { listen } from "../services/listen.ts"
import { customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { waitUntil } from "./waiting.ts"
import { watching } from "./watching.ts"

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

it("is told of both runs, and finds their signatures genuine and fresh", { timeout: 120_000 }, async () => {
  const port = await freePort()
  const secret = quoted(/SECRET='(.*?)'/)
  writeFileSync(join(directory, "genuine.mjs"), blockIn(guide, "js"))
  writeFileSync(join(directory, "receiver.mjs"), blockIn(own, "js").replace("9443", port))
  const receiver = spawn(process.execPath, ["receiver.mjs"], { cwd: directory, env: { SECRET: secret } })
  onTestFinished(() => void receiver.kill())
  let said = ""
  receiver.stdout.on("data", (text) => (said += String(text)))
  const { account, key } = await customer(program, env.ADMIN_TOKEN, 0, { environment: "test" })
  await operator(program, env.ADMIN_TOKEN).topUp(account, 1000, "test")
  const { create, run } = watching(program, key)
  const { id } = await create({
    ...JSON.parse(blockIn(read("customers/watch.md").split("## Trying it")[1] ?? "", "json")),
    webhook_url: quoted(/`(https:.*?)`/).replace("9443", port),
    webhook_secret: secret
  })
  const first = await run(id)
  await waitUntil("the first delivery", () => said === "watch.fired true\n")
  const second = await run(id)
  await waitUntil("the second delivery", () => said === "watch.fired true\nwatch.fired true\n")
  assert.deepEqual(
    [first.triggers_fired, second.triggers_fired],
    [["mention_added"], ["mention_removed", "citation_changed"]]
  )
})
