/**
 * The cached look-ups of keys while the database is slow.
 *
 * Planted and seen red: a key cached although it was revoked during its look-up; the cache time counted from the arrival of the look-up;
 * nothing cached, or one key only; only the first revocation notice handled, or only for keys.
 */
import { assert, it } from "@effect/vitest"
import { Bus } from "@sightline/actor/Bus"
import type { KeyId } from "@sightline/domain/ApiKey"
import { Keyring } from "@sightline/server/keys/Keyring"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Sessions } from "@sightline/store/Sessions"
import { Array, Context, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { vi } from "vitest"
import { layerDatabase } from "../store/database.ts"

const pepper = Redacted.make(new Uint8Array(32).fill(1))

/** Keys of a real database, whose first look-up returns only at `arrived`. */
const slowKeys = (read: Deferred.Deferred<void>, arrived: Deferred.Deferred<void>) =>
  Layer.effect(
    ApiKeys,
    Effect.map(ApiKeys, (keys) =>
      ApiKeys.of({
        ...keys,
        find: (key) =>
          Effect.tap(keys.find(key), () => Effect.andThen(Deferred.succeed(read, undefined), Deferred.await(arrived)))
      })
    )
  ).pipe(Layer.provide(ApiKeys.layer(pepper)))

/** Whether a key is accepted by a look-up during which `meanwhile` happens, and by the next one. */
const letIn = (meanwhile: (id: KeyId) => Effect.Effect<unknown, never, ApiKeys | Keyring>) =>
  Effect.gen(function* () {
    const [read, arrived] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const layer = Keyring.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(slowKeys(read, arrived), Sessions.layer, Accounts.layer, Bus.layerMemory)),
      Layer.provide(layerDatabase)
    )
    return yield* Effect.gen(function* () {
      const { id: accountId } = yield* (yield* Accounts).create("slow")
      const options = { accountId, environment: "test", readOnly: false, rateLimits: {} } as const
      const { id, key } = yield* (yield* ApiKeys).create(options)
      const keyring = yield* Keyring
      const first = yield* Effect.forkChild(keyring.find(key))
      yield* Deferred.await(read)
      yield* meanwhile(id)
      yield* Deferred.succeed(arrived, undefined)
      return [Option.isSome(yield* Fiber.join(first)), Option.isSome(yield* keyring.find(key))]
    }).pipe(Effect.provide(layer))
  })

const revoke = (id: KeyId) => ApiKeys.use((keys) => keys.revoke(id))

/** Processes of an installation without any key, and how many look-ups they have made. */
const counting = Effect.gen(function* () {
  let lookUps = 0
  const find = () => Effect.sync(() => (lookUps++, Option.none()))
  const stores = Layer.merge(Layer.mock(ApiKeys, { find }), Layer.mock(Sessions, { find }))
  const bus = yield* Layer.build(Bus.layerMemory)
  const layer = Layer.fresh(Keyring.layer).pipe(Layer.provide([stores, Layer.succeedContext(bus)]))
  return { keyring: Effect.map(Layer.build(layer), Context.get(Keyring)), lookUps: () => lookUps }
})

it.live("a look-up is cached for 1.5 s, independently of other look-ups, and then made again", () =>
  Effect.gen(function* () {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1)
    const { keyring, lookUps } = yield* counting
    const { find } = yield* keyring
    const lookUpAll = Effect.forEach(Array.range(1, 100), (n) => find(`key ${n}`))
    for (const [now, expected] of [
      [1, 100],
      [1500, 100],
      [1502, 200]
    ] as const) {
      clock.mockReturnValue(now)
      // The cache reads the clock at most once a millisecond.
      yield* Effect.sleep("1 millis")
      yield* lookUpAll
      assert.strictEqual(lookUps(), expected)
    }
  }).pipe(Effect.scoped, Effect.ensuring(Effect.sync(() => vi.restoreAllMocks())))
)

it.live("each revocation notice clears the cached keys and sessions of every process", () =>
  Effect.gen(function* () {
    vi.spyOn(performance, "now").mockReturnValue(1)
    const { keyring, lookUps } = yield* counting
    const [near, far] = [yield* keyring, yield* keyring]
    const [key, session] = [Effect.asVoid(far.find("one")), Effect.asVoid(far.findSession("one"))]
    for (const look of [key, session, key, session]) {
      yield* look
      const before = lookUps()
      yield* look
      assert.strictEqual(lookUps(), before)
      const word = Effect.andThen(near.forget, Effect.yieldNow)
      yield* Effect.repeat(Effect.andThen(word, look), { until: () => lookUps() > before, times: 100 })
      assert.isAbove(lookUps(), before)
    }
  }).pipe(Effect.scoped, Effect.ensuring(Effect.sync(() => vi.restoreAllMocks())))
)

it.live("a key that is revoked during its look-up is not cached after the notice", () =>
  Effect.gen(function* () {
    const word = Keyring.use((keyring) => keyring.forget)
    assert.deepStrictEqual(yield* letIn((id) => Effect.andThen(revoke(id), word)), [true, false])
  })
)

it.live("without the notice, a look-up is cached from its start, not from its arrival", () =>
  Effect.gen(function* () {
    const now = performance.now.bind(performance)
    const passing = Effect.sync(() => vi.spyOn(performance, "now").mockImplementation(() => now() + 2000))
    assert.deepStrictEqual(yield* letIn((id) => Effect.andThen(revoke(id), passing)), [true, false])
  }).pipe(Effect.ensuring(Effect.sync(() => vi.restoreAllMocks())))
)
