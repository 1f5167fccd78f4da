/**
 * What becomes of requests whose receivers die, which the bus over NATS knows by their signs of life.
 *
 * Planted and seen red: no signs given, none in the first half second, one of what was answered or refused before, or none once the scope
 * closes; one look too few, or too many; signs that go to the subject of the reply; a request without a sign waited for until it is due.
 */
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { assert, it } from "@effect/vitest"
import {
  Context,
  Deferred,
  type Duration,
  Effect,
  Exit,
  Fiber,
  identity,
  Layer,
  Result,
  Schema,
  Scope,
  Stream
} from "effect"
import { TestClock } from "effect/testing"
import { ask, Patience, type Protocol, protocol, spawn } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { Peers, buses, freshSubject } from "./buses.ts"

const overNats = buses[1].peers

/** Long enough that an ask which has to wait for it fails the test. */
const never = "1 hour"

const doubling = () => protocol(freshSubject(), { request: Schema.Int, answer: Schema.Int, failure: Schema.Never })

/** Somebody else on the same server, who plays programs. */
class Stranger extends Context.Service<
  Stranger,
  {
    readonly connection: NatsConnection
    /** Until all that the stranger and both peers have sent has arrived, and what they say to that too. */
    readonly arrivals: Effect.Effect<void>
  }
>()("test/actor/Signs/Stranger") {}

const stranger = Layer.effect(
  Stranger,
  Effect.gen(function* () {
    const { far, near } = yield* Peers
    const connection = yield* Effect.acquireRelease(
      Effect.promise(() => connect({ servers: process.env["SIGHTLINE_TEST_NATS_URL"] ?? "" })),
      (connection) => Effect.promise(() => connection.close())
    )
    // The server keeps what comes on one connection, or goes to one, in its order: a reply has all before it that was sent before.
    const echoes = yield* Effect.forEach([far, near], (bus) =>
      Effect.gen(function* () {
        const subject = freshSubject()
        const pull = yield* Stream.toPull(bus.subscribe(subject))
        const answered = Effect.flatMap(
          pull,
          Effect.forEach(({ reply }) => reply(""), { discard: true })
        )
        yield* Effect.forkScoped(Effect.forever(answered))
        return Effect.promise(() => connection.request(subject, "", { timeout: 60_000 }))
      })
    )
    return { connection, arrivals: Effect.forEach([...echoes, ...echoes, ...echoes], identity, { discard: true }) }
  })
)

/** A receiver that gives a sign of life when it is asked, if at all, and then dies: its connection alone is left, and says nothing. */
const dying = Effect.fnUntraced(function* (subject: string, signs: boolean) {
  const { connection } = yield* Stranger
  const asked = Deferred.makeUnsafe<void>()
  connection.subscribe(subject, {
    callback: (_, message) => {
      if (signs) connection.publish(`${message.reply}.sign`)
      void connection.flush().then(() => Deferred.doneUnsafe(asked, Exit.void))
    }
  })
  yield* Effect.promise(() => connection.flush())
  return Deferred.await(asked)
})

/** Lets the clock go on as often, and what was sent meanwhile arrive. */
const looks = Effect.fnUntraced(function* (count: number, apart: Duration.Input = "2 seconds") {
  const { arrivals } = yield* Stranger
  yield* arrivals
  for (let look = 0; look < count; look++) yield* Effect.andThen(TestClock.adjust(apart), arrivals)
})

/** Asks an actor with each number, and tells what comes back, on which subject. */
const eavesdrop = Effect.fnUntraced(function* (actor: Protocol<number, number, never>, numbers: ReadonlyArray<number>) {
  const { connection } = yield* Stranger
  const inbox = freshSubject()
  const heard: Array<string> = []
  connection.subscribe(`${inbox}.>`, {
    callback: (_, message) => void heard.push(`${message.subject.slice(inbox.length)} ${message.string()}`)
  })
  for (const number of numbers)
    connection.publish(`${actor.subject}.one`, actor.request.encode(number), { reply: `${inbox}.${number}` })
  yield* looks(0)
  return heard
})

it.layer(Layer.provideMerge(stranger, overNats))("a request over NATS", (it) => {
  it.effect("ends ten seconds after the last sign of life of whoever has it", () =>
    Effect.gen(function* () {
      const { near } = yield* Peers
      const subject = freshSubject()
      const asked = yield* dying(subject, true)
      const asking = yield* Effect.forkChild(Effect.flip(near.request(subject, "hello", never)))
      yield* asked
      yield* looks(5)
      assert.isUndefined(asking.pollUnsafe())
      yield* looks(1, "500 millis")
      assert.strictEqual((yield* Fiber.join(asking)).reason, "no_responder")
    })
  )

  it.effect("ends as soon where nobody ever gives a sign", () =>
    Effect.gen(function* () {
      const { near } = yield* Peers
      const subject = freshSubject()
      const asked = yield* dying(subject, false)
      const asking = yield* Effect.forkChild(Effect.flip(near.request(subject, "hello", never)))
      yield* asked
      yield* looks(5)
      assert.isUndefined(asking.pollUnsafe())
      yield* looks(1, "500 millis")
      assert.strictEqual((yield* Fiber.join(asking)).reason, "no_responder")
    })
  )

  it.effect(
    "is told of within half a second, apart from the reply, until it is answered, also once the scope closes",
    () =>
      Effect.gen(function* () {
        const { far } = yield* Peers
        const [actor, scope, open] = [doubling(), yield* Scope.make(), yield* Deferred.make<void>()]
        const receive = (number: number) => Effect.as(Deferred.await(open), number * 2)
        yield* spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive }).pipe(
          Effect.provideService(Bus, far),
          Effect.provideService(Patience, Effect.never),
          Scope.provide(scope)
        )
        const heard = yield* eavesdrop(actor, [1, 2])
        const signs = [".1.sign ", ".2.sign "]
        assert.deepEqual(heard, [])
        yield* looks(1, "500 millis")
        assert.deepEqual(heard, signs)
        yield* looks(1)
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* looks(1)
        assert.deepEqual(heard, [...signs, ...signs, ...signs])
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(closing)
        yield* looks(1)
        assert.deepEqual(
          heard.slice(6),
          [1, 2].map((id) => `.${id} ${actor.reply.encode(Result.succeed(id * 2))}`)
        )
      })
  )

  it.effect("is not told of where it was answered or refused sooner", () =>
    Effect.gen(function* () {
      const { far } = yield* Peers
      const actor = doubling()
      const receive = (number: number) => (number === 1 ? Effect.succeed(2) : Effect.die("no"))
      yield* Effect.provideService(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive }), Bus, far)
      const heard = yield* eavesdrop(actor, [1, 2])
      yield* looks(2)
      assert.deepEqual(heard, [`.1 ${actor.reply.encode(Result.succeed(2))}`, ".2 "])
    })
  )

  it.effect("waits as long as there are signs of life", () =>
    Effect.gen(function* () {
      const { far, near } = yield* Peers
      const [actor, open] = [doubling(), yield* Deferred.make<void>()]
      const receive = (number: number) => Effect.as(Deferred.await(open), number * 2)
      yield* Effect.provideService(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive }), Bus, far)
      const asking = yield* Effect.forkChild(Effect.provideService(ask(actor, "one", 4, never), Bus, near))
      yield* looks(20)
      yield* Deferred.succeed(open, undefined)
      assert.strictEqual(yield* Fiber.join(asking), 8)
    })
  )
})
