/**
 * What a person is shown for each answer, word for word.
 *
 * Planted and seen red:
 * - two columns or fields are swapped; a sum is wrong
 * - cached answers, failures, the rest of a list or a new secret are not shown
 * - a surface without an answer is shown as one that does not name the brand
 * - `--json` prints something for an empty answer
 * - what `--include` requests is not shown, or an escape sequence in it is not escaped
 * - a site is listed once for each of its pages
 * - a tracked brand that no answer names is left out, or is shown as unnamed where no platform answered
 * - notifications of a watch are left out
 * - a run is shown without its check and without its changes
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { fakeServer } from "./command.ts"
import { inProcess } from "./inProcess.ts"

const at = "2026-01-02T03:04:05.000Z"
const request_id = "r"

let server: Awaited<ReturnType<typeof fakeServer>>
let body: object = {}

beforeAll(async () => {
  server = await fakeServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ request_id, ...body }))
  )
})

afterAll(() => server.stop())

/** What is shown for each answer, line by line. */
const shown = async (command: string, answer: object): Promise<ReadonlyArray<string>> => {
  body = answer
  const env = {
    SIGHTLINE_URL: server.url,
    SIGHTLINE_ADMIN_URL: server.url,
    SIGHTLINE_API_KEY: "lvk_test_x",
    ADMIN_TOKEN: "t"
  }
  const { out, err } = await inProcess({ env }, command.split(" "))
  assert.strictEqual(err, "")
  return out.split("\n")
}

