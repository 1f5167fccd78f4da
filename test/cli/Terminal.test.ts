/**
 * What a person at a terminal sees: the commands run in this process, with a terminal of sixty columns in place of the real one.
 *
 * Planted and seen red: a line is cut one column too late; progress is written into pipes; titles are bold where no colour is wanted;
 * `--json` contains directional marks; the side of a comparison is left out; ids are cut where they are widest, or where they are not
 * in the first column.
 */
import { afterAll, assert, beforeAll, it } from "vitest"
import { displayWidth } from "effect/cli/CliOutput"
import { fakeServer } from "./command.ts"
import { inProcess } from "./inProcess.ts"

const slot = (context: string) => ({ mentioned: true, rank: 1, context, citations: [], fan_out: [] })

const body = JSON.stringify({
  request_id: "r",
  id: "c",
  mode: "quick",
  query: "best crm",
  brand: "HubSpot",
  providers: {
    chatgpt: slot("顧客管理ソフトの比較では HubSpot が最も多く挙げられています。".repeat(4)),
    claude: slot("x".repeat(400))
  },
  errors: { gemini: { code: "provider_timeout", message: "took \u001b[2J too \u009b \u202e long" } },
  created_at: "2026-01-01T00:00:00Z",
  duration_ms: 1,
  cost_cents: 75,
  cache_hit: false,
  balance_after_cents: 25
})

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const told = [
  event("platform", { platform: "chatgpt", state: "asked" }),
  event("platform", { platform: "gemini", state: "failed", code: "provider_timeout" }),
  event("answer", { status: 200, headers: {}, body: JSON.parse(body) })
]

let server: Awaited<ReturnType<typeof fakeServer>>

beforeAll(async () => {
  server = await fakeServer((_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(told.join(""))
  )
})

afterAll(() => server.stop())

const run = (options: { readonly terminal: boolean; readonly color?: boolean }, ...args: ReadonlyArray<string>) =>
  inProcess({ ...options, env: { SIGHTLINE_URL: server.url, SIGHTLINE_API_KEY: "lvk_test_x" } }, args)

const check = ["check", "best crm", "--brand", "HubSpot"]

it("a table is no wider than the terminal where its columns fit, whatever script its cells are in", async () => {
  const { out } = await run({ terminal: true }, ...check)
  for (const line of out.split("\n")) assert.isAtMost(displayWidth(line), 60, line)
  assert.match(out, /^chatgpt .*顧客.*…$/m)
  assert.match(out, /^claude .*xxx…$/m)
})

it("ids are whole even where a list has more columns than fit the terminal", async () => {
  const [id, at] = ["01a2b3c4-d5e6-4f70-8192-a3b4c5d6e7f8", "2026-01-02T03:04:05.000Z"]
  const url = `https://in.example/${"x".repeat(80)}`
  const asked = { id, query: "best crm", brand: "HubSpot", mode: "quick", created_at: at }
  const lists = {
    keys: { keys: [{ id, environment: "live", read_only: true, created_at: at, revoked_at: at, current: true }] },
    watch: {
      watches: [
        {
          ...asked,
          status: "active",
          interval: "daily",
          webhook_url: url,
          trigger_on: ["rank_changed"],
          sensitivity: "every_change",
          next_run_at: at
        }
      ],
      next_cursor: null
    },
    checks: {
      checks: [
        { ...asked, region: "us", duration_ms: 1, cost_cents: 150, watch_id: null, platforms: [], failures: [] }
      ],
      next_cursor: null
    },
    webhooks: {
      webhooks: [
        { id, url, description: url, events: ["ask.completed"], enabled: true, created_at: at, updated_at: at }
      ]
    },
    deliveries: {
      deliveries: [{ id, event: "watch.fired", status: "pending", url, created_at: at, next_attempt_at: at }],
      next_cursor: null
    }
  }
  const listing = await fakeServer((request, response) => {
    const list = Object.entries(lists).find(([name]) => request.url?.startsWith(`/v1/${name}`))?.[1]
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ request_id: "r", ...list }))
  })
  const env = { SIGHTLINE_URL: listing.url, SIGHTLINE_API_KEY: "lvk_test_x" }
  for (const name of Object.keys(lists)) {
    const { out } = await inProcess({ env, terminal: true }, [name, "list"])
    assert.match(out, new RegExp(`^${id} `, "m"), name)
  }
  await listing.stop()
})

