/**
 * Planted faults, each seen red:
 * - results returned in reverse order
 * - `max` ignored
 * - a second flusher beside the first
 * - a failed flush that fails its first item only
 * - no draining finalizer, or one that does not wait
 * - a flush counted as one call
 * - one that throws outside its effect
 */
import { assert, describe, it } from "@effect/vitest"
import { make } from "@sightline/store/Batch"
import { Array, Deferred, Effect, Exit, Fiber, Metric, Scope } from "effect"

/** A batch in the scope of the test or in another. Every flush is recorded and waits for its own gate. */
const gated = Effect.fnUntraced(function* ({ max, scope }: { readonly max: number; readonly scope?: Scope.Scope }) {
  const flushes: Array<{ readonly items: ReadonlyArray<number>; readonly gate: Deferred.Deferred<void, string> }> = []
  let over = false
  const making = make({
    name: "test",
    max,
    run: (items: Array.NonEmptyReadonlyArray<number>) => {
      const gate = Deferred.makeUnsafe<void, string>()
      if (over) Deferred.doneUnsafe(gate, Exit.void)
      flushes.push({ items, gate })
      return Effect.as(
        Deferred.await(gate),
        items.map((item) => item * 10)
      )
    }
  })
  const submit = yield* Scope.provide(making, scope ?? (yield* Effect.scope))
  // If a test fails, open all gates: the draining at its end would wait for them.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      over = true
      return Effect.forEach(flushes, ({ gate }) => Deferred.succeed(gate, undefined))
    })
  )
  const call = (item: number) => Effect.forkChild(submit(item), { startImmediately: true })
  const open = (flush: number) => Deferred.succeed(flushes[flush]?.gate ?? assert.fail("no such flush"), undefined)
  return { submit, call, open, flushes, sizes: () => flushes.map(({ items }) => items.length) }
})

const settle = Effect.forEach(Array.range(1, 20), () => Effect.yieldNow, { discard: true })

describe("Batch", () => {
  it.effect("flushes a lone item at once and answers it", () =>
    Effect.gen(function* () {
      const { call, open, sizes } = yield* gated({ max: 3 })
      const caller = yield* call(7)
      yield* settle
      assert.deepStrictEqual(sizes(), [1])
      yield* open(0)
      assert.strictEqual(yield* Fiber.join(caller), 70)
    })
  )

  it.effect("collects the calls made during a flush, at most `max` at a time, and answers by position", () =>
    Effect.gen(function* () {
      const { call, open, flushes, sizes } = yield* gated({ max: 3 })
      const first = yield* call(0)
      yield* settle
      const later = yield* Effect.forEach([1, 2, 3, 4, 5], call)
      yield* settle
      assert.deepStrictEqual(sizes(), [1])
      yield* open(0)
      yield* settle
      yield* open(1)
      yield* settle
      yield* open(2)
      assert.deepStrictEqual(
        flushes.map(({ items }) => items),
        [[0], [1, 2, 3], [4, 5]]
      )
      assert.deepStrictEqual(yield* Effect.forEach([first, ...later], Fiber.join), [0, 10, 20, 30, 40, 50])
    })
  )

  it.effect("counts its flushes, and the calls in each", () =>
    Effect.gen(function* () {
      const submit = yield* make({ name: "counted", max: 3, run: Effect.succeed<ReadonlyArray<number>> })
      yield* Effect.forEach([1, 2, 3, 4, 5], submit, { concurrency: "unbounded" })
      yield* settle
      const measured = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["batch"] === "counted")
      const [took, carried] = ["sightline_batch_duration_seconds", "sightline_batch_calls"].map(
        (name) => measured.find(({ id }) => id === name)?.state ?? assert.fail(`no ${name}`)
      )
      assert.deepInclude(took, { count: 2 })
      assert.deepInclude(carried, { count: 2, sum: 5, min: 2, max: 3 })
    })
  )

  it.effect("fails every item of a failed flush and continues with the next", () =>
    Effect.gen(function* () {
      const { call, open, flushes } = yield* gated({ max: 10 })
      const first = yield* call(0)
      yield* settle
      const failing = yield* Effect.forEach([1, 2], call)
      yield* open(0)
      yield* settle
      yield* Deferred.fail(flushes[1]?.gate ?? assert.fail("not flushed"), "lost")
      const exits = yield* Effect.forEach(failing, Fiber.await)
      assert.deepStrictEqual(exits, [Exit.fail("lost"), Exit.fail("lost")])
      assert.strictEqual(yield* Fiber.join(first), 0)
      const next = yield* call(3)
      yield* settle
      yield* open(2)
      assert.strictEqual(yield* Fiber.join(next), 30)
    })
  )

  it.effect("keeps an interrupted caller's item in its flush and answers the others", () =>
    Effect.gen(function* () {
      const { call, open, flushes } = yield* gated({ max: 10 })
      yield* call(0)
      yield* settle
      const [gone, stays] = [yield* call(1), yield* call(2)]
      yield* Fiber.interrupt(gone)
      yield* open(0)
      yield* settle
      assert.deepStrictEqual(flushes[1]?.items, [1, 2])
      yield* open(1)
      assert.strictEqual(yield* Fiber.join(stays), 20)
    })
  )

  it.effect("dies for an item its flush left unanswered", () =>
    Effect.gen(function* () {
      const submit = yield* make({
        name: "test",
        max: 9,
        run: () => Effect.succeed<ReadonlyArray<number>>([])
      })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(submit(1))))
    })
  )

  it.effect("continues after a flush that threw, and dies only for the items of that one", () =>
    Effect.gen(function* () {
      const submit = yield* make({
        name: "test",
        max: 9,
        run: ([first]: Array.NonEmptyReadonlyArray<number>) => {
          if (first < 0) throw new RangeError("not to be written")
          return Effect.succeed([first])
        }
      })
      const exit = yield* Effect.exit(submit(-1))
      assert.isTrue(Exit.hasDies(exit))
      assert.strictEqual(yield* submit(1), 1)
    })
  )

  it.effect("flushes what is queued when its scope closes, and refuses later calls", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { submit, call, open, sizes } = yield* gated({ max: 10, scope })
      const running = yield* call(1)
      yield* settle
      const queued = yield* call(2)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* open(0)
      yield* settle
      assert.deepStrictEqual(sizes(), [1, 1])
      assert.isUndefined(closing.pollUnsafe())
      yield* open(1)
      yield* Fiber.join(closing)
      assert.deepStrictEqual([yield* Fiber.join(running), yield* Fiber.join(queued)], [10, 20])
      assert.isTrue(Exit.hasInterrupts(yield* Effect.exit(submit(3))))
    })
  )
})
