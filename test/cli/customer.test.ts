/**
 * What customers do on the command line, as a process against a running server.
 *
 * Planted and seen red: the Idempotency-Key is not sent (for a check, a watch, a run, a replay), or is refused because of its spaces;
 * an answer lacks its charge.
 */
import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { ModelsResponse, UsageResponse } from "@sightline/contract/AccountApi"
import { AskResult } from "@sightline/contract/AskResult"
import { CheckResponse } from "@sightline/contract/CheckApi"
import { CheckFound, CheckList } from "@sightline/contract/CheckHistoryApi"
import { CompareResponse } from "@sightline/contract/CompareApi"
import { DeliveryFound, DeliveryList } from "@sightline/contract/DeliveryApi"
import { DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { HealthResponse } from "@sightline/contract/HealthApi"
import { KeyCreated, KeyList } from "@sightline/contract/KeyApi"
import { WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import { RunList, RunStarted, WatchList, WatchState } from "@sightline/contract/WatchApi"
import { WebhookCreated, WebhookFound, WebhookList, WebhookUpdated } from "@sightline/contract/WebhookApi"
import { customer } from "../http/program.ts"
import { started } from "../http/started.ts"
import { secret } from "../http/watching.ts"
import { exactly } from "../services/exactly.ts"
import { sightline, type Ended } from "./command.ts"
import { waitFor } from "../http/waiting.ts"

const { env: settings, program } = await started({ DELIVERY_RETRY_DELAYS: "1s,1s" })
const { key } = await customer(program, settings.ADMIN_TOKEN)
const env = { SIGHTLINE_URL: program.base, SIGHTLINE_API_KEY: key, SIGHTLINE_WEBHOOK_SECRET: secret }

const run = (...args: ReadonlyArray<string>): Promise<Ended> => sightline(env, args)

/** Runs with `--json` and reads the one document, without any field beyond the contract. */
const json = async <A>(schema: Schema.ConstraintDecoder<A>, ...args: ReadonlyArray<string>): Promise<A> => {
  const ended = await run(...args, "--json")
  assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: "" }, ended.stdout)
  return exactly(Schema.fromJsonString(schema))(ended.stdout)
}

const question = "best crm [[sandbox:answer]]"

describe("questions", () => {
  it("check prints a line per platform, its cost and its charge, and ends with 0", async () => {
    const { code, stdout, stderr } = await run("check", question, "--brand", "HubSpot")
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" })
    for (const platform of ["chatgpt", "claude", "gemini", "perplexity"]) {
      assert.match(stdout, new RegExp(`^${platform} +yes +\\d+ +\\d+ +.*HubSpot`, "m"))
    }
    assert.match(stdout, /^cost +150 credits$/m)
    const { entries } = await json(WalletLedger, "ledger")
    const [charge] = /^charge +(\S+)$/m.exec(stdout)?.slice(1) ?? []
    assert.strictEqual(charge, entries[0]?.charge_id)
  })

  it("check ends with 0 when the brand is not named", async () => {
    const { code, stdout } = await run("check", question, "--brand", "Zanzibarosoft", "--provider", "chatgpt")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^chatgpt +no +- /m)
  })

  it("check passes on every option", async () => {
    const [all, live] = await Promise.all([
      json(
        CheckResponse,
        "check",
        "best crm in Austin",
        "--brand",
        "HubSpot",
        "--provider",
        "chatgpt",
        "--provider",
        "claude",
        "--region",
        "uk",
        "--city",
        "Leeds",
        "--model",
        "chatgpt=gpt-6-sol",
        "--include",
        "raw"
      ),
      json(CheckResponse, "check", question, "--brand", "HubSpot", "--mode", "ai_overview")
    ])
    assert.sameMembers(Object.keys(all.providers), ["chatgpt", "claude"])
    assert.isString(all.providers.chatgpt?.raw)
    assert.strictEqual(all.cost_cents, 75)
    assert.deepEqual([live.mode, Object.keys(live.providers)], ["ai_overview", ["ai_overview"]])
  })

  it("a repeated Idempotency-Key is the same check, charged once", async () => {
    const again = ["check", "best crm again", "--brand", "HubSpot", "--idempotency-key", "once and again"]
    const first = await json(CheckResponse, ...again)
    assert.deepEqual(await json(CheckResponse, ...again), first)
  })

  it("compare says which side is named more often", async () => {
    const sides = ["compare", "--query", question, "--brand-a", "HubSpot", "--brand-b", "Zanzibarosoft"]
    const compared = await json(CompareResponse, ...sides)
    assert.strictEqual(compared.winner, "a")
    const { stdout } = await run(...sides)
    assert.match(stdout, /^winner +a$/m)
    assert.match(stdout, /^chatgpt +yes, #\d+ +no$/m)
  })

  it("discover lists questions", async () => {
    const found = await json(DiscoverResponse, "discover", "HubSpot", "--industry", "CRM software", "--count", "3")
    assert.strictEqual(found.candidates.length, 3)
    const { stdout } = await run("discover", "HubSpot", "--industry", "CRM software", "--count", "3")
    assert.include(stdout, found.candidates[0]?.query ?? "no question")
  })

  it("ask answers at once, and ask get shows it again", async () => {
    const words = ["ask", "what is a crm?", "--provider", "openai", "--track-brand", "HubSpot", "--no-web-search"]
    const asked = await json(AskResult, ...words)
    assert.deepEqual([asked.providers.length, asked.usage.cost_cents], [1, 6])
    const { stdout } = await run("ask", "get", asked.id)
    assert.match(stdout, /^status +completed$/m)
    assert.match(stdout, /^provider +openai$/m)
  })

  it("ask --mode standard says where the answer will be, and the answer appears there", async () => {
    const { code, stdout } = await run("ask", "what is a crm, slowly?", "--mode", "standard", "--provider", "gemini")
    assert.strictEqual(code, 0)
    const look = /sightline (ask get \S+)/.exec(stdout)?.[1]?.split(" ") ?? []
    const found = await waitFor("the end of the ask", async () => {
      const { stdout: shown } = await run(...look)
      return /^status +completed$/m.test(shown) ? shown : undefined
    })
    assert.match(found, /^provider +gemini$/m)
  })
})

