/**
 * Asks as jobs: queued, and worked on by whoever has them, over a real store, an in-process queue and platforms that do as
 * they are told.
 *
 * Planted and seen red: any endpoint taken, a disabled one, one that is not subscribed; a hold that keeps the claim;
 * another price acknowledged; an overtaken worker that dies; a job given up at the 5th attempt, never, or as completed; no
 * renewal, one only, one in 40 s; models lost on the way; a new job announced as one that was begun; senders not told of
 * its end, or before it.
 */
import { it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { assert, describe } from "vitest"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { credits } from "@sightline/domain/Credits"
import { LlmPlatform } from "@sightline/domain/Platform"
import { WebhookId } from "@sightline/domain/Webhook"
import { askQueue } from "@sightline/engine/AskRunner"
import { Asks } from "@sightline/store/Asks"
import { Charges } from "@sightline/store/Charges"
import { Claim, plainReply, Replies } from "@sightline/store/Replies"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { utf8 } from "@sightline/store/Utf8"
import { dump, expire, tokenOf } from "../store/purse.ts"
import { lapse } from "../store/queued.ts"
import {
  anotherRunner,
  archived,
  asking,
  balanceOf,
  bodiesOf,
  booksInOrder,
  layerAsking,
  providers,
  queueAs,
  take,
  webhook,
  workJob,
  workOff
} from "./asking.ts"
import { deliveriesWhenNoticed, heldUp } from "./noticed.ts"
import { answer, purse, tell } from "./told.ts"

it.layer(layerAsking, { excludeTestServices: true })("AskRunner", (test) => {
  describe("an ask to be queued", () => {
    test.effect(
      "is refused whole for an endpoint that is unknown, a stranger's, deleted, disabled or not subscribed",
      () =>
        Effect.gen(function* () {
          const told = yield* tell()
          const wallet = yield* purse(100)
          const { remove } = yield* WebhookEndpoints
          const gone = yield* webhook(wallet)
          yield* remove(wallet, gone)
          const refusals = [
            [WebhookId.make(randomUUID()), "unknown"],
            [yield* webhook(yield* purse(0)), "unknown"],
            [yield* webhook({ ...wallet, environment: "live" }), "unknown"],
            [gone, "unknown"],
            [yield* webhook(wallet, { enabled: false }), "disabled"],
            [yield* webhook(wallet, { events: ["watch.fired"] }), "not_subscribed"],
            [yield* webhook(wallet, { events: ["watch.fired"], enabled: false }), "disabled"]
          ] as const
          const before = yield* dump(wallet)
          for (const [id, reason] of refusals) {
            const refused = yield* Effect.flip(queueAs(wallet, asking("refused"), { webhookId: Option.some(id) }))
            assert.deepInclude(refused, { _tag: "WebhookUnusable", reason })
          }
          assert.deepEqual(yield* dump(wallet), before)
          assert.lengthOf(told.asked, 0)
        })
    )

    test.effect("is acknowledged with its full price, under its claim, before anybody is asked", () =>
      Effect.gen(function* () {
        const told = yield* tell()
        const wallet = yield* purse(100)
        const claim = Replies.use((replies) =>
          replies.claim({ ...wallet, route: "POST /v1/ask", key: "k" }, new Uint8Array(32))
        )
        const token = tokenOf(yield* claim)
        const prices: Array<number> = []
        const { id, balance } = yield* queueAs(
          wallet,
          asking("acknowledged", { tariff: "standard", webSearch: false }),
          {
            claim: Option.some(token),
            acknowledge: (price) => {
              prices.push(price)
              return plainReply(202, `{"price":${price}}`)
            }
          }
        )
        assert.deepEqual(prices, [credits(16.8)])
        assert.strictEqual(balance, credits(83.2))
        assert.lengthOf(told.asked, 0)
        const kept = yield* claim
        const job = yield* take(id)
        const headers = { "x-charge-id": job.chargeId }
        assert.deepEqual(kept, Claim.Replay({ status: 202, headers, body: utf8('{"price":16800}') }))
        yield* workJob(job)
        assert.deepEqual(yield* claim, kept)
      })
    )
  })

  test.effect("is announced as begun by nobody yet, so that who announces it again says the same", () =>
    Effect.gen(function* () {
      const { next, push } = yield* WorkQueue
      const { id } = yield* queueAs(yield* purse(100), asking("announced"))
      const again = { id, turn: 0 }
      yield* push(askQueue, [again, { id: "end", turn: 0 }])
      const take = next(askQueue, Effect.succeed)
      yield* Effect.repeat(take, { until: (taken) => taken === id })
      assert.strictEqual(yield* take, "end")
    })
  )

  describe("a job", () => {
    /** Platforms that wait to be told that they may answer; and the word that each was asked. */
    const holding = Effect.gen(function* () {
      const [arrived, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const told = yield* tell(() =>
        Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(go)), Effect.as(answer))
      )
      return { told, arrived: Deferred.await(arrived), go: Deferred.succeed(go, undefined) }
    })

    test.effect("that two workers do at the same time is charged once and delivered once", () =>
      Effect.gen(function* () {
        const { told, arrived, go } = yield* holding
        const asks = yield* Asks
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("twice"), { webhookId: Option.some(yield* webhook(wallet)) })
        const [mine, theirs] = [yield* take(id), yield* Effect.andThen(lapse(id), take(id))]
        assert.deepEqual([mine.attempt, theirs.attempt], [1, 2])
        const other = yield* anotherRunner
        const fibers = [
          yield* Effect.forkChild(workJob(mine)),
          yield* Effect.forkChild(other.work(theirs)),
          yield* Effect.forkChild(other.work(theirs))
        ]
        yield* arrived
        yield* go
        yield* Fiber.joinAll(fibers)
        assert.lengthOf(told.asked, 4)
        // Whoever follows the other's question has its answer from cache, so that the cost is that of the first to end.
        const { cost_cents: cost } = (yield* archived(wallet, id)).result.usage
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(100 - cost), held: credits(0) })
        assert.lengthOf(yield* bodiesOf(id), 1)
        const before = yield* dump(wallet)
        yield* workJob(mine)
        assert.deepEqual(yield* dump(wallet), before)
        assert.deepEqual(yield* asks.claim(id), Option.none())
      })
    )

    test.effect("whose worker is interrupted in the middle stays paid for and is done by another after the lease", () =>
      Effect.gen(function* () {
        const { arrived } = yield* holding
        const asks = yield* Asks
        const { sweepExpired } = yield* Charges
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("lost"))
        const job = yield* take(id)
        const process = yield* Scope.make()
        const dying = yield* Scope.provide(anotherRunner, process)
        const fiber = yield* Effect.forkChild(dying.work(job))
        yield* arrived
        yield* Fiber.interrupt(fiber)
        yield* Scope.close(process, Exit.void)
        yield* expire(job.chargeId)
        assert.strictEqual(yield* sweepExpired, 0)
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(60), held: credits(40) })
        assert.deepEqual(yield* asks.claim(id), Option.none())
        yield* lapse(id)
        yield* tell()
        assert.strictEqual((yield* workOff(wallet, id)).status, "completed")
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(60), held: credits(0) })
      })
    )

    test.effect(
      "is given up at its 6th attempt, not before: every slot fails, nobody is asked, nothing is charged, it is told",
      () =>
        Effect.gen(function* () {
          const told = yield* tell()
          const wallet = yield* purse(100)
          const webhookId = Option.some(yield* webhook(wallet))
          const [doomed, saved] = [
            yield* queueAs(wallet, asking("poison", { brands: ["Acme"] }), { webhookId }),
            yield* queueAs(wallet, asking("poison in time"), { webhookId })
          ]
          for (let attempt = 1; attempt <= 5; attempt++) {
            assert.strictEqual((yield* take(doomed.id)).attempt, attempt)
            yield* lapse(doomed.id)
            if (attempt === 5) continue
            yield* take(saved.id)
            yield* lapse(saved.id)
          }
          assert.strictEqual((yield* workOff(wallet, saved.id)).status, "completed")
          assert.lengthOf(told.asked, 4)
          const { status, result } = yield* workOff(wallet, doomed.id)
          assert.lengthOf(told.asked, 4)
          assert.strictEqual(status, "failed")
          assert.deepEqual(
            result.providers.map((one) => `${one.provider} ${"error" in one ? one.error.code : "answered"}`),
            LlmPlatform.literals.map((platform) => `${providers[platform]} provider_error`)
          )
          assert.deepInclude(result, { cached: false, cache_tier: "miss", brand_mentions: [], citations: [] })
          assert.deepInclude(result.usage, { billable_units: 0, cost_cents: 0 })
          assert.deepEqual(yield* balanceOf(wallet), { available: credits(60), held: credits(0) })
          assert.lengthOf(yield* bodiesOf(doomed.id), 1)
        })
    )

    test.effect("is not given up for having been given back, however often", () =>
      Effect.gen(function* () {
        yield* tell()
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("one deployment after another"))
        for (let attempt = 1; attempt <= 7; attempt++) yield* (yield* Asks).giveBack(yield* take(id))
        assert.strictEqual((yield* workOff(wallet, id)).status, "completed")
      })
    )

    test.effect("is kept while it lasts, however long: its lease is renewed every 10 s", () =>
      Effect.gen(function* () {
        const { arrived, go } = yield* holding
        const asks = yield* Asks
        const sql = yield* SqlClient.SqlClient
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("long"))
        const job = yield* take(id)
        // The waiting between renewals is the test clock's, the leases are the database's.
        yield* Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(workJob(job))
          yield* arrived
          const renewed = Effect.repeat(
            sql`SELECT FROM asks WHERE id = ${id} AND lease_expires_at > clock_timestamp() + interval '20 seconds'`,
            { until: (rows) => rows.length === 1 }
          )
          for (let round = 0; round < 4; round++) {
            yield* renewed
            assert.deepEqual(yield* asks.claim(id), Option.none())
            yield* sql`UPDATE asks SET lease_expires_at = clock_timestamp() + interval '5 seconds' WHERE id = ${id}`
            yield* TestClock.adjust("10 seconds")
          }
          yield* renewed
          yield* go
          yield* Fiber.join(fiber)
        }).pipe(Effect.provide(TestClock.layer()))
        assert.deepEqual((yield* archived(wallet, id)).status, "completed")
      })
    )

    test.effect("that ends tells those who deliver, who would else look for it later, once the delivery is there", () =>
      Effect.gen(function* () {
        yield* tell()
        const wallet = yield* purse(100)
        const found = yield* deliveriesWhenNoticed(wallet)
        const { id } = yield* queueAs(wallet, asking("told"), { webhookId: Option.some(yield* webhook(wallet)) })
        assert.isFalse(yield* Deferred.isDone(found))
        yield* heldUp(workOff(wallet, id))
        assert.strictEqual(yield* Deferred.await(found), 1)
      })
    )

    test.effect("whose end the database rejects stays a job, and is done once it is taken again", () =>
      Effect.gen(function* () {
        yield* tell()
        const sql = yield* SqlClient.SqlClient
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("rejected"))
        yield* sql`ALTER TABLE asks ADD CONSTRAINT nothing_ends CHECK (finished_at IS NULL) NOT VALID`
        const exit = yield* Effect.exit(workOff(wallet, id))
        yield* sql`ALTER TABLE asks DROP CONSTRAINT nothing_ends`
        assert.isTrue(Exit.hasDies(exit))
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(60), held: credits(40) })
        yield* lapse(id)
        assert.strictEqual((yield* workOff(wallet, id)).status, "completed")
      })
    )
  })

  test.effect("leaves the books in order", () => booksInOrder)
})
