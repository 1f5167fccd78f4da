/**
 * The programs of docs/customers/start.md, exactly as they are on that page: what they print for a check, and what they retry. Also the
 * limits on that page.
 *
 * Planted and seen red: a new idempotency key for each try; a refusal retried; no retry after a lost connection, or after a truncated
 * response; another limit on the page.
 */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { Mode } from "@sightline/domain/Mode"
import { listen } from "../services/listen.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"

const docs = readFileSync(new URL("../../docs/customers/start.md", import.meta.url), "utf8")

const programIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1] ?? assert.fail(`no program in ${language}`)

const languages = [
  { language: "js", command: process.execPath, options: ["--input-type=module", "-e"] },
  { language: "python", command: "python3", options: ["-c"] }
]

/** The requests that a server receives if it gives these answers in turn. A status of 0 breaks the connection; 1 breaks it within a 200. */
const sentTo = async (answers: ReadonlyArray<number>, use: (base: string) => Promise<unknown>) => {
  const sent: Array<string> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += String(chunk)
    const status = answers[sent.push(`${String(request.headers["idempotency-key"])} ${body}`) - 1] ?? 500
    if (status === 0) return request.socket.destroy()
    if (status === 1) {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" })
      return response.write('{"providers":', () => request.socket.destroy())
    }
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0", connection: "close" })
    response.end(status === 200 ? '{"providers":{},"cost_cents":7}' : '{"error":{"code":"refused"}}')
  })
  await use(`http://127.0.0.1:${await listen(server)}`).finally(() => server.close())
  return sent
}

const { env, program } = await started()

describe.each(languages)("the program in $language", ({ language, command, options }) => {
  const run = (base: string, key: string) =>
    promisify(execFile)(command, [...options, programIn(language)], { env: { BASE: base, KEY: key } })

  it("prints the result of each engine, and the cost", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const { stdout } = await run(program.base, key)
    for (const engine of ["chatgpt", "claude", "gemini", "perplexity"])
      assert.match(stdout, new RegExp(`^${engine} (?:place \\d+|not named)$`, "m"))
    const { total } = (await call(`${program.base}/v1/usage`, { key })).body
    assert.include(stdout, `\ncost ${total.cost_cents}\n`)
    assert.strictEqual(total.calls, 1)
  })

  it("retries a lost connection, 409, 429, 500 and 503 with the same idempotency key", async () => {
    const sent = await sentTo([0, 503, 500, 429, 409, 200], async (base) => {
      const { stdout } = await run(base, "k")
      assert.strictEqual(stdout.trim(), "cost 7")
    })
    assert.lengthOf(sent, 6)
    assert.lengthOf(new Set(sent), 1)
    assert.match(sent[0] ?? "", /^[0-9a-f-]{36} \{"query": ?"best running shoes", ?"brand": ?"Nike"\}$/)
  })

  it("retries a truncated response with the same idempotency key", async () => {
    const sent = await sentTo([1, 200], async (base) => {
      const { stdout } = await run(base, "k")
      assert.strictEqual(stdout.trim(), "cost 7")
    })
    assert.lengthOf(sent, 2)
    assert.lengthOf(new Set(sent), 1)
  })

  it("does not retry a refusal, and prints it", async () => {
    const sent = await sentTo([402], async (base) => {
      const failed = await run(base, "k").then(() => "", String)
      assert.include(failed, "refused")
    })
    assert.lengthOf(sent, 1)
  })
})

it("the limits on the page are those of a key without its own limits", async () => {
  const api = operator(program, env.ADMIN_TOKEN)
  const { key } = await api.key(await api.account("a customer"))
  const shown = Array.from(docs.matchAll(/^\| (.+?) \| (\d+) \| (?:one|ten) /gm), ([, calls, burst]) => [calls, burst])
  const checks = Mode.literals.filter((mode) => mode !== "quick" && mode !== "all_live")
  const of = async (path: string, body?: object) =>
    (await call(`${program.base}/v1/${path}`, { key, body })).headers.get("x-ratelimit-limit")
  const live = await Promise.all(checks.map((mode) => of("check", { mode })))
  assert.lengthOf(new Set(live), 1)
  assert.deepEqual(shown, [
    ["a `quick` check", await of("check", {})],
    ["a check of a live mode, for each mode", live[0]],
    ["a check of `all_live`", await of("check", { mode: "all_live" })],
    ["compare", await of("compare", {})],
    ["ask", await of("ask", {})],
    ["discover", await of("discover", {})],
    ["everything else", await of("wallet")]
  ])
})
