/**
 * Jobs from their acknowledgment to their last claim. Their ends are tested in `AskArchive.test.ts`.
 *
 * Planted faults, each seen red:
 * - a job queued unpaid, without its acknowledgment, for a claim that was lost or answered
 * - separate statements instead of one
 * - a job claimed regardless of its lease, or when it is finished; attempts not counted
 * - renewed by an overtaken worker, or after the end; leases of 31 s
 * - due after 9 s, though leased, though finished, announced again at once, all in one batch, the youngest first
 * - a sweep that releases the holds of jobs, or never those of finished ones, or that reads all open jobs for each
 * - a lost response not asked for again, or the last entry of the charge mistaken for its hold
 * - a wait counted from the last announcement, or negative
 */
import { assert, describe, layer } from "@effect/vitest"
import { Array, Context, Effect, Exit, Fiber, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Ask } from "@sightline/domain/Ask"
import { credits, zero } from "@sightline/domain/Credits"
import { InsufficientBalance } from "@sightline/domain/Wallet"
import { Asks } from "@sightline/store/Asks"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Claim, renderReply } from "@sightline/store/Replies"
import { Wallets } from "@sightline/store/Wallets"
import { keepOpen } from "./locks.ts"
import { claimed, dump, expire, order, wallet } from "./purse.ts"
import { rowsRead } from "./rowsRead.ts"
import {
  accepted,
  age,
  anotherAsks,
  askJob,
  askOrder,
  clear,
  enqueued,
  insert,
  lapse,
  layerStore,
  settle,
  statusOf
} from "./queued.ts"
import { moments, withResponseLost } from "./lostResponse.ts"

const all = { concurrency: "unbounded" } as const

