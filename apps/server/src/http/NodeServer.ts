import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { BadSetting, httpOrigin } from "@sightline/server/settings/Setting"
import { Context, type Duration, Effect, Layer, Predicate } from "effect"
import { HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { capConnections } from "./ConnectionCap.ts"
import { refusalBody } from "./Refusal.ts"
import { echoed } from "./RequestId.ts"
import { routerConfig } from "./RouteTable.ts"

/**
 * How long a client may read nothing of an answer that waits for it. Node checks at this interval, so it may take twice as long. It is
 * longer than the time limit for the head of a request, which Node answers itself.
 */
const stallMillis = 12_000

/**
 * How long a request may take to arrive, from its first byte, and how often Node checks this. A client that never stops sending gets
 * its refusal after at most 17.5 s, and is disconnected within 20 s.
 */
const arrivalMillis = 17_000
const checkIntervalMillis = 500

/** How long a closed connection waits for the client to close it too. */
const lingerMillis = 1000

/**
 * Pipelined requests that one connection may have under way. Each answer is held in memory until the client has read those before it,
 * and one chunk of input may contain more than a thousand requests.
 */
const underWayMax = 256

/** Maximum size of the head of a request, including its path. */
const headBytesMax = 16 * 1024

const statusOf = (code: string | undefined): number => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return 431
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return 413
    default:
      return 400
  }
}

/** The message of a status that has no other body. */
const messages: Readonly<Record<number, string>> = {
  400: "This is not a well-formed HTTP request.",
  408: "The request did not arrive in time.",
  413: "The request is too large.",
  417: "This expectation cannot be met.",
  431: "The request's headers are too large."
}

/** The JSON body and the headers of a status that has no other body. `url` is that of the connection's last request. */
const refusalOf = (status: number, url: string) => {
  const id = randomUUID()
  const body = refusalBody(id, "request_failed", messages[status] ?? "The request was refused.")
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    connection: "close",
    ...echoed(url, id)
  }
  return { body, headers }
}

/** Closes a connection after this text, even if the client goes on sending. */
const closeAfter = (socket: Duplex, words = ""): void => {
  socket.end(words)
  // Not destroyed at once: unread input would make the kernel reset the connection, and the client could lose the text.
  const linger = setTimeout(() => socket.destroy(), lingerMillis)
  socket.once("close", () => clearTimeout(linger))
}

/**
 * Writes the JSON refusal of a request that Node's parser refuses: it never reaches a handler, and Node would answer it without a body.
 * A request whose head could not be parsed has no URL.
 */
const refuseRaw = (status: number, socket: Duplex, url = ""): void => {
  const { body, headers } = refusalOf(status, url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  closeAfter(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"))
}

/** The response to the last request of each connection. */
const latest = new WeakMap<Duplex, ServerResponse>()

/** How many requests of each connection do not have their whole answer yet. */
const underWay = new WeakMap<Duplex, number>()

/** Counts a request until it has its answer. A client that sends on and on without reading is disconnected. */
const countUnderWay = (socket: Socket, response: ServerResponse): void => {
  const count = (underWay.get(socket) ?? 0) + 1
  underWay.set(socket, count)
  response.once("close", () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
  if (count > underWayMax) socket.destroy()
}

/** Refuses the next input of a connection, after the answer to the request before it, so that a running call still gets its answer. */
const refuseNext = (status: number, socket: Duplex): void => {
  const last = latest.get(socket)
  if (last === undefined || (last.req.complete && last.writableFinished)) refuseRaw(status, socket)
  else if (last.req.complete) {
    // The input that follows cannot be parsed, and each chunk of it would be refused again.
    socket.pause()
    last.once("finish", () => socket.writable && refuseRaw(status, socket))
  } else if (last.headersSent)
    // This input is the rest of a request that already has its answer.
    closeAfter(socket)
  else refuseRaw(status, socket, last.req.url)
}

/**
 * A response that is JSON even if a refusal has no body, such as Node's own answer to an unknown `Expect`. If the client does not read
 * it, the connection is destroyed.
 */
class Response<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private refusal: ReturnType<typeof refusalOf> | undefined
  private bodyBytes: number | undefined

  constructor(request: Request) {
    super(request)
    latest.set(request.socket, this)
    countUnderWay(request.socket, this)
    // Only if an answer waits to be read: a running call has nothing to send yet, and may be silent for longer.
    this.on("timeout", (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy()
    })
  }

  override writeHead(status: number, ...rest: ReadonlyArray<unknown>): this {
    const headers = rest.find((one) => Predicate.hasProperty(one, "content-type"))
    if (Predicate.hasProperty(headers, "content-length")) this.bodyBytes = Number(headers["content-length"])
    // @ts-expect-error -- the arguments go through as they came, whichever of the signatures they have
    if (status < 400 || headers !== undefined) return super.writeHead(status, ...rest)
    this.refusal = refusalOf(status, this.req.url ?? "")
    return super.writeHead(status, this.refusal.headers)
  }

  override end(body?: unknown, ...rest: ReadonlyArray<unknown>): this {
    if (this.refusal !== undefined) return super.end(this.refusal.body)
    // The length of a body in one piece is already right. If Node checked it, that would cost a second, empty write.
    if (Predicate.isString(body) || Predicate.isUint8Array(body)) this.strictContentLength = false
    // A text with as many characters as bytes has one for each byte. As latin1, Node sends it together with the head in one write.
    // @ts-expect-error -- as above
    return super.end(body, ...(Predicate.isString(body) && body.length === this.bodyBytes ? ["latin1"] : []), ...rest)
  }
}

/** Ends an open response with this text, unless its client has gone. */
export const endWith = (request: HttpServerRequest.HttpServerRequest, text: string): void => {
  const response = NodeHttpServerRequest.toServerResponse(request)
  if (!response.destroyed && !response.writableEnded) response.end(text)
}

/** The address of a listener: the name of its host and the port that was bound. */
export const originOf = (host: string) =>
  Effect.map(HttpServer.HttpServer, ({ address }) => httpOrigin(host, "port" in address ? address.port : 0))

/** Makes a closing server end keep-alive connections when they become idle, not only those idle at that moment. */
const closeAsIdle = (server: Server): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    const idle = setInterval(() => server.closeIdleConnections(), 100)
    return close((error) => {
      clearInterval(idle)
      callback?.(error)
    })
  }
}

