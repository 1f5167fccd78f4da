import type { LiveSurface } from "@sightline/domain/Platform"
import { Effect, Layer, Result } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { compose } from "./Composition.ts"
import { deliver, deliverWith } from "./Delivery.ts"
import { dice } from "./Dice.ts"
import { parseDirectives } from "./Directive.ts"
import { type Fault, makeScript } from "./Fault.ts"
import { makeCaptureResponder } from "./live/CaptureResponder.ts"
import type { CaptureService, Problem, Reply, Vendor } from "./Vendor.ts"
import { surfacePages } from "./web/SurfacePages.ts"
import { anthropic } from "./wire/Anthropic.ts"
import { cloro } from "./wire/Cloro.ts"
import { dataForSeo } from "./wire/DataForSeo.ts"
import { gemini } from "./wire/Gemini.ts"
import { targetOf } from "./wire/GroundingRedirect.ts"
import { openAi } from "./wire/OpenAi.ts"
import { perplexity } from "./wire/Perplexity.ts"

/** The settings of a sandbox: the seed of every answer, and the faults that apply after a question's own. */
export interface Options {
  readonly seed: number
  readonly faults?: ReadonlyArray<Fault>
}

type Ask = (
  vendor: Vendor,
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpRouter.RouteContext>

/** Answers one question. Checks the key, the JSON, the vendor's own rules and the script, in this order, before it answers. */
const makeAsk = ({ seed, faults: standing = [] }: Options): Ask => {
  const script = makeScript()
  return Effect.fnUntraced(function* (vendor, request) {
    const text = yield* Effect.orDie(request.text)
    const requestId = dice(seed, vendor.name, text).hex(20)
    const common = vendor.headers(requestId)
    const withHeaders = (reply: Reply): Reply => ({ ...reply, headers: { ...common, ...reply.headers } })
    const refuse = (problem: Problem) => deliver(withHeaders(vendor.reject(problem, requestId)))

    if (vendor.keyOf(request.headers) === undefined) return refuse(vendor.missingKey)
    const body = Result.try((): unknown => JSON.parse(text))
    if (Result.isFailure(body)) return refuse(vendor.malformedJson)
    const params = yield* HttpRouter.params
    const reading = vendor.read({ body: body.success, headers: request.headers, params })
    if (Result.isFailure(reading)) return refuse(reading.failure)
    const { inquiry, render } = reading.success
    const scripted = parseDirectives(inquiry.question)
    if (Result.isFailure(scripted)) {
      return refuse({ status: 400, message: `Unknown sandbox directive: ${scripted.failure.clause}` })
    }

    const { question, faults } = scripted.success
    const { latency, ending } = script([...faults, ...standing], [vendor.name], inquiry.question)
    if (latency !== undefined) yield* Effect.sleep(latency)
    if (ending?.kind === "status") return refuse(ending)
    const outcome = ending?.kind === "outcome" ? ending.outcome : undefined
    const composition = compose(seed, { ...inquiry, question }, outcome)
    return yield* deliverWith(withHeaders({ status: 200, body: render(composition) }), ending)
  })
}

const routesOf = (vendor: Vendor, ask: Ask) => {
  const at = (path: HttpRouter.PathInput): HttpRouter.PathInput => `/${vendor.name}${path}`
  const refuse = (problem: Problem) => deliver(vendor.reject(problem, "0".repeat(20)))
  const { path, keyless, body } = vendor.models
  return [
    ...vendor.questionPaths.map((question) =>
      HttpRouter.route("POST", at(question), (request) => ask(vendor, request))
    ),
    HttpRouter.route("GET", at(path), (request) =>
      Effect.succeed(
        keyless || vendor.keyOf(request.headers) !== undefined
          ? deliver({ status: 200, body })
          : refuse(vendor.missingKey)
      )
    ),
    HttpRouter.route("*", at("/*"), ({ method, url }) =>
      Effect.succeed(refuse(vendor.unknownPath(method, url.slice(vendor.name.length + 1))))
    )
  ]
}

const captureRoutesOf = <Surface extends LiveSurface>(service: CaptureService<Surface>, options: Options) => {
  const show = makeCaptureResponder(options)
  const at = (path: HttpRouter.PathInput): HttpRouter.PathInput => `/${service.name}${path}`
  return [
    ...service.surfaces.map(([path, surface]) =>
      HttpRouter.route("POST", at(path), (request) => show(service, surface, path, request))
    ),
    HttpRouter.route("*", at("/*"), ({ url }) => {
      const path = url.slice(service.name.length + 1)
      return Effect.succeed(deliver(service.reject(service.unknownPath, { requestId: "", path, body: undefined })))
    })
  ]
}

const redirectPath = "/gemini/grounding-api-redirect/"

const redirect = HttpRouter.route("GET", `${redirectPath}*`, ({ url }) => {
  const target = targetOf(url.slice(redirectPath.length))
  return Effect.succeed(
    target === undefined ? HttpServerResponse.empty({ status: 404 }) : HttpServerResponse.redirect(target)
  )
})

/**
 * The simulated upstreams, to be served on a listener of their own. Each vendor is below its name, so that an adapter's
 * base URL is `${origin}/openai`, `/anthropic`, `/gemini`, `/perplexity`, `/dataforseo` or `/cloro`. The sites of the live
 * surfaces are each below `/web/` and their name.
 *
 * Laws: the same seed and request give the same bytes, whatever was asked before, with two exceptions: faults that are
 * limited to some tries count those tries, and pages number the scenes that they request afterwards.
 */
export const routes = (options: Options): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  Layer.unwrap(
    Effect.sync(() => {
      const ask = makeAsk(options)
      const vendors = [openAi, anthropic, gemini, perplexity]
      const upstreams = HttpRouter.addAll([
        ...vendors.flatMap((vendor) => routesOf(vendor, ask)),
        ...captureRoutesOf(dataForSeo, options),
        ...captureRoutesOf(cloro, options),
        redirect
      ])
      return Layer.merge(upstreams, surfacePages(options))
    })
  )
