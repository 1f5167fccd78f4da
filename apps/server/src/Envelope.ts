import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Exit, Metric } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { recover } from "./Recovery.ts"
import { refuse } from "./Refusal.ts"
import { RequestId } from "./RequestId.ts"

/** Answers sent, by status. */
const answered = Metric.counter("sightline_http_responses_total", { incremental: true })
const answeredByStatus = new Map<number, Metric.Counter<number>>()

const count = (status: number) => {
  let metric = answeredByStatus.get(status)
  if (metric === undefined) {
    metric = Metric.withAttributes(answered, { status: String(status) })
    answeredByStatus.set(status, metric)
  }
  return Metric.update(metric, 1)
}

const single = new Set(["host", "authorization", "content-length", "content-type", "idempotency-key"])

/** The part of a request that the parser leaves as it came. */
interface RawHead {
  readonly httpVersion: string
  readonly rawHeaders: ReadonlyArray<string>
}

/** Why a request that Node's parser let through is refused all the same: two readers could read it as two requests. */
const ambiguity = ({ httpVersion, rawHeaders }: RawHead): string | undefined => {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "Use HTTP/1.1."
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase()
    if (name === "transfer-encoding" && (httpVersion === "1.0" || rawHeaders[i + 1]?.toLowerCase() !== "chunked"))
      return "The only transfer encoding is chunked, of HTTP/1.1."
    if (!single.has(name)) continue
    if (seen.has(name)) return `The header ${name} may not be repeated.`
    seen.add(name)
  }
  return httpVersion === "1.1" && !seen.has("host") ? "The header host is missing." : undefined
}

/** The methods that each path of an API has, and each of those pages beside it that can only be read. */
const methodsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  pages: ReadonlyArray<string>
) => {
  const known = pages.map((page) => ({ pattern: new RegExp(`^${page}/?$`), method: "GET" }))
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const pattern = new RegExp(`^${endpoint.path.replaceAll(/:[a-z_]+/gi, "[^/]+")}/?$`)
      known.push({ pattern, method: endpoint.method })
    }
  })
  return (path: string) => known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}

/**
 * What every answer says to a browser unless it says so itself: this is what it claims to be, is for its caller alone,
 * stands in nobody's frame, and tells nobody where its reader came from.
 */
export const guards = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer"
}

const guarded = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeaders(response, { ...guards, ...response.headers })

const pathOf = (url: string): string => url.split("?", 1)[0] ?? url

/**
 * What every response of a listener has in common: a request id, JSON for each refusal that no handler made
 * (unknown route, wrong method, defect), a browser's precautions, a count by status, and a log line for what went wrong.
 *
 * Requests that went well are counted, and logged only at debug level: a line for each costs more than the request.
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  pages: ReadonlyArray<string> = []
) => {
  const methods = methodsOf(api, pages)
  const unrouted = (request: HttpServerRequest.HttpServerRequest) => {
    const allowed = methods(pathOf(request.url))
    // With the right method it is the path that cannot be read, such as `%ZZ` for an id.
    return allowed.length === 0 || allowed.includes(request.method === "HEAD" ? "GET" : request.method)
      ? refuse(404, "not_found", "There is no such route.")
      : refuse(405, "request_failed", `Use ${allowed.join(" or ")} here.`, { headers: { allow: allowed.join(", ") } })
  }
  const answerTo = (cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest) => {
    const error = Cause.squash(cause)
    return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
      ? unrouted(request)
      : recover(error)
  }
  return HttpRouter.middleware(
    (app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = randomUUID()
        const start = performance.now()
        const fault = ambiguity(NodeHttpServerRequest.toIncomingMessage(request))
        const answer =
          fault === undefined ? app : refuse(400, "invalid_request", fault, { headers: { connection: "close" } })
        const exit = yield* Effect.exit(Effect.provideService(answer, RequestId, requestId))
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return yield* exit
        const response: HttpServerResponse.HttpServerResponse = Exit.isSuccess(exit)
          ? exit.value
          : yield* Effect.provideService(answerTo(exit.cause, request), RequestId, requestId)
        yield* count(response.status)
        yield* Effect.logDebug("request").pipe(
          Effect.annotateLogs({
            requestId,
            method: request.method,
            path: pathOf(request.url),
            status: response.status,
            ms: Math.round(performance.now() - start)
          })
        )
        return guarded(response)
      }),
    { global: true }
  )
}
