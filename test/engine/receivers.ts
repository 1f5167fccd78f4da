import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls"
import { fileURLToPath } from "node:url"
import type { Resolve } from "@sightline/egress/Resolve"
import { listen } from "../services/listen.ts"

const pathOf = (name: string) => fileURLToPath(new URL(`../fixtures/egress/${name}`, import.meta.url))

/** A key or a certificate of the fixtures. */
export const pem = (name: string) => readFileSync(pathOf(name), "utf8")

/** The key and certificate that receivers present by default, and where processes find the certificate to trust it. */
export const identity = { key: pem("acme.key"), cert: pem("acme.crt") }
export const certificatePath = pathOf("acme.crt")

/** The address scripted receivers listen on: the only range that the guard allows in these tests. */
export const home = "127.9.0.1"
export const allow = ["127.9.0.0/16"]

/** Trusts the root of the receivers' certificates in this process. */
export const trustReceivers = () =>
  setDefaultCACertificates([...getCACertificates("default"), pem("acme.crt"), pem("receiver.crt")])

const identities = {
  valid: identity,
  expired: { key: pem("acme.key"), cert: pem("acme-expired.crt") + pem("acme.crt") },
  wrong_hostname: { key: pem("receiver.key"), cert: pem("receiver.crt") }
}

/** One thing a receiver does. */
export interface Step {
  readonly send?: string
  readonly send_before_read?: string
  readonly drip?: string
  readonly every_ms?: number
  readonly hang?: true
  readonly flood?: "chunked" | "header_lines"
  readonly bytes?: number
  readonly close?: "fin" | "rst"
  readonly wait_ms?: number
  readonly respond?: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }
  readonly signal?: string
  readonly api?: string
}

/** What a receiver does in one attempt. */
export interface Behaviour {
  readonly listen?: false
  readonly dns?: "NXDOMAIN" | ReadonlyArray<string>
  readonly tls?: keyof typeof identities | "stall"
  readonly steps?: ReadonlyArray<Step>
}

/** A request as it arrived. */
export interface Received {
  readonly head: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly at: number
}

/** A receiver under a name of its own, and what it has seen. */
export interface Receiver {
  readonly url: string
  readonly lookUp: () => ReadonlyArray<string>
  readonly received: Array<Received>
  /** Connections made, and bytes received on them after the handshake. */
  connections: number
  bytes: number
  /** Connections that are still open. */
  readonly open: Set<Socket>
  readonly close: () => void
}

const headersIn = (head: string) =>
  Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)])
  )

/** Calls back with each complete request. */
const parsing = (use: (received: Received) => void) => {
  let seen = Buffer.alloc(0)
  return (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    for (;;) {
      const end = seen.indexOf("\r\n\r\n")
      if (end === -1) return
      const head = seen.toString("latin1", 0, end)
      const headers = headersIn(head)
      const length = Number(headers["content-length"] ?? 0)
      if (seen.length < end + 4 + length) return
      const body = Buffer.from(seen.subarray(end + 4, end + 4 + length))
      seen = seen.subarray(end + 4 + length)
      use({ head, headers, body, at: Date.now() })
    }
  }
}

const floods = {
  chunked: `4000\r\n${"x".repeat(0x4000)}\r\n`,
  header_lines: `x-filler: ${"y".repeat(1000)}\r\n`.repeat(16)
}

const flood = (socket: Socket, kind: keyof typeof floods, most = Number.POSITIVE_INFINITY) => {
  let written = 0
  const more = () => {
    while (!socket.destroyed && written < most) {
      written += floods[kind].length
      if (!socket.write(floods[kind])) return
    }
  }
  socket.on("drain", more)
  more()
}

