/**
 * What each command sends, with every flag that it has, to a server that only records.
 *
 * Planted and seen red:
 * - a flag is left out, or sent under another name or with too few values
 * - a page's cursor and limit, a filter of usage or of actions, or the buckets and the bounds of a key are not sent
 * - the environment of a top-up or of a ledger is not sent
 * - health is requested with a key
 * - a mode is not accepted under its old name
 */
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { fakeServer } from "./command.ts"
import { inProcess } from "./inProcess.ts"

/** What arrived: method and address, the Idempotency-Key and the API key of the call, and the body. */
interface Arrived {
  readonly to: string
  readonly by: string | undefined
  readonly once?: string
  readonly body?: unknown
}

const id = "0190a0b0-0000-7000-8000-000000000001"
const other = "0190a0b0-0000-7000-8000-000000000002"
const secret = "a secret of sixteen or more"

let server: Awaited<ReturnType<typeof fakeServer>>
let arrived: Array<Arrived> = []

beforeAll(async () => {
  server = await fakeServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const { authorization, "idempotency-key": once } = request.headers
    arrived.push({
      to: `${request.method} ${request.url}`,
      by: authorization,
      ...(once !== undefined && { once: String(once) }),
      ...(text !== "" && { body: JSON.parse(text) })
    })
    response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}')
  })
})

afterAll(() => server.stop())

const sent = async (...args: ReadonlyArray<string>): Promise<Arrived | undefined> => {
  arrived = []
  const env = {
    SIGHTLINE_URL: server.url,
    SIGHTLINE_ADMIN_URL: server.url,
    SIGHTLINE_API_KEY: "lvk_test_x",
    SIGHTLINE_WEBHOOK_SECRET: secret,
    ADMIN_TOKEN: "of-the-operator"
  }
  await inProcess({ env }, [...args, "--json"])
  assert.lengthOf(arrived, 1)
  return arrived[0]
}

/** A customer's call. */
const call = (to: string, more: Partial<Arrived> = {}): Arrived => ({ to, by: "Bearer lvk_test_x", ...more })

/** An operator's call. */
const admin = (to: string, body?: unknown): Arrived => ({
  to,
  by: "Bearer of-the-operator",
  ...(body !== undefined && { body })
})

const words = (text: string): ReadonlyArray<string> => text.split(" ")

describe("questions", () => {
  it("check sends every option", async () => {
    const flags = words("--mode quick --provider chatgpt --provider claude --region uk --city Leeds --include raw")
    const models = words(
      "--include branding --model chatgpt=gpt-6-sol --model claude=claude-opus-5 --idempotency-key k"
    )
    assert.deepEqual(
      await sent("check", "best crm", "--brand", "HubSpot", ...flags, ...models),
      call("POST /v1/check", {
        once: "k",
        body: {
          query: "best crm",
          brand: "HubSpot",
          mode: "quick",
          providers: ["chatgpt", "claude"],
          region: "uk",
          city: "Leeds",
          models: { chatgpt: "gpt-6-sol", claude: "claude-opus-5" },
          include: ["raw", "branding"]
        }
      })
    )
  })

  it("compare sends each side as given", async () => {
    const sides = words("--query q --query-a qa --query-b qb --brand b --brand-a ba --brand-b bb")
    assert.deepEqual(
      await sent("compare", ...sides, ...words("--mode perplexity_live --region ca --idempotency-key k")),
      call("POST /v1/compare", {
        once: "k",
        body: {
          query: "q",
          query_a: "qa",
          query_b: "qb",
          brand: "b",
          brand_a: "ba",
          brand_b: "bb",
          mode: "perplexity_live",
          region: "ca"
        }
      })
    )
  })

  it("discover sends brand, industry, count and language", async () => {
    assert.deepEqual(
      await sent("discover", "HubSpot", ...words("--industry CRM --count 7 --language de --idempotency-key k")),
      call("POST /v1/discover", {
        once: "k",
        body: { brand: "HubSpot", industry: "CRM", count: 7, language: "de" }
      })
    )
  })

  it("ask sends every option, and the defaults of omitted ones", async () => {
    const flags = words("--system-message short --provider openai --model openai=gpt-6-sol --temperature 0.5")
    const more = words("--max-tokens 100 --track-brand HubSpot --track-brand Zoho --no-web-search --country DE")
    const rest = words(`--cache-scope private --mode standard --async --webhook-id ${id} --idempotency-key k`)
    assert.deepEqual(
      await sent("ask", "what is a crm?", ...flags, ...more, ...rest),
      call("POST /v1/ask", {
        once: "k",
        body: {
          prompt: "what is a crm?",
          system_message: "short",
          providers: ["openai"],
          model: { openai: "gpt-6-sol" },
          params: { temperature: 0.5, max_tokens: 100 },
          track_brands: ["HubSpot", "Zoho"],
          web_search: false,
          country: "DE",
          cache_scope: "private",
          mode: "standard",
          async: true,
          webhook_id: id
        }
      })
    )
    assert.deepEqual(
      await sent("ask", "what is a crm?"),
      call("POST /v1/ask", {
        body: { prompt: "what is a crm?", params: {}, track_brands: [], web_search: true, async: false }
      })
    )
    assert.deepEqual(await sent("ask", "get", id), call(`GET /v1/ask/${id}`))
  })
})

