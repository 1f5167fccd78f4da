import type { LiveSurface } from "@sightline/domain/Platform"
import { Effect, Result } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { deliver, deliverWith } from "@sightline/sandbox/Delivery"
import { dice } from "@sightline/sandbox/Dice"
import { type Fault, makeScript } from "@sightline/sandbox/Fault"
import type { CaptureService, Problem } from "@sightline/sandbox/Vendor"
import { sceneOf } from "./Scene.ts"

/**
 * Answers one question to a capture vendor. Checks the key, the JSON, the vendor's own rules and the script, in this
 * order, before it reports.
 */
export const makeCaptureResponder = ({
  seed,
  faults = []
}: {
  readonly seed: number
  readonly faults?: ReadonlyArray<Fault>
}) => {
  const script = makeScript()
  return Effect.fnUntraced(function* <Surface extends LiveSurface>(
    service: CaptureService<Surface>,
    surface: Surface,
    path: string,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse> {
    const text = yield* Effect.orDie(request.text)
    const requestId = dice(seed, service.name, text).hex(20)
    const body = Result.try((): unknown => JSON.parse(text))
    const received = { requestId, path, body: Result.getOrUndefined(body) }
    const refuse = (problem: Problem) => deliver(service.reject(problem, received))

    if (service.keyOf(request.headers) === undefined) return refuse(service.missingKey)
    if (Result.isFailure(body)) return refuse(service.malformedJson)
    const wanted = Result.flatMap(service.read(surface, body.success), ({ country, question }) =>
      Result.mapError(
        sceneOf({ seed, surface, captureRoute: service.name, question, country, script, faults }),
        ({ clause }): Problem => ({ status: 400, message: `Unknown sandbox directive: ${clause}` })
      )
    )
    if (Result.isFailure(wanted)) return refuse(wanted.failure)
    const scene = wanted.success
    // A vendor does not stream, so a slow page only makes its answer later.
    yield* Effect.sleep(scene.latencyMillis + scene.slowMillis)
    if (scene.ending?.kind === "status") return refuse(scene.ending)
    return yield* deliverWith(service.report(surface, scene, received), scene.ending)
  })
}
