import { Client } from "@effect/platform-node/Undici"
import type { Socket } from "node:net"
import { EgressFailed, failureOf } from "./EgressFailed.ts"
import { Interim } from "./Interim.ts"
import type { Target } from "./PublicUrl.ts"

/** The most bytes of an answer's body that are read; the connection is closed after that. Source: decisions D2. */
const bodyBytesMax = 64 * 1024

/** The least number of bytes that a piece of a body counts as: a body that arrives byte by byte costs a hundred times its length. */
export const pieceBytesMin = 64

/** The most bytes that the head of an answer may have. */
const headBytesMax = 16 * 1024

/** The most bytes that may arrive for one answer, interim answers and chunk framing included: many times the largest head and body. */
const answerBytesMax = 1024 * 1024

/**
 * How long an unused connection is kept: shorter than most receivers keep theirs (5 s or more), and shorter than a receiver announces.
 */
export const idleMillis = 4000

/** One request. Only the head of the answer to a GET is read. */
export interface Outgoing {
  readonly method: "GET" | "POST"
  readonly headers: () => Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** The answer received so far; `status` is 0 until its head has arrived. */
export interface Received {
  status: number
  location: string | undefined
  bytes: number
  readonly chunks: Array<Uint8Array>
}

/** No answer yet. */
export const nothingReceived = (): Received => ({ status: 0, location: undefined, bytes: 0, chunks: [] })

/** An open connection that takes one request at a time. `requestedAt` is when it took the last one, in `performance.now()`. */
export interface Connection {
  readonly address: string
  readonly socket: Socket
  readonly client: Client
  readonly interim: Interim
  requestedAt: number
}

/** The connection closed while idle, so the request was not sent. */
class ConnectionClosed extends Error {}

/** HTTP/1.1 over a connection that the caller has opened and checked. It never opens a connection itself. */
export const makeConnection = (socket: Socket, address: string, target: Target): Connection => {
  let taken = false
  const client = new Client(target.url.origin, {
    // Called later, because the client does not notice a connection that is made at once.
    connect: (_, callback) => {
      if (taken) queueMicrotask(() => callback(new ConnectionClosed(), null))
      else queueMicrotask(() => callback(null, socket))
      taken = true
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headBytesMax,
    keepAliveTimeout: idleMillis,
    keepAliveMaxTimeout: idleMillis
  })
  const connection: Connection = { address, socket, client, interim: new Interim(), requestedAt: performance.now() }
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    const bytes: Buffer | null = read(size)
    if (bytes !== null) connection.interim.pass(bytes)
    return bytes
  }
  return connection
}

const excessive = new EgressFailed({ code: "protocol_error", reason: "the answer has no end" })

/** How an exchange ended: with an answer, unsent because the connection had closed before, or with a failure. */
export type ExchangeEnd = "answered" | "unsent" | EgressFailed

/**
 * Sends one request and reads the answer: at most 64 KiB of its body, and at most 1 MiB in all. Calls `done` once.
 *
 * Laws: once a status has been received, the exchange does not fail, whatever happens to the body. Closing the connection's
 * socket ends the exchange. If the socket is still open afterwards, the connection is free for another request.
 */
export const exchange = (
  connection: Connection,
  { url }: Target,
  { body, headers, method }: Outgoing,
  received: Received,
  done: (end: ExchangeEnd) => void
): void => {
  const { client, socket } = connection
  connection.requestedAt = performance.now()
  connection.interim.expect()
  const leave = () => {
    socket.destroy()
    finish(received.status === 0 ? excessive : "answered")
  }
  const before = socket.bytesRead
  // The parser does not limit interim answers, blank lines and chunk extensions.
  const watch = () => {
    if (socket.bytesRead - before > answerBytesMax) leave()
  }
  let isOver = false
  const finish = (end: ExchangeEnd) => {
    // `leave` closes the socket, which the client then reports as an error.
    if (isOver) return
    isOver = true
    socket.off("readable", watch)
    done(end)
  }
  socket.on("readable", watch)
  const request = { method, path: url.pathname + url.search, headers: headers(), body, reset: method === "GET" }
  client.dispatch(request, {
    onRequestStart: () => undefined,
    onResponseStart: (_, status, fields) => {
      if (status < 200) return
      received.status = status
      received.location = typeof fields["location"] === "string" ? fields["location"] : undefined
      if (method === "GET") leave()
    },
    onResponseData: (_, chunk) => {
      const rest = bodyBytesMax - received.bytes
      received.chunks.push(new Uint8Array(chunk.subarray(0, rest)))
      received.bytes += Math.min(Math.max(chunk.length, pieceBytesMin), rest)
      if (received.bytes === bodyBytesMax) leave()
    },
    onResponseEnd: () => finish("answered"),
    onResponseError: (_, error) => {
      if (error instanceof ConnectionClosed) finish("unsent")
      else finish(received.status === 0 ? failureOf(error, "protocol_error") : "answered")
    }
  })
}
