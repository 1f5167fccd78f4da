/**
 * Requests whose receivers die, which the bus over NATS detects by their heartbeats.
 *
 * Planted and seen red: no heartbeats sent, none in the first half second, one for a request that was answered or refused before, or
 * none once the scope closes; one check too few or too many; heartbeats sent to the subject of the reply; a request without one awaited
 * until its timeout.
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
import { ask, GracePeriod, type Protocol, protocol, spawn } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { Peers, buses, freshSubject } from "./buses.ts"

const overNats = buses[1].peers

/** So long that an ask which waits for it fails the test. */
const never = "1 hour"

const doubling = () => protocol(freshSubject(), { request: Schema.Int, answer: Schema.Int, failure: Schema.Never })

/** Another program on the same server, which plays receivers and callers. */
class Stranger extends Context.Service<
  Stranger,
  {
    readonly connection: NatsConnection
    /** Waits until everything that the stranger and both peers have sent has arrived, with their responses. */
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
    // The server keeps the order of messages on each connection, so a reply arrives after everything sent before it.
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

/** A receiver that sends at most one heartbeat when it is asked, and then dies: its connection stays open but silent. */
const dying = Effect.fnUntraced(function* (subject: string, heartbeats: boolean) {
  const { connection } = yield* Stranger
  const asked = Deferred.makeUnsafe<void>()
  connection.subscribe(subject, {
    callback: (_, message) => {
      if (heartbeats) connection.publish(`${message.reply}.sign`)
      void connection.flush().then(() => Deferred.doneUnsafe(asked, Exit.void))
    }
  })
  yield* Effect.promise(() => connection.flush())
  return Deferred.await(asked)
})

/** Advances the clock this many times, and lets the messages sent meanwhile arrive. */
const ticks = Effect.fnUntraced(function* (count: number, apart: Duration.Input = "2 seconds") {
  const { arrivals } = yield* Stranger
  yield* arrivals
  for (let tick = 0; tick < count; tick++) yield* Effect.andThen(TestClock.adjust(apart), arrivals)
})

/** Sends each number to an actor, and returns what comes back, with its subject. */
const eavesdrop = Effect.fnUntraced(function* (actor: Protocol<number, number, never>, numbers: ReadonlyArray<number>) {
  const { connection } = yield* Stranger
  const inbox = freshSubject()
  const heard: Array<string> = []
  connection.subscribe(`${inbox}.>`, {
    callback: (_, message) => void heard.push(`${message.subject.slice(inbox.length)} ${message.string()}`)
  })
  for (const number of numbers)
    connection.publish(`${actor.subject}.one`, actor.request.encode(number), { reply: `${inbox}.${number}` })
  yield* ticks(0)
  return heard
})

it.layer(Layer.provideMerge(stranger, overNats))("a request over NATS", (it) => {
  it.effect.each([
    ["the last heartbeat of its receiver", true],
    ["it was sent, if no heartbeat ever comes", false]
  ] as const)("fails ten seconds after %s", ([, heartbeats]) =>
    Effect.gen(function* () {
      const { near } = yield* Peers
      const subject = freshSubject()
      const asked = yield* dying(subject, heartbeats)
      const asking = yield* Effect.forkChild(Effect.flip(near.request(subject, "hello", never)))
      yield* asked
      yield* ticks(5)
      assert.isUndefined(asking.pollUnsafe())
      yield* ticks(1, "500 millis")
      assert.strictEqual((yield* Fiber.join(asking)).reason, "no_responder")
    })
  )

  it.effect(
    "has heartbeats within half a second, separate from the reply, until it is answered, also while the scope closes",
    () =>
      Effect.gen(function* () {
        const { far } = yield* Peers
        const [actor, scope, open] = [doubling(), yield* Scope.make(), yield* Deferred.make<void>()]
        const receive = (number: number) => Effect.as(Deferred.await(open), number * 2)
        yield* spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive }).pipe(
          Effect.provideService(Bus, far),
          Effect.provideService(GracePeriod, Effect.never),
          Scope.provide(scope)
        )
        const heard = yield* eavesdrop(actor, [1, 2])
        const heartbeats = [".1.sign ", ".2.sign "]
        assert.deepEqual(heard, [])
        yield* ticks(1, "500 millis")
        assert.deepEqual(heard, heartbeats)
        yield* ticks(1)
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* ticks(1)
        assert.deepEqual(heard, [...heartbeats, ...heartbeats, ...heartbeats])
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(closing)
        yield* ticks(1)
        assert.deepEqual(
          heard.slice(6),
          [1, 2].map((id) => `.${id} ${actor.reply.encode(Result.succeed(id * 2))}`)
        )
      })
  )

  it.effect("has no heartbeat if it is answered or refused before", () =>
    Effect.gen(function* () {
      const { far } = yield* Peers
      const actor = doubling()
      const receive = (number: number) => (number === 1 ? Effect.succeed(2) : Effect.die("no"))
      yield* Effect.provideService(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive }), Bus, far)
      const heard = yield* eavesdrop(actor, [1, 2])
      yield* ticks(2)
      assert.deepEqual(heard, [`.1 ${actor.reply.encode(Result.succeed(2))}`, ".2 "])
    })
  )

  it.effect("waits as long as there are heartbeats", () =>
    Effect.gen(function* () {
      const { far, near } = yield* Peers
      const [actor, open] = [doubling(), yield* Deferred.make<void>()]
      const receive = (number: number) => Effect.as(Deferred.await(open), number * 2)
      yield* Effect.provideService(spawn(actor, "one", { concurrency: 1, mailboxMax: 1, receive }), Bus, far)
      const asking = yield* Effect.forkChild(Effect.provideService(ask(actor, "one", 4, never), Bus, near))
      yield* ticks(20)
      yield* Deferred.succeed(open, undefined)
      assert.strictEqual(yield* Fiber.join(asking), 8)
    })
  )
})
