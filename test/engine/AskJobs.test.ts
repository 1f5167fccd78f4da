/**
 * Asks as jobs: queued, and done by the worker that claims them. The store is real, the queue in process, the platforms scripted.
 *
 * Planted and seen red:
 * - any endpoint accepted, a disabled one, one that is not subscribed
 * - a hold that keeps the claim
 * - another price acknowledged
 * - a worker that dies when another has overtaken it
 * - a job given up at the 5th attempt, never, or recorded as completed
 * - no renewal, a single one, one in 40 s, none while the charge is settled
 * - the chosen models not passed on
 * - a new job announced with a later turn, as if it had been begun
 * - senders not notified of the end of a job, or notified before its delivery exists
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
import { keepOpen, untilLocked } from "../store/locks.ts"
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
import { answer, purse, scriptPlatforms } from "./scripted.ts"

it.layer(layerAsking, { excludeTestServices: true })("AskRunner", (test) => {
  describe("an ask that is queued", () => {
    test.effect(
      "is refused as a whole if its endpoint is unknown, another account's, deleted, disabled or not subscribed",
      () =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms()
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
          assert.lengthOf(script.asked, 0)
        })
    )

    test.effect("is acknowledged with its full price, under its claim, before any platform is asked", () =>
      Effect.gen(function* () {
        const script = yield* scriptPlatforms()
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
        assert.lengthOf(script.asked, 0)
        const kept = yield* claim
        const job = yield* take(id)
        const headers = { "x-charge-id": job.chargeId }
        assert.deepEqual(kept, Claim.Replay({ status: 202, headers, body: utf8('{"price":16800}') }))
        yield* workJob(job)
        assert.deepEqual(yield* claim, kept)
      })
    )
  })

  test.effect("a new job is announced with turn 0, so that a second announcement is a duplicate of the first", () =>
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
    /** Platforms that answer once `go` has run; `arrived` waits until one is asked. */
    const holding = Effect.gen(function* () {
      const [arrived, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const script = yield* scriptPlatforms(() =>
        Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(go)), Effect.as(answer))
      )
      return { script, arrived: Deferred.await(arrived), go: Deferred.succeed(go, undefined) }
    })

    test.effect("of two workers at once is charged once and delivered once", () =>
      Effect.gen(function* () {
        const { script, arrived, go } = yield* holding
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
        assert.lengthOf(script.asked, 4)
        // A follower of the other's question is answered from cache, so the cost is that of the first job to end.
        const { cost_cents: cost } = (yield* archived(wallet, id)).result.usage
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(100 - cost), held: credits(0) })
        assert.lengthOf(yield* bodiesOf(id), 1)
        const before = yield* dump(wallet)
        yield* workJob(mine)
        assert.deepEqual(yield* dump(wallet), before)
        assert.deepEqual(yield* asks.claim(id), Option.none())
      })
    )

    test.effect("of an interrupted worker keeps its hold, and another worker does it once the lease is over", () =>
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
        yield* scriptPlatforms()
        assert.strictEqual((yield* workOff(wallet, id)).status, "completed")
        assert.deepEqual(yield* balanceOf(wallet), { available: credits(60), held: credits(0) })
      })
    )

    test.effect(
      "is given up at its 6th attempt, not before: every slot fails, no platform is asked, nothing is charged, the end is delivered",
      () =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms()
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
          assert.lengthOf(script.asked, 4)
          const { status, result } = yield* workOff(wallet, doomed.id)
          assert.lengthOf(script.asked, 4)
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

    test.effect("is never given up because workers gave it back", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("one deployment after another"))
        for (let attempt = 1; attempt <= 7; attempt++) yield* (yield* Asks).release(yield* take(id))
        assert.strictEqual((yield* workOff(wallet, id)).status, "completed")
      })
    )

    test.effect(
      "keeps its lease for as long as it runs, until its charge is settled: the lease is renewed every 10 s",
      () =>
        Effect.gen(function* () {
          const { arrived, go } = yield* holding
          const asks = yield* Asks
          const sql = yield* SqlClient.SqlClient
          const wallet = yield* purse(100)
          const { id } = yield* queueAs(wallet, asking("long"))
          const job = yield* take(id)
          // The test clock passes the time between renewals; the leases run on the database's clock.
          yield* Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(workJob(job))
            const renewed = Effect.repeat(
              sql`SELECT FROM asks WHERE id = ${id} AND lease_expires_at > clock_timestamp() + interval '20 seconds'`,
              { until: (rows) => rows.length === 1 }
            )
            const renewedEach10s = Effect.gen(function* () {
              yield* renewed
              assert.deepEqual(yield* asks.claim(id), Option.none())
              yield* sql`UPDATE asks SET lease_expires_at = clock_timestamp() + interval '5 seconds' WHERE id = ${id}`
              yield* TestClock.adjust("10 seconds")
            })
            yield* arrived
            yield* Effect.replicateEffect(renewedEach10s, 4)
            yield* renewed
            const release = yield* keepOpen(sql`SELECT FROM wallets WHERE account_id = ${wallet.accountId} FOR UPDATE`)
            yield* go
            yield* untilLocked
            yield* Effect.replicateEffect(renewedEach10s, 2)
            yield* renewed
            yield* release
            yield* Fiber.join(fiber)
          }).pipe(Effect.provide(TestClock.layer()))
          assert.deepEqual((yield* archived(wallet, id)).status, "completed")
        })
    )

    test.effect("notifies the senders when it ends, once its delivery is stored", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
        const wallet = yield* purse(100)
        const found = yield* deliveriesWhenNoticed(wallet)
        const { id } = yield* queueAs(wallet, asking("told"), { webhookId: Option.some(yield* webhook(wallet)) })
        assert.isFalse(yield* Deferred.isDone(found))
        yield* heldUp(workOff(wallet, id))
        assert.strictEqual(yield* Deferred.await(found), 1)
      })
    )

    test.effect("remains a job if the database rejects its end, and is done when it is next claimed", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
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

  test.effect("the audit of all jobs finds no difference", () => booksInOrder)
})
