import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import type { Socket } from "node:net"
import { dial, makeTlsContext } from "./Dial.ts"
import { EgressFailed } from "./EgressFailed.ts"
import {
  exchange,
  type Received,
  type Connection,
  makeConnection,
  type Outgoing,
  nothingReceived
} from "./Connection.ts"
import { ConnectionPool } from "./ConnectionPool.ts"
import { inRanges, isPublicAddress } from "./PublicAddress.ts"
import { isPublicPage, parsePublicUrl } from "./PublicUrl.ts"
import { type Resolve, resolveByDns } from "./Resolve.ts"
import { timeoutAfter } from "./Timeout.ts"

/**
 * One POST request.
 *
 * Shape: `receiver` is the caller's identifier of the recipient; a connection is reused only for the same `receiver`.
 * `connected` is called with the remote address of the connection, on a new one before TLS is established. `headers` is
 * called just before the request is sent.
 */
export interface Post {
  readonly url: string
  readonly receiver: string
  readonly connected: (address: string) => void
  readonly headers: () => Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** An answer whose head arrived in time, with the part of its body that was read: at most 64 KiB. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
}

const redirectDeadline = "3 seconds"
const vettingDeadline = "2 seconds"

/**
 * The only client for addresses that third parties chose. It uses no proxy, cookies, redirects or compression.
 *
 * Laws: each call resolves the host name and checks the addresses itself. It opens a connection only to an address that it
 * has checked. It reuses a connection only if it has checked that address again.
 * Source: decisions D2, D3.
 */
export class Egress extends Context.Service<
  Egress,
  {
    /**
     * Refuses a URL that must not be stored for later calls: because of its spelling, or because of an address that its
     * host has now. A host that has no address, or does not resolve in time, passes: it is checked again before each call.
     */
    readonly vet: (url: string) => Effect.Effect<void, EgressFailed>
    /** The target of the redirect at `url`, which is not followed: an http or https URL of a public host name, or none. */
    readonly resolveRedirect: (url: string) => Effect.Effect<Option.Option<string>>
    /** Posts once. `deadline` covers everything from the look-up to the head of the answer. Reading the body ends at `deadline` too. */
    readonly post: (request: Post, deadline: Duration.Input) => Effect.Effect<Answer, EgressFailed>
  }
>()("@sightline/egress/Egress") {
  /** `allow` are CIDR ranges of receivers that are accepted although they are not public; for development and tests only. */
  static readonly layer = (options: {
    readonly allow: ReadonlyArray<string>
    readonly resolve?: Resolve
  }): Layer.Layer<Egress> =>
    Layer.effect(
      Egress,
      Effect.gen(function* () {
        const checkUrl = makeUrlCheck(inRanges(options.allow), options.resolve ?? resolveByDns)
        const context = { checkUrl, tlsContext: makeTlsContext() }
        const pool = yield* Effect.acquireRelease(
          Effect.sync(() => new ConnectionPool()),
          (pool) => Effect.sync(() => pool.close())
        )
        return Egress.of({
          vet: (url) =>
            checkUrl(url, vettingDeadline).pipe(
              Effect.asVoid,
              Effect.catchIf(
                ({ code }) => code !== "blocked_address",
                () => Effect.void
              )
            ),
          resolveRedirect: (url) => redirectOf(context, url),
          post: (request, deadline) => sendPost(context, pool, request, deadline)
        })
      })
    )
}

const timedOut = new EgressFailed({ code: "timeout", reason: "there was no answer in time" })

/**
 * Checks a URL: its spelling, and every address that its host has now.
 *
 * Errors: `blocked_address`; `dns_error` for a host without an address; `timeout` for a look-up that takes longer than the deadline.
 */
export const makeUrlCheck = (allowed: (address: string) => boolean, resolve: Resolve) =>
  Effect.fnUntraced(function* (url: string, deadline: Duration.Input) {
    const target = yield* Effect.fromResult(
      Result.mapError(parsePublicUrl(url, allowed), (reason) => new EgressFailed({ code: "blocked_address", reason }))
    )
    const [first, ...more] = target.literal
      ? [target.host]
      : yield* Effect.timeoutOrElse(resolve(target.host), { duration: deadline, orElse: () => Effect.fail(timedOut) })
    if (first === undefined) return yield* new EgressFailed({ code: "dns_error", reason: "the host has no address" })
    const addresses: readonly [string, ...ReadonlyArray<string>] = [first, ...more]
    // One forbidden address rejects all of them: a name that resolves to one is not trusted with its other addresses either.
    if (!addresses.every((each) => isPublicAddress(each) || allowed(each))) {
      return yield* new EgressFailed({ code: "blocked_address", reason: "the host is not public" })
    }
    return { target, addresses }
  })

