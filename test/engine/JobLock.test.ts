/**
 * Planted faults, each seen red: the lock granted exclusively while others share it; granted to later requests before a waiting
 * exclusive one; shared by fewer holders than there are consumers; a wait that cannot be given up.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { JobLock } from "@sightline/engine/JobLock"
import { askConcurrency, runConcurrency } from "@sightline/engine/Tuning"

/** Requests the lock: whether it is held, and how to release it. */
const want = Effect.fnUntraced(function* (lock: JobLock["Service"]["shared"]) {
  const scope = yield* Scope.make()
  const fiber = yield* Effect.forkChild(Scope.provide(lock, scope), { startImmediately: true })
  return {
    has: Effect.as(Effect.replicateEffect(Effect.yieldNow, 10), undefined).pipe(
      Effect.map(() => fiber.pollUnsafe() !== undefined)
    ),
    release: Effect.andThen(Scope.close(scope, Exit.void), Fiber.interrupt(fiber))
  }
})

it.effect("an exclusive request waits for those that share the lock, and later requests wait for it", () =>
  Effect.gen(function* () {
    const { exclusive, shared } = yield* JobLock
    const [first, second] = [yield* want(shared), yield* want(shared)]
    assert.deepStrictEqual([yield* first.has, yield* second.has], [true, true])
    const last = yield* want(exclusive)
    const later = yield* want(shared)
    const another = yield* want(exclusive)
    yield* first.release
    assert.deepStrictEqual([yield* last.has, yield* later.has, yield* another.has], [false, false, false])
    yield* second.release
    assert.deepStrictEqual([yield* last.has, yield* later.has, yield* another.has], [true, false, false])
    yield* last.release
    assert.deepStrictEqual([yield* later.has, yield* another.has], [true, false])
    yield* later.release
    assert.isTrue(yield* another.has)
  }).pipe(Effect.provide(JobLock.layer))
)

it.effect("all consumers of a process can share it at once", () =>
  Effect.gen(function* () {
    const { shared } = yield* JobLock
    const wants = yield* Effect.replicateEffect(want(shared), askConcurrency + runConcurrency)
    for (const { has } of wants) assert.isTrue(yield* has)
  }).pipe(Effect.provide(JobLock.layer))
)

it.effect("an exclusive request that is given up blocks nobody", () =>
  Effect.gen(function* () {
    const { exclusive, shared } = yield* JobLock
    const first = yield* want(shared)
    const [waiting, later] = [yield* want(exclusive), yield* want(shared)]
    assert.deepStrictEqual([yield* first.has, yield* waiting.has, yield* later.has], [true, false, false])
    yield* waiting.release
    assert.isTrue(yield* later.has)
  }).pipe(Effect.provide(JobLock.layer))
)
