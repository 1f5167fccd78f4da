import { Context, Duration, Effect, Layer, Option, Stream } from "effect"
import { LRUCache } from "lru-cache"
import { Bus } from "@sightline/actor/Bus"
import type { Caller } from "@sightline/domain/ApiKey"
import { ApiKeys } from "@sightline/store/ApiKeys"

/** How long a process may go on trusting a key it has looked up, should the word of its revocation be lost. */
const trusted: Duration.Input = "1500 millis"

/** The subject on which processes tell each other that a key, or an account's keys, are gone. */
const revocations = "key.revoked"

/**
 * Keys as this process knows them: looked up by hash, remembered briefly.
 *
 * Laws: a revoked key is refused by every process within 2 s, at once where the word arrives; a key whose checksum
 * is wrong costs no look-up. Source: decisions K1.
 */
export class Keyring extends Context.Service<
  Keyring,
  {
    readonly find: (key: string) => Effect.Effect<Option.Option<Caller>>
    /** Tells every process to forget what it remembers. */
    readonly forget: Effect.Effect<void>
  }
>()("@sightline/server/Keyring") {
  static readonly layer = Layer.effect(
    Keyring,
    Effect.gen(function* () {
      const bus = yield* Bus
      const keys = yield* ApiKeys
      const known = new LRUCache<string, Option.Option<Caller>>({ max: 10_000, ttl: Duration.toMillis(trusted) })
      yield* bus.listen(revocations).pipe(
        Stream.runForEach(() => Effect.sync(() => known.clear())),
        Effect.forkScoped
      )
      return Keyring.of({
        find: (key) =>
          Effect.suspend(() => {
            const remembered = known.get(key)
            if (remembered !== undefined) return Effect.succeed(remembered)
            return Effect.tap(keys.find(key), (found) => Effect.sync(() => known.set(key, found)))
          }),
        forget: Effect.andThen(
          Effect.sync(() => known.clear()),
          bus.publish(revocations, "")
        )
      })
    })
  )
}
