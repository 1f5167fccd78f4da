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
 * Where NATS is: server addresses joined by commas, the first of which may carry `user:password@` or `token@`. Where one of them is
 * `tls://`, no server is spoken to in the clear.
 */
export interface NatsOptions {
  readonly servers: string
  /** Path of a credentials file, where the servers ask for one. It is read for each connection. */
  readonly credentials?: string | undefined
}

/** No server could be reached, or none let us in or hear replies, at the start. `servers` holds no secret. */
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
 * The one connection of a process to NATS, which everything that talks over NATS shares.
 *
 * Laws: a lost connection is taken up again for as long as the layer lives.
 */
export class Nats extends Context.Service<
  Nats,
  {
    readonly connection: NatsConnection
    /** Whether a server hears us, as far as we know. */
    readonly isUp: () => boolean
    /** Tells of each loss of the connection, until the scope closes. */
    readonly onDown: (tell: () => void) => Effect.Effect<void, never, Scope.Scope>
    /** Tells of what the server does not let us do with a subject, until the scope closes. */
    readonly onDenied: (tell: Denied) => Effect.Effect<void, never, Scope.Scope>
    /** Notes that a subject is heard again that the server had refused: the next refusal is news. */
    readonly heardAgain: (subject: string) => Effect.Effect<void>
  }
>()("@sightline/actor/Nats") {
  /** Connects, or fails when that cannot be done within seconds. */
  static readonly layer = (options: NatsOptions): Layer.Layer<Nats, NatsUnreachable> =>
    Layer.effect(
      Nats,
      Effect.gen(function* () {
        let up = true
        const [downs, denials] = [new Set<() => void>(), new Set<Denied>()]
        // Closing drops what is still in the buffer; the subscription for replies, drained before, has flushed it.
        const connection = yield* Effect.acquireRelease(dial(options), (connection) =>
          Effect.promise(() => connection.close())
        )
        const isUp = () => up && !connection.isClosed()
        const run = Effect.runForkWith(yield* Effect.context())
        // What is larger fails where it is to be sent, and that is rare: nobody would be told then.
        const sized = Effect.suspend(() => {
          const most = connection.info?.max_payload ?? bodyBytesMax
          return most < bodyBytesMax ? Effect.logWarning(tooSmall(most)) : Effect.void
        })
        yield* Effect.andThen(Metric.update(connected, 1), sized)
        // There from the start: of a series that begins with the first refusal, no alarm would see that one.
        yield* Effect.andThen(Metric.value(refusalsOf("publish")), Metric.value(refusalsOf("subscription")))
        // While it tries to come back, each try that fails is a loss, and each loss is over when it is back. Each message on a
        // subject that we may not use is refused, and each subscription beyond what an account may have.
        const denied = new Set<string>()
        const refused = (kind: string, error: Error) => {
          if (!denied.has(kind)) run(Effect.logError("NATS refused something", error))
          denied.add(kind)
        }
        const watch = async () => {
          for await (const status of connection.status()) {
            if (status.type === "disconnect" && up) {
              up = false
              for (const tell of downs) tell()
              run(Effect.andThen(Metric.update(connected, 0), Effect.logWarning("NATS connection lost", status)))
            } else if (status.type === "reconnect" && !up) {
              up = true
              denied.clear()
              run(Effect.andThen(Metric.update(connected, 1), Effect.logInfo("NATS connection is back", status)))
              run(sized)
            } else if (status.type === "error" && status.error instanceof PermissionViolationError) {
              const { operation, subject } = status.error
              for (const tell of denials) tell(operation, subject)
              run(Metric.update(refusalsOf(operation), 1))
              refused(`${operation} ${subject.replace(ofOneMessage, "$1")}`, status.error)
            } else if (status.type === "error") refused(status.error.message, status.error)
          }
        }
        // Ends with the connection, which closes its status.
        void watch()
        return Nats.of({
          connection,
          isUp,
          onDown: (tell) => joining(downs, tell),
          onDenied: (tell) => joining(denials, tell),
          heardAgain: (subject) =>
            Effect.suspend(() =>
              denied.delete(`subscription ${subject}`)
                ? Effect.logInfo("NATS lets us hear again", { subject })
                : Effect.void
            )
        })
      })
    )
}

/** Hears what the server does not let us do with which subject. */
type Denied = (operation: PermissionViolationError["operation"], subject: string) => void

/** Replies and acknowledgements have a subject for each message. */
const ofOneMessage = /^(_INBOX|\$JS\.ACK)\..*/

/** Has somebody among those who are told, until the scope closes. */
const joining = <Tell>(tells: Set<Tell>, tell: Tell) =>
  Effect.acquireRelease(
    Effect.sync(() => void tells.add(tell)),
    () => Effect.sync(() => tells.delete(tell))
  )

// The server tells a connection once, at its beginning.
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
          ...paced,
          // Two pings without an answer and a half-open connection is given up.
          pingInterval: 10_000,
          noAsyncTraces: true
        }
        // Servers of a cluster tell of each other before they look at a login, and the client goes from one that refuses it to the
        // next without a pause or an end: the first time, it asks those alone that it was given.
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

/** How long a server is left alone that was dialled just now, in milliseconds. */
const pauseMillis = 500

/**
 * Dials what the client would dial, after the rest of the pause, which is never more than all of it: the client's own way counts from
 * the last time by the machine's clock, and once that is set back by a day would dial nobody for a day.
 */
const paced: Pick<NodeConnectionOptions, "reconnectDelayHandler" | "reconnectToServer"> = {
  reconnectDelayHandler: () => -Infinity,
  reconnectToServer: ([next]) =>
    next === undefined
      ? null
      : { server: next, delay: Math.min(pauseMillis, next.lastConnect + pauseMillis - Date.now()) }
}

/**
 * The login of a credentials file as it is when a server asks for it, so that a new one is taken up with the next connection. One that
 * cannot be read at that moment is refused like an old one; at the start that is an error.
 * Choice: caught, as the client closes for good where a login throws.
 */
const loginBy = (credentials: string): Authenticator => {
  const current = credsAuthenticator(() => readFileSync(credentials))
  let last = current()
  return (nonce) => {
    try {
      last = current(nonce)
    } catch {
      // It is being replaced, say.
    }
    return last
  }
}

/** How long a server that has greeted us may think of more to say. */
const lastWordsMillis = 500

/** Why the first of the servers that says so turns everybody away, as one that is full. The client misses what comes right before the end. */
const refusalOf = (addresses: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.forEach(addresses, (address) =>
      Effect.callback<string>((resume) => {
        const { hostname, port } = new URL(`nats://${address}`)
        const socket = connectTo(Number(port || 4222), hostname.replace(/^\[(.*)\]$/, "$1"))
        let said = ""
        socket.setTimeout(lastWordsMillis, () => socket.destroy())
        socket.on("data", (bytes) => (said += String(bytes))).on("error", () => undefined)
        socket.once("close", () => resume(Effect.succeed(said)))
      })
    ),
    (words) => /^-ERR '(.*)'/m.exec(words.join("\n"))?.[1]
  )

/**
 * The client takes logins and the wish for TLS only beside the addresses, and would read a password with digits as a port. Without
 * the wish, the server alone says whether there is to be TLS.
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