describe("questions", () => {
  const slot = { mentioned: true, rank: 2, context: "Acme is second.", citations: [], fan_out: [] }
  const citation = { url: "https://a.example/", title: "A" }

  it("a check: what each platform said of the brand, failures, and the cost", async () => {
    const check = {
      id: "c",
      mode: "all_live",
      query: "best crm",
      brand: "Acme",
      providers: {
        chatgpt: { ...slot, citations: [citation, citation] },
        gemini: { ...slot, mentioned: false, rank: null, context: "" },
        ai_overview: { ...slot, mentioned: false, rank: null, context: "", surface_present: false }
      },
      errors: { perplexity: { code: "upstream_timeout", message: "took too long" } },
      created_at: at,
      duration_ms: 1,
      cost_cents: 82.5,
      cache_hit: false,
      balance_after_cents: 17.5
    }
    assert.deepEqual(await shown("check crm --brand Acme", check), [
      "check  c",
      "query  best crm",
      "brand  Acme",
      "mode   all_live",
      "",
      "platform     mentioned        rank  citations  context",
      "chatgpt      yes                 2          2  Acme is second.",
      "gemini       no                  -          0",
      "ai_overview  no answer shown     -          0",
      "perplexity   failed              -          -  upstream_timeout: took too long",
      "",
      "cost     82.5 credits",
      "balance  17.5"
    ])
    const cached = await shown("check crm --brand Acme", { ...check, cache_hit: true, cost_cents: 5 })
    assert.include(cached, "cost     5 credits, from cache")
  })

  it("a check with --include: each cited site with its platforms, each answer in full, and control characters escaped", async () => {
    const cited = (url: string, domain: string | null) => ({
      ...citation,
      url,
      branding:
        domain === null ? null : { name: domain.slice(0, 1).toUpperCase(), domain, icon_url: `https://${domain}/i` }
    })
    const [a, b] = [cited("https://a.example/1", "a.example"), cited("https://b.example/", "b.example")]
    const check = {
      id: "c",
      mode: "quick",
      query: "best crm",
      brand: "Acme",
      providers: {
        chatgpt: {
          ...slot,
          citations: [a, cited("https://a.example/2", "a.example")],
          raw: "Acme.\r\n\u001b[2JBolt\u202e."
        },
        claude: { ...slot, citations: [b, a, cited("https://192.0.2.1/", null)], raw: "| Acme |" },
        ai_overview: { ...slot, mentioned: false, rank: null, context: "", surface_present: false, raw: "" }
      },
      created_at: at,
      duration_ms: 1,
      cost_cents: 75,
      cache_hit: false,
      balance_after_cents: 25
    }
    const lines = await shown("check crm --brand Acme --include raw --include branding", check)
    assert.deepEqual(lines.slice(lines.indexOf("") + 1), [
      "platform     mentioned        rank  citations  context",
      "chatgpt      yes                 2          2  Acme is second.",
      "claude       yes                 2          3  Acme is second.",
      "ai_overview  no answer shown     -          0",
      "",
      "site       name  cited by        icon",
      "a.example  A     chatgpt claude  https://a.example/i",
      "b.example  B     claude          https://b.example/i",
      "",
      "platform  chatgpt",
      "",
      "Acme.",
      "<U+001B>[2JBolt<U+202E>.",
      "",
      "platform  claude",
      "",
      "| Acme |",
      "",
      "cost     75 credits",
      "balance  25"
    ])
  })

  it("a comparison: both sides of each platform, and which side is named more often", async () => {
    const side = { mentioned: true, rank: 1, context: "" }
    const compared = {
      id: "c",
      mode: "compare",
      query_a: "q",
      query_b: "p",
      brand_a: "Acme",
      brand_b: "Bolt",
      providers: {
        chatgpt: { a: side, b: { ...side, rank: null } },
        claude: { a: { ...side, mentioned: false, rank: null }, b: null }
      },
      errors: { claude: { b: { code: "provider_timeout", message: "m" } } },
      delta_pct: -50,
      winner: "b",
      interpretation: "Bolt is named more often.",
      citations: [],
      created_at: at,
      duration_ms: 1,
      cost_cents: 112.5,
      balance_after_cents: 3
    }
    assert.deepEqual(await shown("compare --query q", compared), [
      "compare  c",
      'a        Acme in "q"',
      'b        Bolt in "p"',
      "",
      "platform  a        b",
      "chatgpt   yes, #1  yes",
      "claude    no       failed: provider_timeout",
      "",
      "winner   b",
      "delta    -50 %",
      "meaning  Bolt is named more often.",
      "cost     112.5 credits",
      "balance  3"
    ])
  })

  it("a discovery: its questions, the engines that failed, and the cost", async () => {
    const found = {
      id: "d",
      brand: "Acme",
      industry: "CRM",
      language: "en",
      candidates: [{ query: "best crm?", intent: "commercial", score: 0.9, rationale: "" }],
      total: 1,
      cached: true,
      cost_cents: 50,
      balance_after_cents: 3,
      errors: { claude: { code: "provider_timeout", message: "took too long" } }
    }
    assert.deepEqual(await shown("discover Acme", found), [
      "score  intent      question",
      "  0.9  commercial  best crm?",
      "",
      "platform  failed with",
      "claude    provider_timeout: took too long",
      "",
      "discovery  d",
      "cost       50 credits, from cache",
      "balance    3"
    ])
  })

  it("an ask: each provider's answer, the brands, the pages and the cost, or its progress", async () => {
    const asked = {
      id: "k",
      cached: true,
      cache_tier: "l2",
      providers: [
        {
          provider: "openai",
          model: "gpt-6-sol",
          content: "Acme.\nOr Bolt.",
          citations: [],
          tokens: { input: 1, output: 2 },
          latency_ms: 1500
        },
        { provider: "gemini", error: { code: "provider_timeout", message: "took too long" } }
      ],
      brand_mentions: [{ brand: "Acme", provider: "openai", rank: 1, sentiment: "neutral", context: "Acme." }],
      citations: [
        { canonical_url: "https://a.example", domains: ["a.example"], providers_cited: ["openai", "gemini"] }
      ],
      usage: { billable_units: 1, latency_ms: 1500, cost_cents: 1 }
    }
    const lines = [
      "provider  openai",
      "model     gpt-6-sol",
      "seconds   1.5",
      "",
      "Acme.",
      "Or Bolt.",
      "",
      "provider  gemini",
      "failed    provider_timeout: took too long",
      "",
      "brand  provider  rank  sentiment  context",
      "Acme   openai       1  neutral    Acme.",
      "",
      "cited by       page",
      "openai gemini  https://a.example",
      "",
      "ask   k",
      "cost  1 credits, from cache"
    ]
    assert.deepEqual(await shown("ask what", asked), lines)
    const tracked = await shown("ask what --track-brand Acme --track-brand Bolt --track-brand Zentra", asked)
    assert.deepEqual(tracked, lines.toSpliced(12, 0, "", "not named  Bolt, Zentra"))
    const failed = { ...asked, providers: asked.providers.slice(1), brand_mentions: [] }
    assert.notInclude((await shown("ask what --track-brand Acme", failed)).join(), "not named")
    const archived = await shown("ask get k", { ...asked, status: "completed", charge_id: "g" })
    assert.deepEqual(archived, [...lines, "", "status  completed", "charge  g"])
    const running = await shown("ask get k", { id: "k", status: "running", charge_id: "g" })
    assert.deepEqual(running, ["ask     k", "status  running", "charge  g"])
    const accepted = {
      ask_id: "k",
      status: "queued",
      mode: "standard",
      poll_url: "/v1/ask/k",
      estimated_cost_cents: 7,
      price_label: "7 credits at most"
    }
    assert.deepEqual(await shown("ask what --mode standard", accepted), [
      "ask     k",
      "status  queued",
      "cost    7 credits at most",
      "look    sightline ask get k"
    ])
  })
})

