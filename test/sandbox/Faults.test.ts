/**
 * Scripted faults: each does what it says, at the vendor it names, for as many tries as it says.
 *
 * Planted and seen red: tries are counted for all vendors together, or never used up; latency is left out; an oversized body is
 * rounded down or up, or cut to its size; reset ends like an ordinary response; the directive is left in the question.
 */
import { assert, it, layer } from "@effect/vitest"
import { type Options, routes } from "@sightline/sandbox/Sandbox"
import { Effect, Exit, Fiber } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { Origin } from "./Origin.ts"
import { names, requestTo } from "./Vendors.ts"

type Vendor = (typeof names)[number]

const asked = (vendor: Vendor, question: string) =>
  Effect.gen(function* () {
    const request = requestTo(yield* Origin, vendor, question)
    return yield* Effect.promise(() => fetch(request))
  })

const statusOf = (vendor: Vendor, question: string) => Effect.map(asked(vendor, question), ({ status }) => status)

layer(Origin.layer({ seed: 1 }), { excludeTestServices: true })("over a socket", (it) => {
  it.effect.each(names)("status makes %s answer with its own error", (vendor) =>
    Effect.gen(function* () {
      for (const status of [400, 401, 403, 404, 429, 500, 503, 529, 599]) {
        const response = yield* asked(vendor, `best crm [[sandbox:status=${status}]]`)
        assert.strictEqual(response.status, status)
        const body: unknown = yield* Effect.promise(() => response.json())
        assert.nestedProperty(body, "error.message")
      }
    })
  )

  it.effect.each(names)("malformed makes %s send a success that is not JSON", (vendor) =>
    Effect.gen(function* () {
      const response = yield* asked(vendor, "best crm [[sandbox:malformed]]")
      assert.strictEqual(response.status, 200)
      assert.match(response.headers.get("content-type") ?? "", /json/)
      const text = yield* Effect.promise(() => response.text())
      assert.throws(() => JSON.parse(text))
    })
  )

  it.effect.each([
    ["1KiB", 0],
    ["64KiB", 64 * 1024],
    ["5MiB", 5 * 1024 * 1024]
  ] as const)(
    "oversized=%s is the ordinary answer, padded with blanks to exactly that size, without a content length",
    ([size, bytes]) =>
      Effect.gen(function* () {
        const textOf = (response: Response) => Effect.promise(() => response.text())
        const small = yield* Effect.flatMap(asked("openai", "best crm"), textOf)
        const response = yield* asked("openai", `best crm [[sandbox:oversized=${size}]]`)
        assert.isNull(response.headers.get("content-length"))
        const text = yield* textOf(response)
        // No answer is cut to a size that it exceeds.
        assert.strictEqual(Buffer.byteLength(text), Math.max(bytes, Buffer.byteLength(small)))
        assert.strictEqual(text.trimEnd(), small)
      })
  )

  it.effect("reset breaks the connection after the headers", () =>
    Effect.gen(function* () {
      const response = yield* asked("gemini", "best crm [[sandbox:reset]]")
      assert.strictEqual(response.status, 200)
      assert.isAbove(Number(response.headers.get("content-length")), 500)
      const read = yield* Effect.exit(Effect.tryPromise(() => response.text()))
      assert.isTrue(Exit.isFailure(read))
    })
  )

  it.effect("a fault limited to some tries lets the next one through, per vendor and question", () =>
    Effect.gen(function* () {
      const twice = "best crm [[sandbox:status=503;times=2]]"
      const seen = [
        yield* statusOf("openai", twice),
        yield* statusOf("openai", twice),
        yield* statusOf("openai", twice)
      ]
      assert.deepEqual(seen, [503, 503, 200])
      assert.strictEqual(yield* statusOf("gemini", twice), 503)
      assert.strictEqual(yield* statusOf("openai", `${twice} again`), 503)
    })
  )

  it.effect("directives apply in order: the first that is not used up decides", () =>
    Effect.gen(function* () {
      const script = "best crm [[sandbox:status=500;times=1]] [[sandbox:status=429;times=1]]"
      const seen = [
        yield* statusOf("anthropic", script),
        yield* statusOf("anthropic", script),
        yield* statusOf("anthropic", script)
      ]
      assert.deepEqual(seen, [500, 429, 200])
    })
  )

  it.effect("a fault that names a vendor does not affect the others", () =>
    Effect.gen(function* () {
      const statuses = yield* Effect.forEach(names, (vendor) =>
        statusOf(vendor, "best crm [[sandbox:perplexity:status=500]]")
      )
      assert.deepEqual(statuses, [200, 200, 200, 500])
    })
  )

  it.effect("a directive changes nothing else: the answer is that to the question without it", () =>
    Effect.gen(function* () {
      const textOf = (question: string) =>
        Effect.flatMap(asked("perplexity", question), (response) => Effect.promise(() => response.text()))
      const plain = yield* textOf("best crm for agencies")
      assert.strictEqual(yield* textOf("best crm for agencies [[sandbox:latency=1ms]]"), plain)
    })
  )
})

layer(
  Origin.layer({
    seed: 1,
    faults: [
      { target: "openai", ending: { kind: "status", status: 503 } },
      { ending: { kind: "outcome", outcome: "answer" } }
    ]
  }),
  {
    excludeTestServices: true
  }
)("a standing script", (it) => {
  it.effect("applies to questions without a fault of their own", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* statusOf("openai", "best crm"), 503)
      assert.strictEqual(yield* statusOf("gemini", "best crm"), 200)
      assert.strictEqual(yield* statusOf("openai", "best crm [[sandbox:status=500]]"), 500)
    })
  )
})

/** One request passed directly to the routes, so that they use the test clock. */
const inMemory = (options: Options, request: Request) =>
  Effect.gen(function* () {
    const app = yield* HttpRouter.toHttpEffect(routes(options))
    const response = yield* Effect.provideService(
      app,
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(request)
    )
    return HttpServerResponse.toWeb(response)
  }).pipe(Effect.scoped)

const local = (question: string) => requestTo("http://sandbox.test", "openai", question)

it.effect("latency delays the answer by exactly that time", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(inMemory({ seed: 1 }, local("best crm [[sandbox:latency=500ms]]")))
    yield* TestClock.adjust("499 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
  })
)

it.effect("a standing latency applies to every question", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(inMemory({ seed: 1, faults: [{ latency: "2 seconds" }] }, local("best crm")))
    yield* TestClock.adjust("1999 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
  })
)

it.effect("hang never answers", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(inMemory({ seed: 1 }, local("best crm [[sandbox:hang]]")))
    yield* TestClock.adjust("1 day")
    assert.isUndefined(fiber.pollUnsafe())
    yield* Fiber.interrupt(fiber)
  })
)
