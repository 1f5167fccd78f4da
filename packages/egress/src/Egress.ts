import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import type { Socket } from "node:net"
import { dial, trust } from "./Dial.ts"
import { EgressFailed } from "./EgressFailed.ts"
import { exchange, type Heard, type Line, lineOver, type Outgoing, silence } from "./Line.ts"
import { Lines } from "./Lines.ts"
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
        const resolved = judging(inRanges(options.allow), options.resolve ?? resolveByDns)
        const speaking = { resolved, trusted: trust() }
        const lines = yield* Effect.acquireRelease(
          Effect.sync(() => new Lines()),
          (lines) => Effect.sync(() => lines.close())
        )
        return Egress.of({
          vet: (url) =>
            resolved(url, vettingDeadline).pipe(
              Effect.asVoid,
              Effect.catchIf(
                ({ code }) => code !== "blocked_address",
                () => Effect.void
              )
            ),
          resolveRedirect: (url) => redirectOf(speaking, url),
          post: (request, deadline) => posting(speaking, lines, request, deadline)
        })
      })
    )
}

const late = new EgressFailed({ code: "timeout", reason: "there was no answer in time" })

/**
 * Checks a URL: its spelling, and every address that its host has now.
 *
 * Errors: `blocked_address`; `dns_error` for a host without an address; `timeout` for a look-up that takes longer than the deadline.
 */
export const judging = (allowed: (address: string) => boolean, resolve: Resolve) =>
  Effect.fnUntraced(function* (url: string, deadline: Duration.Input) {
    const target = yield* Effect.fromResult(
      Result.mapError(parsePublicUrl(url, allowed), (reason) => new EgressFailed({ code: "blocked_address", reason }))
    )
    const [first, ...more] = target.literal
      ? [target.host]
      : yield* Effect.timeoutOrElse(resolve(target.host), { duration: deadline, orElse: () => Effect.fail(late) })
    if (first === undefined) return yield* new EgressFailed({ code: "dns_error", reason: "the host has no address" })
    const addresses: readonly [string, ...ReadonlyArray<string>] = [first, ...more]
    // One forbidden address rejects all of them: a name that resolves to one is not trusted with its other addresses either.
    if (!addresses.every((each) => isPublicAddress(each) || allowed(each))) {
      return yield* new EgressFailed({ code: "blocked_address", reason: "the host is not public" })
    }
    return { target, addresses }
  })

type Judged = Effect.Success<ReturnType<ReturnType<typeof judging>>>

/** What every request needs: the check of its URL, and the TLS context. */
interface Speaking {
  readonly resolved: ReturnType<typeof judging>
  readonly trusted: ReturnType<typeof trust>
}

/** One exchange: the request, the answer received so far, and the pool that its connection comes from and returns to, if any. */
interface Conversation {
  readonly outgoing: Outgoing
  readonly heard: Heard
  readonly millis: number
  readonly connected: Post["connected"]
  readonly kept?: { readonly lines: Lines; readonly receiver: string }
}

/**
 * Sends one request over a new or reused connection. A failure, the deadline or an interruption closes the connection.
 *
 * It is one callback with a timer: a fiber for each step would cost more than the request.
 */
const converse = (
  { addresses, target }: Judged,
  trusted: Speaking["trusted"],
  { connected, heard, kept, millis, outgoing }: Conversation
): Effect.Effect<void, EgressFailed> =>
  Effect.callback((resume) => {
    const key = `${kept?.receiver} ${target.host}:${target.port}`
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
      resume(heard.status === 0 ? late : Effect.void)
    }
    const timeout = timeoutAfter(millis, expire)
    const reach = ({ remoteAddress }: Socket) => {
      if (remoteAddress !== undefined) connected(remoteAddress)
    }
    const say = (line: Line) => {
      socket = line.socket
      exchange(line, target, outgoing, heard, (end) => {
        // The connection closed before the request was sent on it, so a new one is opened.
        if (end === "unsent") return connect()
        if (end !== "heard") return fail(end)
        timeout.end()
        if (kept !== undefined && !line.socket.destroyed) kept.lines.keep(key, line)
        return resume(Effect.void)
      })
    }
    const connect = () => {
      const fresh = dial({ target, addresses }, trusted, (address) => {
        if (typeof address !== "string") return fail(address)
        // The deadline passed during the handshake: nothing is sent.
        if (timeout.isOver()) return
        const line = lineOver(fresh, address, target)
        fresh.once("end", () => kept?.lines.avoid(key, line))
        fresh.once("close", () => kept?.lines.forget(key, line))
        return say(line)
      })
      fresh.once("connect", () => reach(fresh))
      socket = fresh
    }
    const idle = kept?.lines.take(key, addresses)
    if (idle === undefined) connect()
    else {
      reach(idle.socket)
      say(idle)
    }
    return Effect.sync(close)
  })

/** Checks a URL and sends the request to its host, all within the deadline. */
const call = (
  { resolved, trusted }: Speaking,
  url: string,
  deadline: Duration.Input,
  rest: Omit<Conversation, "millis">
) =>
  Effect.suspend(() => {
    const millis = Duration.toMillis(deadline)
    const begun = performance.now()
    return Effect.flatMap(resolved(url, deadline), (found) =>
      converse(found, trusted, { ...rest, millis: millis - (performance.now() - begun) })
    )
  })

const redirectOf = (speaking: Speaking, url: string): Effect.Effect<Option.Option<string>> => {
  const heard = silence()
  const outgoing = { method: "GET", headers: () => ({ "accept-encoding": "identity" }), body: null } as const
  return call(speaking, url, redirectDeadline, { outgoing, heard, connected: () => undefined }).pipe(
    Effect.ignore,
    Effect.map(() => destinationOf(heard))
  )
}

const posting = (
  speaking: Speaking,
  lines: Lines,
  { body, connected, headers, receiver, url }: Post,
  deadline: Duration.Input
): Effect.Effect<Answer, EgressFailed> => {
  const heard = silence()
  const outgoing = { method: "POST", headers, body } as const
  return Effect.map(call(speaking, url, deadline, { outgoing, heard, connected, kept: { lines, receiver } }), () => ({
    status: heard.status,
    body: Buffer.concat(heard.chunks)
  }))
}

const destinationOf = ({ location = "", status }: Heard): Option.Option<string> => {
  const url = status >= 300 && status <= 399 ? URL.parse(location) : null
  return url !== null && isPublicPage(url) ? Option.some(url.href) : Option.none()
}
