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
 * How long a reader may take nothing of an answer that waits for it. Node looks this often, so it may be twice that. Longer than
 * the head of a request may take, for which Node has an answer.
 */
const stallMillis = 12_000

/**
 * How long a request may take to arrive, from its first byte; Node looks this often. So whoever sends for ever is told so after
 * 17.5 s, and is gone within 20 s.
 */
const arrivalMillis = 17_000
const lookMillis = 500

/** How long a connection that was ended waits for the other side to end it too. */
const lingerMillis = 1000

/**
 * Requests one connection may have under way, one sent behind the other. What each of them has waiting is held until those before it
 * are read, and a piece of what came in may have more than a thousand of them.
 */
const underWayMax = 256

/** Bytes the head of a request may have, and with it its path. */
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

/** What is said with a status that nobody has given a body. */
const messages: Readonly<Record<number, string>> = {
  400: "This is not a well-formed HTTP request.",
  408: "The request did not arrive in time.",
  413: "The request is too large.",
  417: "This expectation cannot be met.",
  431: "The request's headers are too large."
}

/** The JSON, and its headers, with a status that nobody has given a body, for the last request of a connection to this address. */
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

/** Ends a connection after these last words, also one whose other side goes on sending. */
const leave = (socket: Duplex, words = ""): void => {
  socket.end(words)
  // Not at once: what has come in unread would take the words away from whoever is about to read them.
  const linger = setTimeout(() => socket.destroy(), lingerMillis)
  socket.once("close", () => clearTimeout(linger))
}

/**
 * What Node's parser refuses never reaches a handler, and Node answers it without a body: this writes the JSON one. What it could
 * not read the head of has no address.
 */
const refuseRaw = (status: number, socket: Duplex, url = ""): void => {
  const { body, headers } = refusalOf(status, url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  leave(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"))
}

/** The response to the last request of each connection. */
const latest = new WeakMap<Duplex, ServerResponse>()

/** How many requests of each connection are without their whole answer. */
const underWay = new WeakMap<Duplex, number>()

/** Counts a request until it has its answer. Whoever sends on and on without reading is given up, with all that waits for it. */
const countUnderWay = (socket: Socket, response: ServerResponse): void => {
  const count = (underWay.get(socket) ?? 0) + 1
  underWay.set(socket, count)
  response.once("close", () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
  if (count > underWayMax) socket.destroy()
}

/** Refuses what a connection goes on with, after the answer to what came before: calls under way are told what came of them. */
const refuseNext = (status: number, socket: Duplex): void => {
  const last = latest.get(socket)
  if (last === undefined || (last.req.complete && last.writableFinished)) refuseRaw(status, socket)
  else if (last.req.complete) {
    // Nothing that follows can be read, and each piece of it would be refused anew.
    socket.pause()
    last.once("finish", () => socket.writable && refuseRaw(status, socket))
  } else if (last.headersSent)
    // It is the rest of a request that has its answer.
    leave(socket)
  else refuseRaw(status, socket, last.req.url)
}

/**
 * A response that is JSON also where a refusal was given no body, as by Node itself to what a request expects. One that nobody
 * reads is given up.
 */
class Response<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private refusal: ReturnType<typeof refusalOf> | undefined
  private bodyBytes: number | undefined

  constructor(request: Request) {
    super(request)
    latest.set(request.socket, this)
    countUnderWay(request.socket, this)
    // A call under way has nothing to say yet, and may be silent for longer.
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
    // Whoever made a body of one piece has counted it. To have Node hold it against its length costs a second, empty write.
    if (Predicate.isString(body) || Predicate.isUint8Array(body)) this.strictContentLength = false
    // A text of as many characters as bytes has one for each, be it ASCII or encoded: Node copies it behind the head, in one write.
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

/** Lets a closing server end its keep-alive connections as they fall idle, not only those idle at that moment. */
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
    connectionsCheckingInterval: lookMillis,
    keepAliveTimeout: 65_000,
    // Node's own refusal of a missing Host has no body, so the envelope makes it.
    requireHostHeader: false,
    // Nothing here speaks anything else. An upgrade would take the connection out of Node's hands, and all limits off it.
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

/** Whether it is the host that cannot be had, and not its port. */
const isOfHost = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") &&
  ["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"].includes(String(cause.code))

/**
 * Serves requests that find none of the program's services around them: handlers were built with those that they need, and whatever
 * is around a request is copied for it.
 */
const serveBare = <A, E, R>(serving: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(serving, (context: Context.Context<R>) =>
    Context.makeUnsafe<R>(new Map([...context.mapUnsafe].filter(([name]) => !name.startsWith("@sightline/"))))
  )

/**
 * Serves routes on a listener of their own, with limits; every refusal is JSON.
 *
 * Laws: a route is reachable through its own listener only. The only door to `node:http` servers.
 * Errors: a port that cannot be bound, in one line.
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
  // Only the address leaves: whatever is built on top would otherwise share this listener's router.
  return Layer.effect(HttpServer.HttpServer, listening).pipe(Layer.provide(bound))
}
