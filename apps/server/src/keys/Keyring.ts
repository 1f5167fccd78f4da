import { Context, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"
import { LRUCache } from "lru-cache"
import { Bus } from "@sightline/actor/Bus"
import type { Caller } from "@sightline/domain/ApiKey"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { type Session, Sessions } from "@sightline/store/Sessions"

/** How long a process may go on trusting a key it has looked up, should the word of its revocation be lost. */
const trusted: Duration.Input = "1500 millis"

/** The subject on which processes tell each other that a key, an account's keys or a session are gone. */
const revocations = "key.revoked"

/**
 * Look-ups by text that are remembered briefly, whatever they found.
 *
 * Laws: what was found is as old as its look-up, however long that took; it is not remembered if a revocation was heard of
 * meanwhile.
 */
const remembered = <A>(find: (text: string) => Effect.Effect<Option.Option<A>>) => {
  const known = new LRUCache<string, Option.Option<A>>({ max: 10_000, ttl: Duration.toMillis(trusted) })
  let revocationsHeard = 0
  const lookUp = (text: string) => {
    const heardBefore = revocationsHeard
    const start = performance.now()
    return Effect.tap(find(text), (found) =>
      Effect.sync(() => {
        if (revocationsHeard === heardBefore) known.set(text, found, { start })
      })
    )
  }
  return {
    clear: () => {
      revocationsHeard++
      known.clear()
    },
    find: (text: string) =>
      Effect.suspend(() => {
        const held = known.get(text)
        return held === undefined ? lookUp(text) : Effect.succeed(held)
      })
  }
}

/**
 * Keys, and the sessions that stand for them, as this process knows them: looked up by hash, remembered briefly.
 *
 * Laws: a revoked key, and with it its sessions, and a session that was ended are refused by every process within 2 s, at
 * once where the word arrives; a key whose checksum is wrong costs no look-up. Source: decisions K1.
 */
export class Keyring extends Context.Service<
  Keyring,
  {
    readonly find: (key: string) => Effect.Effect<Option.Option<Caller>>
    /** The session of a token. */
    readonly findSession: (token: string) => Effect.Effect<Option.Option<Session>>
    /** Tells every process to forget what it remembers. */
    readonly forget: Effect.Effect<void>
  }
>()("@sightline/server/keys/Keyring") {
  static readonly layer = Layer.effect(
    Keyring,
    Effect.gen(function* () {
      const bus = yield* Bus
      const keys = yield* ApiKeys
      const sessions = yield* Sessions
      const knownKeys = remembered(keys.find)
      const knownSessions = remembered((token) => sessions.find(Redacted.make(token)))
      const clear = Effect.sync(() => {
        knownKeys.clear()
        knownSessions.clear()
      })
      yield* bus.listen(revocations).pipe(
        Stream.runForEach(() => clear),
        Effect.forkScoped
      )
      return Keyring.of({
        find: knownKeys.find,
        findSession: knownSessions.find,
        forget: Effect.andThen(clear, bus.publish(revocations, ""))
      })
    })
  )
}
