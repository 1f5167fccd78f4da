import {
  connect,
  createInbox,
  credsAuthenticator,
  headers,
  type Msg,
  type NatsConnection,
  type PublishOptions,
  type SubscriptionOptions
} from "@nats-io/transport-node"
import { type Duration, Effect, Exit, Layer, Queue, Schedule, Schema } from "effect"
import { readFile } from "node:fs/promises"
import { Bus, type Envelope, NoReply } from "./Bus.ts"
import { inbox } from "./Inbox.ts"
import { makeReplies, type Replies, Silence } from "./Replies.ts"

/** Where NATS is: server addresses joined by commas, the first of which may carry `user:password@` or `token@`. */
export interface NatsOptions {
  readonly servers: string
  /** Path of a credentials file, where the servers ask for one. */
  readonly credentials?: string | undefined
}

/** No server could be reached, or none let us in, when the bus was to start. `servers` holds no secret. */
export class NatsUnreachable extends Schema.TaggedError<NatsUnreachable>()("NatsUnreachable", {
  servers: Schema.String,
  message: Schema.String
}) {}

/** The bus of many processes, over core NATS. A lost connection is taken up again for as long as the layer lives. */
export const layer = (options: NatsOptions): Layer.Layer<Bus, NatsUnreachable> =>
  Layer.effect(
    Bus,
    Effect.gen(function* () {
      const replies = yield* makeReplies
      const link = makeLink(yield* openConnection(options, () => replies.settleAll("disconnected")))
      return Bus.of({
        request: yield* makeRequest(link, replies),
        subscribe: (subject) =>
          inbox<Envelope>({
            strategy: "dropping",
            attach: (queue) =>
              link.attach(subject, { queue: subject }, (message) => {
                if (!Queue.offerUnsafe(queue, link.envelope(message))) link.refuse(message.reply, "mailbox_full")
              }),
            abandon: (unread) => unread.refuse("no_responder")
          }),
        publish: (subject, body) =>
          Effect.suspend(() => {
            const reason = link.send(broadcast(subject), body)
            return reason === undefined ? Effect.void : Effect.logWarning("Broadcast not sent", { subject, reason })
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

// Requests and broadcasts must not meet: a listener would count as a responder, a subscriber would get broadcasts.
const broadcast = (subject: string) => `broadcast.${subject}`

/** Names the `Silence` of a request that its receiver refuses. */
const refused = "Refused"

const isSilence = Schema.is(Silence)

const replyOf = (message: Msg): Exit.Exit<string, Silence> => {
  const header = message.headers
  if (header === undefined) return Exit.succeed(message.string())
  const reason = header.code === 503 ? "no_responder" : header.get(refused)
  return Exit.fail(isSilence(reason) ? reason : "receiver_failed")
}

/** The connection, reduced to what the bus does with it. */
type Link = ReturnType<typeof makeLink>

const makeLink = ({ nats, isUp }: Connection) => {
  const encoder = new TextEncoder()
  const send = (subject: string, text: string, options?: PublishOptions): Silence | undefined => {
    if (!isUp()) return "disconnected"
    const body = encoder.encode(text)
    if (body.length > (nats.info?.max_payload ?? Infinity)) return "too_large"
    nats.publish(subject, body, options)
    return undefined
  }
  const refuse = (to: string | undefined, reason: Silence) => {
    if (!to) return
    const header = headers()
    header.set(refused, reason)
    send(to, "", { headers: header })
  }
  const reply = (to: string | undefined, body: string) => {
    if (to && send(to, body) === "too_large") refuse(to, "too_large")
  }
  const flush = Effect.tryPromise(() => nats.flush())
  return {
    send,
    refuse,
    envelope: (message: Msg): Envelope => ({
      body: message.string(),
      reply: (body) => Effect.sync(() => reply(message.reply, body)),
      refuse: (reason) => Effect.sync(() => refuse(message.reply, reason))
    }),
    /** Subscribes until the scope closes; done when the server has it, which may be after a reconnection. */
    attach: (subject: string, options: SubscriptionOptions, receive: (message: Msg) => void) =>
      Effect.acquireRelease(
        Effect.sync(() =>
          nats.subscribe(subject, { ...options, callback: (error, message) => void (error ?? receive(message)) })
        ),
        // Draining hears out what the server has already sent, so that it can be refused instead of being lost.
        (subscription) =>
          isUp()
            ? Effect.ignore(
                Effect.timeout(
                  Effect.tryPromise(() => subscription.drain()),
                  "1 second"
                )
              )
            : Effect.sync(() => subscription.unsubscribe())
      ).pipe(Effect.andThen(Effect.retry(flush, { schedule: Schedule.spaced("100 millis") })), Effect.orDie)
  }
}

/**
 * `Bus.request`, its replies coming to one subject of this process.
 * Choice: not the client's own `request`, which cannot be cancelled and goes on waiting when the connection is lost.
 */
const makeRequest = Effect.fnUntraced(function* (link: Link, replies: Replies) {
  const replyTo = `${createInbox()}.`
  yield* link.attach(`${replyTo}*`, {}, (message) =>
    replies.settle(Number(message.subject.slice(replyTo.length)), replyOf(message))
  )
  return (subject: string, body: string, timeout: Duration.Input) =>
    replies
      .wait(timeout, (id) => {
        const reason = link.send(subject, body, { reply: `${replyTo}${id}` })
        if (reason !== undefined) replies.settle(id, Exit.fail(reason))
      })
      .pipe(Effect.mapError((reason) => new NoReply({ subject, reason })))
})

interface Connection {
  readonly nats: NatsConnection
  readonly isUp: () => boolean
}

/** A connection that comes back by itself; `onDown` hears each time it is lost. */
const openConnection = Effect.fnUntraced(function* (options: NatsOptions, onDown: () => void) {
  let up = true
  // Closing drops what is still in the buffer; the subscription for replies, drained before, has flushed it.
  const nats = yield* Effect.acquireRelease(dial(options), (nats) => Effect.promise(() => nats.close()))
  const log = Effect.runForkWith(yield* Effect.context())
  const watch = async () => {
    for await (const status of nats.status()) {
      if (status.type === "disconnect") {
        up = false
        onDown()
        log(Effect.logWarning("NATS connection lost", status))
      } else if (status.type === "reconnect") {
        up = true
        log(Effect.logInfo("NATS connection is back", status))
      } else if (status.type === "error") {
        log(Effect.logError("NATS refused something", status.error))
      }
    }
  }
  // Ends with the connection, which closes its status.
  void watch()
  const connection: Connection = { nats, isUp: () => up && !nats.isClosed() }
  return connection
})

const dial = ({ servers, credentials }: NatsOptions) => {
  const unreachable = (addresses: ReadonlyArray<string>) => (cause: unknown) =>
    new NatsUnreachable({
      servers: addresses.join(","),
      message: cause instanceof Error ? cause.message : String(cause)
    })
  return Effect.gen(function* () {
    const { addresses, login } = yield* Effect.try({ try: () => readServers(servers), catch: unreachable([]) })
    return yield* Effect.tryPromise({
      try: async () =>
        connect({
          servers: addresses,
          ...login,
          ...(credentials !== undefined && { authenticator: credsAuthenticator(await readFile(credentials)) }),
          name: "sightline",
          timeout: 5_000,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          reconnectTimeWait: 500,
          // Two pings without an answer and a half-open connection is given up.
          pingInterval: 10_000,
          noAsyncTraces: true
        }),
      catch: unreachable(addresses)
    })
  })
}

/** The client takes logins only beside the addresses, and would read a password with digits as a port. */
const readServers = (servers: string) => {
  const urls = servers
    .split(",")
    .map((server) => new URL(server.includes("://") ? server.trim() : `nats://${server.trim()}`))
  const user = decodeURIComponent(urls[0]?.username ?? "")
  const pass = decodeURIComponent(urls[0]?.password ?? "")
  const login = pass !== "" ? { user, pass } : user !== "" ? { token: user } : {}
  return { addresses: urls.map((url) => url.host), login }
}
