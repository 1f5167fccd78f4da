import { Context, type Effect } from "effect"
import type { EndedCapture, UnreadPage } from "@sightline/domain/EndedCapture"

/** Where captures are recorded, so that a surface that silently stopped working is noticed. It never fails a capture. */
export class CaptureJournal extends Context.Service<
  CaptureJournal,
  {
    readonly record: (capture: EndedCapture) => Effect.Effect<void>
    readonly keep: (page: UnreadPage) => Effect.Effect<void>
  }
>()("@sightline/platforms/CaptureJournal") {}
