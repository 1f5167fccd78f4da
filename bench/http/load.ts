import { connect } from "node:net"
import { percentile } from "../Bench.ts"

/**
 * The result of a run of load. Units: `rate` is answers per second; `p50`, `p95` and `p99` are milliseconds. The first answer of
 * each socket is left out: a busy server accepts one new connection per turn of its event loop, which is not part of the latency.
 */
export interface Load {
  readonly rate: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** A request as bytes, made once. */
export const requestBytes = (
  base: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string
): Buffer => {
  const fields = { host: new URL(base).host, ...headers, "content-length": String(Buffer.byteLength(body)) }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${body}`)
}

const endOfHead = Buffer.from("\r\n\r\n")

/** The length of the first whole answer in `received`, 0 when there is none yet, -1 when it has another status. */
const answerLength = (received: Buffer, statuses: ReadonlyArray<number>): number => {
  const end = received.indexOf(endOfHead)
  if (end === -1) return 0
  const head = received.toString("latin1", 0, end)
  if (!statuses.includes(Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)))) return -1
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  const whole = end + endOfHead.length + Number(length)
  return received.length >= whole ? whole : 0
}

/** `perSecond` is the rate of all sockets together; without it each sends again at once. A status not in `statuses` fails the load. */
interface Shape {
  readonly inFlight: number
  readonly seconds: number
  readonly perSecond?: number
  readonly statuses?: ReadonlyArray<number>
}

/**
 * Keeps up to `inFlight` requests under way over as many keep-alive sockets, for `seconds`. At a given rate, latency counts from the
 * time a request was due, so that the requests delayed by a stalled server count too (coordinated omission).
 * Plain sockets: a client library would cost as much as the servers it measures.
 */
export const load = (
  base: string,
  next: () => Buffer,
  { inFlight, seconds, perSecond = Number.POSITIVE_INFINITY, statuses = [200] }: Shape
): Promise<Load> => {
  const { hostname, port } = new URL(base)
  const latencies: Array<number> = []
  let answered = 0
  const begin = performance.now()
  const until = begin + seconds * 1000
  const pause = (inFlight * 1000) / perSecond
  const client = (_: unknown, place: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let received: Buffer = Buffer.alloc(0)
      let due = begin + (place * pause) / inFlight
      let since = due
      let accepted = false
      const send = () => {
        since = performance.now()
        socket.write(next())
      }
      const sendWhenDue = () => {
        due += pause
        const left = due - performance.now()
        if (left > 0) {
          setTimeout(send, left)
          return
        }
        send()
        if (pause > 0) since = due
      }
      socket.on("connect", send)
      socket.on("error", reject)
      socket.on("close", () => resolve())
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const length = answerLength(received, statuses)
        if (length === 0) return
        if (length === -1) {
          socket.destroy()
          reject(new Error(received.toString("utf8", 0, 400)))
          return
        }
        received = received.subarray(length)
        const now = performance.now()
        answered++
        if (accepted) latencies.push(now - since)
        accepted = true
        if (now < until) sendWhenDue()
        else socket.destroy()
      })
    })
  return Promise.all(Array.from({ length: inFlight }, client)).then(() => ({
    rate: (answered * 1000) / (performance.now() - begin),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99)
  }))
}
