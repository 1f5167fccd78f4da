/**
 * What every bus guarantees, in memory and over a real NATS server.
 *
 * Planted and seen red in memory:
 * - a request delivered to every subscriber, always to the first one, or sometimes late;
 * - a subscriber that never leaves;
 * - one listener notified instead of all, or sometimes late;
 * - sizes counted in characters, or replies not measured.
 *
 * Planted and seen red over NATS:
 * - no queue group;
 * - broadcasts on the subject of requests;
 * - no flush after subscribing;
 * - no size check on requests or on replies;
 * - Latin-1 bodies;
 * - "no responders" read as a reply;
 * - refusals without their reason;
 * - unsubscribing without draining.
 *
 * Planted and seen red on both:
 * - a limit of unread messages other than 16,384, the wrong ones lost, or lost silently;
 * - a stream that subscribes only at its first pull;
 * - unread requests dropped;
 * - a reader left waiting when its stream closes;
 * - an interrupted request kept;
 * - timers kept.
 */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Logger, Scope, Stream } from "effect"
import { bodyBytesMax, type Bus, type Envelope, type NoReply } from "@sightline/actor/Bus"
import { buses, freshSubject, opened, Peers } from "./buses.ts"

/** So long that a request which waits for it fails the test. */
const never = "1 hour"

const reasonOf = (request: Effect.Effect<string, NoReply>) => Effect.map(Effect.flip(request), ({ reason }) => reason)

/** Subscribes, and handles each request with `answer`. */
const serve = Effect.fnUntraced(function* (
  bus: Bus["Service"],
  subject: string,
  answer: (envelope: Envelope) => Effect.Effect<void>
) {
  const pull = yield* Stream.toPull(bus.subscribe(subject))
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(pull, Effect.forEach(answer, { discard: true }))))
})

const echo = (envelope: Envelope) => envelope.reply(envelope.body)

/** The number of messages that wait for a reader. */
const unreadMax = 16_384

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length

/** Timeouts that all differ, so that each would need its own timer; meanwhile only a few other timers come and go. */
const nevers = Array.from({ length: 300 }, (_, index) => Duration.minutes(60 + index))
const few = 30

