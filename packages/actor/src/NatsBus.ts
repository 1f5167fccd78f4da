import { createInbox, headers, type Msg, type PublishOptions, type SubscriptionOptions } from "@nats-io/transport-node"
import { type Duration, Effect, Exit, Latch, Layer, Queue, Schedule, Schema } from "effect"
import { Bus, type Envelope, NoReply } from "./Bus.ts"
import { inbox } from "./Inbox.ts"
import { Nats, NatsUnreachable } from "./Nats.ts"
import { makeReplies, type Replies, NoReplyReason } from "./Replies.ts"

/**
 * The bus between processes, over core NATS.
 *
 * Errors: fails at the start if the server denies the subscription for replies.
 */
export const layer: Layer.Layer<Bus, NatsUnreachable, Nats> = Layer.effect(
  Bus,
  Effect.gen(function* () {
    const nats = yield* Nats
    const replies = yield* makeReplies
    yield* nats.onDown(() => replies.settleAll("disconnected"))
    yield* nats.onDenied((operation, subject) => {
      if (operation === "publish") replies.settleAll("disconnected", subject)
    })
    const link = makeLink(nats)
    const beatOnce = Effect.sync(() => {
      link.sendHeartbeats()
      replies.tick()
    })
    yield* Effect.forkScoped(Effect.repeat(beatOnce, Schedule.spaced(beatInterval)))
    return Bus.of({
      request: yield* makeRequest(link, replies),
      subscribe: (subject) =>
        inbox<Envelope>({
          strategy: "dropping",
          attach: (queue) =>
            link.attach(subject, { queue: subject }, (message) => {
              const { reply } = message
              // Nobody waits for an answer: it is no request, but a message of another program.
              if (!reply) return
              if (!Queue.offerUnsafe(queue, link.envelope(reply, message.string()))) link.refuse(reply, "mailbox_full")
            }),
          abandon: (unread) => unread.refuse("unread")
        }),
      publish: (subject, body) =>
        Effect.suspend(() => {
          const reason = link.send(broadcast(subject), body)
          // Calls send broadcasts all the time, and the loss of the connection is logged elsewhere, once.
          if (reason === undefined || reason === "disconnected") return Effect.void
          return Effect.logWarning("Broadcast not sent", { subject, reason })
        }),
      listen: (subject) =>
        inbox<string>({
          strategy: "sliding",
          attach: (queue) =>
            link.attach(broadcast(subject), {}, (message) => Queue.offerUnsafe(queue, message.string())),
          abandon: () => Effect.void
        })
    })
  })
)

// Requests and broadcasts need separate subjects: a listener would count as a responder, and a subscriber would get broadcasts.
const broadcast = (subject: string) => `broadcast.${subject}`

/**
 * The suffix that turns the subject of a reply into the subject of its heartbeats. A heartbeat marked by a header would be a reply to a
 * program version that does not know heartbeats.
 */
const heartbeatSuffix = ".sign"

/** How often a process goes through the requests it has received and those it has sent. */
const beatInterval = "500 millis"

/** Each unanswered request has a heartbeat at the first beat after its arrival, and at every fourth beat from then on. */
const beatsPerHeartbeat = 4

/** The header that carries the `NoReplyReason` of a refused request. */
const refused = "Refused"

const isNoReplyReason = Schema.is(NoReplyReason)

const replyOf = (message: Msg): Exit.Exit<string, NoReplyReason> => {
  const header = message.headers
  if (header === undefined) return Exit.succeed(message.string())
  const reason = header.code === 503 ? "no_responder" : header.get(refused)
  return Exit.fail(isNoReplyReason(reason) ? reason : "receiver_failed")
}

/** The operations of the connection that the bus uses. */
type Link = ReturnType<typeof makeLink>

