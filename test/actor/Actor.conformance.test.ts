/**
 * What every actor promises, on every bus.
 *
 * Planted and seen red: no limit to the mailbox, one place less, one request more in hand; surplus dropped in silence; a
 * death not caught, not logged, not told to who asked; unanswered requests forgotten at the close, refused there without
 * patience, or so that they go to another; patience of an actor with nothing to answer, or none once it is interrupted; a failure treated as a defect or sent undecoded; any text as a key, none with a dash, the key ignored; `spawn` returning before it
 * is subscribed; requests or replies taken unread; values
 * sent as they are, without their codec.
 */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Fiber, Latch, Logger, Schema, Scope, Stream } from "effect"
import { ask, Patience, protocol, spawn } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { buses, freshSubject, Peers } from "./buses.ts"

/** Long enough that an ask which has to wait for it fails the test. */
const never = "1 hour"

class Unfit extends Schema.TaggedError<Unfit>()("Unfit", { why: Schema.String, since: Schema.DateTimeUtc }) {}

/** A protocol of its own for each test: doubles a number, with a date on the way. */
const doubling = () =>
  protocol(freshSubject(), {
    request: Schema.Struct({ number: Schema.Int, note: Schema.optionalKey(Schema.String) }),
    answer: Schema.Struct({ double: Schema.Int, note: Schema.optionalKey(Schema.String) }),
    failure: Unfit
  })

const double = ({ number }: { readonly number: number }) => Effect.succeed({ double: number * 2 })

/** A logger that keeps what is said. */
const listening = () => {
  const lines: Array<string> = []
  return {
    lines,
    layer: Logger.layer([Logger.make(({ message, logLevel }) => void lines.push(`${logLevel} ${String(message)}`))])
  }
}

