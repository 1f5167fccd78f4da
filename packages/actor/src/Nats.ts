import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  PermissionViolationError,
  TimeoutError
} from "@nats-io/transport-node"
import { Context, Effect, Layer, Metric, Schema, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { connect as connectTo } from "node:net"
import { bodyBytesMax } from "./Bus.ts"

/**
 * The servers of NATS: addresses joined by commas, the first of which may carry `user:password@` or `token@`. If one of them is
 * `tls://`, every connection uses TLS.
 */
export interface NatsOptions {
  readonly servers: string
  /** Path of a credentials file, if the servers require one. It is read for each connection. */
  readonly credentials?: string | undefined
}

/** At the start, no server could be reached, or none accepted the login or the subscription for replies. `servers` holds no secret. */
export class NatsUnreachable extends Schema.TaggedError<NatsUnreachable>()("NatsUnreachable", {
  servers: Schema.String,
  message: Schema.String
}) {}

const connected = Metric.gauge("sightline_nats_connected", {
  description: "1 while the process is connected to NATS, 0 while it is not"
})

const refusals = Metric.counter("sightline_nats_refusals_total", {
  description: "Subjects that NATS did not let the process use, each time, by what for",
  incremental: true
})
const refusalsOf = (operation: PermissionViolationError["operation"]) => Metric.withAttributes(refusals, { operation })

/**
 * The one connection of a process to NATS, shared by all its users.
 *
 * Laws: a lost connection is re-established for as long as the layer lives.
 */
export class Nats extends Context.Service<
  Nats,
  {
    readonly connection: NatsConnection
    /** Whether the connection is up, as far as the client knows. */
    readonly isUp: () => boolean
    /** Calls `listener` at each loss of the connection, until the scope closes. */
    readonly onDown: (listener: () => void) => Effect.Effect<void, never, Scope.Scope>
    /** Calls `listener` each time the server denies the use of a subject, until the scope closes. */
    readonly onDenied: (listener: DenialListener) => Effect.Effect<void, never, Scope.Scope>
    /** Notes that a denied subscription works again, so that its next denial is logged. */
    readonly subscriptionRestored: (subject: string) => Effect.Effect<void>
  }
>()("@sightline/actor/Nats") {
  /** Connects, or fails when that cannot be done within seconds. */
  static readonly layer = (options: NatsOptions): Layer.Layer<Nats, NatsUnreachable> =>
    Layer.effect(
      Nats,
      Effect.gen(function* () {
        let up = true
        const [downListeners, denialListeners] = [new Set<() => void>(), new Set<DenialListener>()]
        // Closing drops the content of the send buffer. Draining the subscription for replies, which comes first, has flushed it.
        const connection = yield* Effect.acquireRelease(dial(options), (connection) =>
          Effect.promise(() => connection.close())
        )
        const isUp = () => up && !connection.isClosed()
        const run = Effect.runForkWith(yield* Effect.context())
        // Large messages are rare: without this warning, nobody would notice a low limit until one of them fails.
        const warnOfSmallPayload = Effect.suspend(() => {
          const most = connection.info?.max_payload ?? bodyBytesMax
          return most < bodyBytesMax ? Effect.logWarning(tooSmall(most)) : Effect.void
        })
        yield* Effect.andThen(Metric.update(connected, 1), warnOfSmallPayload)
        // The series exist from the start: an alarm cannot see the refusal that creates its series.
        yield* Effect.andThen(Metric.value(refusalsOf("publish")), Metric.value(refusalsOf("subscription")))
        // While the client reconnects, it reports each failed try as a disconnect: one loss ends with one reconnect. The server refuses
        // each message on a denied subject and each subscription beyond the account's limit: each kind is logged once per connection.
        const denied = new Set<string>()
        const refused = (kind: string, error: Error) => {
          if (!denied.has(kind)) run(Effect.logError("NATS refused something", error))
          denied.add(kind)
        }
        const watch = async () => {
          for await (const status of connection.status()) {
            if (status.type === "disconnect" && up) {
              up = false
              for (const listener of downListeners) listener()
              run(Effect.andThen(Metric.update(connected, 0), Effect.logWarning("NATS connection lost", status)))
            } else if (status.type === "reconnect" && !up) {
              up = true
              denied.clear()
              run(Effect.andThen(Metric.update(connected, 1), Effect.logInfo("NATS connection is back", status)))
              run(warnOfSmallPayload)
            } else if (status.type === "error" && status.error instanceof PermissionViolationError) {
              const { operation, subject } = status.error
              for (const listener of denialListeners) listener(operation, subject)
              run(Metric.update(refusalsOf(operation), 1))
              refused(`${operation} ${subject.replace(ofOneMessage, "$1")}`, status.error)
            } else if (status.type === "error") refused(status.error.message, status.error)
          }
        }
        // Ends when the connection closes, because that ends the iteration of its status.
        void watch()
        return Nats.of({
          connection,
          isUp,
          onDown: (listener) => register(downListeners, listener),
          onDenied: (listener) => register(denialListeners, listener),
          subscriptionRestored: (subject) =>
            Effect.suspend(() =>
              denied.delete(`subscription ${subject}`)
                ? Effect.logInfo("NATS lets us hear again", { subject })
                : Effect.void
            )
        })
      })
    )
}

/** Receives the operation that the server denied, and its subject. */
type DenialListener = (operation: PermissionViolationError["operation"], subject: string) => void

/** Each reply and acknowledgement has a subject of its own. The log shows only the common prefix. */
const ofOneMessage = /^(_INBOX|\$JS\.ACK)\..*/

/** Registers a callback until the scope closes. */
const register = <Listener>(listeners: Set<Listener>, listener: Listener) =>
  Effect.acquireRelease(
    Effect.sync(() => void listeners.add(listener)),
    () => Effect.sync(() => listeners.delete(listener))
  )

// The server sends its limits to a connection once, when it opens.
const tooSmall = (most: number) =>
  `NATS takes messages of ${most} bytes at most: set its max_payload to ${bodyBytesMax} and restart it, since nobody hears of a reload`

const dial = ({ servers, credentials }: NatsOptions) => {
  const unreachable = (addresses: ReadonlyArray<string>) => (cause: unknown) =>
    new NatsUnreachable({
      servers: addresses.join(","),
      message: cause instanceof Error ? cause.message : String(cause)
    })
  return Effect.gen(function* () {
    const { addresses, options } = yield* Effect.try({ try: () => readServers(servers), catch: unreachable([]) })
    return yield* Effect.tryPromise({
      try: async () => {
        const settings = {
          servers: addresses,
          ...options,
          ...(credentials !== undefined && { authenticator: loginBy(credentials) }),
          name: "sightline",
          timeout: 5_000,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          ...reconnectPolicy,
          // A half-open connection is given up after two unanswered pings.
          pingInterval: 10_000,
          noAsyncTraces: true
        }
        // A cluster announces its other servers before it checks a login, and after a refused login the client tries them in turn
        // without a pause or an end. The first connection therefore uses only the configured servers.
        await (await connect({ ...settings, ignoreClusterUpdates: true })).close()
        return connect(settings)
      },
      catch: (cause) => cause
    }).pipe(
      Effect.catch((cause) =>
        Effect.flatMap(cause instanceof TimeoutError ? refusalOf(addresses) : Effect.undefined, (refusal) =>
          Effect.fail(unreachable(addresses)(refusal ?? cause))
        )
      )
    )
  })
}

/** The pause between two dials of one server, in milliseconds. */
const pauseMillis = 500

/**
 * Dials the server that the client would choose, after the rest of its pause and at most a full pause. The client's own delay compares
 * the last dial with the system clock: after the clock is set back by a day, it would not dial for a day.
 */
const reconnectPolicy: Pick<NodeConnectionOptions, "reconnectDelayHandler" | "reconnectToServer"> = {
  reconnectDelayHandler: () => -Infinity,
  reconnectToServer: ([next]) =>
    next === undefined
      ? null
      : { server: next, delay: Math.min(pauseMillis, next.lastConnect + pauseMillis - Date.now()) }
}

/**
 * The login of a credentials file, read each time a server asks for it, so that the next connection uses a new file. If it cannot be
 * read then, the previous login is sent and refused like an outdated one; at the start that is an error.
 * Choice: the error is caught, because the client closes for good when a login throws.
 */
const loginBy = (credentials: string): Authenticator => {
  const current = credsAuthenticator(() => readFileSync(credentials))
  let last = current()
  return (nonce) => {
    try {
      last = current(nonce)
    } catch {
      // For example, the file is being replaced.
    }
    return last
  }
}

/** How long a server may be silent before its greeting and error are taken as complete. */
const greetingTimeoutMillis = 500

/**
 * The reason of the first server that gives one for refusing every connection, for example because it is full. The client misses an
 * error that is sent just before the server closes.
 */
const refusalOf = (addresses: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.forEach(addresses, (address) =>
      Effect.callback<string>((resume) => {
        const { hostname, port } = new URL(`nats://${address}`)
        const socket = connectTo(Number(port || 4222), hostname.replace(/^\[(.*)\]$/, "$1"))
        let received = ""
        socket.setTimeout(greetingTimeoutMillis, () => socket.destroy())
        socket.on("data", (bytes) => (received += String(bytes))).on("error", () => undefined)
        socket.once("close", () => resume(Effect.succeed(received)))
      })
    ),
    (greetings) => /^-ERR '(.*)'/m.exec(greetings.join("\n"))?.[1]
  )

/**
 * The client takes logins and the TLS option only separately from the addresses: in an address, it would read a password with digits as
 * a port. Without the TLS option, the server alone decides whether TLS is used.
 */
const readServers = (servers: string) => {
  const urls = servers
    .split(",")
    .map((server) => new URL(server.includes("://") ? server.trim() : `nats://${server.trim()}`))
  const user = decodeURIComponent(urls[0]?.username ?? "")
  const pass = decodeURIComponent(urls[0]?.password ?? "")
  const login = pass !== "" ? { user, pass } : user !== "" ? { token: user } : {}
  const tls = urls.some((url) => url.protocol === "tls:") ? { tls: {} } : {}
  return { addresses: urls.map((url) => url.host), options: { ...login, ...tls } }
}
