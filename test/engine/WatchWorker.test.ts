/**
 * The consumers of runs over the real tables and an in-process work queue.
 *
 * Planted faults, each seen red: one consumer; three times as many; consumers that do not wait for their work; a last try handed out
 * like the others.
 */
import { it } from "@effect/vitest"
import { Array, Deferred, Effect, Layer, Option, Queue } from "effect"
import { assert } from "vitest"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { JobLock } from "@sightline/engine/JobLock"
import { queueOf } from "@sightline/engine/JobConsumers"
import { jobTriesMax, runConcurrency } from "@sightline/engine/Tuning"
import { WatchRunner } from "@sightline/engine/WatchRunner"
import { runQueue } from "@sightline/engine/WatchTicker"
import * as WatchWorker from "@sightline/engine/WatchWorker"
import { Runs } from "@sightline/store/Runs"
import { ageRun, layerWatches, queued, watching } from "../store/watching.ts"

/** The consumers of another process, with this work. */
const worker = (work: WatchRunner["Service"]["work"]) =>
  Layer.build(Layer.fresh(WatchWorker.layer).pipe(Layer.provide([Layer.mock(WatchRunner, { work }), JobLock.layer])))

/** A run that is queued and was not announced. */
const run = Effect.gen(function* () {
  const { purse, id } = yield* watching()
  return yield* queued(purse, id)
})

const beforeLast = jobTriesMax - 1

const push = (id: string, turn = 0) => WorkQueue.use((jobs) => jobs.push(queueOf(runQueue, turn), [{ id, turn }]))

it.layer(layerWatches, { excludeTestServices: true })("WatchWorker", (test) => {
  test.effect(`does ${runConcurrency} runs at a time, and takes the next when one ends`, () =>
    Effect.gen(function* () {
      const [full, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const done = yield* Queue.unbounded<string>()
      let [now, most] = [0, 0]
      yield* worker(
        Effect.fnUntraced(function* ({ id }) {
          most = Math.max(most, ++now)
          if (now === runConcurrency) yield* Deferred.succeed(full, undefined)
          yield* Deferred.await(go)
          now--
          yield* Queue.offer(done, id)
        })
      )
      const ids = yield* Effect.replicateEffect(run, runConcurrency + 4)
      yield* Effect.forEach(ids, (id) => push(id))
      yield* Deferred.await(full)
      const { claim } = yield* Runs
      const left = yield* Effect.filter(ids, (id) => Effect.map(claim(id), Option.isSome))
      assert.lengthOf(left, 4)
      yield* Deferred.succeed(go, undefined)
      const others = ids.filter((id) => !left.includes(id))
      assert.sameMembers(yield* Effect.replicateEffect(Queue.take(done), others.length), others)
      assert.strictEqual(most, runConcurrency)
    }).pipe(Effect.provide(WorkQueue.layerMemory))
  )

  test.effect("does not begin the last try of a run by an announcement of an earlier one", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const id = yield* run
      for (const _ of Array.range(1, beforeLast)) {
        assert.isTrue(Option.isSome(yield* runs.claim(id)))
        yield* ageRun("lease_expires_at", "1 second", [id])
      }
      const claimed = yield* Queue.unbounded<boolean>()
      const claim: Runs["Service"]["claim"] = (...asked) =>
        Effect.tap(runs.claim(...asked), (job) => Queue.offer(claimed, Option.isSome(job)))
      yield* Effect.provideService(
        worker(() => Effect.void),
        Runs,
        { ...runs, claim }
      )
      yield* push(id)
      assert.isFalse(yield* Queue.take(claimed))
      yield* push(id, beforeLast)
      assert.isTrue(yield* Queue.take(claimed))
    }).pipe(Effect.provide(WorkQueue.layerMemory))
  )
})