describe("watches and their notifications", () => {
  it("watch create sends every option, and the secret from the environment", async () => {
    const flags = words("--brand HubSpot --mode ai_mode --interval daily --webhook-url https://in.example/x")
    const more = words(
      "--trigger-on rank_changed --trigger-on mention_added --sensitivity evidence --idempotency-key k"
    )
    assert.deepEqual(
      await sent("watch", "create", "best crm", ...flags, ...more),
      call("POST /v1/watch", {
        once: "k",
        body: {
          query: "best crm",
          brand: "HubSpot",
          mode: "ai_mode",
          interval: "daily",
          webhook_url: "https://in.example/x",
          webhook_secret: secret,
          trigger_on: ["rank_changed", "mention_added"],
          sensitivity: "evidence"
        }
      })
    )
  })

  it("a watch is listed, shown, paused, resumed and run, and its runs are listed", async () => {
    assert.deepEqual(await sent(...words("watch list --cursor c --limit 5")), call("GET /v1/watch?cursor=c&limit=5"))
    assert.deepEqual(await sent("watch", "show", id), call(`GET /v1/watch/${id}`))
    assert.deepEqual(await sent("watch", "pause", id), call(`DELETE /v1/watch/${id}`))
    assert.deepEqual(await sent("watch", "resume", id), call(`POST /v1/watch/${id}/resume`))
    assert.deepEqual(
      await sent("watch", "run", id, "--idempotency-key", "k"),
      call(`POST /v1/watch/${id}/run`, { once: "k" })
    )
    assert.deepEqual(
      await sent("watch", "runs", id, ...words("--cursor c --limit 5")),
      call(`GET /v1/watch/${id}/runs?cursor=c&limit=5`)
    )
  })

  it("an endpoint is registered, listed, shown, changed, given a new secret and deleted", async () => {
    const url = "https://in.example/x"
    const told = words("--description one --event ask.completed")
    assert.deepEqual(
      await sent("webhooks", "create", url, ...told),
      call("POST /v1/webhooks", { body: { url, description: "one", events: ["ask.completed"], enabled: true } })
    )
    assert.deepEqual(await sent("webhooks", "list"), call("GET /v1/webhooks"))
    assert.deepEqual(await sent("webhooks", "show", id), call(`GET /v1/webhooks/${id}`))
    assert.deepEqual(
      await sent("webhooks", "update", id, "--url-to", url, ...told, "--enabled"),
      call(`PATCH /v1/webhooks/${id}`, { body: { url, description: "one", events: ["ask.completed"], enabled: true } })
    )
    assert.deepEqual(
      await sent("webhooks", "rotate", id),
      call(`PATCH /v1/webhooks/${id}`, { body: { rotate_secret: true } })
    )
    assert.deepEqual(await sent("webhooks", "delete", id), call(`DELETE /v1/webhooks/${id}`))
  })

  it("deliveries are listed, shown and replayed", async () => {
    const flags = words(`--watch-id ${id} --webhook-id ${other} --status failed --cursor c --limit 5`)
    assert.deepEqual(
      await sent("deliveries", "list", ...flags),
      call(`GET /v1/deliveries?watch_id=${id}&webhook_id=${other}&status=failed&cursor=c&limit=5`)
    )
    assert.deepEqual(await sent("deliveries", "show", id), call(`GET /v1/deliveries/${id}`))
    assert.deepEqual(
      await sent("deliveries", "replay", id, "--idempotency-key", "k"),
      call(`POST /v1/deliveries/${id}/replay`, { once: "k" })
    )
  })
})

