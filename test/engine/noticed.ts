import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Bus } from "@sightline/actor/Bus"
import type { Wallet } from "@sightline/domain/Wallet"
import { deliveryNotices } from "@sightline/engine/DeliveryNotice"
import { keepOpen, untilLocked } from "../store/locks.ts"

/** Subscribes now: the number of a wallet's deliveries when the senders are first notified. */
export const deliveriesWhenNoticed = Effect.fnUntraced(function* ({ accountId }: Wallet) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Deferred.make<number>()
  const written = Effect.orDie(sql`SELECT FROM deliveries WHERE account_id = ${accountId}`)
  yield* deliveryNotices(yield* Bus).pipe(
    Stream.runForEach(() =>
      Deferred.complete(
        found,
        Effect.map(written, ({ length }) => length)
      )
    ),
    Effect.forkChild({ startImmediately: true })
  )
  return found
})

/** Does work whose delivery can only be written once the notification could have been sent too early. */
export const heldUp = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const release = yield* keepOpen(sql`LOCK TABLE deliveries IN SHARE MODE`)
  const working = yield* Effect.forkChild(work)
  yield* untilLocked
  yield* release
  return yield* Fiber.join(working)
})
