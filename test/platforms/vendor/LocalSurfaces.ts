import { Effect, Layer, Logger, ManagedRuntime, Redacted, Result } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { liveCeiling } from "@sightline/engine/Tuning"
import type { Capture } from "@sightline/platforms/Capture"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import * as Cloro from "@sightline/platforms/vendor/Cloro"
import type { CloroSurface } from "@sightline/platforms/vendor/CloroReply"
import * as DataForSeo from "@sightline/platforms/vendor/DataForSeo"
import { secret } from "../LocalVendor.ts"

/** The question of the fixtures. */
export const asked = (content: string, changes: Partial<Question> = {}): Question => ({
  turns: [{ role: "user", content }],
  model: "",
  country: "GB",
  webSearch: true,
  ...changes
})

/** A client whose log is kept, and one runtime to ask it through. */
export const openClient = () => {
  const lines: Array<string> = []
  const recording = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  const client = ManagedRuntime.make(Layer.merge(UpstreamClient.layer, recording))
  const run = (
    make: Effect.Effect<Capture, never, UpstreamClient>,
    question: Question
  ): Promise<Result.Result<Answer, PlatformFailed>> =>
    client.runPromise(Effect.flatMap(make, (capture) => Effect.result(capture(question))))
  return { lines, run, client }
}

/** DataForSEO at an address, with credentials that must appear nowhere. */
export const dataForSeo = (
  surface: DataForSeo.DataForSeoSurface,
  baseUrl: string,
  more: Partial<DataForSeo.DataForSeoAccount> = {}
) =>
  DataForSeo.make(surface, {
    baseUrl,
    login: "login-canary",
    password: Redacted.make(secret),
    deadline: liveCeiling,
    ...more
  })

/** cloro at an address, with credentials that must appear nowhere. */
export const cloro = (surface: CloroSurface, baseUrl: string, more: Partial<Cloro.CloroAccount> = {}) =>
  Cloro.make(surface, { baseUrl, apiKey: Redacted.make(secret), deadline: liveCeiling, ...more })

/** The fields of our answer that the expected file lists. */
export const normalised = ({ brandEntities, citations, fanOut, sponsored, surfacePresent, text }: Answer) => ({
  ...(surfacePresent !== undefined && { surface_present: surfacePresent }),
  answer: text,
  citations: citations.map(({ snippet: _snippet, ...citation }) => citation),
  fan_out: fanOut,
  brand_entities: brandEntities,
  ...(sponsored !== undefined && { sponsored })
})
