import { Effect } from "effect"
import { Command } from "effect/cli"
import { ChargedEndpoint, ModelsResponse, UsageResponse } from "@sightline/contract/AccountApi"
import { NamedMode } from "@sightline/contract/CheckApi"
import { HealthResponse } from "@sightline/contract/HealthApi"
import { WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import { AskMode } from "@sightline/domain/Mode"
import { answer } from "./Answer.ts"
import { anyone, customer } from "./Connection.ts"
import { responseMode } from "./Exchange.ts"
import { given, maybe, maybeOneOf, page } from "./Flags.ts"
import { showLedger } from "./LedgerShow.ts"
import { fields, parts, type Screen, table } from "./Table.ts"

const showUsage = ({ window, total, series }: UsageResponse, screen: Screen): string =>
  parts(
    fields({ from: window.start, to: window.end, calls: total.calls, cost: `${total.cost_cents} credits` }),
    table(screen, ["endpoint", "credits"], Object.entries(total.cost_by_endpoint)),
    table(screen, ["mode", "credits"], Object.entries(total.cost_by_mode)),
    table(
      screen,
      [window.granularity, "calls", "credits"],
      series.map(({ bucket, calls, cost_cents }) => [bucket, calls, cost_cents])
    )
  )

/** `sightline usage`: calls and their cost over a period. */
export const usage = Command.make(
  "usage",
  {
    start: maybe("start", "An ISO 8601 date or moment; 30 days ago by default"),
    end: maybe("end", "An ISO 8601 date or moment; now by default"),
    granularity: maybeOneOf("granularity", ["total", "day", "hour"], "The size of the buckets; day by default"),
    endpoint: maybeOneOf("endpoint", ChargedEndpoint.literals, "Calls of one endpoint"),
    mode: maybeOneOf("mode", [...NamedMode.literals, ...AskMode.literals], "Calls of one mode")
  },
  Effect.fnUntraced(function* (flags) {
    const query = given(flags)
    const client = yield* customer
    yield* answer(client.account.usage({ query, responseMode }), UsageResponse, showUsage)
  })
).pipe(Command.withDescription("Show calls and what they cost"))

const showModels = ({ models: all }: typeof ModelsResponse.Type, screen: Screen): string =>
  table(
    screen,
    ["platform", "model", "default", "web search", "temperature", "until"],
    Object.entries(all).flatMap(([platform, list]) =>
      list.map((one) => [platform, one.id, one.default, one.web_search, one.temperature, one.expires_at])
    ),
    ["platform", "model"]
  )

/** `sightline models`: the models that `--model` may name. */
export const models = Command.make(
  "models",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* customer
    yield* answer(client.account.models({ responseMode }), ModelsResponse, showModels)
  })
).pipe(Command.withDescription("List the models that --model may name"))

const showHealth = ({ platforms }: HealthResponse, screen: Screen): string =>
  table(
    screen,
    ["platform", "status", "success", "p95 ms", "captures"],
    Object.entries(platforms).map(([platform, one]) => [
      platform,
      one.status,
      one.success_rate_7d === null ? null : `${Math.round(one.success_rate_7d * 1000) / 10} %`,
      one.p95_latency_ms,
      one.sample_size_7d
    ])
  )

/** `sightline health`: how the platforms have answered lately. Needs no key. */
export const health = Command.make(
  "health",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* anyone
    yield* answer(client.health.read({ responseMode }), HealthResponse, showHealth)
  })
).pipe(Command.withDescription("Show how reliably platforms answered in the last seven days; needs no key"))

const showWallet = (found: WalletFound): string =>
  fields({
    account: `${found.account.name} (${found.account.id})`,
    environment: found.environment,
    balance: found.balance_cents,
    held: found.held_cents,
    "top up": found.topup_url
  })

/** `sightline wallet`: the balance of the key's wallet. */
export const wallet = Command.make(
  "wallet",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* customer
    yield* answer(client.wallet.read({ responseMode }), WalletFound, showWallet)
  })
).pipe(Command.withDescription("Show the balance"))

/** `sightline ledger`: every movement of the key's wallet. */
export const ledger = Command.make(
  "ledger",
  page,
  Effect.fnUntraced(function* (flags) {
    const client = yield* customer
    yield* answer(client.wallet.ledger({ query: given(flags), responseMode }), WalletLedger, showLedger)
  })
).pipe(Command.withDescription("List the wallet's movements, newest first"))
