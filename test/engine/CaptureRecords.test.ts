/**
 * Planted faults, each seen red: captures not counted; pages not kept; a capture that fails because its page cannot be kept, or that
 * waits until it is kept; that failure not logged.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { EndedCapture, UnreadPage } from "@sightline/domain/EndedCapture"
import * as CaptureRecords from "@sightline/engine/CaptureRecords"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import { CaptureSamples } from "@sightline/store/CaptureSamples"
import { CaptureStats } from "@sightline/store/CaptureStats"

const page: UnreadPage = { environment: "live", platform: "ai_mode", ending: "parse_error", html: "<p>" }

it.effect("the journal counts captures and keeps pages; a page that cannot be kept does not fail its capture", () =>
  Effect.gen(function* () {
    const written: Array<unknown> = []
    const warnings: Array<unknown> = []
    const record: EndedCapture = { environment: "live", platform: "ai_mode", ending: "ok", millis: 1000 }
    const stores = Layer.merge(
      Layer.mock(CaptureStats, { record: (one) => Effect.sync(() => void written.push(one)) }),
      Layer.mock(CaptureSamples, {
        keep: (one) =>
          one.html === "" ? Effect.die(new Error("no database")) : Effect.sync(() => void written.push(one))
      })
    )
    const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(message)))
    yield* CaptureJournal.use(({ keep, record: count }) =>
      Effect.all([count(record), keep({ ...page, html: "" }), keep(page)])
    ).pipe(Effect.provide(CaptureRecords.layer.pipe(Layer.provide(stores))), Effect.provide(Logger.layer([logger])))
    assert.deepEqual(written, [record, page])
    assert.lengthOf(warnings, 1)
  })
)

it.effect("a capture waits at most 3 s until its page is kept, because it has little time for its other attempts", () =>
  Effect.gen(function* () {
    const stores = Layer.merge(Layer.mock(CaptureStats, {}), Layer.mock(CaptureSamples, { keep: () => Effect.never }))
    const keeping = yield* CaptureJournal.use(({ keep }) => keep(page)).pipe(
      Effect.provide(CaptureRecords.layer.pipe(Layer.provide(stores))),
      Effect.forkChild
    )
    yield* TestClock.adjust("3 seconds")
    assert.isDefined(keeping.pollUnsafe())
    yield* Fiber.join(keeping)
  })
)
