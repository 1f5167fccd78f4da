import { Context, type Duration, Effect, Exit, Layer, Queue, Schema, type Stream } from "effect"
import { inbox } from "./Inbox.ts"
import { makeReplies, NoReplyReason } from "./Replies.ts"

/** A request got no answer, for a reason that is not its receiver's own typed failure. */
export class NoReply extends Schema.TaggedError<NoReply>()("NoReply", {
  subject: Schema.String,
  reason: NoReplyReason
}) {}

/** One request as its receiver sees it. The first `reply` or `refuse` answers it; later ones are ignored. */
export interface Envelope {
  readonly body: string
  readonly reply: (body: string) => Effect.Effect<void>
  readonly refuse: (reason: NoReplyReason) => Effect.Effect<void>
}

/** The largest body that the in-process bus carries, in bytes of UTF-8: the same as in `infra/nats.conf`. */
export const bodyBytesMax = 4 * 1024 * 1024

// A UTF-16 unit takes at most three bytes, so most bodies need not be measured.
const isTooLarge = (body: string) => body.length * 3 > bodyBytesMax && Buffer.byteLength(body) > bodyBytesMax

/**
 * Messages between processes: a request goes to one of the subscribers of a subject, a broadcast to all of its listeners.
 *
 * Shape: a subject is words joined by dots, without wildcards. Requests and broadcasts are separate, even on one subject.
 * Laws: a request reaches at most one subscriber. Messages of one sender on one subject arrive in the order of sending. A stream is
 * subscribed as soon as it is opened (`Stream.toPull`), before its first pull. A full mailbox refuses a request instead of waiting.
 * Errors: `NoReply`, at the latest after the timeout. A receiver in another process sends heartbeats: without one, a request fails some
 * 10 s after the last heartbeat, or after it was sent. Interrupting a request forgets it; its receiver is not told.
 *
 * Best effort by design: nothing is stored, so messages in transit are lost when a process or the server dies. Work that must not be
 * lost is a row in the database, and a message is only a hint to look at it. A lost message delays work but never loses it.
 */
export class Bus extends Context.Service<
  Bus,
  {
    readonly request: (subject: string, body: string, timeout: Duration.Input) => Effect.Effect<string, NoReply>
    /** The requests for this subscriber. The subject is also the queue group: each request goes to one of its subscribers. */
    readonly subscribe: (subject: string) => Stream.Stream<Envelope>
    /** Sends to every listener in every process. Succeeds even when nobody listens. */
    readonly publish: (subject: string, body: string) => Effect.Effect<void>
    /** What is published on the subject after the stream was opened. */
    readonly listen: (subject: string) => Stream.Stream<string>
  }
>()("@sightline/actor/Bus") {
  /** The bus of a single process. */
  static readonly layerMemory = Layer.effect(
    Bus,
    Effect.gen(function* () {
      const replies = yield* makeReplies
      const subscribers = new Registry<Envelope>()
      const listeners = new Registry<string>()
      let turn = 0

      const refuse = (id: number, reason: NoReplyReason) => replies.settle(id, Exit.fail(reason))
      const envelope = (id: number, body: string): Envelope => ({
        body,
        reply: (body) =>
          Effect.sync(() => (isTooLarge(body) ? refuse(id, "too_large") : replies.settle(id, Exit.succeed(body)))),
        refuse: (reason) => Effect.sync(() => refuse(id, reason))
      })
      const deliver = (id: number, subject: string, body: string) => {
        const group = subscribers.on(subject)
        const subscriber = group[turn++ % group.length]
        if (isTooLarge(body)) refuse(id, "too_large")
        else if (subscriber === undefined) refuse(id, "no_responder")
        else if (!Queue.offerUnsafe(subscriber, envelope(id, body))) refuse(id, "mailbox_full")
      }
      return Bus.of({
        request: (subject, body, timeout) =>
          Effect.mapError(
            replies.wait(subject, timeout, (id) => deliver(id, subject, body)),
            (reason) => new NoReply({ subject, reason })
          ),
        subscribe: (subject) =>
          inbox({
            strategy: "dropping",
            attach: (queue) => subscribers.join(subject, queue),
            abandon: (unread) => unread.refuse("unread")
          }),
        publish: (subject, body) =>
          isTooLarge(body)
            ? Effect.logWarning("Broadcast not sent", { subject, reason: "too_large" })
            : Effect.sync(() => listeners.on(subject).forEach((listener) => Queue.offerUnsafe(listener, body))),
        listen: (subject) =>
          inbox({
            strategy: "sliding",
            attach: (queue) => listeners.join(subject, queue),
            abandon: () => Effect.void
          })
      })
    })
  )
}

/** The queues that are subscribed to each subject of an in-process bus. */
class Registry<A> {
  readonly #queues = new Map<string, ReadonlyArray<Queue.Enqueue<A>>>()

  on(subject: string): ReadonlyArray<Queue.Enqueue<A>> {
    return this.#queues.get(subject) ?? []
  }

  join(subject: string, queue: Queue.Enqueue<A>) {
    return Effect.acquireRelease(
      Effect.sync(() => this.#queues.set(subject, [...this.on(subject), queue])),
      () =>
        Effect.sync(() =>
          this.#queues.set(
            subject,
            this.on(subject).filter((other) => other !== queue)
          )
        )
    )
  }
}

/**
 * The same bus with `name` as the prefix of every subject.
 *
 * Laws: messages below one name never reach subscribers below another, even on the same server.
 */
export const within = (name: string, bus: Bus["Service"]): Bus["Service"] =>
  Bus.of({
    request: (subject, body, timeout) => bus.request(`${name}.${subject}`, body, timeout),
    subscribe: (subject) => bus.subscribe(`${name}.${subject}`),
    publish: (subject, body) => bus.publish(`${name}.${subject}`, body),
    listen: (subject) => bus.listen(`${name}.${subject}`)
  })
