/**
 * What every actor guarantees, on every bus.
 *
 * Planted and seen red:
 * - no limit to the mailbox, one place less, or one concurrent request more;
 * - surplus requests dropped silently;
 * - a defect not caught, not logged, or not reported to the caller;
 * - unanswered requests lost when the scope closes, refused there without `GracePeriod`, or redelivered to another actor;
 * - `GracePeriod` of an actor without requests, or none once it is interrupted;
 * - a failure treated as a defect, or sent without its codec;
 * - any text accepted as a key, a key with a dash refused, or the key ignored;
 * - `spawn` returning before it is subscribed;
 * - requests or replies not validated;
 * - values sent without their codec.
 */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Fiber, Latch, Logger, Schema, Scope, Stream } from "effect"
import { ask, GracePeriod, protocol, spawn } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { buses, freshSubject, Peers } from "./buses.ts"

/** So long that an ask which waits for it fails the test. */
const never = "1 hour"

class Unfit extends Schema.TaggedError<Unfit>()("Unfit", { why: Schema.String, since: Schema.DateTimeUtc }) {}

/** A separate protocol for each test: doubles a number, and carries a date. */
const doubling = () =>
  protocol(freshSubject(), {
    request: Schema.Struct({ number: Schema.Int, note: Schema.optionalKey(Schema.String) }),
    answer: Schema.Struct({ double: Schema.Int, note: Schema.optionalKey(Schema.String) }),
    failure: Unfit
  })

const double = ({ number }: { readonly number: number }) => Effect.succeed({ double: number * 2 })

/** A logger that records its lines. */
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

    it.effect("receives only requests for its own key", () =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: double }))
        const error = yield* Effect.flip(near(ask(actor, "two", { number: 1 }, never)))
        assert.deepInclude(error, { _tag: "NoReply", reason: "no_responder" })
      })
    )

    it.effect.each(["chatgpt_api", "ai-mode-2"])("accepts the key %j", (key) =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(spawn(actor, key, { concurrency: 1, mailboxMax: 1, receive: double }))
        assert.deepEqual(yield* near(ask(actor, key, { number: 1 }, never)), { double: 2 })
      })
    )

    it.effect.each(["", "*", ">", "a.b", "a b"])("does not accept the key %j, which is not one word", (key) =>
      Effect.gen(function* () {
        const actor = doubling()
        assert.isTrue(Exit.hasDies(yield* Effect.exit(near(ask(actor, key, { number: 1 }, never)))))
        const spawning = far(spawn(actor, key, { concurrency: 1, mailboxMax: 1, receive: double }))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(spawning)))
      })
    )

    it.effect("returns its typed failure to the caller", () =>
      Effect.gen(function* () {
        const actor = doubling()
        const failure = new Unfit({ why: "öd", since: DateTime.makeUnsafe("2026-01-01") })
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: () => Effect.fail(failure) }))
        const error = yield* Effect.flip(near(ask(actor, "one", { number: 1 }, never)))
        assert.instanceOf(error, Unfit)
        assert.deepEqual(error, failure)
      })
    )

    it.effect("carries text that only JSON can represent", () =>
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

    it.effect("receives no request that its protocol cannot encode: that is a defect of the caller", () =>
      Effect.gen(function* () {
        const actor = doubling()
        yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive: () => Effect.never }))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(near(ask(actor, "one", { number: 0.5 }, never)))))
      })
    )

    it.effect("logs a defect, reports it to the caller immediately, and continues", () =>
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
      "refuses the unreadable request %j and continues",
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
      "treats the unreadable reply %j as no reply",
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

    it.effect(
      "handles at most `concurrency` requests at a time, queues `mailboxMax` and refuses the rest immediately",
      () =>
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

    it.effect("handles requests one at a time and in order if its concurrency is one", () =>
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

    it.effect("shares the requests for its key with other actors of that key", () =>
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

    it.effect("refuses unanswered requests when its scope closes, and receives no more", () =>
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

    it.effect("receives the requests that another subscriber of its key left unread", () =>
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

    it.effect("does not pass the requests that it handles to another actor of its key when its scope closes", () =>
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

    it.effect("closes immediately if it has no requests, however long `Patience` lasts", () =>
      Effect.gen(function* () {
        for (const asks of [0, 1]) {
          const actor = doubling()
          const scope = yield* Scope.make()
          yield* far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive: double })).pipe(
            Effect.provideService(GracePeriod, Effect.never),
            Scope.provide(scope)
          )
          yield* Effect.replicateEffect(near(ask(actor, "one", { number: 1 }, never)), asks)
          yield* Scope.close(scope, Exit.void)
        }
      })
    )

    it.effect.each(["closes", "is interrupted"] as const)(
      "when its scope %s, answers the requests it has taken and takes no more, as long as `Patience` lasts",
      (how) =>
        Effect.gen(function* () {
          const actor = doubling()
          const [spawned, inHand] = [yield* Latch.make(), yield* Latch.make()]
          const [over, letGo] = [yield* Latch.make(), yield* Latch.make()]
          const receive = ({ number }: { readonly number: number }) =>
            Effect.andThen(inHand.open, Effect.andThen(letGo.await, double({ number })))
          const spawning = far(spawn(actor, "one", { concurrency: 1, mailboxMax: 5, receive })).pipe(
            Effect.provideService(GracePeriod, Effect.never)
          )
          // Either as a program that has finished, or as one that is told to end.
          const end = how === "closes" ? over.await : Effect.never
          const living = yield* Effect.forkChild(
            Effect.scoped(Effect.andThen(spawning, Effect.andThen(spawned.open, end)))
          )
          yield* spawned.await
          const asks = yield* Effect.forEach([1, 2, 3], (number) =>
            Effect.forkChild(near(ask(actor, "one", { number }, never)), { startImmediately: true })
          )
          yield* inHand.await
          // After one more round trip all three have been taken; so far only the first is known to be.
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
