import { Client } from "@effect/platform-node/Undici"
import type { Socket } from "node:net"
import { EgressFailed, failureOf } from "./EgressFailed.ts"
import { Interim } from "./Interim.ts"
import type { Target } from "./PublicUrl.ts"

/** Bytes of an answer's body that are read; then the connection is closed. Source: decisions D2. */
const bodyBytesMax = 64 * 1024

/** Bytes that a piece of a body counts for at least: what comes a byte at a time costs a hundred times as much as it says. */
export const pieceBytesMin = 64

/** Bytes the head of an answer may have. */
const headBytesMax = 16 * 1024

/** Bytes that may come in for one answer in all: its head and its body many times over, however they are wrapped. */
const answerBytesMax = 1024 * 1024

/** How long an unused connection is kept: shorter than most receivers keep theirs (5 s or more), or than they say. */
export const idleMillis = 4000

/** One request. Of an answer to a GET nothing but the head is read. */
export interface Outgoing {
  readonly method: "GET" | "POST"
  readonly headers: () => Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** What has been heard so far; `status` is 0 until the head of an answer is in. */
export interface Heard {
  status: number
  location: string | undefined
  bytes: number
  readonly chunks: Array<Uint8Array>
}

/** Nothing yet. */
export const silence = (): Heard => ({ status: 0, location: undefined, bytes: 0, chunks: [] })

/** An open connection that takes one request at a time; `askedAt` is when it took the last one, in `performance.now()`. */
export interface Line {
  readonly address: string
  readonly socket: Socket
  readonly client: Client
  readonly interim: Interim
  askedAt: number
}

/** The line was closed while nobody used it: the request was not sent. */
class LineClosed extends Error {}

/** HTTP/1.1 over a connection that somebody else has opened and checked; it never opens one itself. */
export const lineOver = (socket: Socket, address: string, target: Target): Line => {
  let taken = false
  const client = new Client(target.url.origin, {
    // Later, because a client that is connected at once does not notice.
    connect: (_, callback) => {
      if (taken) queueMicrotask(() => callback(new LineClosed(), null))
      else queueMicrotask(() => callback(null, socket))
      taken = true
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headBytesMax,
    keepAliveTimeout: idleMillis,
    keepAliveMaxTimeout: idleMillis
  })
  const line: Line = { address, socket, client, interim: new Interim(), askedAt: performance.now() }
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    const bytes: Buffer | null = read(size)
    if (bytes !== null) line.interim.pass(bytes)
    return bytes
  }
  return line
}

const excessive = new EgressFailed({ code: "protocol_error", reason: "the answer has no end" })

/** How an exchange ended: heard, never sent because the line was closed before, or failed. */
export type ExchangeEnd = "heard" | "unsent" | EgressFailed

/**
 * Sends one request and hears the answer, no more of its body than 64 KiB, nor more of anything than 1 MiB; calls back once.
 *
 * Laws: once a status has been heard the request has not failed, whatever happens to the body. Closing the line's socket
 * ends the exchange. Unless it is closed, the line is free for another request afterwards.
 */
export const exchange = (
  line: Line,
  { url }: Target,
  { body, headers, method }: Outgoing,
  heard: Heard,
  done: (end: ExchangeEnd) => void
): void => {
  const { client, socket } = line
  line.askedAt = performance.now()
  line.interim.expect()
  const leave = () => {
    socket.destroy()
    finish(heard.status === 0 ? excessive : "heard")
  }
  const before = socket.bytesRead
  // Interim answers, blank lines and extensions of chunks have no end that a parser knows of.
  const watch = () => {
    if (socket.bytesRead - before > answerBytesMax) leave()
  }
  let isOver = false
  const finish = (end: ExchangeEnd) => {
    // Whoever leaves closes the socket, which the client then tells as an error.
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
      heard.status = status
      heard.location = typeof fields["location"] === "string" ? fields["location"] : undefined
      if (method === "GET") leave()
    },
    onResponseData: (_, chunk) => {
      const rest = bodyBytesMax - heard.bytes
      heard.chunks.push(new Uint8Array(chunk.subarray(0, rest)))
      heard.bytes += Math.min(Math.max(chunk.length, pieceBytesMin), rest)
      if (heard.bytes === bodyBytesMax) leave()
    },
    onResponseEnd: () => finish("heard"),
    onResponseError: (_, error) => {
      if (error instanceof LineClosed) finish("unsent")
      else finish(heard.status === 0 ? failureOf(error, "protocol_error") : "heard")
    }
  })
}
