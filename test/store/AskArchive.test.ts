/**
 * Asks that are over: their settlement, their deliveries, and the archive.
 *
 * Planted faults, each seen red:
 * - a record or a delivery of a settlement that did not happen
 * - mentions, status or lease left unchanged
 * - the age of the settlement instead of the ask's
 * - one rejected call that fails its batch
 * - no delivery for a deleted endpoint, or for any; one that is sent when its endpoint is enabled later
 * - a second rounded up; mentions parsed on the way
 * - an archive that shows asks of other accounts or environments, keeps them for 31 days, or for ever
 * - open jobs emptied or deleted; asks of 29 days emptied; mentions left; batches without a limit; a prune that waits for a locked row
 */
import { assert, describe, layer } from "@effect/vitest"
import { Array, Effect, Exit, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import type { Ask } from "@sightline/domain/Ask"
import { credits, zero } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { type AskRecord, Asks } from "@sightline/store/Asks"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { dump, wallet } from "./purse.ts"
import {
  age,
  anotherAsks,
  anotherCharges,
  ask,
  askEnding,
  askOrder,
  askRecord,
  clear,
  endpoint,
  enqueued,
  insert,
  layerStore,
  settle,
  statusOf
} from "./queued.ts"

const all = { concurrency: "unbounded" } as const

const Delivery = Schema.Struct({
  event: Schema.String,
  webhookId: Schema.String,
  url: Schema.String,
  body: Schema.Uint8Array,
  status: Schema.String,
  reason: Schema.NullOr(Schema.String),
  seconds: Schema.String,
  isDue: Schema.Boolean,
  atOnce: Schema.Boolean
})

/** The deliveries of an ask. */
const deliveriesOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT d.event, d.webhook_id, d.url, d.body, d.status, d.reason, floor(extract(epoch FROM d.created_at))::text AS seconds,
      coalesce(d.next_attempt_at <= clock_timestamp(), false) AS is_due,
      d.created_at = a.finished_at AND coalesce(d.next_attempt_at = a.finished_at, false) AND d.account_id = a.account_id
        AND d.environment = a.environment AS at_once
    FROM deliveries d JOIN asks a ON a.id = d.ask_id WHERE d.ask_id = ${id}`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Delivery))(rows)
})

/** The number of a wallet's rows, and how many of them still have a request and a result. */
const rowsOf = Effect.fnUntraced(function* ({ accountId }: Wallet) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    SELECT count(*)::integer AS rows, count(*) FILTER (WHERE request IS NOT NULL)::integer AS asked,
      count(*) FILTER (WHERE result IS NOT NULL OR mentions IS NOT NULL)::integer AS answered
    FROM asks WHERE account_id = ${accountId}`
  return row
})

