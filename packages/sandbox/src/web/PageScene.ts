import { Duration, Effect, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { LiveSurface } from "@sightline/domain/Platform"
import type { Fault, Script } from "@sightline/sandbox/Fault"
import { type Scene, sceneOf } from "@sightline/sandbox/live/Scene"

/** The settings of a site of the sandbox; `faults` apply after a question's own. */
export interface SiteOptions {
  readonly seed: number
  readonly script: Script
  readonly faults?: ReadonlyArray<Fault>
}

type Response = HttpServerResponse.HttpServerResponse

/** The visitor's country, as its browser's languages suggest. */
export const countryOf = ({ headers }: HttpServerRequest.HttpServerRequest): string =>
  /^[a-z]{2}-([A-Z]{2})\b/.exec(headers["accept-language"] ?? "")?.[1] ?? "US"

/** A parameter of the request's address; "" if it has no such parameter. */
export const paramOf = ({ url }: HttpServerRequest.HttpServerRequest, name: string): string =>
  new URL(url, "http://sandbox").searchParams.get(name) ?? ""

/** The response of a site whose scene is an error status; undefined for any other scene. */
export const failureOf = ({ ending }: Scene): Response | undefined =>
  ending?.kind === "status"
    ? HttpServerResponse.text("The simulated site failed.", { status: ending.status })
    : undefined

/** Answers one question at a site: shows its scene after the scene's latency, or never if the scene hangs. */
export const staged = Effect.fnUntraced(function* (
  options: SiteOptions,
  asked: { readonly surface: LiveSurface; readonly question: string; readonly country: string },
  show: (scene: Scene) => Response
): Effect.fn.Return<Response> {
  const scene = sceneOf({ ...options, ...asked, captureRoute: "web" })
  if (Result.isFailure(scene)) {
    return HttpServerResponse.text(`Unknown sandbox directive: ${scene.failure.clause}`, { status: 400 })
  }
  yield* Effect.sleep(Duration.millis(scene.success.latencyMillis))
  return scene.success.ending?.kind === "hang" ? yield* Effect.never : show(scene.success)
})