describe("watches and their notifications", () => {
  const state = { id: "w", status: "active", next_run_at: at }

  it("watches: the next run, in a list the question, and how to get the rest of the list", async () => {
    assert.deepEqual(await shown("watch pause w", state), ["watch     w", "status    active", `next run  ${at}`])
    const watch = {
      ...state,
      query: "best crm",
      brand: "Acme",
      mode: "quick",
      interval: "daily",
      webhook_url: "https://in.example/",
      trigger_on: ["rank_changed"],
      sensitivity: "every_change",
      created_at: at
    }
    assert.deepEqual(await shown("watch list", { watches: [watch], next_cursor: "n" }), [
      "watch  status  mode   interval  brand  query     triggers      sensitivity   next run",
      `w      active  quick  daily     Acme   best crm  rank_changed  every_change  ${at}`,
      "",
      "more: --cursor n"
    ])
    assert.deepEqual(await shown("watch list", { watches: [], next_cursor: null }), ["none"])
    assert.deepEqual(await shown("watch show w", { ...state, watches: [watch], next_cursor: null }), [
      "watch     w",
      "status    active",
      `next run  ${at}`,
      "",
      "query        best crm",
      "brand        Acme",
      "mode         quick",
      "interval     daily",
      "triggers     rank_changed",
      "sensitivity  every_change",
      "url          https://in.example/",
      `created      ${at}`
    ])
  })

  it("runs: the time, the triggers, the delivery and the cost", async () => {
    assert.deepEqual(await shown("watch run w", { run_id: "u", status: "queued" }), ["run     u", "status  queued"])
    const run = {
      id: "u",
      watch_id: "w",
      scheduled_for: at,
      started_at: at,
      finished_at: at,
      status: "completed",
      triggers_fired: ["mention_added", "rank_changed"],
      delivery_status: "undelivered",
      cost_cents: 37.5,
      check_id: "c",
      diff_summary: null
    }
    const told = { ...run, diff_summary: "chatgpt names Acme" }
    const none = { ...run, id: "v", triggers_fired: [], delivery_status: null, cost_cents: 0, check_id: null }
    assert.deepEqual(await shown("watch runs w", { runs: [told, none], next_cursor: "n" }), [
      "run  scheduled for             status     fired                       delivery     cost  check  what changed",
      `u    ${at}  completed  mention_added rank_changed  undelivered  37.5  c      chatgpt names Acme`,
      `v    ${at}  completed                              -               0  -      -`,
      "",
      "more: --cursor n"
    ])
  })

  it("endpoints: all fields of one, the secret only where it is new, and in a list the address and the events of each", async () => {
    const webhook = {
      id: "h",
      url: "https://in.example/",
      description: "one",
      events: ["ask.completed"],
      enabled: false,
      created_at: at,
      updated_at: at.replace("2026", "2027")
    }
    const lines = [
      "webhook      h",
      "url          https://in.example/",
      "description  one",
      "events       ask.completed",
      "enabled      no",
      `created      ${at}`,
      `updated      ${at.replace("2026", "2027")}`
    ]
    assert.deepEqual(await shown("webhooks show h", { webhook }), lines)
    const rotated = await shown("webhooks rotate h", { webhook: { ...webhook, secret: "s" } })
    assert.deepEqual(rotated, [...lines, "secret       s"])
    assert.deepEqual(await shown("webhooks list", { webhooks: [webhook] }), [
      "webhook  enabled  events         url                  description",
      "h        no       ask.completed  https://in.example/  one"
    ])
  })

  it("deliveries: their event, why they failed, when the next attempt is, and each attempt", async () => {
    const delivery = {
      id: "d",
      event: "watch.fired",
      watch_id: "w",
      run_id: "u",
      url: "https://in.example/",
      status: "pending",
      created_at: at,
      next_attempt_at: at
    }
    assert.deepEqual(await shown("deliveries list", { deliveries: [delivery], next_cursor: "n" }), [
      "delivery  event        status   created                   next attempt              url",
      `d         watch.fired  pending  ${at}  ${at}  https://in.example/`,
      "",
      "more: --cursor n"
    ])
    const attempt = {
      delivery_id: "a",
      number: 1,
      started_at: at,
      duration_ms: 12,
      remote_address: "192.0.2.1",
      status_code: 500,
      response_excerpt: "sorry"
    }
    const second = { delivery_id: "b", number: 2, started_at: at, duration_ms: null, error: "timeout" }
    const failed = { ...delivery, status: "failed", reason: "timeout", next_attempt_at: null }
    assert.deepEqual(await shown("deliveries show d", { ...failed, attempts: [attempt, second] }), [
      "delivery      d",
      "event         watch.fired",
      "status        failed",
      "reason        timeout",
      "url           https://in.example/",
      "watch         w",
      "run           u",
      `created       ${at}`,
      "next attempt  -",
      "",
      "attempt  started                   ms  address    status  error    response",
      `      1  ${at}  12  192.0.2.1     500  -        sorry`,
      `      2  ${at}   -  -               -  timeout  -`
    ])
    const { watch_id: _watch, run_id: _run, ...bare } = delivery
    const ofAsk = await shown("deliveries replay d", { ...bare, event: "ask.completed", webhook_id: "h", ask_id: "k" })
    assert.includeMembers([...ofAsk], ["webhook       h", "ask           k"])
  })
})