const drip = (socket: Socket, text: string, everyMillis: number) => {
  const isLines = text.includes("\r\n")
  let place = 0
  const timer = setInterval(() => {
    const next = isLines ? text : (text[place++ % text.length] ?? "")
    // After the text, one space follows another for ever.
    socket.write(isLines || place <= text.length || text.length === 1 ? next : " ")
  }, everyMillis)
  socket.on("close", () => clearInterval(timer))
}

const respond = (
  socket: Socket,
  { body = "", headers = {}, status }: NonNullable<Step["respond"]>,
  received: Received
) => {
  const text = body.replaceAll("{{SIG}}", received.headers["x-svc-signature"] ?? "")
  const fields = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(text)) })
  socket.write(`HTTP/1.1 ${status} X\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`)
}

/** A TLS receiver on a port of its own that follows a script, one behaviour per look-up of its name. */
export const startReceiver = async (
  name: string,
  attempts: ReadonlyArray<Behaviour>,
  act: (what: string) => Promise<unknown> = () => Promise.resolve()
): Promise<Receiver> => {
  let lookUps = 0
  let lookedUpAt = 0
  const current = (): Behaviour => attempts[Math.min(lookUps, attempts.length) - 1] ?? {}

  const play = async (socket: Socket, raw: Socket, received: Received) => {
    for (const step of current().steps ?? []) {
      // Counted from the look-up, like the sender's deadline: the time a busy machine takes to connect is not part of the script.
      const wait = lookedUpAt + (step.wait_ms ?? 0) - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      if (step.send !== undefined) socket.write(step.send)
      if (step.drip !== undefined) drip(socket, step.drip, step.every_ms ?? 300)
      if (step.flood !== undefined) flood(socket, step.flood, step.bytes)
      if (step.respond !== undefined) respond(socket, step.respond, received)
      if (step.api !== undefined) await act(step.api)
      if (step.signal !== undefined) await act(step.signal)
      if (step.close === "fin") socket.end()
      if (step.close === "rst") setTimeout(() => raw.resetAndDestroy(), 20)
    }
  }

  const serve = (raw: Socket) => {
    receiver.connections += 1
    receiver.open.add(raw)
    raw.on("close", () => receiver.open.delete(raw))
    raw.on("error", () => undefined)
    const { steps = [], tls } = current()
    if (tls === "stall") return raw.resume()
    const socket: Socket = tls === undefined ? raw : new TLSSocket(raw, { isServer: true, ...identities[tls] })
    socket.on("error", () => undefined)
    const early = steps.find(({ send_before_read }) => send_before_read !== undefined)?.send_before_read
    if (tls === undefined) {
      for (const { send } of steps) if (send !== undefined) socket.write(send)
      return socket.resume()
    }
    if (early !== undefined) {
      socket.once("secure", () => {
        socket.write(early, () => setTimeout(() => raw.destroy(), 50))
      })
      return socket.pause()
    }
    const parse = parsing((request) => {
      receiver.received.push(request)
      void play(socket, raw, request)
    })
    return socket.on("data", (chunk: Buffer) => {
      receiver.bytes += chunk.length
      parse(chunk)
    })
  }

  const server: Server = createServer(serve)
  const port = await listen(server, home)
  const isClosed = attempts[0]?.listen === false
  if (isClosed) await new Promise((resolve) => server.close(resolve))
  const receiver: Receiver = {
    url: `https://${name}:${port}/hook?a=1`,
    lookUp: () => {
      lookUps += 1
      lookedUpAt = performance.now()
      const { dns = [home] } = current()
      return dns === "NXDOMAIN" ? [] : dns
    },
    received: [],
    connections: 0,
    bytes: 0,
    open: new Set(),
    close: () => {
      for (const socket of receiver.open) socket.destroy()
      server.close()
    }
  }
  return receiver
}

/** Resolves the names of receivers, and counts each look-up. */
export const resolverOf =
  (receivers: ReadonlyMap<string, Receiver>): Resolve =>
  (name) =>
    Effect.sync(() => receivers.get(name)?.lookUp() ?? [])