layer(layerStore, { excludeTestServices: true })("asks that are over", (it) => {
  describe("the end of a job", () => {
    it.effect("writes its result, its mentions, its money and its delivery", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(100)
        const webhook = yield* endpoint(purse)
        const job = yield* enqueued(purse, { webhookId: Option.some(webhook.id) })
        yield* asks.claim(job.id)
        const mentions = [{ brand: "Nike", cues: ["best"] }]
        assert.strictEqual(yield* settle(job, { mentions }), credits(92))
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(92), held: zero })
        assert.deepStrictEqual(
          yield* asks.find(purse, job.id),
          Option.some({ chargeId: job.order.id, status: "completed", result: `{"id":"${job.id}"}`, expired: false })
        )
        const [row] = yield* sql`
          SELECT a.mentions, a.request, a.lease_expires_at IS NULL AS idle, c.state, c.amount::integer AS amount,
            c.outcomes
          FROM asks a JOIN charges c ON c.id = a.charge_id WHERE a.id = ${job.id}`
        assert.deepStrictEqual(row, {
          mentions,
          request: ask,
          idle: true,
          state: "settled",
          amount: 8000,
          outcomes: { chatgpt_api: "ok", gemini_api: "cached" }
        })
        const [delivery] = yield* deliveriesOf(job.id)
        assert.deepInclude(delivery, {
          event: "ask.completed",
          webhookId: webhook.id,
          url: webhook.url,
          status: "pending",
          isDue: true,
          atOnce: true
        })
      })
    )

    it.effect("happens once: another worker's end fails with HoldLost and changes nothing", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const theirs = yield* anotherCharges
        const purse = yield* wallet(100)
        const job = yield* enqueued(purse, { webhookId: Option.some((yield* endpoint(purse)).id) })
        yield* asks.claim(job.id)
        yield* settle(job)
        const before = yield* dump(purse)
        for (const by of [yield* Charges, theirs]) {
          const late = yield* Effect.flip(settle(job, { result: '"other"', status: "failed" }, by))
          assert.deepStrictEqual(late, new HoldLost({ id: job.order.id }))
          assert.isFalse(yield* by.void(job.order.id))
        }
        assert.deepStrictEqual(yield* dump(purse), before)
      })
    )

    it.effect("happens once, even if several from two processes run concurrently", () =>
      Effect.gen(function* () {
        const processes = [yield* Charges, yield* anotherCharges]
        const purse = yield* wallet(14 * 40)
        const webhookId = Option.some((yield* endpoint(purse)).id)
        const jobs = yield* Effect.forEach(Array.range(1, 40), () => enqueued(purse, { webhookId }), all)
        const ends = yield* Effect.forEach(
          jobs.flatMap((job) => [job, job, job, job]),
          (job, n) => Effect.result(settle(job, {}, processes[n % 2])),
          all
        )
        assert.lengthOf(ends.filter(Result.isSuccess), 40)
        for (const { id } of jobs) assert.lengthOf(yield* deliveriesOf(id), 1)
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(40 * 6), held: zero })
      })
    )

    it.effect("that the database rejects changes nothing, and the others in its batch succeed", () =>
      Effect.gen(function* () {
        const purses = yield* Effect.forEach(Array.range(1, 8), () => wallet(14))
        const jobs = yield* Effect.forEach(
          purses,
          Effect.fnUntraced(function* (purse) {
            return yield* enqueued(purse, { webhookId: Option.some((yield* endpoint(purse)).id) })
          })
        )
        const faults: Readonly<Record<number, Partial<AskRecord>>> = {
          2: { result: "a raw \u0000" },
          5: { event: { head: "a raw \u0000", tail: "" } }
        }
        const before = yield* Effect.forEach([2, 5], (n) => dump(purses[n] ?? assert.fail()))
        const exits = yield* Effect.forEach(jobs, (job, n) => Effect.exit(settle(job, faults[n])), all)
        assert.deepStrictEqual(
          exits.map(Exit.isSuccess),
          jobs.map((_, n) => faults[n] === undefined)
        )
        assert.deepStrictEqual(yield* Effect.forEach([2, 5], (n) => dump(purses[n] ?? assert.fail())), before)
        for (const n of [2, 5]) yield* settle(jobs[n] ?? assert.fail())
        for (const { id } of jobs) assert.lengthOf(yield* deliveriesOf(id), 1)
      })
    )

    it.effect("without any answer refunds the price and is stored as failed", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const charges = yield* Charges
        const purse = yield* wallet(14)
        const { id, order: held } = yield* enqueued(purse)
        const nothing = askEnding(held, "provider_error", "provider_error")
        const balance = yield* charges.settle({ id: held.id, ...nothing, ask: askRecord(id, { status: "failed" }) })
        assert.strictEqual(balance, credits(14))
        assert.deepStrictEqual(yield* statusOf(purse, id), Option.some("failed"))
        assert.deepStrictEqual(yield* asks.claim(id), Option.none())
      })
    )
  })

  describe("a delivery of an ask", () => {
    const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

    it.effect(
      "has the event with the second of the end, and the endpoint's URL at that time, even if it is deleted",
      () =>
        Effect.gen(function* () {
          const endpoints = yield* WebhookEndpoints
          const purse = yield* wallet(100)
          const [moved, deleted] = [yield* endpoint(purse), yield* endpoint(purse, "https://gone.acme.com/")]
          const first = yield* enqueued(purse, { webhookId: Option.some(moved.id) })
          const second = yield* enqueued(purse, { webhookId: Option.some(deleted.id) })
          yield* endpoints.update(purse, moved.id, { url: "https://moved.acme.com/", enabled: false })
          yield* endpoints.remove(purse, deleted.id)
          const event = { head: '{"é":"\ud83d\udc5f","created":', tail: ',"data":{}}' }
          for (const job of [first, second]) yield* settle(job, { event })
          const [to, gone] = [yield* deliveriesOf(first.id), yield* deliveriesOf(second.id)].map(([one]) => one)
          for (const one of [to, gone]) {
            assert.match(one?.seconds ?? "", /^\d{10}$/)
            assert.strictEqual(text(one?.body ?? new Uint8Array()), `${event.head}${one?.seconds}${event.tail}`)
          }
          const failed = { status: "failed", reason: "endpoint_disabled" }
          assert.deepInclude(to, { url: "https://moved.acme.com/", webhookId: moved.id, ...failed })
          assert.deepInclude(gone, { url: "https://gone.acme.com/", webhookId: deleted.id, ...failed })
        })
    )

    it.effect("is pending if its endpoint is enabled again by then, and has failed for good if it is not", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const purse = yield* wallet(100)
        const { id } = yield* endpoint(purse)
        const [early, later] = [
          yield* enqueued(purse, { webhookId: Option.some(id) }),
          yield* enqueued(purse, { webhookId: Option.some(id) })
        ]
        yield* endpoints.update(purse, id, { enabled: false })
        yield* settle(early)
        yield* endpoints.update(purse, id, { enabled: true })
        yield* settle(later)
        const [failed, pending] = [yield* deliveriesOf(early.id), yield* deliveriesOf(later.id)].map(([one]) => one)
        assert.deepInclude(failed, { status: "failed", reason: "endpoint_disabled", isDue: false })
        assert.deepInclude(pending, { status: "pending", reason: null, isDue: true })
      })
    )

    it.effect("is not written for an ask without a webhook", () =>
      Effect.gen(function* () {
        const purse = yield* wallet(14)
        yield* endpoint(purse)
        const job = yield* enqueued(purse)
        yield* settle(job)
        assert.deepStrictEqual(yield* deliveriesOf(job.id), [])
      })
    )

    it.effect(
      "has, like the archive, the bytes that were written, whatever characters a result contains",
      () =>
        Effect.gen(function* () {
          const asks = yield* Asks
          const purse = yield* wallet(10_000)
          const webhookId = Option.some((yield* endpoint(purse)).id)
          const law = Effect.fnUntraced(function* (content: string) {
            const result = JSON.stringify({ content })
            const event = { head: '{"id":"e","created":', tail: `,"data":${result}}` }
            const job = yield* enqueued(purse, { webhookId })
            yield* settle(job, { result, event, mentions: [{ brand: content }] })
            const found = Option.getOrThrow(yield* asks.find(purse, job.id))
            assert.isTrue(found.result === result, "the archive differs")
            const [delivery] = yield* deliveriesOf(job.id)
            const body = Buffer.from(`${event.head}${delivery?.seconds}${event.tail}`, "utf8")
            assert.isTrue(body.equals(delivery?.body ?? new Uint8Array()), "the delivery differs")
          })
          const odd = [
            "\u0000",
            "\ud800 \udc00\ud83d",
            "\ud83d\udc5f",
            "\u2028\u2029\ufeff",
            "</script>",
            "\\u0000\\",
            ""
          ]
          for (const content of [...odd, odd.join(" "), "ü\u0000</script>".repeat(100_000)]) yield* law(content)
          const run = Effect.runPromiseWith(yield* Effect.context<Asks | Charges | SqlClient.SqlClient>())
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(fc.string({ unit: "binary" }), (content) => run(law(content))),
              { numRuns: 100 }
            )
          )
        }),
      180_000
    )
  })

  describe("the archive", () => {
    it.effect("holds asks that were answered at once, by hold and settlement or by charge, with their own age", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const charges = yield* Charges
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(100)
        const live: Ask = { ...ask, tariff: "live" }
        const [asked, recalled] = [askOrder(purse, live), askOrder(purse, live)]
        const [one, other] = [askRecord(randomUUID(), { request: live }), askRecord(randomUUID(), { request: live })]
        yield* charges.hold(asked)
        assert.deepStrictEqual(yield* asks.find(purse, one.id), Option.none())
        yield* charges.settle({ id: asked.id, ...askEnding(asked, "ok", "provider_error"), ask: one })
        yield* charges.charge({ ...recalled, ...askEnding(recalled, "cached", "cached"), ask: other })
        assert.strictEqual((yield* (yield* Wallets).balanceOf(purse)).available, credits(88))
        for (const [{ id, result }, { id: chargeId }] of [
          [one, asked],
          [other, recalled]
        ] as const) {
          assert.deepStrictEqual(
            yield* asks.find(purse, id),
            Option.some({ chargeId, status: "completed", result, expired: false })
          )
          const [row] = yield* sql`
            SELECT a.request, a.created_at = c.created_at AS same FROM asks a JOIN charges c ON c.id = a.charge_id
            WHERE a.id = ${id}`
          assert.deepStrictEqual(row, { request: live, same: true })
          assert.deepStrictEqual(yield* asks.claim(id), Option.none())
          assert.deepStrictEqual(yield* deliveriesOf(id), [])
        }
      })
    )

    it.effect("shows an ask to the wallet that paid for it only", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(14)
        const { id } = yield* enqueued(purse)
        assert.isTrue(Option.isSome(yield* asks.find(purse, id)))
        for (const other of [yield* wallet(0), { ...purse, environment: "test" as const }])
          assert.deepStrictEqual(yield* asks.find(other, id), Option.none())
        assert.deepStrictEqual(yield* asks.find(purse, randomUUID()), Option.none())
      })
    )

    it.effect("keeps an ask for 30 days, reports it as expired for 30 more, and then does not know it", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(28)
        const [done, open] = [yield* enqueued(purse), yield* enqueued(purse)]
        yield* settle(done)
        const ids = [done.id, open.id]
        const found = (id: string) =>
          Effect.map(
            asks.find(purse, id),
            Option.map(({ expired }) => expired)
          )
        for (const [old, expected] of [
          ["29 days 23 hours 59 minutes", Option.some(false)],
          ["30 days", Option.some(true)],
          ["59 days 23 hours 59 minutes", Option.some(true)],
          ["60 days", Option.none()]
        ] as const) {
          yield* age("created_at", old, ids)
          assert.deepStrictEqual([yield* found(done.id), yield* found(open.id)], [expected, expected], old)
        }
        yield* clear
      })
    )

    it.effect("empties asks after 30 days and deletes them after 60, up to 500 each at a time; open jobs stay", () =>
      Effect.gen(function* () {
        yield* clear
        const { prune } = yield* Asks
        const old = yield* insert(700, { status: "completed", old: "30 days" })
        const gone = yield* insert(600, { status: "completed", old: "60 days" })
        const young = yield* insert(3, { status: "completed", old: "29 days 23 hours" })
        const waiting = yield* insert(3, { status: "queued", old: "61 days" })
        const running = yield* insert(3, { status: "running", old: "61 days" })
        const whole = (rows: number, answered = rows) => ({ rows, asked: rows, answered })
        assert.strictEqual(yield* prune, 1000)
        assert.deepInclude(yield* rowsOf(gone), { rows: 100 })
        assert.deepStrictEqual(yield* rowsOf(old), whole(700))
        while ((yield* prune) > 0) assert.deepStrictEqual(yield* rowsOf(young), whole(3))
        assert.deepStrictEqual(yield* rowsOf(old), { rows: 700, asked: 0, answered: 0 })
        assert.deepStrictEqual(yield* rowsOf(gone), whole(0))
        assert.deepStrictEqual(yield* rowsOf(young), whole(3))
        for (const open of [waiting, running]) assert.deepStrictEqual(yield* rowsOf(open), whole(3, 0))
      })
    )

    it.effect("reports an emptied ask as expired", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const job = yield* enqueued(yield* wallet(14))
        yield* settle(job)
        yield* age("created_at", "30 days", [job.id])
        while ((yield* asks.prune) > 0);
        assert.deepStrictEqual(
          yield* asks.find(job.order.wallet, job.id),
          Option.some({ chargeId: job.order.id, status: "completed", result: null, expired: true })
        )
      })
    )

    it.effect("does not wait for a locked row: the others are pruned", () =>
      Effect.gen(function* () {
        yield* clear
        const asks = yield* Asks
        const sql = yield* SqlClient.SqlClient
        const old = yield* insert(3, { status: "completed", old: "31 days" })
        const gone = yield* insert(3, { status: "completed", old: "61 days" })
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT id FROM asks WHERE id IN (
                SELECT DISTINCT ON (account_id) id FROM asks ORDER BY account_id, id) FOR UPDATE`
              const other = yield* anotherAsks
              while ((yield* other.prune) > 0);
            })
          )
          .pipe(Effect.timeout("14 seconds"))
        assert.deepStrictEqual(yield* rowsOf(old), { rows: 3, asked: 1, answered: 1 })
        assert.deepInclude(yield* rowsOf(gone), { rows: 1 })
        while ((yield* asks.prune) > 0);
        assert.deepStrictEqual(yield* rowsOf(old), { rows: 3, asked: 0, answered: 0 })
        assert.deepInclude(yield* rowsOf(gone), { rows: 0 })
      })
    )
  })
})