describe("watches and their notifications", () => {
  it("a watch is created, listed, paused, resumed and run", async () => {
    const creation = [
      "watch",
      "create",
      question,
      "--brand",
      "HubSpot",
      "--mode",
      "quick",
      "--interval",
      "weekly",
      "--webhook-url",
      "https://93.184.216.34/in",
      "--trigger-on",
      "mention_removed",
      "--sensitivity",
      "evidence",
      "--idempotency-key",
      "one watch"
    ]
    const made = await json(WatchState, ...creation)
    assert.deepEqual(await json(WatchState, ...creation), made)
    const [listed, shown] = await Promise.all([json(WatchList, "watch", "list"), run("watch", "show", made.id)])
    assert.deepEqual(
      listed.watches.map(({ id, interval, trigger_on, sensitivity }) => ({ id, interval, trigger_on, sensitivity })),
      [{ id: made.id, interval: "weekly", trigger_on: ["mention_removed"], sensitivity: "evidence" }]
    )
    assert.match(shown.stdout, new RegExp(`^watch +${made.id}$`, "m"))
    assert.match(shown.stdout, /^triggers +mention_removed\nsensitivity +evidence$/m)
    assert.strictEqual((await json(WatchState, "watch", "pause", made.id)).status, "paused")
    assert.strictEqual((await json(WatchState, "watch", "resume", made.id)).status, "active")
    const running = ["watch", "run", made.id, "--idempotency-key", "one run"]
    const started = await json(RunStarted, ...running)
    assert.deepEqual(await json(RunStarted, ...running), started)
    const runs = await json(RunList, "watch", "runs", made.id, "--limit", "5")
    assert.deepEqual(
      runs.runs.map(({ id }) => id),
      [started.run_id]
    )
  })

  it("webhooks are created, shown, changed, rotated and deleted; only two of these answers hold a secret", async () => {
    const made = await json(WebhookCreated, "webhooks", "create", "https://93.184.216.34/asks", "--description", "one")
    const { id } = made.webhook
    const [renamed, found, listed, rotated] = await Promise.all([
      json(WebhookUpdated, "webhooks", "update", id, "--description", "two", "--no-enabled"),
      json(WebhookFound, "webhooks", "show", id),
      json(WebhookList, "webhooks", "list"),
      json(WebhookUpdated, "webhooks", "rotate", id)
    ])
    assert.deepEqual([renamed.webhook.description, renamed.webhook.enabled], ["two", false])
    assert.strictEqual(found.webhook.id, id)
    assert.deepEqual(
      listed.webhooks.map((one) => one.id),
      [id]
    )
    assert.match(rotated.webhook.secret ?? "", /^[0-9a-f]{64}$/)
    assert.notStrictEqual(rotated.webhook.secret, made.webhook.secret)
    const gone = await run("webhooks", "delete", id)
    assert.deepEqual(gone, { code: 0, stdout: `webhook ${id} is deleted\n`, stderr: "" })
  })

  it("deliveries are listed, shown with their attempts and replayed", async () => {
    const { webhook } = await json(WebhookCreated, "webhooks", "create", "https://93.184.216.34/told")
    const asked = await run("ask", "tell me", "--async", "--webhook-id", webhook.id, "--provider", "openai")
    assert.strictEqual(asked.code, 0, asked.stderr)
    const delivery = await waitFor("a delivery", async () => {
      const { deliveries } = await json(DeliveryList, "deliveries", "list", "--webhook-id", webhook.id)
      return deliveries[0]
    })
    const found = await json(DeliveryFound, "deliveries", "show", delivery.id)
    assert.strictEqual(found.url, "https://93.184.216.34/told")
    const replay = ["deliveries", "replay", delivery.id, "--idempotency-key", "one replay"]
    const replayed = await run(...replay)
    assert.deepEqual([replayed.code, replayed.stderr], [0, ""])
    assert.strictEqual((await run(...replay)).stdout, replayed.stdout)
    assert.notInclude(replayed.stdout, delivery.id)
    assert.match(replayed.stdout, /^url +https:\/\/93\.184\.216\.34\/told$/m)
  })
})