type CheckedUrl = Effect.Success<ReturnType<ReturnType<typeof makeUrlCheck>>>

/** What every request needs: the check of its URL, and the TLS context. */
interface RequestContext {
  readonly checkUrl: ReturnType<typeof makeUrlCheck>
  readonly tlsContext: ReturnType<typeof makeTlsContext>
}

/** One exchange: the request, the answer received so far, and the pool that its connection comes from and returns to, if any. */
interface ExchangeOptions {
  readonly outgoing: Outgoing
  readonly received: Received
  readonly millis: number
  readonly connected: Post["connected"]
  readonly pooled?: { readonly pool: ConnectionPool; readonly receiver: string }
}

/**
 * Sends one request over a new or reused connection. A failure, the deadline or an interruption closes the connection.
 *
 * It is one callback with a timer: a fiber for each step would cost more than the request.
 */
const sendRequest = (
  { addresses, target }: CheckedUrl,
  tlsContext: RequestContext["tlsContext"],
  { connected, received, pooled, millis, outgoing }: ExchangeOptions
): Effect.Effect<void, EgressFailed> =>
  Effect.callback((resume) => {
    const key = `${pooled?.receiver} ${target.host}:${target.port}`
    let socket: Socket | undefined
    const close = () => {
      timeout.end()
      socket?.destroy()
    }
    const fail = (failure: EgressFailed) => {
      close()
      resume(failure)
    }
    const expire = () => {
      close()
      resume(received.status === 0 ? timedOut : Effect.void)
    }
    const timeout = timeoutAfter(millis, expire)
    const reportAddress = ({ remoteAddress }: Socket) => {
      if (remoteAddress !== undefined) connected(remoteAddress)
    }
    const sendOver = (connection: Connection) => {
      socket = connection.socket
      exchange(connection, target, outgoing, received, (end) => {
        // The connection closed before the request was sent on it, so a new one is opened.
        if (end === "unsent") return connect()
        if (end !== "answered") return fail(end)
        timeout.end()
        if (pooled !== undefined && !connection.socket.destroyed) pooled.pool.keep(key, connection)
        return resume(Effect.void)
      })
    }
    const connect = () => {
      const fresh = dial({ target, addresses }, tlsContext, (address) => {
        if (typeof address !== "string") return fail(address)
        // The deadline passed during the handshake: nothing is sent.
        if (timeout.isOver()) return
        const connection = makeConnection(fresh, address, target)
        fresh.once("end", () => pooled?.pool.avoid(key, connection))
        fresh.once("close", () => pooled?.pool.forget(key, connection))
        return sendOver(connection)
      })
      fresh.once("connect", () => reportAddress(fresh))
      socket = fresh
    }
    const idle = pooled?.pool.take(key, addresses)
    if (idle === undefined) connect()
    else {
      reportAddress(idle.socket)
      sendOver(idle)
    }
    return Effect.sync(close)
  })

/** Checks a URL and sends the request to its host, all within the deadline. */
const call = (
  { checkUrl, tlsContext }: RequestContext,
  url: string,
  deadline: Duration.Input,
  rest: Omit<ExchangeOptions, "millis">
) =>
  Effect.suspend(() => {
    const millis = Duration.toMillis(deadline)
    const begun = performance.now()
    return Effect.flatMap(checkUrl(url, deadline), (found) =>
      sendRequest(found, tlsContext, { ...rest, millis: millis - (performance.now() - begun) })
    )
  })

const redirectOf = (context: RequestContext, url: string): Effect.Effect<Option.Option<string>> => {
  const received = nothingReceived()
  const outgoing = { method: "GET", headers: () => ({ "accept-encoding": "identity" }), body: null } as const
  return call(context, url, redirectDeadline, { outgoing, received, connected: () => undefined }).pipe(
    Effect.ignore,
    Effect.map(() => destinationOf(received))
  )
}

const sendPost = (
  context: RequestContext,
  pool: ConnectionPool,
  { body, connected, headers, receiver, url }: Post,
  deadline: Duration.Input
): Effect.Effect<Answer, EgressFailed> => {
  const received = nothingReceived()
  const outgoing = { method: "POST", headers, body } as const
  return Effect.map(
    call(context, url, deadline, { outgoing, received, connected, pooled: { pool, receiver } }),
    () => ({
      status: received.status,
      body: Buffer.concat(received.chunks)
    })
  )
}

const destinationOf = ({ location = "", status }: Received): Option.Option<string> => {
  const url = status >= 300 && status <= 399 ? URL.parse(location) : null
  return url !== null && isPublicPage(url) ? Option.some(url.href) : Option.none()
}