describe("the account", () => {
  it("usage: the window, the sums, and the cost by endpoint, mode and bucket", async () => {
    const used = {
      window: { start: at, end: at.replace("2026", "2027"), granularity: "day" },
      total: { calls: 3, cost_cents: 45.5, cost_by_endpoint: { check: 45.5 }, cost_by_mode: { quick: 45.5 } },
      series: [{ bucket: at, calls: 3, cost_cents: 45.5 }]
    }
    assert.deepEqual(await shown("usage", used), [
      `from   ${at}`,
      `to     ${at.replace("2026", "2027")}`,
      "calls  3",
      "cost   45.5 credits",
      "",
      "endpoint  credits",
      "check        45.5",
      "",
      "mode   credits",
      "quick     45.5",
      "",
      "day                       calls  credits",
      `${at}      3     45.5`
    ])
  })

  it("checks: the question, how many answers name the brand, the failures and the cost", async () => {
    const verdict = { platform: "chatgpt", mentioned: true, rank: 1 }
    const check = {
      id: "c",
      brand: "Acme",
      query: "best crm",
      mode: "quick",
      region: "uk",
      created_at: at,
      duration_ms: 1,
      cost_cents: 75,
      watch_id: "w",
      platforms: [verdict, { ...verdict, platform: "claude", mentioned: false, rank: null }],
      failures: [{ platform: "gemini", code: "provider_timeout" }]
    }
    assert.deepEqual(await shown("checks list", { checks: [check], next_cursor: "n" }), [
      "check  at                        mode   brand  named by  failed  cost  query",
      `c      ${at}  quick  Acme   1 of 2         1    75  best crm`,
      "",
      "more: --cursor n"
    ])
    const kept = {
      ...verdict,
      model: "m",
      context: "Acme.",
      citations: [{ url: "u", title: "t" }],
      brands: [],
      text: null
    }
    const absent = { ...kept, platform: "ai_overview", mentioned: false, rank: null, context: "", citations: [] }
    const found = {
      ...check,
      city: null,
      charge_id: "g",
      platforms: [kept, { ...absent, surface_present: false }],
      difference: { previous_id: "b", triggers: ["rank_changed"], summary: "chatgpt: rank 2 to 1" }
    }
    assert.deepEqual(await shown("checks show c", { check: found }), [
      "check   c",
      `at      ${at}`,
      "query   best crm",
      "brand   Acme",
      "mode    quick",
      "region  uk",
      "watch   w",
      "",
      "platform     mentioned        rank  citations  context",
      "chatgpt      yes                 1          1  Acme.",
      "ai_overview  no answer shown     -          0",
      "gemini       failed              -          -  provider_timeout",
      "",
      "changed  chatgpt: rank 2 to 1",
      "since    b",
      "cost     75 credits"
    ])
    const first = await shown("checks show c", { check: { ...found, watch_id: null, difference: null } })
    assert.deepEqual(
      [first.at(-1), first.filter((line) => /^(?:watch|changed|since)/.test(line))],
      ["cost  75 credits", []]
    )
  })

  it("wallet, ledger and keys", async () => {
    const wallet = {
      environment: "test",
      account: { id: "n", name: "Acme" },
      balance_cents: 12.5,
      held_cents: 150,
      topup_url: "https://pay.example/"
    }
    assert.deepEqual(await shown("wallet", wallet), [
      "account      Acme (n)",
      "environment  test",
      "balance      12.5",
      "held         150",
      "top up       https://pay.example/"
    ])
    const entry = {
      id: "test-3",
      environment: "test",
      charge_id: "g",
      kind: "hold",
      amount_cents: -150,
      available_after_cents: 12.5,
      held_after_cents: 150,
      memo: "",
      created_at: at,
      hash: "h"
    }
    const ledger = { entries: [entry], next_cursor: "n" }
    const lines = [
      "entry   at                        kind  amount  available  held  charge",
      `test-3  ${at}  hold    -150       12.5   150  g`,
      "",
      "more: --cursor n"
    ]
    assert.deepEqual(await shown("ledger", ledger), lines)
    assert.deepEqual(await shown("admin ledger n", ledger), lines)
    const key = { id: "y", environment: "test", read_only: true, created_at: at, revoked_at: null }
    assert.deepEqual(await shown("keys list", { keys: [{ ...key, current: true }] }), [
      "key  environment  read only  created                   revoked  this one",
      `y    test         yes        ${at}        -  yes`
    ])
    assert.deepEqual(await shown("keys create", { key: { ...key, text: "lvk_test_y" } }), [
      "key          y",
      "environment  test",
      "read only    yes",
      "text         lvk_test_y"
    ])
  })

  it("models and health", async () => {
    const model = { id: "m", default: true, web_search: true, temperature: false, expires_at: at }
    const models = { chatgpt: [model], claude: [], gemini: [], perplexity: [] }
    assert.deepEqual(await shown("models", { models }), [
      "platform  model  default  web search  temperature  until",
      `chatgpt   m      yes      yes         no           ${at}`
    ])
    const unknown = { status: "unknown", success_rate_7d: null, p95_latency_ms: null, sample_size_7d: 3 }
    const platforms = {
      chatgpt: { status: "ok", success_rate_7d: 0.9876, p95_latency_ms: 1200, sample_size_7d: 40 },
      claude: unknown
    }
    for (const name of ["gemini", "perplexity", "chatgpt_live", "gemini_live", "perplexity_live"])
      Object.assign(platforms, { [name]: unknown })
    for (const name of ["ai_overview", "ai_mode", "bing_copilot"]) Object.assign(platforms, { [name]: unknown })
    const lines = await shown("health", { platforms })
    assert.deepEqual(lines.slice(0, 3), [
      "platform         status   success  p95 ms  captures",
      "chatgpt          ok       98.8 %     1200        40",
      "claude           unknown  -             -         3"
    ])
  })
})