describe("the account", () => {
  it("checks are listed with each of the filters, and shown", async () => {
    const flags = words(`--brand HubSpot --query crm --mode quick --watch-id ${id} --start 2026-01-01 --end 2026-02-01`)
    assert.deepEqual(
      await sent("checks", "list", ...flags, ...words("--cursor c --limit 5")),
      call(
        `GET /v1/checks?brand=HubSpot&query=crm&mode=quick&watch_id=${id}&start=2026-01-01&end=2026-02-01&cursor=c&limit=5`
      )
    )
    assert.deepEqual(await sent("checks", "show", id), call(`GET /v1/checks/${id}`))
  })

  it("usage is requested for the given window, granularity, endpoint and mode", async () => {
    const flags = words("--start 2026-01-01 --end 2026-02-01 --granularity hour --endpoint ask --mode standard")
    assert.deepEqual(
      await sent("usage", ...flags),
      call("GET /v1/usage?start=2026-01-01&end=2026-02-01&granularity=hour&endpoint=ask&mode=standard")
    )
    assert.deepEqual(await sent("usage", "--mode", "realistic"), call("GET /v1/usage?mode=realistic"))
  })

  it("wallet, ledger, models and health are requested, health without a key", async () => {
    assert.deepEqual(await sent("wallet"), call("GET /v1/wallet"))
    assert.deepEqual(await sent(...words("ledger --cursor c --limit 5")), call("GET /v1/ledger?cursor=c&limit=5"))
    assert.deepEqual(await sent("models"), call("GET /v1/models"))
    assert.deepEqual(await sent("health"), { to: "GET /v1/health", by: undefined })
  })

  it("keys are listed, created and revoked", async () => {
    assert.deepEqual(await sent("keys", "list"), call("GET /v1/keys"))
    assert.deepEqual(await sent("keys", "create"), call("POST /v1/keys", { body: { read_only: false } }))
    assert.deepEqual(await sent("keys", "create", "--read-only"), call("POST /v1/keys", { body: { read_only: true } }))
    assert.deepEqual(await sent("keys", "revoke", id), call(`DELETE /v1/keys/${id}`))
  })
})

describe("operators", () => {
  it("accounts are created, topped up and detached", async () => {
    assert.deepEqual(
      await sent(...words("admin accounts create Acme")),
      admin("POST /admin/accounts", { name: "Acme" })
    )
    assert.deepEqual(await sent("admin", "accounts", "detach", id), admin(`DELETE /admin/accounts/${id}`))
    assert.deepEqual(
      await sent("admin", "topup", id, ...words("12.5 --environment test --reference r")),
      admin(`POST /admin/accounts/${id}/topups`, { credits: 12.5, environment: "test", reference: "r" })
    )
  })

  it("keys are created, with buckets of their own, and revoked", async () => {
    const buckets = { "check:quick": { burst: 5, per_second: 0.5 } }
    const file = join(await mkdtemp(join(tmpdir(), "buckets-")), "buckets.json")
    await writeFile(file, JSON.stringify(buckets))
    assert.deepEqual(
      await sent("admin", "keys", "create", id, ...words("--environment live --read-only --rate-limits"), file),
      admin(`POST /admin/accounts/${id}/keys`, { environment: "live", read_only: true, rate_limits: buckets })
    )
    assert.deepEqual(await sent("admin", "keys", "revoke", id), admin(`DELETE /admin/keys/${id}`))
  })

  it("ledger and actions are requested for the given account and page; ticks and audits need nothing", async () => {
    assert.deepEqual(
      await sent("admin", "ledger", id, ...words("--environment test --cursor c --limit 5")),
      admin(`GET /admin/accounts/${id}/ledger?environment=test&cursor=c&limit=5`)
    )
    assert.deepEqual(
      await sent("admin", "actions", "--account", id, ...words("--cursor c --limit 5")),
      admin(`GET /admin/actions?account_id=${id}&cursor=c&limit=5`)
    )
    assert.deepEqual(await sent("admin", "scheduler", "tick"), admin("POST /admin/scheduler/tick"))
    assert.deepEqual(await sent("audit"), admin("GET /admin/audit"))
  })
})
