/**
 * Planted faults, each seen red:
 * - a consumer that fails is started again three times and then no more
 * - consumers that stop one after another, or wait for a database that does not respond
 * - a job without tries left pushed to the queue of last tries, which takes none such
 * - a job released only by a consumer that has learnt of its claim
 * - a job that others have by now announced too, no job announced, or one announced with the turn before its try
 * - a job released on its last try handed out like the others
 * - a log line each time a consumer stops, or the first time only
 */
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Logger, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { type WorkItem, WorkQueue } from "@sightline/actor/WorkQueue"
import { JobLock } from "@sightline/engine/JobLock"
import { queueOf, runJobConsumers } from "@sightline/engine/JobConsumers"

it.effect("a consumer that cannot take anything tries again every second, however often that fails", () =>
  Effect.gen(function* () {
    const tried = new Map<string, number>()
    const next = (queue: string) =>
      Effect.suspend(() => {
        tried.set(queue, (tried.get(queue) ?? 0) + 1)
        return Effect.die(new Error("no queue"))
      })
    const idle = {
      queue: "jobs",
      concurrency: 2,
      claim: () => Effect.succeedNone,
      work: () => Effect.void,
      release: () => Effect.succeed(true)
    }
    const queues = Layer.mock(WorkQueue, { next })
    yield* Effect.provide(runJobConsumers(idle), Layer.merge(queues, JobLock.layer))
    yield* TestClock.adjust("1 minute")
    assert.deepEqual(
      [...tried],
      [
        ["jobs", 122],
        ["jobs-last", 61]
      ]
    )
  }).pipe(Effect.provide(Logger.layer([])))
)

it.effect("a failure to take jobs is logged once, and again when it recurs", () => {
  const lines: Array<string> = []
  const down = Effect.die(new Error("no database"))
  return Effect.gen(function* () {
    let tries = 0
    const claims = [down, down, Effect.succeedNone, down, down]
    const poor = {
      queue: "jobs",
      concurrency: 1,
      claim: () => Effect.suspend(() => claims[tries++] ?? Effect.succeedNone),
      work: () => Effect.void,
      release: () => Effect.succeed(true)
    }
    const queues = Layer.mock(WorkQueue, {
      next: (queue, claim) => (queue === "jobs" && tries < claims.length ? claim("job") : Effect.never)
    })
    yield* Effect.provide(runJobConsumers(poor), Layer.merge(queues, JobLock.layer))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(tries, 5)
    assert.deepEqual(lines, Array(2).fill("A taker of jobs stopped"))
  }).pipe(
    Effect.provide(
      Logger.layer([
        Logger.make(({ message }) => void lines.push(String(Array.isArray(message) ? message[0] : message)))
      ])
    )
  )
})

it.effect("consumers that stop wait two seconds at most for a database that does not take their jobs back", () =>
  Effect.gen(function* () {
    const taken = new Set<number>()
    const busy = {
      queue: "jobs",
      concurrency: 3,
      claim: () => Effect.sync(() => Option.some({ id: "job", attempt: taken.add(taken.size).size, tries: 1 })),
      work: () => Effect.never,
      release: () => Effect.never
    }
    const queues = Layer.mock(WorkQueue, { next: (_, claim) => claim("job") })
    const process = yield* Scope.make()
    yield* Effect.provide(Scope.provide(runJobConsumers(busy), process), Layer.merge(queues, JobLock.layer))
    yield* Effect.repeat(Effect.yieldNow, { until: () => taken.size >= busy.concurrency })
    const left = yield* Effect.forkChild(Effect.andThen(Scope.close(process, Exit.void), Clock.currentTimeMillis))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(left), 2_000)
  })
)

it("only a job with exactly one try left goes to the queue of last tries; one with none is given up in the ordinary queue", () => {
  const queues = [0, 3, 4, 5].map((tries) => queueOf("jobs", tries))
  assert.deepEqual(queues, ["jobs", "jobs", "jobs-last", "jobs"])
})

it.effect(
  "a consumer that stops announces the job it released, for its next try, but not one that others have by now",
  () =>
    Effect.gen(function* () {
      const pushed: Array<readonly [queue: string, items: ReadonlyArray<WorkItem>]> = []
      const queues = Layer.mock(WorkQueue, {
        next: (queue, claim) => (queue === "jobs" ? claim("job") : Effect.never),
        push: (queue, items) => Effect.sync(() => void pushed.push([queue, items]))
      })
      const leave = Effect.fnUntraced(function* (attempt: number, tries: number, isOurs: boolean) {
        const begun = yield* Deferred.make<void>()
        const busy = {
          queue: "jobs",
          concurrency: 1,
          claim: () => Effect.succeedSome({ id: "job", attempt, tries }),
          work: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
          release: () => Effect.succeed(isOurs)
        }
        const process = yield* Scope.make()
        yield* Effect.provide(Scope.provide(runJobConsumers(busy), process), Layer.merge(queues, JobLock.layer))
        yield* Deferred.await(begun)
        yield* Scope.close(process, Exit.void)
      })
      yield* leave(1, 1, true)
      yield* leave(2, 1, false)
      yield* leave(5, 4, true)
      yield* leave(7, 5, true)
      assert.deepEqual(pushed, [
        ["jobs", [{ id: "job", turn: 1 }]],
        ["jobs", [{ id: "job", turn: 5 }]],
        ["jobs-last", [{ id: "job", turn: 7 }]]
      ])
    })
)

it.effect("a consumer that stops during a claim releases the job if the claim ends soon", () =>
  Effect.gen(function* () {
    const given: Array<string> = []
    const leaving = Effect.fnUntraced(function* (id: string, millis: number) {
      const begun = yield* Deferred.make<void>()
      const slow = {
        queue: "jobs",
        concurrency: 1,
        claim: () =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Effect.sleep(millis)),
            Effect.andThen(Effect.succeedSome({ id, attempt: 1, tries: 1 }))
          ),
        work: () => Effect.never,
        release: ({ id }: { readonly id: string }) => Effect.sync(() => given.push(id) > 0)
      }
      const queues = Layer.mock(WorkQueue, {
        next: (queue, claim) => (queue === "jobs" ? claim("job") : Effect.never),
        push: () => Effect.void
      })
      const process = yield* Scope.make()
      yield* Effect.provide(Scope.provide(runJobConsumers(slow), process), Layer.merge(queues, JobLock.layer))
      yield* Deferred.await(begun)
      const left = yield* Effect.forkChild(
        Effect.timed(Scope.close(process, Exit.void)).pipe(Effect.map(([took]) => Duration.toMillis(took)))
      )
      yield* TestClock.adjust("1 minute")
      return yield* Fiber.join(left)
    })
    assert.deepEqual([yield* leaving("soon", 50), yield* leaving("late", 30_000)], [50, 2_000])
    assert.deepEqual(given, ["soon"])
  })
)