const makeLink = (nats: Nats["Service"]) => {
  const { connection, isUp } = nats
  const encoder = new TextEncoder()
  /** For each unanswered request, by the subject of its reply: the beats since it arrived. */
  const unanswered = new Map<string, number>()
  const send = (subject: string, text: string, options?: PublishOptions): NoReplyReason | undefined => {
    if (!isUp()) return "disconnected"
    const body = encoder.encode(text)
    if (body.length > (connection.info?.max_payload ?? Infinity)) return "too_large"
    connection.publish(subject, body, options)
    return undefined
  }
  const refuse = (to: string, reason: NoReplyReason) => {
    unanswered.delete(to)
    const header = headers()
    header.set(refused, reason)
    send(to, "", { headers: header })
  }
  const reply = (to: string, body: string) => {
    unanswered.delete(to)
    if (send(to, body) === "too_large") refuse(to, "too_large")
  }
  const envelope = (to: string, body: string): Envelope => {
    unanswered.set(to, 0)
    return {
      body,
      reply: (answer) => Effect.sync(() => reply(to, answer)),
      refuse: (reason) => Effect.sync(() => refuse(to, reason))
    }
  }
  return {
    send,
    refuse,
    envelope,
    server: () => connection.getServer(),
    /** One beat: sends the heartbeats that are due. */
    sendHeartbeats: () => {
      for (const [to, beats] of unanswered) {
        if (beats % beatsPerHeartbeat === 0) send(to + heartbeatSuffix, "")
        unanswered.set(to, beats + 1)
      }
    },
    attach: makeAttach(nats)
  }
}

/** The pause before a denied subscription is tried again: the server does not announce that it is permitted now. */
const deniedPause = "2 seconds"

/**
 * Subscribes until the scope closes, and again after each denial by the server. Returns when the server has the subscription, which may
 * be after a reconnection.
 */
const makeAttach = ({ connection, subscriptionRestored, isUp, onDenied }: Nats["Service"]) => {
  /** Completes when the server has received everything sent so far and its responses have arrived. */
  const arrived = Effect.orDie(
    Effect.retry(
      Effect.tryPromise(() => connection.flush()),
      { schedule: Schedule.spaced("100 millis") }
    )
  )
  return Effect.fnUntraced(function* (
    subject: string,
    options: SubscriptionOptions,
    receive: (message: Msg) => void,
    refused: (error: Error) => void = () => undefined
  ) {
    const denied = yield* Latch.make()
    let isDenied = false
    const deny = () => {
      isDenied = true
      denied.openUnsafe()
    }
    const open = () =>
      connection.subscribe(subject, {
        ...options,
        callback: (error, message) => {
          if (error === null) return receive(message)
          deny()
          refused(error)
        }
      })
    let subscription = open()
    // Draining receives what the server has already sent, so that it is refused instead of lost.
    yield* Effect.addFinalizer(() =>
      isUp()
        ? Effect.ignore(
            Effect.timeout(
              Effect.tryPromise(() => subscription.drain()),
              "1 second"
            )
          )
        : Effect.sync(() => subscription.unsubscribe())
    )
    // The client does not report a later denial of a subscription with a queue.
    yield* onDenied((operation, other) => {
      if (operation === "subscription" && other === subject) deny()
    })
    const retry = Effect.gen(function* () {
      yield* denied.await
      yield* Effect.sleep(deniedPause)
      isDenied = false
      yield* denied.close
      subscription.unsubscribe()
      subscription = open()
      yield* arrived
      if (!isDenied) yield* subscriptionRestored(subject)
    })
    yield* Effect.forkScoped(Effect.forever(retry))
    yield* arrived
  })
}

/**
 * `Bus.request`. All replies arrive on one wildcard subject of this process.
 * Choice: not the client's own `request`, which cannot be cancelled and goes on waiting when the connection is lost.
 */
const makeRequest = Effect.fnUntraced(function* (link: Link, replies: Replies) {
  const replyTo = `${createInbox()}.`
  let refusal = ""
  const attachReplies = (subject: string, receive: (message: Msg) => void) =>
    link.attach(subject, {}, receive, ({ message }) => (refusal = message))
  yield* attachReplies(`${replyTo}*`, (message) =>
    replies.settle(Number(message.subject.slice(replyTo.length)), replyOf(message))
  )
  yield* attachReplies(`${replyTo}*${heartbeatSuffix}`, (message) =>
    replies.noteHeartbeat(Number(message.subject.slice(replyTo.length, -heartbeatSuffix.length)))
  )
  if (refusal !== "") return yield* new NatsUnreachable({ servers: link.server(), message: refusal })
  return (subject: string, body: string, timeout: Duration.Input) =>
    replies
      .wait(subject, timeout, (id) => {
        const reason = link.send(subject, body, { reply: `${replyTo}${id}` })
        if (reason !== undefined) replies.settle(id, Exit.fail(reason))
      })
      .pipe(Effect.mapError((reason) => new NoReply({ subject, reason })))
})
