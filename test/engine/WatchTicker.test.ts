/**
 * The scheduler over the real tables and an in-process work queue, and the consumers that it wakes.
 *
 * Planted faults, each seen red: nothing announced; a pass that ends at the first page without a run; runs not counted, nor skipped or
 * missed slots; runs announced as if begun once, or one by one.
 */
import { assert, it } from "@effect/vitest"
import { Array, Deferred, Effect, Layer, Metric, Ref } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { JobLock } from "@sightline/engine/JobLock"
import { claimers, claimMax, runConcurrency } from "@sightline/engine/Tuning"
import { WatchRunner } from "@sightline/engine/WatchRunner"
import * as WatchTicker from "@sightline/engine/WatchTicker"
import * as WatchWorker from "@sightline/engine/WatchWorker"
import type { RunJob } from "@sightline/store/RunJobs"
import { Watches } from "@sightline/store/Watches"
import { wallet } from "../store/purse.ts"
import { clear, layerWatches, makeDue, runsOf, watching } from "../store/watching.ts"

/** Takes this many ids of runs. */
const take = (count: number) =>
  Effect.flatMap(WorkQueue, (queue) =>
    Effect.forEach(Array.range(1, count), () => queue.next(WatchTicker.runQueue, Effect.succeed))
  )

const countOf = (name: string) => Effect.map(Metric.snapshot, (all) => all.find(({ id }) => id === name)?.state)

it.layer(layerWatches, { excludeTestServices: true })("WatchTicker", (test) => {
  test.effect("queues each due run once and announces its id once, however many passes run concurrently", () =>
    Effect.gen(function* () {
      yield* clear
      const purse = yield* wallet(0)
      const made = yield* Effect.replicateEffect(watching({}, purse), 40)
      const ids = made.map(({ id }) => id)
      yield* makeDue(ids, 3)
      const passes = yield* Effect.replicateEffect(WatchTicker.tick, 4, { concurrency: "unbounded" })
      const rest = yield* WatchTicker.tick
      assert.strictEqual(
        passes.reduce((sum, runs) => sum + runs, rest),
        40
      )
      assert.deepStrictEqual(yield* countOf("sightline_runs_queued_total"), { count: 40, incremental: true })
      assert.deepStrictEqual(yield* countOf("sightline_slots_missed_total"), { count: 80, incremental: true })
      const announced = yield* take(40)
      const rows = yield* Effect.forEach(ids, runsOf)
      assert.sameMembers(
        announced,
        rows.flat().map(({ id }) => id)
      )
      for (const runs of rows) assert.lengthOf(runs, 1)
      assert.strictEqual(yield* WatchTicker.tick, 0)

      yield* makeDue(ids.slice(0, 7), 1)
      assert.strictEqual(yield* WatchTicker.tick, 0)
      assert.deepStrictEqual(yield* countOf("sightline_runs_skipped_total"), { count: 7, incremental: true })
      assert.deepStrictEqual(yield* countOf("sightline_slots_missed_total"), { count: 80, incremental: true })
    }).pipe(Effect.provide(WorkQueue.layerMemory))
  )

  test.effect("a due watch's run reaches a worker without the sweeper", () =>
    Effect.gen(function* () {
      yield* clear
      const { id } = yield* watching()
      yield* makeDue([id])
      const done = yield* Deferred.make<RunJob>()
      const worker = WatchWorker.layer.pipe(
        Layer.provide([
          Layer.mock(WatchRunner, { work: (run) => Effect.asVoid(Deferred.succeed(done, run)) }),
          JobLock.layer
        ])
      )
      const run = yield* Effect.provide(Effect.andThen(WatchTicker.tick, Deferred.await(done)), worker)
      assert.deepInclude(run, { watchId: id, attempt: 1 })
    }).pipe(Effect.provide(WorkQueue.layerMemory))
  )
})

describe("a pass", () => {
  /** Due watches whose first pages give no run, because their previous runs are still open. */
  const backlog = () => {
    let left = (claimers + 1) * claimMax + 5
    let claims = 0
    const watches = Layer.mock(Watches, {
      claimDue: (limit) =>
        Effect.sync(() => {
          const moved = Math.min(limit, left)
          left -= moved
          claims += 1
          return {
            moved,
            missed: 0,
            runs: claims <= claimers || moved === 0 ? [] : Array.makeBy(moved, (n) => `${claims}-${n}`)
          }
        })
    })
    return { watches, left: () => left }
  }

  it.effect("continues until nothing is due, even past a page of watches without a run", () =>
    Effect.gen(function* () {
      const { watches, left } = backlog()
      const queued = yield* Effect.provide(WatchTicker.tick, Layer.merge(watches, WorkQueue.layerMemory))
      assert.deepStrictEqual([queued, left()], [claimMax + 5, 0])
    })
  )

  it.effect("announces runs with turn 0, in groups of as many as a worker takes at a time", () =>
    Effect.gen(function* () {
      const pushed: Array<unknown> = []
      const found = { moved: 2, missed: 0, runs: ["a", "b"] }
      const claims = [found]
      const watches = Layer.mock(Watches, {
        claimDue: () => Effect.sync(() => claims.pop() ?? { moved: 0, missed: 0, runs: [] })
      })
      const queue = Layer.mock(WorkQueue, {
        push: (...args) => Effect.sync(() => void (args[1].length > 0 && pushed.push(args)))
      })
      assert.strictEqual(yield* Effect.provide(WatchTicker.tick, Layer.merge(watches, queue)), 2)
      const items = found.runs.map((id) => ({ id, turn: 0 }))
      assert.deepStrictEqual(pushed, [[WatchTicker.runQueue, items, runConcurrency]])
    })
  )

  it.effect("is made at once, then every interval, even after a failed one", () =>
    Effect.gen(function* () {
      const passes = yield* Ref.make(0)
      const watches = Layer.mock(Watches, {
        claimDue: () =>
          Effect.flatMap(
            Ref.updateAndGet(passes, (count) => count + 1),
            (count) =>
              count === 1 ? Effect.die(new Error("no database")) : Effect.succeed({ moved: 0, missed: 0, runs: [] })
          )
      })
      yield* Layer.build(
        WatchTicker.layer("5 seconds").pipe(Layer.provide(Layer.merge(watches, WorkQueue.layerMemory)))
      )
      yield* TestClock.adjust("1 millis")
      const first = yield* Ref.get(passes)
      yield* TestClock.adjust("5 seconds")
      const second = yield* Ref.get(passes)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(first > 0 && second > first && (yield* Ref.get(passes)) > second)
    })
  )
})