it("a movement's charge and the subject of an action are whole, like the ids of the lines", async () => {
  const [at, hash] = ["2026-01-02T03:04:05.000Z", "h"]
  const ids = [1, 2, 3].map((n) => `01a2b3c4-d5e6-4f70-8192-a3b4c5d6e7f${n}`)
  const [charge_id, account_id, subject] = ids
  const money = { amount_cents: 165, available_after_cents: 999_305, held_after_cents: 0 }
  const entry = {
    id: "test-12",
    environment: "test",
    charge_id,
    kind: "capture",
    memo: "",
    created_at: at,
    hash,
    ...money
  }
  const facts = { reference: "x".repeat(80) }
  const who = { principal: "key", key_id: charge_id, account_id, subject }
  const lists = await fakeServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        request_id: "r",
        entries: [entry],
        actions: [{ sequence: 7, created_at: at, action: "key_created", facts, hash, ...who }],
        next_cursor: null
      })
    )
  )
  const env = { SIGHTLINE_URL: lists.url, SIGHTLINE_ADMIN_URL: lists.url, SIGHTLINE_API_KEY: "x", ADMIN_TOKEN: "t" }
  const [ledger, actions] = [
    await inProcess({ env, terminal: true }, ["ledger"]),
    await inProcess({ env, terminal: true }, ["admin", "actions"])
  ]
  await lists.stop()
  assert.match(ledger.out, new RegExp(`^test-12  2026-01-02….* ${charge_id}$`, "m"))
  for (const whole of ids) assert.match(actions.out, new RegExp(` ${whole} `))
})

it("the platform and the model of --model are whole", async () => {
  const model = {
    id: "gpt-6-sol-2026-01-02-preview",
    default: true,
    web_search: true,
    temperature: true,
    expires_at: "2027-01-02T03:04:05.000Z"
  }
  const listing = await fakeServer((_, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ request_id: "r", models: { chatgpt: [], claude: [], gemini: [], perplexity: [model] } }))
  )
  const env = { SIGHTLINE_URL: listing.url, SIGHTLINE_API_KEY: "lvk_test_x" }
  const { out } = await inProcess({ env, terminal: true }, ["models"])
  await listing.stop()
  assert.match(out, new RegExp(`^perplexity  ${model.id}  `, "m"))
})

it("cells are whole in a pipe", async () => {
  const { out } = await run({ terminal: false }, ...check)
  assert.include(out, "x".repeat(400))
})

it("the progress of each platform is shown on a terminal only", async () => {
  assert.strictEqual((await run({ terminal: true }, ...check)).err, "chatgpt is asked\ngemini failed: provider_timeout")
  assert.strictEqual((await run({ terminal: false }, ...check)).err, "")
})

it("the progress of a comparison names the side", async () => {
  const sides = await fakeServer((_, response) =>
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(
        event("platform", { platform: "claude", side: "a", state: "asked" }) +
          event("platform", { platform: "claude", side: "b", state: "answered" }) +
          event("answer", { status: 200, headers: {}, body: {} })
      )
  )
  const env = { SIGHTLINE_URL: sides.url, SIGHTLINE_API_KEY: "lvk_test_x" }
  const { err } = await inProcess({ env, terminal: true }, ["compare", "--query", "best crm", "--json"])
  await sides.stop()
  assert.strictEqual(err, "claude (a) is asked\nclaude (b) answered")
})

it("titles are bold where colour is wanted, and no escape codes are written otherwise", async () => {
  assert.include((await run({ terminal: true, color: true }, ...check)).out, "\u001b[1mplatform")
  assert.notInclude((await run({ terminal: true }, ...check)).out, "\u001b")
})

it("--json on a terminal is the same document, with control characters escaped", async () => {
  const { out } = await run({ terminal: true }, ...check, "--json")
  assert.deepEqual(JSON.parse(out), JSON.parse(body))
  assert.notMatch(out, /\p{Cc}|\p{Cf}/u)
  assert.strictEqual((await run({ terminal: false }, ...check, "--json")).out, body)
})