for (const { name, peers } of buses) {
  layer(peers, { excludeTestServices: true })(`a bus ${name}`, (it) => {
    it.effect("gives a request the reply of its subscriber", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* serve(far, subject, (envelope) => envelope.reply(`${envelope.body}, too`))
        assert.strictEqual(yield* near.request(subject, "hello", never), "hello, too")
      })
    )

    it.effect("fails a request at once when nobody is subscribed", () =>
      Effect.gen(function* () {
        const { near } = yield* Peers
        const subject = freshSubject()
        const error = yield* Effect.flip(near.request(subject, "hello", never))
        assert.deepInclude(error, { _tag: "NoReply", subject, reason: "no_responder" })
      })
    )

    it.effect("fails a request at its timeout, whatever its subscriber does", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* serve(far, subject, () => Effect.void)
        assert.strictEqual(yield* reasonOf(near.request(subject, "hello", "20 millis")), "timeout")
        assert.strictEqual(yield* reasonOf(near.request(subject, "hello", 0)), "timeout")
      })
    )

    it.effect("is subscribed as soon as the stream is open", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        for (let round = 0; round < 50; round++) {
          const subject = freshSubject()
          yield* serve(far, subject, echo)
          assert.strictEqual(yield* near.request(subject, "hello", never), "hello")
        }
      })
    )

    it.effect("ends a pull that waits when its stream closes", () =>
      Effect.gen(function* () {
        const { far } = yield* Peers
        const streams: ReadonlyArray<Stream.Stream<unknown>> = [
          far.subscribe(freshSubject()),
          far.listen(freshSubject())
        ]
        for (const stream of streams) {
          const scope = yield* Scope.make()
          const pull = yield* Scope.provide(Stream.toPull(stream), scope)
          const waiting = yield* Effect.forkChild(Effect.exit(pull), { startImmediately: true })
          yield* Scope.close(scope, Exit.void)
          assert.isTrue(Exit.isFailure(yield* Fiber.join(waiting)))
        }
      })
    )

    it.effect("delivers each request to exactly one of several subscribers, and some to each of them", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const received: Array<string> = []
        const by = (subscriber: string) => (envelope: Envelope) =>
          Effect.suspend(() => {
            received.push(`${subscriber} ${envelope.body}`)
            return envelope.reply(subscriber)
          })
        yield* serve(far, subject, by("a"))
        yield* serve(far, subject, by("b"))
        yield* serve(near, subject, by("c"))
        const numbers = Array.from({ length: 200 }, (_, number) => String(number))
        const repliers = yield* Effect.forEach(numbers, (number) => near.request(subject, number, never), {
          concurrency: "unbounded"
        })
        assert.deepEqual(received.toSorted(), numbers.map((number, index) => `${repliers[index]} ${number}`).toSorted())
        assert.sameMembers([...new Set(repliers)], ["a", "b", "c"])
      })
    )

    it.effect("delivers the requests of one sender in the order they were sent", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const received: Array<string> = []
        yield* serve(far, subject, (envelope) =>
          Effect.suspend(() => {
            received.push(envelope.body)
            return echo(envelope)
          })
        )
        const sent = Array.from({ length: 1_000 }, (_, number) => String(number))
        yield* Effect.forEach(sent, (number) => near.request(subject, number, never), { concurrency: "unbounded" })
        assert.deepEqual(received, sent)
      })
    )

    it.effect("delivers to every listener everything published since it opened, in the order of the sender", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* near.publish(subject, "too early")
        const listeners = [
          yield* opened(near.listen(subject)),
          yield* opened(near.listen(subject)),
          yield* opened(far.listen(subject))
        ]
        const sent = Array.from({ length: 500 }, (_, number) => String(number))
        yield* Effect.forEach(sent, (number) => near.publish(subject, number), { discard: true })
        for (const read of listeners) assert.deepEqual(yield* read(sent.length), sent)
      })
    )

    it.effect("separates requests and broadcasts, even on one subject", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const read = yield* opened(far.listen(subject))
        assert.strictEqual(yield* reasonOf(near.request(subject, "hello", never)), "no_responder")
        const received: Array<string> = []
        yield* serve(far, subject, (envelope) =>
          Effect.suspend(() => {
            received.push(envelope.body)
            return echo(envelope)
          })
        )
        yield* near.publish(subject, "broadcast")
        assert.strictEqual(yield* near.request(subject, "request", never), "request")
        assert.deepEqual(received, ["request"])
        assert.deepEqual(yield* read(1), ["broadcast"])
      })
    )

    it.effect("accepts a broadcast without listeners", () =>
      Effect.gen(function* () {
        const { near } = yield* Peers
        yield* near.publish(freshSubject(), "hello")
      })
    )

    it.effect.each([
      "",
      "\u0000",
      "PING\r\n+OK\r\nUNSUB 1\r\n",
      "naïve Åse, Привет, مرحبا, 你好, 👩‍👩‍👧‍👦, e\u0301",
      JSON.stringify({ quote: '"', backslash: "\\", line: "\u2028", half: "\ud83d" })
    ])("carries any text unchanged: %j", (text) =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* serve(far, subject, echo)
        const read = yield* opened(far.listen(subject))
        assert.strictEqual(yield* near.request(subject, text, never), text)
        yield* near.publish(subject, text)
        assert.deepEqual(yield* read(1), [text])
      })
    )

    it.effect("carries bodies up to the maximum size both ways, and refuses one byte more", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const largest = "é".repeat(bodyBytesMax / 2)
        yield* serve(far, subject, (envelope) =>
          envelope.reply(envelope.body === "more" ? `${largest}.` : envelope.body)
        )
        assert.isTrue((yield* near.request(subject, largest, never)) === largest)
        assert.strictEqual(yield* reasonOf(near.request(subject, `${largest}.`, never)), "too_large")
        assert.strictEqual(yield* reasonOf(near.request(subject, "more", never)), "too_large")
        const dense = "品".repeat(bodyBytesMax / 3 + 1)
        assert.strictEqual(yield* reasonOf(near.request(subject, dense, never)), "too_large")
        assert.strictEqual(yield* reasonOf(near.request(freshSubject(), dense, never)), "too_large")
        const read = yield* opened(far.listen(subject))
        const lines: Array<unknown> = []
        const log = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
        yield* Effect.provide(near.publish(subject, `${largest}.`), log)
        assert.deepEqual(lines, [["Broadcast not sent", { subject, reason: "too_large" }]])
        yield* near.publish(subject, "still here")
        assert.deepEqual(yield* read(1), ["still here"])
        assert.strictEqual(yield* near.request(subject, "still here", never), "still here")
      })
    )

    it.effect("queues 16,384 requests for a subscriber that does not read, and refuses the next immediately", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const read = yield* opened(far.subscribe(subject))
        const bodies = Array.from({ length: unreadMax }, (_, number) => `${number}`)
        const waiting = yield* Effect.forkChild(
          Effect.forEach(bodies, (body) => near.request(subject, body, never), { concurrency: "unbounded" }),
          { startImmediately: true }
        )
        assert.strictEqual(yield* reasonOf(near.request(subject, "one more", never)), "mailbox_full")
        const envelopes = yield* read(unreadMax)
        assert.isTrue(envelopes.every(({ body }, place) => body === bodies[place]))
        yield* Fiber.interrupt(waiting)
      })
    )

    it.effect("keeps the last 16,384 broadcasts for a listener that does not read", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const [subject, other] = [freshSubject(), freshSubject()]
        const [read, arrived] = [yield* opened(far.listen(subject)), yield* opened(far.listen(other))]
        const bodies = Array.from({ length: unreadMax + 3 }, (_, number) => `${number}`)
        yield* Effect.forEach(bodies, (body) => near.publish(subject, body), { discard: true })
        yield* near.publish(other, "so that all have arrived")
        yield* arrived(1)
        const heard = yield* read(unreadMax)
        assert.deepEqual([heard[0], heard.at(-1), heard.length], ["3", bodies.at(-1), unreadMax])
      })
    )

    it.effect("returns the reason for which a subscriber refuses", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* serve(far, subject, (envelope) => envelope.refuse("mailbox_full"))
        assert.strictEqual(yield* reasonOf(near.request(subject, "hello", never)), "mailbox_full")
      })
    )

    it.effect("uses only the first answer to a request", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* serve(far, subject, (envelope) =>
          Effect.andThen(
            envelope.reply(envelope.body),
            Effect.andThen(envelope.reply("again"), envelope.refuse("timeout"))
          )
        )
        for (const body of ["one", "two", "three"]) assert.strictEqual(yield* near.request(subject, body, never), body)
      })
    )

    it.effect("keeps nothing of an interrupted request, and ignores its late reply", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const read = yield* opened(far.subscribe(subject))
        const before = timers()
        const asking = yield* Effect.forkChild(
          Effect.forEach(nevers, (timeout) => near.request(subject, "hello", timeout), { concurrency: "unbounded" })
        )
        const envelopes = yield* read(nevers.length)
        assert.isAtLeast(timers(), before + nevers.length - few)
        yield* Fiber.interrupt(asking)
        assert.isAtMost(timers(), before + few)
        yield* Effect.forEach(envelopes, (envelope) => envelope.reply("late"), { discard: true })
        const again = yield* Effect.forkChild(near.request(subject, "hello", never))
        for (const envelope of yield* read(1)) yield* envelope.reply("in time")
        assert.strictEqual(yield* Fiber.join(again), "in time")
      })
    )

    it.effect("keeps no timer of an answered request", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        yield* serve(far, subject, echo)
        const before = timers()
        yield* Effect.forEach(nevers, (timeout) => near.request(subject, "hello", timeout), {
          concurrency: "unbounded"
        })
        assert.isAtMost(timers(), before + few)
      })
    )

    it.effect("delivers nothing to a closed subscription, and refuses its unread requests", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const scope = yield* Scope.make()
        const pull = yield* Scope.provide(Stream.toPull(far.subscribe(subject)), scope)
        const first = yield* Effect.forkChild(reasonOf(near.request(subject, "first", never)))
        yield* pull
        const unread = yield* Effect.forkChild(reasonOf(near.request(subject, "unread", never)), {
          startImmediately: true
        })
        yield* near.request(freshSubject(), "a round trip, so that it has arrived", never).pipe(Effect.exit)
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual(yield* Fiber.join(unread), "unread")
        assert.strictEqual(yield* reasonOf(near.request(subject, "after", never)), "no_responder")
        yield* Fiber.interrupt(first)
      })
    )

    it.effect("leaves no request without an outcome that arrives while its subscription closes", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        for (let round = 0; round < 20; round++) {
          const subject = freshSubject()
          const scope = yield* Scope.make()
          yield* Scope.provide(opened(far.subscribe(subject)), scope)
          const request = Effect.forkChild(reasonOf(near.request(subject, "hello", never)), { startImmediately: true })
          const asking = yield* Effect.replicateEffect(request, 20)
          yield* Scope.close(scope, Exit.void)
          for (const fiber of asking) assert.oneOf(yield* Fiber.join(fiber), ["unread", "no_responder"])
        }
      })
    )

    it.effect("delivers nothing to a closed listener, and everything to the others", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const subject = freshSubject()
        const read = yield* opened(far.listen(subject))
        yield* Effect.scoped(opened(far.listen(subject)))
        yield* near.publish(subject, "hello")
        assert.deepEqual(yield* read(1), ["hello"])
      })
    )
  })
}
