/**
 * What happens when more questions arrive than a platform can answer, with the product's own settings, on a test clock.
 *
 * Planted and seen red: questions are refused only at the deadline; the limit for a burst is used for a standing queue.
 */
import { assert, it } from "@effect/vitest"
import { ask } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import {
  captureWaitLimits,
  liveCeiling,
  liveConcurrency,
  liveGrace,
  liveMailbox,
  platformConcurrency,
  platformMailbox,
  providerDeadline,
  providerGrace
} from "@sightline/engine/Tuning"
import { type Capture, Capturing } from "@sightline/platforms/Capture"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { absent } from "@sightline/platforms/SurfaceAnswer"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { question } from "./LocalVendor.ts"

const kinds = {
  llm: {
    places: { platform: "chatgpt_api", concurrency: platformConcurrency, mailboxMax: platformMailbox },
    ceiling: providerDeadline,
    grace: providerGrace
  },
  live: {
    places: { platform: "ai_mode", concurrency: liveConcurrency, mailboxMax: liveMailbox },
    ceiling: liveCeiling,
    grace: liveGrace
  }
} as const

/** Steps of a tenth of a second. Questions arrive evenly, `load` times as many as the platform can answer. */
const step = 100

/** The outcomes of questions to a platform that takes `seconds` per answer, after three minutes of overload. */
const crowded = Effect.fnUntraced(function* (kind: keyof typeof kinds, seconds: number, load: number) {
  const { places, ceiling, grace } = kinds[kind]
  const [warmUp, watched] = [180_000, 300_000]
  const count = { put: 0, answered: 0, refused: 0, late: 0 }
  let now = 0
  const note = (what: keyof typeof count) => Effect.sync(() => void (now > warmUp && count[what]++))
  const capture: Capture = () => Effect.andThen(note("put"), Effect.as(Effect.sleep(seconds * 1000), absent("ai_mode")))
  const actors = PlatformActors.layer([
    { environment: "live", ...places, capture, ceiling, waits: captureWaitLimits }
  ]).pipe(
    Layer.provideMerge(Bus.layerMemory),
    Layer.provide(
      Layer.succeed(CaptureJournal, CaptureJournal.of({ record: () => Effect.void, keep: () => Effect.void }))
    )
  )
  const one = Effect.matchEffect(ask(Capturing, `live-${places.platform}`, question("chatgpt_api"), grace), {
    onSuccess: () => note("answered"),
    onFailure: (failure) => note(failure._tag === "NoReply" && failure.reason === "mailbox_full" ? "refused" : "late")
  })
  const perStep = (load * places.concurrency * step) / (seconds * 1000)
  yield* Effect.gen(function* () {
    for (let due = 0; now < warmUp + watched; now += step) {
      for (due += perStep; due >= 1; due--) yield* Effect.forkChild(one)
      yield* TestClock.adjust(step)
    }
  }).pipe(Effect.provide(actors))
  return { ...count, capacity: (places.concurrency * watched) / (seconds * 1000) }
})

for (const load of [1.5, 3])
  it.effect.each([
    ["llm", 10],
    ["llm", 25],
    ["llm", 50],
    ["live", 20],
    ["live", 60],
    ["live", 75]
  ] as const)(
    `${load} times the capacity of a platform (%s) that takes %d s: it keeps answering, and few captures are in vain`,
    ([kind, seconds]) =>
      Effect.gen(function* () {
        const { answered, capacity, late, put, refused } = yield* crowded(kind, seconds, load)
        assert.isAtLeast(answered, 0.8 * capacity)
        assert.isAtLeast(answered, 0.8 * put)
        assert.isAbove(refused, late)
      })
  )
