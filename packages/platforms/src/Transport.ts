import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Context, Effect, Inspectable, Layer, Pipeable } from "effect"
import {
  Headers,
  HttpClient,
  HttpClientError,
  type HttpClientRequest,
  HttpClientResponse,
  HttpIncomingMessage
} from "effect/http"
import { pieceBytesMin } from "@sightline/egress/Connection"
import { timeoutAfter } from "@sightline/egress/Timeout"
import { atEndOfTurn } from "./EndOfTurn.ts"
import { steadyMillis } from "./Stopwatch.ts"

const bodyMaxBytes = 4 * 1024 * 1024

/**
 * The moment by which a request must be over, in `steadyMillis`.
 *
 * The transport applies it itself, because a timer beside the socket costs a tenth of a race between two fibers.
 */
export const Deadline = Context.Reference<number>("@sightline/platforms/Transport/Deadline", {
  defaultValue: () => Number.POSITIVE_INFINITY
})

/** The cause of a failure because the deadline has passed. */
export const late: Error = new Error("the deadline has passed")

/** The cause of a failure because an answer is larger than 4 MiB. The rest of it is not read. */
export const oversized: Error = new Error("the answer is larger than 4 MiB")

interface Parts {
  readonly status: number
  readonly headers: Headers.Input
  readonly body: Buffer
}

/** A response that has arrived in full. What this package does not need of it is left to the standard `Response`. */
class Arrived extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId] = HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  private readonly parts: Parts

  constructor(request: HttpClientRequest.HttpClientRequest, parts: Parts) {
    super()
    this.request = request
    this.parts = parts
  }

  private get web(): HttpClientResponse.HttpClientResponse {
    const { body, status } = this.parts
    return HttpClientResponse.fromWeb(
      this.request,
      new Response(new Uint8Array(body), { status, headers: { ...this.headers } })
    )
  }

  get status() {
    return this.parts.status
  }
  get headers() {
    return Headers.fromInput(this.parts.headers)
  }
  get text() {
    return Effect.succeed(this.parts.body.toString())
  }
  get json() {
    return this.web.json
  }
  get arrayBuffer() {
    return this.web.arrayBuffer
  }
  get stream() {
    return this.web.stream
  }
  get formData() {
    return this.web.formData
  }
  get urlParamsBody() {
    return this.web.urlParamsBody
  }
  get url() {
    return this.request.url
  }
  get cookies() {
    return this.web.cookies
  }
  get remoteAddress() {
    return this.web.remoteAddress
  }
  get upgrade() {
    return this.web.upgrade
  }
  toJSON() {
    return this.web.toJSON()
  }
  pipe() {
    // oxlint-disable-next-line prefer-rest-params
    return Pipeable.pipeArguments(this, arguments)
  }
}

type Sent = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

const failed = (request: HttpClientRequest.HttpClientRequest, cause: unknown): Sent =>
  Effect.fail(new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }))

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | null =>
  body._tag === "Uint8Array" ? body.body : null

const timerMaxMillis = 2 ** 31 - 1

/** Sends a request and collects its response. The deadline and an interruption close the connection. */
const send = (dispatcher: Dispatcher, request: HttpClientRequest.HttpClientRequest, left: number): Sent =>
  Effect.callback((resume) => {
    let connection: Dispatcher.DispatchController | undefined
    let stopped: Error | undefined
    const give = (outcome: Sent) => {
      timeout.end()
      resume(outcome)
    }
    const stop = (cause: Error) => {
      stopped = cause
      give(failed(request, cause))
      connection?.abort(cause)
    }
    const timeout = timeoutAfter(Math.min(left, timerMaxMillis), () => stop(late))

    const chunks: Array<Buffer> = []
    let head: Omit<Parts, "body"> = { status: 0, headers: {} }
    let length = 0
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        connection = controller
        // A request that was given up, or became late, while it waited for its connection must no longer be sent.
        if (stopped !== undefined || timeout.isOver()) controller.abort(stopped ?? late)
      },
      onResponseStart: (_controller, status, headers) => {
        head = { status, headers }
      },
      onResponseData: (_controller, chunk) => {
        length += Math.max(chunk.length, pieceBytesMin)
        if (length > bodyMaxBytes) stop(oversized)
        else chunks.push(chunk)
      },
      onResponseEnd: () => {
        timeout.end()
        const [only = Buffer.alloc(0)] = chunks
        const body = chunks.length <= 1 ? only : Buffer.concat(chunks)
        atEndOfTurn(length, () => {
          give(Effect.succeed(new Arrived(request, { ...head, body })))
        })
      },
      onResponseError: (_controller, cause) => {
        give(failed(request, cause))
      }
    }
    try {
      const { origin, pathname, search } = new URL(request.url)
      const { headers, method } = request
      const path = pathname + search
      dispatcher.dispatch(
        { origin, path, method, headers, body: bodyOf(request), headersTimeout: 0, bodyTimeout: 0 },
        handler
      )
    } catch (cause) {
      give(failed(request, cause))
    }
    return Effect.sync(() => {
      stop(new Error("interrupted"))
    })
  })

/**
 * Effect's HTTP client over one pool of kept-alive connections.
 *
 * A response is collected as it arrives, up to 4 MiB. The general client builds streams for each response, which cost more
 * than the request itself. Requests are not traced: vendors have no use for trace headers.
 */
export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    NodeHttpClient.makeDispatcherOptions({ keepAliveTimeout: 30_000, connect: { timeout: 10_000 } }),
    (dispatcher): HttpClient.HttpClient =>
      HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
        Effect.flatMap((request: HttpClientRequest.HttpClientRequest) =>
          Effect.withFiber((fiber) => {
            const until = fiber.getRef(Deadline)
            return Effect.flatMap(steadyMillis, (now) => send(dispatcher, request, Math.max(0, until - now)))
          })
        ),
        Effect.succeed
      )
  )
)
