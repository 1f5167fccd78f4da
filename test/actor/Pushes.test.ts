/**
 * How work is announced to a queue that has refused: beside the callers, and all of it as soon as the queue takes again.
 *
 * Planted and seen red: a caller who waits for a try; one try at a time; tries without a bound; a place kept after its try.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Latch, Logger } from "effect"
import { JetStreamFailed } from "@sightline/actor/NatsStreams"
import { makePush } from "@sightline/actor/Pushes"
import { items } from "./workQueues.ts"

it.effect("tries up to 64 pushes at a time to a queue that has refused, and none of their callers waits", () =>
  Effect.gen(function* () {
    const back = yield* Latch.make()
    const taken: Array<string> = []
    let isAway = true
    const push = yield* makePush((_, pushed) =>
      isAway
        ? new JetStreamFailed({ message: "away" })
        : Effect.andThen(
            back.await,
            Effect.sync(() => taken.push(...pushed.map(({ id }) => id)))
          )
    )
    const ids = Array.from({ length: 70 }, (_, place) => String(place))
    yield* push("asks", items("refused"))
    isAway = false
    for (const id of ids) yield* push("asks", items(id))
    assert.deepEqual(taken, [])
    yield* back.open
    yield* Effect.yieldNow
    assert.deepEqual(taken, ids.slice(0, 64))
    yield* push("asks", items("afterwards"))
    assert.strictEqual(taken.at(-1), "afterwards")
    isAway = true
    yield* push("asks", items("refused"))
    isAway = false
    for (const id of ids) yield* push("asks", items(id))
    yield* Effect.yieldNow
    assert.lengthOf(taken, 64 + 1 + 64)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)
