import type { Answer, Question } from "@sightline/domain/Answer"
import type { UnreadPage } from "@sightline/domain/EndedCapture"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { Browser } from "@sightline/platforms/Browser"
import { make } from "@sightline/platforms/browser/BrowserCapture"
import type { Capture } from "@sightline/platforms/Capture"
import type { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import { Effect, Layer, ManagedRuntime, type Result } from "effect"
import { Origin } from "../../sandbox/Origin.ts"
import { chromium, samplesOf } from "../browser/Captures.ts"

/** The seed of the sandbox that the suites capture from. */
export const seed = 7

/** A question as live surfaces receive it. */
export const question = (content: string, country = "GB"): Question => ({
  turns: [{ role: "user", content }],
  model: "",
  country,
  webSearch: true
})

type Outcome = Result.Result<Answer, PlatformFailed>

/** Captures from the sandbox, through the browser or a vendor. */
export interface Surfaces {
  /** In real Chromium. */
  readonly browse: (profile: SurfaceProfile, content: string, country?: string) => Promise<Outcome>
  /** Through the vendor that is made with the sandbox's address. */
  readonly order: (
    vendor: (origin: string) => Effect.Effect<Capture, never, UpstreamClient>,
    content: string,
    country?: string
  ) => Promise<Outcome>
  /** The samples of unreadable pages so far. */
  readonly samples: ReadonlyArray<UnreadPage>
  readonly close: () => Promise<void>
}

/** The sandbox and a browser; both start with the first capture. */
export const openSurfaces = (): Surfaces => {
  const samples: Array<UnreadPage> = []
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      Origin.layer({ seed }),
      samplesOf(samples),
      UpstreamClient.layer,
      Browser.layer({ chromium: chromium(), contextsMax: 3 })
    )
  )
  const ask = (
    capture: (origin: string) => Effect.Effect<Capture, never, Browser | CaptureJournal | UpstreamClient>,
    asked: Question
  ) =>
    runtime.runPromise(
      Origin.use(capture).pipe(
        Effect.flatMap((capturing) => capturing(asked)),
        Effect.result
      )
    )
  return {
    samples,
    browse: (profile, content, country) =>
      ask(
        (origin) => make(profile, { environment: "test", origin: `${origin}/web/${profile.surface}` }),
        question(content, country)
      ),
    order: (vendor, content, country) => ask(vendor, question(content, country)),
    close: () => runtime.dispose()
  }
}