const make = (): Server => {
  const server = createServer({
    ServerResponse: Response,
    maxHeaderSize: headBytesMax,
    headersTimeout: 10_000,
    requestTimeout: arrivalMillis,
    connectionsCheckingInterval: checkIntervalMillis,
    keepAliveTimeout: 65_000,
    // Node's own refusal of a missing Host has no body, so the envelope makes it.
    requireHostHeader: false,
    // The server speaks no other protocol. An upgrade would take the connection away from Node's parser and all limits.
    shouldUpgradeCallback: () => false,
    insecureHTTPParser: false
  })
  server.setTimeout(stallMillis)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy()
    else refuseNext(statusOf(error.code), socket)
  })
  capConnections(server)
  closeAsIdle(server)
  return server
}

/** Where to listen, the settings that say so, and how long running requests may take once the listener closes. */
export interface ListenOptions {
  readonly settings: { readonly host: string; readonly port: string }
  readonly host: string
  readonly port: number
  readonly grace: Duration.Input
}

/** Whether the host is at fault, and not the port. */
const isOfHost = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") &&
  ["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"].includes(String(cause.code))

/**
 * Serves requests without the program's services in their context. Handlers are built with the services that they need, and the context
 * is copied for each request, so a smaller one is cheaper.
 */
const serveBare = <A, E, R>(serving: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(serving, (context: Context.Context<R>) =>
    Context.makeUnsafe<R>(new Map([...context.mapUnsafe].filter(([name]) => !name.startsWith("@sightline/"))))
  )

/**
 * Serves routes on a listener of their own, with limits; every refusal is JSON.
 *
 * Laws: a route is reachable through its own listener only. The only door to `node:http` servers.
 * Errors: `BadSetting` if the host or port cannot be bound, in one line.
 */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>, { settings, host, port, grace }: ListenOptions) => {
  const refused = (cause: unknown) => {
    const setting = isOfHost(cause) ? settings.host : settings.port
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new BadSetting({ message: `${setting} cannot be used: ${reason}` })
  }
  const bound = NodeHttpServer.layer(make, { host, port, gracefulShutdownTimeout: grace }).pipe(
    Layer.catch(({ cause }) => Layer.effectContext(Effect.fail(refused(cause))))
  )
  const listening = HttpRouter.toHttpEffect(routes).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.flatMap((app) => serveBare(HttpServer.serveEffect(app))),
    Effect.andThen(HttpServer.HttpServer)
  )
  // Only the address is exported: layers on top would otherwise share this listener's router.
  return Layer.effect(HttpServer.HttpServer, listening).pipe(Layer.provide(bound))
}
