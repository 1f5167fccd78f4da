import { Effect, Layer } from "effect"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import { CaptureSamples } from "@sightline/store/CaptureSamples"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { bestEffort } from "./BestEffort.ts"

/** The journal of captures, kept in the store: hourly counts, and the newest pages that could not be parsed. */
export const layer: Layer.Layer<CaptureJournal, never, CaptureSamples | CaptureStats> = Layer.effect(
  CaptureJournal,
  Effect.gen(function* () {
    const stats = yield* CaptureStats
    const samples = yield* CaptureSamples
    return CaptureJournal.of({
      record: stats.record,
      keep: (page) => bestEffort("An unread page was not kept", samples.keep(page))
    })
  })
)
