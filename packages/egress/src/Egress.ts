import { Context, Effect, Layer, Option, Result, Schema, type Scope } from "effect"
import { Resolver } from "node:dns/promises"
import { type IncomingMessage, request } from "node:http"
import { isIP } from "node:net"
import { connect, type TLSSocket } from "node:tls"
import { inRanges, isPublicAddress } from "./PublicAddress.ts"
import { isPublicName, parsePublicUrl, type Target } from "./PublicUrl.ts"

/** A call that was not made or not finished; `reason` is safe to show to whoever named the address. */
export class EgressFailed extends Schema.TaggedError<EgressFailed>()("EgressFailed", { reason: Schema.String }) {}

/** Finds all addresses of a name, in one look-up; an unknown name has none. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>>

const redirectDeadline = "3 seconds"
const vettingDeadline = "2 seconds"

/** The door to addresses that strangers chose. No proxy, cookie, redirect or compression; nothing is reused between calls. */
export class Egress extends Context.Service<
  Egress,
  {
    /** The one checked address that a URL may be connected to now. */
    readonly admit: (url: string) => Effect.Effect<Admission, EgressFailed>
    /**
     * Refuses a URL that may never be kept for later calls: by its spelling, or by an address that its host has now. A host
     * without an address, or slow to tell, passes: `admit` judges again before each call.
     */
    readonly vet: (url: string) => Effect.Effect<void, EgressFailed>
    /** Where `url` redirects to, never followed: an http or https URL of a public host name, or nothing. */
    readonly resolveRedirect: (url: string) => Effect.Effect<Option.Option<string>>
  }
>()("@sightline/egress/Egress") {
  /** `allow` are CIDR ranges of receivers that may be reached although they are not public; for development and tests only. */
  static readonly layer = (options: {
    readonly allow: ReadonlyArray<string>
    readonly resolve?: Resolve
  }): Layer.Layer<Egress> => {
    const resolved = resolving(inRanges(options.allow), options.resolve ?? resolveByDns)
    const admit = admitting(resolved)
    return Layer.succeed(
      Egress,
      Egress.of({
        admit,
        vet: (url) => resolved(url).pipe(Effect.timeoutOption(vettingDeadline), Effect.asVoid),
        resolveRedirect: (url) =>
          admit(url).pipe(
            Effect.flatMap(dial),
            Effect.flatMap(({ admission, socket }) => headersOf(admission, socket)),
            Effect.scoped,
            Effect.timeoutOption(redirectDeadline),
            Effect.map(Option.flatMap(destinationOf)),
            Effect.orElseSucceed(() => Option.none<string>())
          )
      })
    )
  }
}

/** A target together with the address that was checked for it. */
export interface Admission {
  readonly target: Target
  readonly address: string
}

const resolveByDns: Resolve = (name) =>
  Effect.promise(async (signal) => {
    const resolver = new Resolver()
    signal.addEventListener("abort", () => {
      resolver.cancel()
    })
    // A root dot keeps the search domains of the machine out of it.
    const found = await Promise.allSettled([resolver.resolve4(`${name}.`), resolver.resolve6(`${name}.`)])
    return found.flatMap((family) => (family.status === "fulfilled" ? family.value : []))
  })

/** Judges a URL by its spelling and by every address its host has now, which may be none. */
const resolving = (allowed: (address: string) => boolean, resolve: Resolve) =>
  Effect.fnUntraced(function* (url: string) {
    const target = yield* Effect.fromResult(
      Result.mapError(parsePublicUrl(url, allowed), (reason) => new EgressFailed({ reason }))
    )
    const addresses = target.literal ? [target.host] : yield* resolve(target.host)
    // One forbidden address poisons the set: a name that answers so is not to be trusted with the others.
    if (!addresses.every((each) => isPublicAddress(each) || allowed(each))) {
      return yield* new EgressFailed({ reason: "the host is not public" })
    }
    return { target, addresses }
  })

const admitting = (resolved: ReturnType<typeof resolving>) =>
  Effect.fnUntraced(function* (url: string) {
    const { addresses, target } = yield* resolved(url)
    const [address] = addresses
    if (address === undefined) return yield* new EgressFailed({ reason: "the host has no address" })
    return { target, address }
  })

const sameAddress = (a: string, b: string): boolean => {
  const plain = (address: string) => (isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address)
  return plain(a) === plain(b)
}

/** Connects to the checked address, with the name for SNI and certificate; the socket lives as long as the scope. */
const dial = (
  admission: Admission
): Effect.Effect<{ readonly admission: Admission; readonly socket: TLSSocket }, EgressFailed, Scope.Scope> => {
  const { address, target } = admission
  const open = Effect.callback<TLSSocket, EgressFailed>((resume) => {
    const socket = connect({
      host: address,
      port: target.port,
      ...(!target.literal && { servername: target.host }),
      ALPNProtocols: ["http/1.1"]
    })
    socket.on("error", () => {
      resume(new EgressFailed({ reason: "no secure connection could be made" }))
    })
    socket.once("secureConnect", () => {
      if (sameAddress(socket.remoteAddress ?? "", address)) {
        resume(Effect.succeed(socket))
      } else {
        socket.destroy()
        resume(new EgressFailed({ reason: "the connection went to another address" }))
      }
    })
    return Effect.sync(() => {
      socket.destroy()
    })
  })
  return Effect.acquireRelease(
    open,
    (socket) =>
      Effect.sync(() => {
        socket.destroy()
      }),
    { interruptible: true }
  ).pipe(Effect.map((socket) => ({ admission, socket })))
}

/** Sends a GET over an open socket and returns the head of the answer; its body is never read. */
const headersOf = ({ target }: Admission, socket: TLSSocket): Effect.Effect<IncomingMessage, EgressFailed> =>
  Effect.callback((resume) => {
    const outgoing = request({
      createConnection: () => socket,
      method: "GET",
      path: target.url.pathname + target.url.search,
      headers: { host: target.url.host, "accept-encoding": "identity", connection: "close" }
    })
    outgoing.once("response", (response) => {
      resume(Effect.succeed(response))
    })
    outgoing.once("error", () => {
      resume(new EgressFailed({ reason: "the connection broke" }))
    })
    outgoing.end()
    return Effect.sync(() => {
      outgoing.destroy()
    })
  })

const destinationOf = ({ headers, statusCode = 0 }: IncomingMessage): Option.Option<string> => {
  const url = statusCode >= 300 && statusCode <= 399 ? URL.parse(headers.location ?? "") : null
  const web = url !== null && (url.protocol === "https:" || url.protocol === "http:")
  return web && url.username === "" && url.password === "" && url.href.length <= 2048 && isPublicName(url.hostname)
    ? Option.some(url.href)
    : Option.none()
}