layer(layerStore, { excludeTestServices: true })("Asks", (it) => {
  describe("an ask that is queued", () => {
    it.effect("has its full price held, is a job, and is acknowledged under its claim", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(100)
        const { token, met } = yield* claimed(purse)
        const [job, call] = [askJob({ claim: Option.some(token) }), askOrder(purse)]
        const balance = yield* asks.enqueue(call, job)
        assert.strictEqual(balance, credits(86))
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(86), held: credits(14) })
        assert.deepStrictEqual(
          yield* asks.find(purse, job.id),
          Option.some({ chargeId: call.id, status: "queued", result: null, expired: false })
        )
        assert.deepStrictEqual(yield* met, Claim.Replay(renderReply(accepted, balance)))
        const [row] = yield* sql`SELECT claim, state, mode FROM charges WHERE id = ${call.id}`
        assert.deepStrictEqual(row, { claim: null, state: "held", mode: "standard" })
      })
    )

    it.effect("but not paid for leaves no trace, and its claim stays open", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(13.999)
        const { token, met } = yield* claimed(purse)
        const before = yield* dump(purse)
        const refused = yield* Effect.flip(asks.enqueue(askOrder(purse), askJob({ claim: Option.some(token) })))
        assert.deepStrictEqual(refused, new InsufficientBalance({ balance: credits(13.999), required: credits(14) }))
        assert.deepStrictEqual(yield* dump(purse), before)
        assert.strictEqual((yield* met)._tag, "InFlight")
      })
    )

    it.effect("by an owner whose claim was taken over leaves no trace; the new owner's is queued", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(100)
        const { token, takeOver } = yield* claimed(purse)
        const newer = yield* takeOver
        const before = yield* dump(purse)
        const call = askOrder(purse)
        const lost = yield* Effect.flip(asks.enqueue(call, askJob({ claim: Option.some(token) })))
        assert.deepStrictEqual(lost, new HoldLost({ id: call.id }))
        assert.deepStrictEqual(yield* dump(purse), before)
        yield* asks.enqueue(askOrder(purse), askJob({ claim: Option.some(newer) }))
        const after = yield* dump(purse)
        const late = yield* Effect.flip(asks.enqueue(askOrder(purse), askJob({ claim: Option.some(newer) })))
        assert.strictEqual(late._tag, "HoldLost")
        assert.deepStrictEqual(yield* dump(purse), after)
      })
    )

    it.effect("but fails at any of its statements leaves no trace", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(100)
        const { id, order: held } = yield* enqueued(purse)
        const before = yield* dump(purse)
        const broken = [
          asks.enqueue({ ...askOrder(purse), id: held.id }, askJob()),
          asks.enqueue(askOrder(purse), askJob({ id })),
          asks.enqueue(askOrder(purse), askJob({ claim: Option.some("no token") }))
        ]
        for (const attempt of broken) {
          assert.isTrue(Exit.hasDies(yield* Effect.exit(attempt)))
          assert.deepStrictEqual(yield* dump(purse), before)
        }
      })
    )

    it.effect("over connections that end after the money has moved leaves no trace", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(100)
        const { token, met } = yield* claimed(purse)
        const before = yield* dump(purse)
        const release = yield* keepOpen(sql`LOCK TABLE asks IN SHARE MODE`)
        const queueing = yield* Effect.forkChild(
          Effect.exit(asks.enqueue(askOrder(purse), askJob({ claim: Option.some(token) })))
        )
        const cut = (other: unknown) =>
          Effect.repeat(
            sql`
              SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%queue_ask%' AND pid <> ${other}`,
            { until: (rows) => rows.length > 0 }
          )
        const [first] = yield* cut(0)
        yield* cut(first?.["pid"])
        assert.isTrue(Exit.hasDies(yield* Fiber.join(queueing)))
        yield* release
        assert.deepStrictEqual(yield* dump(purse), before)
        assert.strictEqual((yield* met)._tag, "InFlight")
      })
    )

    for (const moment of moments)
      it.effect(`over a connection that ends ${moment} is queued and held once, with the usual response`, () =>
        Effect.gen(function* () {
          // Enough for both jobs, and not for a third.
          const purse = yield* wallet(28)
          const { token, met } = yield* claimed(purse)
          const [loose, kept] = [askJob(), askJob({ claim: Option.some(token) })]
          const queue = (job: typeof loose) =>
            withResponseLost(purse, moment, (distant) => Context.get(distant, Asks).enqueue(askOrder(purse), job))
          assert.strictEqual(yield* queue(kept), credits(14))
          assert.strictEqual(yield* queue(loose), zero)
          assert.deepStrictEqual(yield* met, Claim.Replay(renderReply(accepted, credits(14))))
          assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: zero, held: credits(28) })
          for (const { id } of [loose, kept]) assert.deepStrictEqual(yield* statusOf(purse, id), Option.some("queued"))
          assert.lengthOf((yield* dump(purse))["asks"] ?? [], 2)
        })
      )

    it.effect(
      "over a connection that ends before its answer arrives gets its own response, even if the job is done by then",
      () =>
        Effect.gen(function* () {
          const asks = yield* Asks
          const charges = yield* Charges
          const purse = yield* wallet(100)
          const [call, job] = [askOrder(purse), askJob()]
          const balance = yield* withResponseLost(
            purse,
            "before its answer arrives",
            (distant) => Context.get(distant, Asks).enqueue(call, job),
            ({ mend }) =>
              asks
                .claim(job.id)
                .pipe(
                  Effect.andThen(settle({ id: job.id, order: call })),
                  Effect.provideService(Charges, charges),
                  Effect.orDie,
                  Effect.andThen(mend)
                )
          )
          assert.strictEqual(balance, credits(86))
          assert.deepStrictEqual(yield* statusOf(purse, job.id), Option.some("completed"))
          assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(92), held: zero })
        })
    )

    it.effect("a hundred times concurrently is held and queued as often as the wallet can pay", () =>
      Effect.gen(function* () {
        const processes = [yield* Asks, yield* anotherAsks, yield* anotherAsks]
        const purse = yield* wallet(7 * 14 + 13)
        const exits = yield* Effect.forEach(
          Array.range(1, 100),
          (n) => Effect.result((processes[n % 3] ?? assert.fail()).enqueue(askOrder(purse), askJob())),
          all
        )
        assert.lengthOf(exits.filter(Result.isSuccess), 7)
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(13), held: credits(98) })
        assert.lengthOf((yield* dump(purse))["asks"] ?? [], 7)
      })
    )
  })

  describe("the hold of a job", () => {
    const sweep = Charges.use(({ sweepExpired }) => sweepExpired)

    it.effect("lasts longer than its 150 s while the job is open; the holds of other calls do not", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(1000)
        const [queued, running] = [yield* enqueued(purse), yield* enqueued(purse)]
        yield* asks.claim(running.id)
        yield* lapse(running.id)
        const call = order(purse)
        yield* (yield* Charges).hold(call)
        for (const { id } of [queued.order, running.order, call]) yield* expire(id)
        assert.strictEqual(yield* sweep, 1)
        assert.strictEqual((yield* (yield* Wallets).balanceOf(purse)).held, credits(28))
        for (const job of [queued, running]) yield* settle(job)
        assert.strictEqual(yield* sweep, 0)
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(984), held: zero })
      })
    )

    it.effect("is swept like any other once the job is over", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(14)
        const { id, order: held } = yield* enqueued(purse)
        yield* expire(held.id)
        assert.strictEqual(yield* sweep, 0)
        yield* sql`UPDATE asks SET status = 'failed', finished_at = clock_timestamp() WHERE id = ${id}`
        assert.strictEqual(yield* sweep, 1)
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(14), held: zero })
      })
    )

    it.effect("costs a sweep one look, however many jobs were queued since the last statistics", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(14)
        yield* enqueued(purse)
        // If no job is open, the statistics say so, until a tenth of the table has changed.
        yield* sql`
          WITH made AS (
            INSERT INTO charges SELECT gen_random_uuid(), account_id, environment, sequence, endpoint, mode, platforms, price, 'voided', 0, NULL,
              NULL, NULL, now(), now(), now()
            FROM charges, generate_series(1, 1000) WHERE account_id = ${purse.accountId} RETURNING *)
          INSERT INTO asks (id, account_id, environment, charge_id, status, request, announced_at, created_at, finished_at)
          SELECT gen_random_uuid(), account_id, environment, id, 'failed', '{}', now(), now(), now() FROM made`
        yield* sql`UPDATE asks SET finished_at = now() WHERE finished_at IS NULL`
        yield* sql`UPDATE charges SET finished_at = now() WHERE finished_at IS NULL`
        yield* sql`VACUUM ANALYZE charges, asks`
        yield* sql`UPDATE asks SET status = 'queued', finished_at = NULL WHERE account_id = ${purse.accountId}`
        yield* sql`UPDATE charges SET state = 'held', finished_at = NULL WHERE account_id = ${purse.accountId}`
        const [before, swept, after] = yield* sql.withTransaction(
          Effect.all([rowsRead("asks"), sweep, rowsRead("asks")])
        )
        yield* sql`UPDATE charges SET state = 'voided', finished_at = now() WHERE account_id = ${purse.accountId}`
        assert.strictEqual(swept, 0)
        assert.isAtMost(after - before, 2500)
      })
    )
  })

  describe("a job", () => {
    it.effect("is claimed as it was ordered", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const purse = yield* wallet(100, "test")
        const whole: Ask = {
          turns: [
            { role: "user", content: "a \u2028 ☂ \ud83d\udc5f" },
            { role: "assistant", content: '</script>"\\' },
            { role: "user", content: "b" }
          ],
          system: "Be brief.",
          platforms: ["perplexity_api", "chatgpt_api"],
          models: { chatgpt_api: "gpt-5.4", gemini_api: "snake_case_id" },
          temperature: 0.7,
          maxTokens: 8000,
          brands: ["Nike", "nike", "A&B"],
          webSearch: false,
          country: "DE",
          scope: "private",
          tariff: "live"
        }
        const { id, order: held } = yield* enqueued(purse, { ask: whole })
        const { waitedMillis, ...job } = Option.getOrThrow(yield* asks.claim(id))
        assert.deepStrictEqual(job, { id, chargeId: held.id, ...purse, request: whole, attempt: 1, tries: 1 })
        assert.isAtLeast(waitedMillis, 0)
        assert.deepStrictEqual(yield* statusOf(purse, id), Option.some("running"))
      })
    )

    it.effect("reports at each try how long ago it was accepted, and zero if the clock was set back", () =>
      Effect.gen(function* () {
        const { id } = yield* enqueued(yield* wallet(14))
        const waited = Effect.gen(function* () {
          const { waitedMillis } = Option.getOrThrow(yield* (yield* Asks).claim(id))
          yield* lapse(id)
          return waitedMillis
        })
        for (const seconds of [0, 90, 800]) {
          yield* age("created_at", `${seconds} seconds`, [id])
          assert.approximately(yield* waited, seconds * 1000 + 2500, 2500)
        }
        yield* age("created_at", "-90 seconds", [id])
        assert.strictEqual(yield* waited, 0)
      })
    )

    it.effect("goes to exactly one of a hundred concurrent claims in four processes", () =>
      Effect.gen(function* () {
        const processes = [yield* Asks, yield* anotherAsks, yield* anotherAsks, yield* anotherAsks]
        const { id } = yield* enqueued(yield* wallet(14))
        for (const attempt of [1, 2, 3]) {
          const taken = yield* Effect.forEach(
            Array.range(1, 100),
            (n) => (processes[n % 4] ?? assert.fail()).claim(id),
            all
          )
          assert.deepStrictEqual(
            Array.getSomes(taken).map((job) => job.attempt),
            [attempt]
          )
          yield* lapse(id)
        }
      })
    )

    it.effect("is leased to its worker for 30 s, and for 30 s more from each renewal", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* enqueued(yield* wallet(14))
        const left = Effect.map(
          sql`SELECT extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS left FROM asks WHERE id = ${id}`,
          ([row]) => Number(row?.["left"])
        )
        const job = Option.getOrThrow(yield* asks.claim(id))
        const first = yield* left
        assert.isTrue(first > 25 && first <= 30, `${first}`)
        yield* age("lease_expires_at", "-1 second", [id])
        assert.isTrue(yield* asks.renew(job))
        const second = yield* left
        assert.isTrue(second > 25 && second <= 30, `${second}`)
        assert.deepStrictEqual(yield* asks.claim(id), Option.none())
      })
    )

    it.effect("whose lease is over goes to the next claim, unless its worker renews it first", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const { id } = yield* enqueued(yield* wallet(14))
        const first = Option.getOrThrow(yield* asks.claim(id))
        yield* lapse(id)
        assert.isTrue(yield* asks.renew(first))
        assert.deepStrictEqual(yield* asks.claim(id), Option.none())
        yield* lapse(id)
        const second = Option.getOrThrow(yield* asks.claim(id))
        assert.strictEqual(second.attempt, 2)
        assert.isFalse(yield* asks.renew(first))
        assert.isTrue(yield* asks.renew(second))
      })
    )

    it.effect("can be claimed for one particular try, or for any other than that one", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const { id } = yield* enqueued(yield* wallet(14))
        assert.deepStrictEqual(yield* asks.claim(id, { tries: 1, isExact: true }), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* asks.claim(id, { tries: 1, isExact: false })).attempt, 1)
        yield* lapse(id)
        assert.deepStrictEqual(yield* asks.claim(id, { tries: 1, isExact: false }), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* asks.claim(id, { tries: 1, isExact: true })).attempt, 2)
      })
    )

    it.effect("that is finished cannot be claimed or renewed, like one that never existed", () =>
      Effect.gen(function* () {
        const asks = yield* Asks
        const job = yield* enqueued(yield* wallet(14))
        const taken = Option.getOrThrow(yield* asks.claim(job.id))
        yield* settle(job)
        assert.deepStrictEqual(yield* asks.claim(job.id), Option.none())
        yield* lapse(job.id)
        assert.deepStrictEqual(yield* asks.claim(job.id), Option.none())
        assert.isFalse(yield* asks.renew(taken))
        assert.deepStrictEqual(yield* asks.claim(randomUUID()), Option.none())
        assert.isFalse(yield* asks.renew({ id: randomUUID(), attempt: 1 }))
      })
    )
  })

  describe("due", () => {
    it.effect("are exactly the free jobs that were not announced for 10 s, each once in 10 s", () =>
      Effect.gen(function* () {
        yield* clear
        const asks = yield* Asks
        const purse = yield* wallet(1000)
        const make = Effect.fnUntraced(function* (announced: string, taken: "no" | "yes" | "lost" | "done" = "no") {
          const job = yield* enqueued(purse)
          if (taken !== "no") yield* asks.claim(job.id)
          if (taken === "lost") yield* lapse(job.id)
          if (taken === "done") yield* settle(job)
          yield* age("announced_at", announced, [job.id])
          return job.id
        })
        const waiting = yield* make("10 seconds")
        const lost = yield* make("1 hour", "lost")
        yield* make("9 seconds")
        yield* make("9 seconds", "lost")
        yield* make("1 hour", "yes")
        yield* make("1 hour", "done")
        const due = [
          { id: waiting, turn: 0, again: 0, tries: 0 },
          { id: lost, turn: 1, again: 0, tries: 1 }
        ]
        assert.sameDeepMembers([...(yield* asks.due)], due)
        assert.deepStrictEqual(yield* asks.due, [])
        yield* age("announced_at", "9 seconds", [waiting, lost])
        assert.deepStrictEqual(yield* asks.due, [])
        yield* age("announced_at", "10 seconds", [waiting, lost])
        yield* asks.claim(lost, { tries: 1, isExact: true })
        yield* lapse(lost)
        assert.sameDeepMembers([...(yield* asks.due)], [due[0], { id: lost, turn: 2, again: 0, tries: 2 }])
      })
    )

    it.effect("go each to one of several sweepers, at most 500 at a time, those that waited longest first", () =>
      Effect.gen(function* () {
        yield* clear
        const asks = yield* Asks
        const processes = [asks, yield* anotherAsks, yield* anotherAsks]
        yield* insert(1200, { announced: "1 minute" })
        yield* insert(300, { status: "running", announced: "1 minute" })
        const told: Array<string> = []
        const sweep = (process: Asks["Service"]): Effect.Effect<void> =>
          Effect.flatMap(process.due, (due) => {
            assert.isAtMost(due.length, 500)
            told.push(...due.map(({ id }) => id))
            return due.length === 0 ? Effect.void : sweep(process)
          })
        yield* Effect.forEach(processes, sweep, all)
        assert.lengthOf(told, 1500)
        assert.strictEqual(new Set(told).size, 1500)
        yield* clear
        yield* insert(500, { announced: "1 hour" })
        const { accountId } = yield* insert(7, { announced: "59 minutes" })
        const sql = yield* SqlClient.SqlClient
        assert.lengthOf(yield* asks.due, 500)
        const late = yield* sql`SELECT id FROM asks WHERE account_id = ${accountId}`
        assert.sameMembers(
          (yield* asks.due).map(({ id }) => id),
          late.map(({ id }) => String(id))
        )
        yield* clear
      })
    )
  })
})
