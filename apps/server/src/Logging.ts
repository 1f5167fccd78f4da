import { Layer, Logger, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import type { Settings } from "./Settings.ts"

/** What no log line may carry, whoever wrote it there: API keys, bearer tokens, credentials in an address. */
export const redact = (line: string): string =>
  line
    .replaceAll(/lvk_(live|test)_[A-Za-z0-9]+/g, "lvk_$1_…")
    .replaceAll(/(bearer\s+)[^\s"\\]+/gi, "$1…")
    .replaceAll(/(:\/\/)[^\s/@"]+@/g, "$1…@")

const json = Logger.withConsoleLog(Logger.map(Logger.formatJson, redact))
const pretty = Logger.withConsoleLog(Logger.map(Logger.formatLogFmt, redact))

/** Log lines to standard output, redacted; JSON for machines, `logfmt` for a terminal. */
export const layer = ({ logLevel, logFormat }: Settings) =>
  Layer.merge(Logger.layer([logFormat === "json" ? json : pretty]), Layer.succeed(References.MinimumLogLevel, logLevel))

/** Traces to an OTLP collector. */
export const layerTraces = (url: string) =>
  Otlp.layerJson({ baseUrl: url, resource: { serviceName: "sightline" } }).pipe(Layer.provide(FetchHttpClient.layer))
