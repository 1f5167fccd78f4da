import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, flow, LogLevel, Metric } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { interrupted, isUnrouted, recover } from "./Recovery.ts"
import { refuse } from "./Refusal.ts"
import { echoed, RequestId } from "./RequestId.ts"
import type { Responding } from "./Respond.ts"
import { readable, routeTable } from "./RouteTable.ts"

const answered = Metric.counter("sightline_http_responses_total", {
  description: "Answers sent, except to probes, by status",
  incremental: true
})
const answeredByStatus = new Map<number, Metric.Counter<number>>()

const count = (status: number) => {
  let metric = answeredByStatus.get(status)
  if (metric === undefined) {
    metric = Metric.withAttributes(answered, { status: String(status) })
    answeredByStatus.set(status, metric)
  }
  return Metric.update(metric, 1)
}

const took = Metric.histogram("sightline_http_request_duration_seconds", {
  description: "Time from the head of a request to its answer, by route and class of status",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10, 30, 60, 100]
})
const tookByRoute = new Map<string, Metric.Histogram<number>>()

const time = (route: string, status: number, millis: number) => {
  const kind = `${Math.floor(status / 100)}xx`
  let metric = tookByRoute.get(`${kind} ${route}`)
  if (metric === undefined) {
    metric = Metric.withAttributes(took, { route, status: kind })
    tookByRoute.set(`${kind} ${route}`, metric)
  }
  return Metric.update(metric, millis / 1000)
}

/** The headers that may not be repeated. Node's parser itself refuses a repeated `Content-Length`. */
const single = new Set(["host", "authorization", "content-type", "idempotency-key"])

/** The part of a request that the parser leaves unchanged. */
interface RawHead {
  readonly httpVersion: string
  readonly rawHeaders: ReadonlyArray<string>
}

/** Why a request that Node's parser accepted is refused: another parser could read it differently (request smuggling). */
const ambiguity = ({ httpVersion, rawHeaders }: RawHead): string | undefined => {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "Use HTTP/1.1."
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase()
    if (name === "transfer-encoding" && (httpVersion === "1.0" || rawHeaders[i + 1]?.toLowerCase() !== "chunked"))
      return "The transfer encoding may only be chunked, and only with HTTP/1.1."
    if (!single.has(name)) continue
    if (seen.has(name)) return `The header ${name} may not be repeated.`
    seen.add(name)
  }
  return httpVersion === "1.1" && !seen.has("host") ? "The header host is missing." : undefined
}

/**
 * The default security headers of every answer: no content sniffing, no caching, no frames, no referrer.
 */
export const guards = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer"
}

/** Adds headers. Those that the answer already has win: a replayed reply keeps its original request id. */
const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => HttpServerResponse.setHeaders(response, { ...headers, ...response.headers })

/** The paths of a listener besides its API: pages that describe it, and probes that monitoring polls. */
interface Beside {
  readonly pages?: ReadonlyArray<string>
  readonly probes?: ReadonlyArray<string>
}

/**
 * What every response of a listener has in common: a request id, JSON for each refusal that no handler made
 * (unknown route, wrong method, defect, aborted call), security headers, a count by status, its duration by route, and a log
 * line for a failure. Probes are not counted: on a quiet process they would hide the share of calls that fail.
 *
 * Successful requests are counted, but logged only at debug level: a log line costs more than the request.
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { pages = [], probes = [] }: Beside = {}
) => {
  const routes = routeTable(api, [...pages, ...probes])
  const uncounted = new Set(probes.map((path) => `GET ${path}`))
  const missing = ["There is no such route.", ...(pages.length === 0 ? [] : [`See ${pages.join(" or ")}.`])].join(" ")
  const unrouted = (request: HttpServerRequest.HttpServerRequest) => {
    const allowed = routes.methods(request.url)
    return allowed.length === 0
      ? refuse(404, "not_found", missing)
      : refuse(405, "request_failed", `Use ${allowed.join(" or ")} here.`, { headers: { allow: allowed.join(", ") } })
  }
  const answerTo = (cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest) => {
    if (Cause.hasInterruptsOnly(cause)) return interrupted(cause)
    const error = Cause.squash(cause)
    return isUnrouted(error) ? unrouted(request) : recover(error)
  }
  return HttpRouter.middleware(
    // All failures are answered here, but the router's type still requires the error parameter.
    <E>(app: Responding<E>): Responding<E, HttpServerRequest.HttpServerRequest> =>
      Effect.gen(function* () {
        const sent = yield* HttpServerRequest.HttpServerRequest
        const url = readable(sent.url)
        const isReadable = url === sent.url
        const request = isReadable ? sent : sent.modify({ url })
        const requestId = randomUUID()
        const start = performance.now()
        const fault = ambiguity(NodeHttpServerRequest.toIncomingMessage(request))
        const routed = isReadable ? app : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
        const answer =
          fault === undefined ? routed : refuse(400, "request_failed", fault, { headers: { connection: "close" } })
        // All answers of this turn of the event loop are written in the next one, one after another (decision 19).
        const inTurn = Effect.tap(answer, () => Effect.yieldNow)
        const identified = flow(Effect.provideService(RequestId, requestId), Effect.annotateLogs({ requestId }))
        const response = yield* identified(Effect.catchCause(inTurn, (cause) => answerTo(cause, request)))
        const millis = performance.now() - start
        const route = routes.nameOf(request.method, request.url)
        if (!uncounted.has(route)) yield* count(response.status)
        yield* time(route, response.status, millis)
        // The level is checked first, because computing the annotations costs as much as writing the line.
        if (yield* LogLevel.isEnabled("Debug"))
          yield* Effect.logDebug("Request").pipe(
            Effect.annotateLogs({
              requestId,
              method: request.method,
              path: sent.url.split("?", 1)[0],
              status: response.status,
              ms: Math.round(millis)
            })
          )
        return withHeaders(response, { ...guards, ...echoed(request.url, requestId) })
      }),
    { global: true }
  )
}
