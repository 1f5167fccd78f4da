import type { CaptureEnding } from "./CaptureEnding.ts"
import type { Environment, Platform } from "./Platform.ts"

/** One capture that ended. `adverts` is how many were shown, where the surface is searched for them. */
export interface EndedCapture {
  readonly environment: Environment
  readonly platform: Platform
  readonly ending: CaptureEnding
  readonly millis: number
  readonly adverts?: number
}

/** A page whose answer could not be read, kept for the repair of its profile: redacted and bounded. */
export interface UnreadPage {
  readonly environment: Environment
  readonly platform: Platform
  readonly ending: CaptureEnding
  readonly html: string
}
