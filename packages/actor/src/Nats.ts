import { connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node"
import { Context, Effect, Layer, Metric, Schema, type Scope } from "effect"
import { readFile } from "node:fs/promises"
import { bodyBytesMax } from "./Bus.ts"

/**
 * Where NATS is: server addresses joined by commas, the first of which may carry `user:password@` or `token@`. Where one of them is
 * `tls://`, no server is spoken to in the clear.
 */
export interface NatsOptions {
  readonly servers: string
  /** Path of a credentials file, where the servers ask for one. */
  readonly credentials?: string | undefined
}

/** No server could be reached, or none let us in, at the start. `servers` holds no secret. */
export class NatsUnreachable extends Schema.TaggedError<NatsUnreachable>()("NatsUnreachable", {
  servers: Schema.String,
  message: Schema.String
}) {}

const connected = Metric.gauge("sightline_nats_connected", {
  description: "1 while the process is connected to NATS, 0 while it is not"
})

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
  }
>()("@sightline/actor/Nats") {
  /** Connects, or fails when that cannot be done within seconds. */
  static readonly layer = (options: NatsOptions): Layer.Layer<Nats, NatsUnreachable> =>
    Layer.effect(
      Nats,
      Effect.gen(function* () {
        let up = true
        const tells = new Set<() => void>()
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
        // While it tries to come back, each try that fails is a loss, and each loss is over when it is back.
        let refusal = ""
        const watch = async () => {
          for await (const status of connection.status()) {
            if (status.type === "disconnect" && up) {
              up = false
              for (const tell of tells) tell()
              run(Effect.andThen(Metric.update(connected, 0), Effect.logWarning("NATS connection lost", status)))
            } else if (status.type === "reconnect" && !up) {
              up = true
              refusal = ""
              run(Effect.andThen(Metric.update(connected, 1), Effect.logInfo("NATS connection is back", status)))
              run(sized)
            } else if (status.type === "error" && (up || status.error.message !== refusal)) {
              if (!up) refusal = status.error.message
              run(Effect.logError("NATS refused something", status.error))
            }
          }
        }
        // Ends with the connection, which closes its status.
        void watch()
        return Nats.of({
          connection,
          isUp,
          onDown: (tell) =>
            Effect.acquireRelease(
              Effect.sync(() => void tells.add(tell)),
              () => Effect.sync(() => tells.delete(tell))
            )
        })
      })
    )
}

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
          ...(credentials !== undefined && { authenticator: credsAuthenticator(await readFile(credentials)) }),
          name: "sightline",
          timeout: 5_000,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          reconnectTimeWait: 500,
          // Two pings without an answer and a half-open connection is given up.
          pingInterval: 10_000,
          noAsyncTraces: true
        }
        // Servers of a cluster tell of each other before they look at a login, and the client goes from one that refuses it to the
        // next without a pause or an end: the first time, it asks those alone that it was given.
        await (await connect({ ...settings, ignoreClusterUpdates: true })).close()
        return connect(settings)
      },
      catch: unreachable(addresses)
    })
  })
}

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