it("an empty answer is shown as done, and with --json prints nothing", async () => {
  for (const [command, text] of [
    ["webhooks delete h", "webhook h is deleted"],
    ["keys revoke y", "key y is revoked"],
    ["admin keys revoke y", "key y is revoked"],
    ["admin accounts detach n", "account n is detached"]
  ] as const) {
    assert.deepEqual(await shown(command, {}), [text])
    assert.deepEqual(await shown(`${command} --json`, {}), [""])
  }
})

describe("operators", () => {
  it("actions: what was done, by whom and on what", async () => {
    const action = {
      sequence: 7,
      created_at: at,
      action: "key_created",
      principal: "key",
      key_id: "y",
      account_id: "n",
      subject: "z",
      facts: { read_only: true },
      hash: "h"
    }
    assert.deepEqual(await shown("admin actions", { actions: [action], next_cursor: "n" }), [
      "action  at                        what         by   key  account  subject  facts",
      `     7  ${at}  key_created  key  y    n        z        {"read_only":true}`,
      "",
      "more: --cursor n"
    ])
  })

  it("accounts, keys, balances and ticks", async () => {
    assert.deepEqual(await shown("admin accounts create Acme", { id: "n", name: "Acme" }), [
      "account  n",
      "name     Acme"
    ])
    const key = await shown("admin keys create n --environment test", { id: "y", key: "lvk_test_y" })
    assert.deepEqual(key, ["key   y", "text  lvk_test_y"])
    assert.deepEqual(await shown("admin topup n 5", { balance_cents: 12.5 }), ["balance  12.5"])
    assert.deepEqual(await shown("admin scheduler tick", { claimed: 2 }), ["claimed  2"])
  })

  it("an audit: how much was checked, and each difference", async () => {
    assert.deepEqual(await shown("audit", { ok: true, accounts: 2, charges: 5, differences: [] }), [
      "ok           yes",
      "accounts     2",
      "charges      5",
      "differences  0"
    ])
  })
})
