/**
 * How long a vendor has for a surface's answer, on a test clock.
 *
 * Planted and seen red: the deadline starts again after the wait in the queue.
 */
import { assert, it } from "@effect/vitest"
import { Waited } from "@sightline/platforms/Capture"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { asked, cloro, dataForSeo } from "./LocalSurfaces.ts"

it.effect.each([cloro, dataForSeo])("the deadline is the ceiling, less the question's wait in the queue", (vendor) =>
  Effect.gen(function* () {
    const until: Array<number> = []
    const door = Layer.mock(UpstreamClient, {
      post: (_call, _read, by) => {
        until.push(by)
        return Effect.fail(platformFailed("ai_mode", "upstream_unavailable"))
      }
    })
    const capture = yield* Effect.provide(vendor("ai_mode", "http://vendor"), door)
    yield* TestClock.adjust("7 seconds")
    yield* Effect.ignore(capture(asked("best crm")))
    yield* Effect.ignore(Effect.provideService(capture(asked("best crm")), Waited, 30_000))
    assert.deepEqual(until, [97_000, 67_000])
  })
)
