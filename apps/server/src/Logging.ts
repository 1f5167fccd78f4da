import { Effect, Layer, Logger, Option, Redacted, References } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import type { Settings } from "./settings/Settings.ts"

// What is shorter would be found in words that are no secret.
const secretMin = 8

/**
 * Removes what no log line and no trace may contain: API keys, bearer tokens, credentials in an address or in its query,
 * and these `secrets`.
 */
export const redactor = (secrets: ReadonlyArray<string>): ((line: string) => string) => {
  const written = secrets
    .filter(({ length }) => length >= secretMin)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  return (line) => written.reduce((rest, secret) => rest.replaceAll(secret, "…"), redact(line))
}

/** Secrets of the settings that others have too: who is sent one, or calls with it, may write it wherever he likes. */
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

/** What leaves is redacted: spans have the addresses of requests, and whoever calls may write anything there. */
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

/** Traces to an OTLP collector, redacted. Not metrics, which are at `/metrics`, nor log lines, which are at the output. */
export const layerTraces = (endpoint: string, settings: Settings) => {
  const { url } = HttpClientRequest.appendUrl(HttpClientRequest.get(endpoint), "/v1/traces")
  return OtlpTracer.layer({ url, resource: { serviceName: "sightline" } }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(layerRedacting(redactor(secretsOf(settings)))),
    Layer.provide(FetchHttpClient.layer)
  )
}
