import { Effect, Result } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { Environment } from "@sightline/domain/Platform"
import { Browser } from "@sightline/platforms/Browser"
import type { Capture } from "@sightline/platforms/Capture"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import { localeOf } from "@sightline/platforms/live/Locale"
import type { SurfaceProfile, Unread } from "@sightline/platforms/live/Surface"
import { surfaceFailed } from "@sightline/platforms/SurfaceFailure"
import { drive, type DriveResult } from "./Drive.ts"
import { redacted } from "./Redaction.ts"
import { Stopped } from "./Stopped.ts"
import { type Timing, timings } from "./Timing.ts"

/** Where a surface is captured. */
export interface BrowserCaptureOptions {
  readonly environment: Environment
  /** Replaces the scheme and host of the profile's own site; it may end with a path that the profile's paths are put below. */
  readonly origin?: string
  readonly timing?: Timing
}

const readBy = (profile: SurfaceProfile, { page, verdict }: DriveResult): Result.Result<Answer, Unread> => {
  try {
    const read = profile.read(page)
    // An absence is accepted only from a page that shows what the surface shows without an answer.
    const unbelievable = verdict === "unknown_page" && Result.isSuccess(read) && read.success.surfacePresent === false
    return unbelievable ? Result.fail("parse_error") : read
  } catch {
    // A reader that throws counts as one that cannot read the page.
    return Result.fail("parse_error")
  }
}

/**
 * A live surface captured through a browser, as its profile describes.
 *
 * Errors: `PlatformFailed` with the ending. A page whose answer could not be read is kept in the journal, redacted.
 */
export const make = Effect.fnUntraced(function* (
  profile: SurfaceProfile,
  options: BrowserCaptureOptions
): Effect.fn.Return<Capture, never, Browser | CaptureJournal> {
  const browser = yield* Browser
  const journal = yield* CaptureJournal
  const { environment, timing = timings[options.environment] } = options
  const platform = profile.surface

  const capture = Effect.fnUntraced(function* (question: Question): Effect.fn.Return<Answer, Stopped> {
    const locale = localeOf(question.country)
    const origin = options.origin ?? profile.origin(locale)
    const query = question.turns.at(-1)?.content ?? ""
    const task = { profile, question: query, timing, url: origin + profile.path(query, locale) }
    const driven = yield* browser.visit({ environment, surface: platform, locale, origin }, (page) => drive(task, page))
    const read = readBy(profile, driven)
    if (Result.isSuccess(read)) return read.success
    const html = redacted(driven.page.html, profile.containers)
    yield* journal.keep({ environment, platform, ending: read.failure, html })
    return yield* new Stopped({ ending: read.failure })
  })

  return (question) =>
    capture(question).pipe(
      Effect.timeoutOrElse({
        duration: timing.whole,
        orElse: () => Effect.fail(new Stopped({ ending: "timeout" }))
      }),
      Effect.mapError(({ ending }) => surfaceFailed(platform, ending))
    )
})
