import { Effect, Layer, Logger, Option, Redacted, References } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import type { Settings } from "./settings/Settings.ts"

// A shorter secret would also match parts of ordinary words.
const secretMin = 8

/**
 * Removes from log lines and traces: API keys, bearer tokens, credentials in an address or in its query, and the given
 * `secrets`.
 */
export const redactor = (secrets: ReadonlyArray<string>): ((line: string) => string) => {
  const written = secrets
    .filter(({ length }) => length >= secretMin)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  return (line) => written.reduce((rest, secret) => rest.replaceAll(secret, "…"), redact(line))
}

/** The secrets in the settings that other parties know too, and may therefore write into any text that is logged. */
const secretsOf = ({ adminToken, live, vendors }: Settings): ReadonlyArray<string> => {
  const keys = [...Object.values(vendors), live.cloro].map(({ apiKey }) => apiKey)
  return [adminToken, live.dataForSeo.password, ...keys].flatMap(Option.toArray).map(Redacted.value)
}

const redact = (line: string): string =>
  line
    .replaceAll(/lvk_(live|test)_[A-Za-z0-9]+/g, "lvk_$1_…")
    .replaceAll(/(bearer\s+)[^\s"\\]+/gi, "$1…")
    .replaceAll(/(:\/\/)[^\s/@"]+@/g, "$1…@")
    .replaceAll(/((?:token|secret|password|key)=)[^\s&"\\]+/gi, "$1…")

/** Log lines to standard output, redacted; JSON for machines, `logfmt` for a terminal. */
export const layer = (settings: Settings) => {
  const format = settings.logFormat === "json" ? Logger.formatJson : Logger.formatLogFmt
  const logger = Logger.withConsoleLog(Logger.map(format, redactor(secretsOf(settings))))
  return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, settings.logLevel))
}

/** Redacts outgoing requests: spans contain the URLs of requests, and a caller may write anything into these. */
const layerRedacting = (redact: (text: string) => string) =>
  Layer.effect(
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

/** Traces to an OTLP collector, redacted. Metrics are at `/metrics` instead, and log lines on standard output. */
export const layerTraces = (endpoint: string, settings: Settings) => {
  const { url } = HttpClientRequest.appendUrl(HttpClientRequest.get(endpoint), "/v1/traces")
  return OtlpTracer.layer({ url, resource: { serviceName: "sightline" } }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(layerRedacting(redactor(secretsOf(settings)))),
    Layer.provide(FetchHttpClient.layer)
  )
}