describe("the account", () => {
  it("usage is summed by endpoint, and takes a window", async () => {
    const used = await json(UsageResponse, "usage", "--granularity", "total")
    assert.isAbove(used.total.cost_cents, 0)
    const { code, stdout } = await run("usage", "--endpoint", "compare", "--mode", "quick")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^compare +\d+$/m)
    assert.notMatch(stdout, /^check /m)
  })

  it("models lists what --model may name; health needs no key", async () => {
    const { SIGHTLINE_URL } = env
    const [models, health] = await Promise.all([
      json(ModelsResponse, "models"),
      sightline({ SIGHTLINE_URL: SIGHTLINE_URL ?? "" }, ["health", "--json"])
    ])
    assert.isNotEmpty(models.models.chatgpt)
    Schema.decodeUnknownSync(Schema.fromJsonString(HealthResponse))(health.stdout)
    assert.strictEqual(health.code, 0)
  })

  it("a check is shown again, with its differences from the one before", async () => {
    const wanted = ["check", "best crm for history", "--brand", "HubSpot"]
    const [first, second] = [await json(CheckResponse, ...wanted), await json(CheckResponse, ...wanted)]
    const listed = await json(CheckList, "checks", "list", "--query", "best crm for history", "--limit", "5")
    assert.deepEqual(
      listed.checks.map(({ id }) => id),
      [second.id, first.id]
    )
    assert.isEmpty((await json(CheckList, "checks", "list", "--mode", "realistic")).checks)
    const [found, shown] = await Promise.all([
      json(CheckFound, "checks", "show", second.id),
      run("checks", "show", second.id)
    ])
    assert.strictEqual(found.check.difference?.previous_id, first.id)
    assert.match(shown.stdout, /^changed +nothing$/m)
  })

  it("the list of checks counts the answers that name the brand, and a surface without an answer is not counted", async () => {
    const query = "best crm [[sandbox:ai_overview:no-answer]] [[sandbox:answer]]"
    const { providers } = await json(CheckResponse, "check", query, "--brand", "HubSpot", "--mode", "all_live")
    assert.isFalse(providers.ai_overview?.surface_present)
    const { stdout } = await run("checks", "list", "--query", query)
    assert.match(stdout, / HubSpot +5 of 5 +0 /)
  })

  it("the wallet has the balance of the ledger's last movement", async () => {
    const [wallet, ledger] = await Promise.all([
      json(WalletFound, "wallet"),
      json(WalletLedger, "ledger", "--limit", "3")
    ])
    assert.strictEqual(wallet.balance_cents, ledger.entries[0]?.available_after_cents)
    assert.strictEqual(ledger.entries.length, 3)
    const { code, stdout } = await run("ledger", "--limit", "1")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^more: --cursor \S+$/m)
  })

  it("a key is created, listed and revoked; its text is in the first answer only", async () => {
    const { key } = await json(KeyCreated, "keys", "create", "--read-only")
    const [listed, shown] = await Promise.all([json(KeyList, "keys", "list"), run("keys", "list")])
    assert.deepEqual(
      listed.keys.map(({ current, read_only }) => [current, read_only]),
      [
        [false, true],
        [true, false]
      ]
    )
    assert.notInclude(shown.stdout, key.text)
    assert.deepEqual(await run("keys", "revoke", key.id), { code: 0, stdout: `key ${key.id} is revoked\n`, stderr: "" })
    assert.strictEqual((await sightline({ ...env, SIGHTLINE_API_KEY: key.text }, ["usage"])).code, 3)
  })
})
