import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type Ask, askModeOf } from "@sightline/domain/Ask"
import { priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcome, type Outcomes } from "@sightline/domain/Proration"
import type { Wallet } from "@sightline/domain/Wallet"
import { type AskRecord, Asks, type NewAskJob } from "@sightline/store/Asks"
import { Charges, type Ending, type Order } from "@sightline/store/Charges"
import { plainReply } from "@sightline/store/Replies"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { inAnotherProcess, layerMoney, wallet } from "./purse.ts"

/** An ask of two platforms at the standard tariff, 7 credits each. */
export const ask: Ask = {
  turns: [{ role: "user", content: "Which shoes?" }],
  platforms: ["chatgpt_api", "gemini_api"],
  models: {},
  brands: [],
  webSearch: true,
  scope: "shared",
  tariff: "standard"
}

/** The order of an ask, to be paid from `wallet`. */
export const askOrder = (wallet: Wallet, one: Ask = ask): Order => {
  const ordered = { endpoint: "ask" as const, mode: askModeOf(one), platforms: one.platforms }
  return { ...ordered, id: randomUUID(), wallet, price: priceOf(ordered) }
}

/** The end of that ask with these outcomes of its platforms, in order. */
export const askEnding = (order: Order, ...came: ReadonlyArray<Outcome>): Ending => {
  const outcomes: Outcomes = Object.fromEntries(order.platforms.map((platform, place) => [platform, came[place]]))
  const cached = came.includes("cached") && !came.includes("ok")
  return { amount: chargeOf({ ...order, outcomes, cached }), outcomes, cached }
}

/** The acknowledgment of a queued ask. */
export const accepted = plainReply(202, '{"status":"queued"}')

/** A job without webhook and claim, except for the given fields. */
export const askJob = (more: Partial<NewAskJob> = {}): NewAskJob => ({
  id: randomUUID(),
  ask,
  webhookId: Option.none(),
  claim: Option.none(),
  reply: accepted,
  ...more
})

/** The record of a finished ask. */
export const askRecord = (id: string, more: Partial<AskRecord> = {}): AskRecord => ({
  id,
  status: "completed",
  request: ask,
  result: `{"id":"${id}"}`,
  mentions: [],
  event: { head: '{"created":', tail: `,"data":{"id":"${id}"}}` },
  ...more
})

/** Queues an ask. */
export const enqueued = Effect.fnUntraced(function* (wallet: Wallet, more: Partial<NewAskJob> = {}) {
  const job = askJob(more)
  const order = askOrder(wallet, job.ask)
  yield* (yield* Asks).enqueue(order, job)
  return { job, order, id: job.id }
})

/** Lets the lease of a job expire. */
export const lapse = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE asks SET lease_expires_at = clock_timestamp() WHERE id = ${id}`
})

/** Everything that stores and delivers asks, over a fresh database. */
export const layerStore = WebhookEndpoints.layer(Redacted.make(new Uint8Array(32).fill(1))).pipe(
  Layer.provideMerge(layerMoney)
)

/** The asks of another process. */
export const anotherAsks = Effect.map(inAnotherProcess(Asks.layer), Context.get(Asks))

/** The charges of another process. */
export const anotherCharges = Effect.map(inAnotherProcess(Charges.layer), Context.get(Charges))

/** An endpoint of the wallet's owner. */
export const endpoint = Effect.fnUntraced(function* (wallet: Wallet, url = "https://hooks.acme.com/in") {
  const endpoints = yield* WebhookEndpoints
  const { endpoint } = yield* endpoints.create(wallet, {
    url,
    description: null,
    events: ["ask.completed"],
    enabled: true
  })
  return endpoint
})

/** Sets a time of asks to this long ago. */
export const age = Effect.fnUntraced(function* (
  column: "announced_at" | "created_at" | "lease_expires_at",
  by: string,
  ids: ReadonlyArray<string>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE asks SET ${sql(column)} = clock_timestamp() - ${by}::interval WHERE id = ANY(${ids}::uuid[])`
})

/** Ends an ask with these outcomes, and stores its record. */
export const settle = Effect.fnUntraced(function* (
  { order, id }: Pick<Effect.Success<ReturnType<typeof enqueued>>, "order" | "id">,
  more: Partial<AskRecord> = {},
  by?: Charges["Service"]
) {
  const charges = by ?? (yield* Charges)
  return yield* charges.settle({ id: order.id, ...askEnding(order, "ok", "cached"), ask: askRecord(id, more) })
})

/** Ask rows inserted directly, with this status and age. */
export const insert = Effect.fnUntraced(function* (
  rows: number,
  more: { readonly old?: string; readonly announced?: string; readonly status?: "completed" | "queued" | "running" }
) {
  const { old = "1 minute", announced = "1 minute", status = "queued" } = more
  const sql = yield* SqlClient.SqlClient
  const purse = yield* wallet(0)
  const isOpen = status !== "completed"
  yield* sql`
    INSERT INTO asks (id, account_id, environment, charge_id, status, request, result, mentions, attempts, lease_expires_at,
      announced_at, created_at, finished_at)
    SELECT gen_random_uuid(), ${purse.accountId}, ${purse.environment}, gen_random_uuid(), ${status},
      ${JSON.stringify(ask)}::json, CASE WHEN ${!isOpen} THEN '{}' END, CASE WHEN ${!isOpen} THEN '[]'::json END,
      CASE WHEN ${status === "running"} THEN 1 ELSE 0 END,
      CASE WHEN ${status === "running"} THEN moment - interval '1 second' END,
      moment - ${announced}::interval, moment - ${old}::interval, CASE WHEN ${!isOpen} THEN moment END
    FROM clock_timestamp() AS moment, generate_series(1, ${rows})`
  return purse
})

/** Removes the asks of other tests. */
export const clear = SqlClient.SqlClient.use((sql) => sql`DELETE FROM asks`)

/** The status of an ask, as its owner sees it. */
export const statusOf = (purse: Wallet, id: string) =>
  Asks.use((asks) =>
    Effect.map(
      asks.find(purse, id),
      Option.map(({ status }) => status)
    )
  )
