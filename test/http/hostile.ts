import { request } from "node:http"
import { connect } from "node:net"
import { gzipSync } from "node:zlib"

/** A body or request text described by its parts, for texts too long to write out. */
interface Generated {
  readonly head?: string
  readonly prefix?: string
  readonly repeat: string
  readonly count: number
  readonly tail?: string
  readonly suffix?: string
}

/** One case of `fixtures/http/bad-requests.json`. */
export interface Case {
  readonly id: string
  readonly category: string
  readonly kind: "raw" | "http"
  readonly why: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly body_json?: unknown
  readonly body_b64?: string
  readonly body_gen?: Generated
  readonly body_gen_gzip?: Generated
  readonly raw?: string | null
  readonly raw_gen?: Generated
  readonly raw_slow?: { readonly text: string; readonly bytes_per_s: number; readonly max_s: number }
  readonly setup?: ReadonlyArray<{
    readonly body_json: unknown
    readonly headers: Readonly<Record<string, string>>
    readonly status: ReadonlyArray<number>
  }>
  readonly expect: {
    readonly status: ReadonlyArray<number>
    readonly code: ReadonlyArray<string>
    readonly close_ok?: boolean
    readonly max_ms?: number
    readonly must_not_contain?: ReadonlyArray<string>
    readonly not_header?: ReadonlyArray<string>
    readonly body_has?: ReadonlyArray<string>
  }
}

/** The response; no status if the connection was closed without one. */
export interface Outcome {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

const generate = ({ head, prefix, repeat, count, tail, suffix }: Generated): string =>
  (head ?? prefix ?? "") + repeat.repeat(count) + (tail ?? suffix ?? "")

const bodyOf = (one: Case): Buffer | undefined => {
  if (one.body_b64 !== undefined) return Buffer.from(one.body_b64, "base64")
  if (one.body_gen_gzip !== undefined) return gzipSync(generate(one.body_gen_gzip))
  if (one.body_gen !== undefined) return Buffer.from(generate(one.body_gen))
  if (one.body_json !== undefined) return Buffer.from(JSON.stringify(one.body_json))
  return one.body === undefined ? undefined : Buffer.from(one.body)
}

const rawOf = ({ raw, raw_gen: generated }: Case): Buffer =>
  Buffer.from(generated === undefined ? (raw ?? "") : generate(generated), "latin1")

const sendHttp = (base: URL, one: Case, body: Buffer | undefined): Promise<Outcome> =>
  new Promise((resolve) => {
    const closed = () => resolve({ status: undefined, headers: {}, text: "" })
    const sent = request(
      {
        host: base.hostname,
        port: base.port,
        method: one.method,
        path: one.path,
        headers: { ...one.headers, ...(body === undefined ? {} : { "content-length": body.length }) }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: Buffer.concat(chunks).toString()
          })
        )
      }
    )
    sent.on("error", closed)
    sent.end(body)
  })

/** The first response in the bytes from a socket. */
const firstAnswer = (received: string): Outcome => {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]
  const [head = "", ...rest] = received.split("\r\n\r\n")
  const headers = Object.fromEntries(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  const length = Number(headers["content-length"] ?? 0)
  return {
    status: status === undefined ? undefined : Number(status),
    headers,
    text: rest.join("\r\n\r\n").slice(0, length)
  }
}

const sendRaw = (base: URL, one: Case, bytes: Buffer | undefined): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = connect({ host: base.hostname, port: Number(base.port) })
    let received = ""
    let drip: NodeJS.Timeout | undefined
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
      // A connection that stays open sends nothing after its complete first response.
      const { status, headers, text } = firstAnswer(received)
      if (status !== undefined && text.length === Number(headers["content-length"] ?? -1)) socket.end()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      clearInterval(drip)
      resolve(firstAnswer(received))
    })
    if (one.raw_slow !== undefined) {
      const { text, bytes_per_s } = one.raw_slow
      let sent = 0
      drip = setInterval(() => socket.write(text.charAt(sent++)), 1000 / bytes_per_s)
    } else socket.write(bytes ?? "")
  })

/** Sends a case and returns the first response, with the time since the case was ready to send. */
export const send = async (base: string, one: Case): Promise<Outcome & { readonly millis: number }> => {
  const [bytes, put] = one.kind === "raw" ? [rawOf(one), sendRaw] : [bodyOf(one), sendHttp]
  const since = performance.now()
  const outcome = await put(new URL(base), one, bytes)
  return { ...outcome, millis: performance.now() - since }
}
