/**
 * The traces that a collector gets from a program with all its log output.
 *
 * Planted and seen red: spans sent as they are, with the key in the URL of a request, or the operator token; log lines and metrics sent
 * too; the clock read for a report before its token is taken.
 */
import { createServer, type Server } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, it } from "vitest"
import { signIn } from "./browsing.ts"
import { call, customer, installation, startProgram } from "./program.ts"
import { listen } from "../services/listen.ts"

let collector: Server
let url: string
const sent: Array<{ readonly path: string; readonly body: string }> = []

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    sent.push({ path: request.url ?? "", body: await text(request) })
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  url = `http://127.0.0.1:${await listen(collector)}`
})
afterAll(() => {
  collector.closeAllConnections()
  collector.close()
})

it("a collector gets only traces; neither they nor the log contain a key, a session or a token, wherever a caller puts it", async () => {
  const own = await installation()
  const program = await startProgram({ ...own, OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: "debug" })
  const { key } = await customer(program, own.ADMIN_TOKEN)
  const session = await signIn(program, key)
  const secret = session.cookie.split("=")[1] ?? ""
  await call(`${program.base}/v1/check`, { key, body: { query: "q", brand: "b" } })
  await call(`${program.base}/v1/check`, { headers: session.headers, body: { query: "q", brand: "b" } })
  for (const path of [`/v1/${key}`, `/v1/checks/${key}`, `/v1/checks?key=${key}`, `/v1/usage?start=${key}`])
    await call(`${program.base}${path}`, {
      key,
      headers: { accept: "application/json", "user-agent": `Bearer ${key}` }
    })
  for (const query of [`token=${own.ADMIN_TOKEN}`, `x=1&csrf_token=${session.csrf}&y=2`])
    await call(`${program.admin}/admin/audit?${query}`)
  await program.stop()

  assert.deepEqual([...new Set(sent.map(({ path }) => path))], ["/v1/traces"])
  assert.include(sent.map(({ body }) => body).join("\n"), "/v1/checks/lvk_test_…")
  const logged = program.output().replaceAll(/Test key .*\n|curl .*\n/g, "")
  for (const said of [...sent.map(({ body }) => body), logged])
    for (const kept of [key, secret, session.csrf, own.ADMIN_TOKEN, own.SECRET_KEY]) assert.notInclude(said, kept)
})

it("429: a report that is refused for its rate makes no statement of its own, not even a look at the clock", async () => {
  const own = await installation()
  const program = await startProgram({ ...own, OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const { key } = await customer(program, own.ADMIN_TOKEN, 0, {
    rate_limits: { default: { burst: 2, per_second: 0.0001 } }
  })
  sent.length = 0
  const statuses: Array<number> = []
  for (const path of ["usage", "visibility", "usage", "visibility"])
    statuses.push((await call(`${program.base}/v1/${path}`, { key })).status)
  await program.stop()
  assert.deepEqual(statuses, [200, 200, 429, 429])
  const looks = sent
    .map(({ body }) => body)
    .join("")
    .match(/SELECT ceil\(extract\(epoch FROM clock_timestamp/g)
  assert.lengthOf(looks ?? [], 2)
})
