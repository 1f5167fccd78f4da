import { Context, type Effect } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { Environment, Platform } from "@sightline/domain/Platform"

/** One capture that ended. `adverts` counts those that were shown, where the surface is looked at for them. */
export interface CaptureEntry {
  readonly environment: Environment
  readonly platform: Platform
  readonly ending: CaptureEnding
  readonly millis: number
  readonly adverts?: number
}

/** A page whose answer could not be read, kept for whoever mends its profile: redacted and bounded. */
export interface CaptureSample {
  readonly environment: Environment
  readonly platform: Platform
  readonly ending: CaptureEnding
  readonly html: string
}

/** Where captures are written down, so that a surface that quietly stopped working is seen. Never fails a capture. */
export class CaptureJournal extends Context.Service<
  CaptureJournal,
  {
    readonly record: (entry: CaptureEntry) => Effect.Effect<void>
    readonly keep: (sample: CaptureSample) => Effect.Effect<void>
  }
>()("@sightline/platforms/CaptureJournal") {}
