/**
 * How long scenes take, on a test clock.
 *
 * Planted and seen red: a vendor waits only for its latency, or only for its stream; a status comes before its latency; a page comes
 * at once, or although it hangs; a stream has the ordinary pace, or takes no time, or sends all its pieces although it breaks off.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Stream } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { routes } from "@sightline/sandbox/Sandbox"
import { type Pace, serveSlowly } from "@sightline/sandbox/web/PageStream"

const app = HttpRouter.toHttpEffect(routes({ seed: 1 }))

/** A fiber that waits for the status of an answer. */
const asking = (path: string, init: RequestInit = {}) =>
  Effect.forkChild(
    Effect.gen(function* () {
      const request = HttpServerRequest.fromWeb(new Request(`http://sandbox.test${path}`, init))
      const { status } = yield* Effect.provideService(yield* app, HttpServerRequest.HttpServerRequest, request)
      return status
    }).pipe(Effect.scoped)
  )

const posting = (path: string, authorization: string, body: unknown) =>
  asking(path, { method: "POST", headers: { authorization }, body: JSON.stringify(body) })

const basic = `Basic ${Buffer.from("login:password").toString("base64")}`

/** A question through each route to a surface, and the time that it takes for a latency of 2 s and a stream of 3 s. */
const captureRoutes = {
  dataforseo: {
    ask: (keyword: string) =>
      posting("/dataforseo/v3/serp/google/ai_mode/live/advanced", basic, [
        { keyword, location_code: 2840, language_code: "en" }
      ]),
    takes: 5000,
    // The failure is reported in the task.
    fails: 200
  },
  cloro: {
    ask: (prompt: string) => posting("/cloro/v1/monitor/perplexity", "Bearer key", { prompt }),
    takes: 5000,
    fails: 503
  },
  web: {
    ask: (question: string) => asking(`/web/bing_copilot/search?q=${encodeURIComponent(question)}`),
    takes: 2000,
    fails: 503
  }
}

/** The status that the fiber waits for, which arrives after exactly this time. */
const after = Effect.fnUntraced(function* <A>(millis: number, fiber: Fiber.Fiber<A, unknown>) {
  yield* TestClock.adjust(millis - 1)
  assert.isUndefined(fiber.pollUnsafe())
  yield* TestClock.adjust("1 milli")
  return yield* Fiber.join(fiber)
})

describe.each(Object.entries(captureRoutes))("%s", (_, { ask, fails, takes }) => {
  it.effect("answers after the latency of a scene, and a vendor also after the time of its stream", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* after(takes, yield* ask("best crm [[sandbox:latency=2s;slow=3s]]")), 200)
    })
  )

  it.effect("fails after the latency of a scene", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* after(2000, yield* ask("best crm [[sandbox:latency=2s;status=503]]")), fails)
    })
  )

  it.effect("never answers where it hangs", () =>
    Effect.gen(function* () {
      const waiting = yield* ask("best crm [[sandbox:hang]]")
      yield* TestClock.adjust("1 day")
      assert.isUndefined(waiting.pollUnsafe())
    })
  )
})

it.effect.each<[Pick<Pace, "slowMillis" | "ending">, ReadonlyArray<number>, boolean]>([
  [{ slowMillis: 2000, ending: undefined }, [500, 1000, 1500, 2000], true],
  [{ slowMillis: 0, ending: undefined }, [38, 76, 114, 152], true],
  [{ slowMillis: 2000, ending: { kind: "reset" } }, [500, 1000], false],
  [{ slowMillis: 2000, ending: { kind: "malformed" } }, [500, 1000], true]
])("a stream of four pieces: %j", ([pace, moments, ends]) =>
  Effect.gen(function* () {
    const { body } = serveSlowly(["a", "b", "c", "d"], { ...pace, contentType: "text/plain" })
    if (body._tag !== "Stream") return assert.fail("it is a stream")
    const come: Array<number> = []
    const note = Effect.map(Clock.currentTimeMillis, (now) => void come.push(now))
    const streaming = yield* Effect.forkChild(Effect.exit(Stream.runForEach(body.stream, () => note)))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(Exit.isSuccess(yield* Fiber.join(streaming)), ends)
    assert.deepStrictEqual(come, moments)
  })
)