for (const { name, peers } of buses) {
  layer(peers, { excludeTestServices: true })(`an actor ${name}`, (it) => {
    const near = <A, E, R>(effect: Effect.Effect<A, E, R | Bus>) =>
      Effect.flatMap(Peers, ({ near }) => Effect.provideService(effect, Bus, near))
    const far = <A, E, R>(effect: Effect.Effect<A, E, R | Bus>) =>
      Effect.flatMap(Peers, ({ far }) => Effect.provideService(effect, Bus, far))

    it.effect("answers as soon as it is spawned", () =>
      Effect.gen(function* () {
        for (let round = 0; round < 50; round++) {
          const actor = doubling()
          yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: double }))
          assert.deepEqual(yield* near(ask(actor, "one", { number: round }, never)), { double: round * 2 })
        }
      })
    )

    it.effect("is asked under its own key only", () =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: double }))
        const error = yield* Effect.flip(near(ask(actor, "two", { number: 1 }, never)))
        assert.deepInclude(error, { _tag: "NoReply", reason: "no_responder" })
      })
    )

    it.effect.each(["chatgpt_api", "ai-mode-2"])("may have the key %j", (key) =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(spawn(actor, key, { concurrency: 1, mailboxMax: 1, receive: double }))
        assert.deepEqual(yield* near(ask(actor, key, { number: 1 }, never)), { double: 2 })
      })
    )

    it.effect.each(["", "*", ">", "a.b", "a b"])("has a key of one word, which %j is not", (key) =>
      Effect.gen(function* () {
        const actor = doubling()
        assert.isTrue(Exit.hasDies(yield* Effect.exit(near(ask(actor, key, { number: 1 }, never)))))
        const spawning = far(spawn(actor, key, { concurrency: 1, mailboxMax: 1, receive: double }))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(spawning)))
      })
    )

    it.effect("sends its typed failure to who asked", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const failure = new Unfit({ why: "öd", since: DateTime.makeUnsafe("2026-01-01") })
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: () => Effect.fail(failure) }))
        const error = yield* Effect.flip(near(ask(actor, "one", { number: 1 }, never)))
        assert.instanceOf(error, Unfit)
        assert.deepEqual(error, failure)
      })
    )

    it.effect("carries text that JSON alone can carry", () =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(
          spawn(actor, "one", {
            concurrency: 1,
            mailboxMax: 1,
            receive: ({ number, note = "" }) => Effect.succeed({ double: number * 2, note })
          })
        )
        const note = "half a pair \ud83d, \u0000, \u2028, 👩‍👩‍👧‍👦"
        assert.deepEqual(yield* near(ask(actor, "one", { number: 1, note }, never)), { double: 2, note })
      })
    )

    it.effect("is not asked what its protocol cannot encode: that is a defect of who asks", () =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: () => Effect.never }))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(near(ask(actor, "one", { number: 0.5 }, never)))))
      })
    )

    it.effect("logs what dies, tells who asked at once, and goes on", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const log = listening()
        yield* far(
          spawn(actor, "one", {
            concurrency: 1,
            mailboxMax: 10,
            receive: ({ number }) => {
              if (number === 0) throw new Error("thrown before there was an effect")
              if (number < 0) return Effect.die("died")
              if (number > 1_000) return Effect.succeed({ double: 0.5 })
              if (number > 100) return Effect.interrupt
              return double({ number })
            }
          })
        ).pipe(Effect.provide(log.layer))
        for (const poison of [0, -1, 101, 1_001]) {
          const error = yield* Effect.flip(near(ask(actor, "one", { number: poison }, never)))
          assert.deepInclude(error, { _tag: "NoReply", reason: "receiver_failed" })
          assert.deepEqual(yield* near(ask(actor, "one", { number: 4 }, never)), { double: 8 })
        }
        assert.lengthOf(log.lines, 4)
        for (const line of log.lines) assert.match(line, /^Error Request died/)
      })
    )

    it.effect.each(["", "no JSON", "null", "[]", '{"number":"1"}', '{"number":1e999}'])(
      "refuses the unreadable request %j and goes on",
      (body) =>
        Effect.gen(function* () {
          const actor = doubling()
          const log = listening()
          const options = { concurrency: 1, mailboxMax: 1, receive: double }
          yield* Effect.provide(far(spawn(actor, "one", options)), log.layer)
          const error = yield* Effect.flip(near(Bus.use((bus) => bus.request(`${actor.subject}.one`, body, never))))
          assert.strictEqual(error.reason, "receiver_failed")
          assert.lengthOf(log.lines, 1)
          assert.deepEqual(yield* near(ask(actor, "one", { number: 4 }, never)), { double: 8 })
        })
    )

    it.effect.each(["", "no JSON", "null", "{}", '{"success":{"double":"2"}}', '{"failure":{}}'])(
      "takes the unreadable reply %j for no reply",
      (body) =>
        Effect.gen(function* () {
          const asked = doubling()
          const log = listening()
          const actor = { ...asked, reply: { encode: () => body, decode: asked.reply.decode } }
          yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: double }))
          const asking = Effect.provide(near(ask(asked, "one", { number: 1 }, never)), log.layer)
          assert.deepInclude(yield* Effect.flip(asking), { _tag: "NoReply", reason: "receiver_failed" })
          assert.lengthOf(log.lines, 1)
        })
    )

    it.effect("has at most `concurrency` requests in hand, lets `mailboxMax` wait and refuses the rest at once", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const gate = yield* Latch.make()
        let running = 0
        let mostRunning = 0
        const receive = ({ number }: { readonly number: number }) =>
          Effect.gen(function* () {
            mostRunning = Math.max(mostRunning, ++running)
            yield* gate.await
            running--
            return { double: number * 2 }
          })
        yield* far(spawn(actor, "one", { concurrency: 2, mailboxMax: 3, receive }))
        const asks = yield* Effect.forEach(
          Array.from({ length: 5 }, (_, number) => number),
          (number) => Effect.forkChild(near(ask(actor, "one", { number }, never)), { startImmediately: true })
        )
        for (let surplus = 0; surplus < 3; surplus++) {
          const error = yield* Effect.flip(near(ask(actor, "one", { number: 9 }, never)))
          assert.deepInclude(error, { _tag: "NoReply", reason: "mailbox_full" })
        }
        yield* gate.open
        assert.deepEqual(
          (yield* Effect.forEach(asks, Fiber.join)).map(({ double }) => double),
          [0, 2, 4, 6, 8]
        )
        assert.strictEqual(mostRunning, 2)
        assert.deepEqual(yield* near(ask(actor, "one", { number: 4 }, never)), { double: 8 })
      })
    )

    it.effect("takes requests one after the other, in order, when its concurrency is one", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const order: Array<number> = []
        const receive = ({ number }: { readonly number: number }) =>
          Effect.gen(function* () {
            yield* Effect.yieldNow
            order.push(number)
            yield* Effect.yieldNow
            return { double: number * 2 }
          })
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 500, receive }))
        const numbers = Array.from({ length: 500 }, (_, number) => number)
        yield* near(
          Effect.forEach(numbers, (number) => ask(actor, "one", { number }, never), { concurrency: "unbounded" })
        )
        assert.deepEqual(order, numbers)
      })
    )

    it.effect("shares its requests with the others under its key", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const counts = [0, 0, 0]
        for (const index of counts.keys())
          yield* (index === 0 ? near : far)(
            spawn(actor, "one", {
              concurrency: 100,
              mailboxMax: 100,
              receive: (request) => {
                counts[index] = (counts[index] ?? 0) + 1
                return double(request)
              }
            })
          )
        yield* near(Effect.replicateEffect(ask(actor, "one", { number: 1 }, never), 150, { concurrency: "unbounded" }))
        assert.strictEqual(
          counts.reduce((sum, count) => sum + count),
          150
        )
        assert.isTrue(counts.every((count) => count > 0))
      })
    )

    it.effect("refuses what it has not answered when its scope closes, and is asked no more", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const scope = yield* Scope.make()
        const inHand = yield* Deferred.make<void>()
        const interrupted = yield* Deferred.make<void>()
        const receive = () =>
          Effect.andThen(Deferred.succeed(inHand, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
        yield* Scope.provide(far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive })), scope)
        const asks = yield* Effect.replicateEffect(
          Effect.forkChild(Effect.flip(near(ask(actor, "one", { number: 1 }, never))), { startImmediately: true }),
          3
        )
        yield* Deferred.await(inHand)
        yield* Scope.close(scope, Exit.void)
        yield* Deferred.await(interrupted)
        for (const error of yield* Effect.forEach(asks, Fiber.join))
          assert.deepInclude(error, { _tag: "NoReply", reason: "no_responder" })
        const error = yield* Effect.flip(near(ask(actor, "one", { number: 1 }, never)))
        assert.deepInclude(error, { _tag: "NoReply", reason: "no_responder" })
      })
    )

    it.effect("is asked what another under its key has left unread", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const leaving = yield* Scope.make()
        yield* far(Bus.use((bus) => Stream.toPull(bus.subscribe(`${actor.subject}.one`)))).pipe(Scope.provide(leaving))
        const asks = yield* Effect.replicateEffect(
          Effect.forkChild(near(ask(actor, "one", { number: 1 }, never)), { startImmediately: true }),
          3
        )
        yield* near(ask(doubling(), "nobody", { number: 1 }, never)).pipe(Effect.exit)
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive: double }))
        yield* Scope.close(leaving, Exit.void)
        for (const answer of yield* Effect.forEach(asks, Fiber.join)) assert.deepEqual(answer, { double: 2 })
      })
    )

    it.effect("hands what it has in hand to no other under its key when its scope closes", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const leaving = yield* Scope.make()
        const [inHand, asked] = [yield* Latch.make(), { again: 0 }]
        const receive = () => Effect.andThen(inHand.open, Effect.never)
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive })).pipe(Scope.provide(leaving))
        const asking = yield* Effect.forkChild(Effect.flip(near(ask(actor, "one", { number: 1 }, never))))
        yield* inHand.await
        const again = (request: { readonly number: number }) => {
          asked.again += 1
          return double(request)
        }
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive: again }))
        yield* Scope.close(leaving, Exit.void)
        assert.deepInclude(yield* Fiber.join(asking), { _tag: "NoReply", reason: "no_responder" })
        assert.strictEqual(asked.again, 0)
      })
    )

    it.effect("closes at once when it has nothing to answer, however long `Patience` lasts", () =>
      Effect.gen(function* () {
        for (const asks of [0, 1]) {
          const actor = doubling()
          const scope = yield* Scope.make()
          yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive: double })).pipe(
            Effect.provideService(Patience, Effect.never),
            Scope.provide(scope)
          )
          yield* Effect.replicateEffect(near(ask(actor, "one", { number: 1 }, never)), asks)
          yield* Scope.close(scope, Exit.void)
        }
      })
    )

    it.effect.each(["closes", "is interrupted"] as const)(
      "answers what it has taken once its scope %s, and takes no more, as long as `Patience` lasts",
      (how) =>
        Effect.gen(function* () {
          const actor = doubling()
          const [spawned, inHand] = [yield* Latch.make(), yield* Latch.make()]
          const [over, letGo] = [yield* Latch.make(), yield* Latch.make()]
          const receive = ({ number }: { readonly number: number }) =>
            Effect.andThen(inHand.open, Effect.andThen(letGo.await, double({ number })))
          const spawning = far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive })).pipe(
            Effect.provideService(Patience, Effect.never)
          )
          // As a program that is done, or as one that is told to end.
          const end = how === "closes" ? over.await : Effect.never
          const living = yield* Effect.forkChild(
            Effect.scoped(Effect.andThen(spawning, Effect.andThen(spawned.open, end)))
          )
          yield* spawned.await
          const asks = yield* Effect.forEach([1, 2, 3], (number) =>
            Effect.forkChild(near(ask(actor, "one", { number }, never)), { startImmediately: true })
          )
          yield* inHand.await
          // A round trip behind them, so that all three are taken: only the first is known to be.
          yield* Effect.exit(near(ask(doubling(), "nobody", { number: 1 }, never)))
          const ending = how === "closes" ? over.open : Fiber.interrupt(living)
          const closing = yield* Effect.forkChild(ending, { startImmediately: true })
          const late = Effect.flip(near(ask(actor, "one", { number: 4 }, "10 millis")))
          yield* Effect.repeat(late, { until: (error) => error._tag === "NoReply" && error.reason === "no_responder" })
          yield* letGo.open
          assert.deepEqual(yield* Effect.forEach(asks, Fiber.join), [{ double: 2 }, { double: 4 }, { double: 6 }])
          yield* Fiber.join(closing)
          yield* Fiber.await(living)
        })
    )
  })
}
