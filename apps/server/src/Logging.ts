import { Effect, Layer, Logger, References } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { Otlp } from "effect/observability"
import type { Settings } from "./Settings.ts"

/**
 * What no log line and no trace may carry, whoever wrote it there: API keys, bearer tokens, credentials in an address or in its
 * query.
 */
export const redact = (line: string): string =>
  line
    .replaceAll(/lvk_(live|test)_[A-Za-z0-9]+/g, "lvk_$1_…")
    .replaceAll(/(bearer\s+)[^\s"\\]+/gi, "$1…")
    .replaceAll(/(:\/\/)[^\s/@"]+@/g, "$1…@")
    .replaceAll(/((?:token|secret|password|key)=)[^\s&"\\]+/gi, "$1…")

const json = Logger.withConsoleLog(Logger.map(Logger.formatJson, redact))
const pretty = Logger.withConsoleLog(Logger.map(Logger.formatLogFmt, redact))

/** Log lines to standard output, redacted; JSON for machines, `logfmt` for a terminal. */
export const layer = ({ logLevel, logFormat }: Settings) =>
  Layer.merge(Logger.layer([logFormat === "json" ? json : pretty]), Layer.succeed(References.MinimumLogLevel, logLevel))

/** What leaves goes through `redact`: spans have the addresses of requests, and whoever calls may write anything there. */
const layerRedacting = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.mapRequest((request) =>
      request.body._tag === "Uint8Array"
        ? HttpClientRequest.bodyText(request, redact(new TextDecoder().decode(request.body.body)), "application/json")
        : request
    )
  )
)

/** Traces to an OTLP collector, redacted. */
export const layerTraces = (url: string) =>
  Otlp.layerJson({ baseUrl: url, resource: { serviceName: "sightline" } }).pipe(
    Layer.provide(layerRedacting),
    Layer.provide(FetchHttpClient.layer)
  )
