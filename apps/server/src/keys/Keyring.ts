import { Context, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"
import { LRUCache } from "lru-cache"
import { Bus } from "@sightline/actor/Bus"
import type { Caller } from "@sightline/domain/ApiKey"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { type Session, Sessions } from "@sightline/store/Sessions"

/** How long a process trusts a key that it has looked up, in case the notice of its revocation is lost. */
const trusted: Duration.Input = "1500 millis"

/** The subject on which processes announce that a key, an account's keys or a session were revoked. */
const revocations = "key.revoked"

/**
 * Look-ups by text whose results are cached briefly, including those that found nothing.
 *
 * Laws: the age of a result counts from the start of its look-up; it is not cached if a notice of a revocation arrived
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
 * Keys, and the sessions that stand for them, as this process knows them: looked up by hash, cached briefly.
 *
 * Laws: a revoked key, its sessions, and a session that has ended are refused by every process within 2 s, and at once when
 * the notice arrives; a key whose checksum is wrong costs no look-up. Source: decisions K1.
 */
export class Keyring extends Context.Service<
  Keyring,
  {
    readonly find: (key: string) => Effect.Effect<Option.Option<Caller>>
    /** The session of a token. */
    readonly findSession: (token: string) => Effect.Effect<Option.Option<Session>>
    /** Makes every process empty its cache. */
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
