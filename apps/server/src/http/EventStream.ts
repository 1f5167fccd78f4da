import { type Cause, Effect, Exit, Fiber, Queue, Schema, type Scope, Stream } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { questionNameOf } from "@sightline/contract/PlatformName"
import { eventStream, followedPaths, PlatformProgress } from "@sightline/contract/Progress"
import type { Asked } from "@sightline/domain/Platform"
import { Progress, type Step } from "@sightline/engine/Progress"
import { accepts } from "./Accepts.ts"
import { guards } from "./Envelope.ts"
import { endWith } from "./NodeServer.ts"
import type { Responding } from "./Respond.ts"
import { pathOf } from "./RouteTable.ts"

const paths: ReadonlySet<string> = new Set(followedPaths)

const isStreamed = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "POST" && accepts(headers["accept"], eventStream) && paths.has(pathOf(url))

const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`

const encode = Schema.encodeSync(Schema.fromJsonString(PlatformProgress))

const stepOf = (question: Asked, step: Step): string => {
  const name = questionNameOf(question)
  if (step === "asked") return eventOf("platform", encode({ ...name, state: "asked" }))
  return eventOf(
    "platform",
    encode({ ...name, ...(step === "ok" ? { state: "answered" } : { state: "failed", code: step }) })
  )
}

/** An answer as an event. Its body is copied unchanged, so that it stays the same byte for byte; it is JSON on one line. */
const answerOf = ({ status, headers, body }: HttpServerResponse.HttpServerResponse): string => {
  const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "null"
  return eventOf("answer", `{"status":${status},"headers":${JSON.stringify(headers)},"body":${text}}`)
}

/** Empty comments while the call runs, because proxies close connections that are silent. */
const heartbeat = Stream.map(Stream.tick("15 seconds"), () => ":\n\n")

/**
 * Writes the remaining events of a stream that a stopping server has interrupted: the answer of the call, which is a 503 if the call was
 * aborted. The stream is no longer consumed, so they are written directly to the response.
 */
const flushEvents = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  call: Fiber.Fiber<void>,
  events: Queue.Queue<string, Cause.Done>
) {
  yield* Fiber.interrupt(call)
  endWith(request, (yield* Queue.clear(events)).join(""))
})

/**
 * Runs the call like any other, as a request of its own, and streams its progress and its answer.
 *
 * Laws: the one `answer` holds the answer that the call would have without a stream, including headers that are added last. A stopping
 * server ends the stream with it, too. A caller who hangs up interrupts the call, as without a stream.
 */
const streamCall = Effect.fnUntraced(function* <E, R>(app: Responding<E, R>) {
  const events = yield* Queue.make<string, Cause.Done>()
  const call = HttpEffect.toHandled(app, (_, response) =>
    Effect.sync(() => {
      Queue.offerUnsafe(events, answerOf(response))
      Queue.endUnsafe(events)
    })
  ).pipe(
    Effect.provideService(Progress, (question, step) => void Queue.offerUnsafe(events, stepOf(question, step))),
    Effect.provideContext(yield* Effect.context<HttpServerRequest.HttpServerRequest | Exclude<R, Scope.Scope>>())
  )
  const request = yield* HttpServerRequest.HttpServerRequest
  const callEvents = Stream.unwrap(
    Effect.map(Effect.forkScoped(call), (fiber) =>
      Stream.fromQueue(events).pipe(
        Stream.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : flushEvents(request, fiber, events)))
      )
    )
  )
  return HttpServerResponse.stream(
    Stream.merge(callEvents, heartbeat, { haltStrategy: "left" }).pipe(Stream.encodeText),
    {
      contentType: eventStream,
      headers: { ...guards, "x-accel-buffering": "no" }
    }
  )
})

/**
 * Answers calls whose `Accept` names `text/event-stream` with a stream: an event when each platform is asked and when it
 * answers or fails, then the answer. It is the outermost layer, so that all refusals are the same as without it.
 */
export const layer = HttpRouter.middleware(
  (app) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => (isStreamed(request) ? streamCall(app) : app)),
  { global: true }
)
