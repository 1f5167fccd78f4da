/**
 * Workers over a real store, an in-process queue and scripted platforms.
 *
 * Planted and seen red:
 * - a job not pushed, not announced again, or removed from the queue before it is claimed
 * - a consumer not started again
 * - one consumer, twice as many, consumers that do not wait for their work
 * - a last try handed out like the others, claimed before it may begin, or begun by an announcement of an earlier try
 * - jobs in order of arrival, regardless of the customer
 * - jobs not released
 */
import { it } from "@effect/vitest"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import type { Ask } from "@sightline/domain/Ask"
import { credits } from "@sightline/domain/Credits"
import type { AskRendering } from "@sightline/engine/AskOutcome"
import { askQueue } from "@sightline/engine/AskRunner"
import * as Sweeper from "@sightline/engine/Sweeper"
import { askConcurrency } from "@sightline/engine/Tuning"
import { askRendering } from "@sightline/server/handlers/AskRendering"
import { Asks } from "@sightline/store/Asks"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { Deliveries } from "@sightline/store/Deliveries"
import { RateLimits } from "@sightline/store/RateLimits"
import { Sessions } from "@sightline/store/Sessions"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { Array, Deferred, Duration, Effect, Exit, Layer, Option, Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import { askJob, askOrder, lapse } from "../store/queued.ts"
import {
  asking,
  balanceOf,
  bodiesOf,
  booksInOrder,
  finished,
  layerAsking,
  queueAs,
  webhook,
  workers
} from "./asking.ts"
import { answer, purse, scriptPlatforms } from "./scripted.ts"

const layer = Layer.provideMerge(
  Layer.mergeAll(
    CaptureStats.layer,
    Deliveries.layer,
    RateLimits.layer,
    Sessions.layer,
    TimesAhead.layer({ retryDelays: [Duration.minutes(1), Duration.minutes(5)] })
  ),
  layerAsking
)

const one = (content: string): Ask => asking(content, { platforms: ["claude_api"] })

const push = (id: string) => WorkQueue.use(({ push }) => push(askQueue, [{ id, turn: 0 }]))

/** Makes the last announcement of every job this much older. */
const silence = (by: string) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE asks SET announced_at = announced_at - ${by}::interval`)

/** Waits until every queued job has been announced again. */
const untilAnnounced = SqlClient.SqlClient.use((sql) =>
  Effect.repeat(
    sql`SELECT 1 FROM asks WHERE status = 'queued' AND announced_at <= clock_timestamp() - interval '10 seconds'`,
    { until: (rows) => rows.length === 0 }
  )
)

it.layer(layer, { excludeTestServices: true })("AskWorker", (test) => {
  test.effect("does every queued job once, across several processes", () =>
    Effect.gen(function* () {
      const script = yield* scriptPlatforms()
      yield* workers()
      yield* workers()
      const wallet = yield* purse(1000)
      const webhookId = Option.some(yield* webhook(wallet))
      const queued = yield* Effect.forEach(
        Array.range(1, 60),
        (n) => queueAs(wallet, one(`queued ${n}`), { webhookId }),
        { concurrency: 8 }
      )
      for (const { id } of queued) {
        const { status, result } = yield* finished(wallet, id)
        assert.deepEqual([status, result.usage.cost_cents], ["completed", 10])
        assert.lengthOf(yield* bodiesOf(id), 1)
      }
      assert.lengthOf(script.asked, 60)
      assert.deepEqual(yield* balanceOf(wallet), { available: credits(400), held: credits(0) })
    })
  )

  test.effect("skips ids that are no job, a finished job or another worker's job", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms()
      const wallet = yield* purse(100)
      const [done, taken] = [yield* queueAs(wallet, one("done")), yield* queueAs(wallet, one("taken"))]
      yield* (yield* Asks).claim(taken.id)
      yield* workers()
      yield* finished(wallet, done.id)
      for (const id of [randomUUID(), done.id, taken.id]) yield* push(id)
      yield* finished(wallet, (yield* queueAs(wallet, one("behind them"))).id)
      assert.deepEqual(yield* balanceOf(wallet), { available: credits(70), held: credits(10) })
      yield* lapse(taken.id)
      yield* push(taken.id)
      yield* finished(wallet, taken.id)
    })
  )

  test.effect(`does ${askConcurrency} jobs at a time, and takes the next when one ends`, () =>
    Effect.gen(function* () {
      const [full, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const working = { now: 0, most: 0 }
      yield* scriptPlatforms(() =>
        Effect.gen(function* () {
          working.now += 1
          working.most = Math.max(working.most, working.now)
          if (working.now === askConcurrency) yield* Deferred.succeed(full, undefined)
          yield* Deferred.await(go)
          working.now -= 1
          return answer
        })
      )
      const wallet = yield* purse(1000)
      yield* workers()
      const platforms = ["claude_api", "gemini_api"] as const
      const queued = yield* Effect.forEach(Array.range(1, askConcurrency + 8), (n) =>
        queueAs(wallet, asking(`many ${n}`, { platforms: [platforms[n % 2] ?? "claude_api"] }))
      )
      yield* Deferred.await(full)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT count(*)::integer AS running FROM asks
        WHERE account_id = ${wallet.accountId} AND status = 'running'`
      assert.deepEqual(row, { running: askConcurrency })
      yield* Deferred.succeed(go, undefined)
      for (const { id } of queued) yield* finished(wallet, id)
      assert.strictEqual(working.most, askConcurrency)
    })
  )

  test.effect("continues after jobs that die, even as many at once as it has consumers", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms()
      const process = yield* Scope.make()
      const deadly: AskRendering = {
        ...askRendering,
        result: (outcome) => {
          if (outcome.ask.system === "Die.") throw new Error("told to die")
          return askRendering.result(outcome)
        }
      }
      yield* Scope.provide(workers(deadly), process)
      const wallet = yield* purse(1000)
      const dying = yield* Effect.forEach(Array.range(1, 2 * askConcurrency), (n) =>
        queueAs(wallet, { ...one(`dying ${n}`), system: "Die." })
      )
      const { id } = yield* queueAs(wallet, one("living"))
      assert.strictEqual((yield* finished(wallet, id)).status, "completed")
      const held = credits(20 * askConcurrency)
      assert.deepEqual(yield* balanceOf(wallet), { available: credits(990 - 20 * askConcurrency), held })
      // Jobs that died are free once their leases are over; a worker that does not die does them.
      yield* Scope.close(process, Exit.void)
      yield* workers()
      for (const job of dying) {
        yield* lapse(job.id)
        yield* push(job.id)
      }
      for (const job of dying) yield* finished(wallet, job.id)
    })
  )

  test.effect("takes a job whose first claim failed, without a new announcement", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms()
      const asks = yield* Asks
      const refused = yield* Deferred.make<void>()
      const claim = (id: string) =>
        Effect.flatMap(Deferred.succeed(refused, undefined), (isFirst) =>
          isFirst ? Effect.die(new Error("told to die")) : asks.claim(id)
        )
      yield* Effect.provideService(workers(), Asks, { ...asks, claim })
      const wallet = yield* purse(10)
      const { id } = yield* queueAs(wallet, one("not taken"))
      yield* Deferred.await(refused)
      assert.strictEqual((yield* finished(wallet, id)).status, "completed")
    })
  )

  test.effect("that is lost with its process leaves its jobs to others, once the sweeper finds them", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      yield* scriptPlatforms(() => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never))
      const wallet = yield* purse(100)
      const process = yield* Scope.make()
      const silent = { ...(yield* Asks), release: () => Effect.succeed(false) }
      yield* Effect.provideService(Scope.provide(workers(), process), Asks, silent)
      const { id } = yield* queueAs(wallet, one("abandoned"))
      yield* Deferred.await(arrived)
      yield* Scope.close(process, Exit.void)
      assert.deepEqual(yield* balanceOf(wallet), { available: credits(90), held: credits(10) })
      yield* scriptPlatforms()
      yield* workers()
      yield* lapse(id)
      yield* silence("10 seconds")
      yield* Layer.build(Sweeper.layer("1 hour"))
      assert.strictEqual((yield* finished(wallet, id)).status, "completed")
      assert.deepEqual(yield* balanceOf(wallet), { available: credits(90), held: credits(0) })
    })
  )

  test.effect("that stops releases its jobs, and other workers do them at once, without the sweeper", () =>
    Effect.gen(function* () {
      const arrived = yield* Semaphore.make(0)
      yield* scriptPlatforms(() => Effect.andThen(arrived.release(1), Effect.never))
      const wallet = yield* purse(100)
      const process = yield* Scope.make()
      yield* Scope.provide(workers(), process)
      const jobs = [yield* queueAs(wallet, one("given back")), yield* queueAs(wallet, one("given back too"))]
      yield* arrived.take(2)
      yield* Scope.close(process, Exit.void)
      yield* scriptPlatforms()
      yield* workers()
      for (const { id } of jobs) assert.strictEqual((yield* finished(wallet, id)).status, "completed")
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT attempts FROM asks WHERE account_id = ${wallet.accountId}`
      assert.deepEqual(rows, [{ attempts: 2 }, { attempts: 2 }])
      assert.deepEqual(yield* balanceOf(wallet), { available: credits(80), held: credits(0) })
    })
  )

  test.effect("does the last try of a job alone, even when an announcement of an earlier try arrives late", () =>
    Effect.gen(function* () {
      const [arrived, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const inside = new Set<string>()
      const beside: Array<string> = []
      yield* scriptPlatforms((_, { turns: [{ content }] }) => {
        const entered = Effect.sync(() => {
          inside.add(content)
          if (content === "last") beside.push(...inside)
        })
        const answered = content === "last" ? Effect.yieldNow : Deferred.await(open)
        return entered.pipe(
          Effect.andThen(
            Effect.when(
              Deferred.succeed(arrived, undefined),
              Effect.sync(() => inside.size === 3)
            )
          ),
          Effect.andThen(answered),
          Effect.andThen(Effect.sync(() => inside.delete(content))),
          Effect.as(answer)
        )
      })
      yield* workers()
      const wallet = yield* purse(1000)
      const others = yield* Effect.forEach(["a", "b", "c"], (content) => queueAs(wallet, one(content)))
      yield* Deferred.await(arrived)
      const [order, job] = [askOrder(wallet, one("last")), askJob({ ask: one("last") })]
      yield* (yield* Asks).enqueue(order, job)
      const begunBefore = SqlClient.SqlClient.use((sql) => sql`UPDATE asks SET attempts = 4 WHERE id = ${job.id}`)
      yield* Effect.all([begunBefore, silence("10 seconds"), push(job.id)])
      yield* Layer.build(Sweeper.layer("1 hour"))
      const more = yield* Effect.forEach(["d", "e", "f"], (content) => queueAs(wallet, one(content)))
      // Enough time for a worker to begin it, if one would.
      yield* Effect.replicateEffect((yield* Asks).find(wallet, job.id), 50)
      // No worker claims it while it waits for the others: its lease could expire before it begins.
      const waiting = yield* (yield* Asks).find(wallet, job.id)
      assert.strictEqual(Option.getOrThrow(waiting).status, "queued")
      yield* Deferred.succeed(open, undefined)
      yield* finished(wallet, job.id)
      assert.deepEqual(beside, ["last"])
      for (const { id } of [...others, ...more]) yield* finished(wallet, id)
    })
  )

  test.effect("does a job that was never announced, once the sweeper finds it", () =>
    Effect.gen(function* () {
      yield* scriptPlatforms()
      const wallet = yield* purse(100)
      const [order, job] = [askOrder(wallet), askJob()]
      yield* (yield* Asks).enqueue(order, job)
      yield* workers()
      yield* silence("10 seconds")
      yield* Layer.build(Sweeper.layer("1 hour"))
      const { status, result } = yield* finished(wallet, job.id)
      assert.deepEqual([status, result.usage.cost_cents], ["completed", 14])
    })
  )

  test.effect("does the job of a customer behind another's long queue as soon as two of those end", () =>
    Effect.gen(function* () {
      const gate = yield* Semaphore.make(0)
      const script = yield* scriptPlatforms(() => Effect.as(gate.take(1), answer))
      const until = (many: number) => Effect.repeat(Effect.yieldNow, { until: () => script.asked.length === many })
      yield* workers()
      const [many, few] = [yield* purse(1000), yield* purse(10)]
      const platforms = ["claude_api", "gemini_api"] as const
      const queued = yield* Effect.forEach(Array.range(1, 3 * askConcurrency), (n) =>
        queueAs(many, asking(`one of many ${n}`, { platforms: [platforms[n % 2] ?? "claude_api"] }))
      )
      const { id } = yield* queueAs(few, one("one alone"))
      yield* until(askConcurrency)
      yield* silence("10 seconds")
      yield* Layer.build(Sweeper.layer("1 hour"))
      yield* untilAnnounced
      yield* gate.release(2)
      yield* until(askConcurrency + 2)
      const next = script.asked.slice(askConcurrency).map(({ question: { turns } }) => turns[0].content)
      assert.include(next, "one alone")
      yield* gate.release(3 * askConcurrency)
      yield* finished(few, id)
      for (const job of queued) yield* finished(many, job.id)
    })
  )

  test.effect("the audit of all jobs finds no difference", () => booksInOrder)
})
