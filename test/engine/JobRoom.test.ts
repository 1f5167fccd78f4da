/**
 * Planted faults, each seen red: the one who is to be alone let in beside others; those who come later let in before it.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { JobRoom } from "@sightline/engine/JobRoom"

/** Wants to get in: whether it is, and how it leaves. */
const visit = Effect.fnUntraced(function* (enter: JobRoom["Service"]["alone"]) {
  const scope = yield* Scope.make()
  const fiber = yield* Effect.forkChild(Scope.provide(enter, scope), { startImmediately: true })
  return {
    isIn: Effect.as(Effect.replicateEffect(Effect.yieldNow, 10), undefined).pipe(
      Effect.map(() => fiber.pollUnsafe() !== undefined)
    ),
    leave: Effect.andThen(Scope.close(scope, Exit.void), Fiber.interrupt(fiber))
  }
})

it.effect("who is to be alone waits for those inside, and they who come later wait for it", () =>
  Effect.gen(function* () {
    const { alone, beside } = yield* JobRoom
    const [first, second] = [yield* visit(beside), yield* visit(beside)]
    assert.deepStrictEqual([yield* first.isIn, yield* second.isIn], [true, true])
    const last = yield* visit(alone)
    const later = yield* visit(beside)
    const another = yield* visit(alone)
    yield* first.leave
    assert.deepStrictEqual([yield* last.isIn, yield* later.isIn, yield* another.isIn], [false, false, false])
    yield* second.leave
    assert.deepStrictEqual([yield* last.isIn, yield* later.isIn, yield* another.isIn], [true, false, false])
    yield* last.leave
    assert.deepStrictEqual([yield* later.isIn, yield* another.isIn], [true, false])
    yield* later.leave
    assert.isTrue(yield* another.isIn)
  }).pipe(Effect.provide(JobRoom.layer))
)
