import type { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { LiveSurface } from "@sightline/domain/Platform"
import type { Locale } from "./Locale.ts"

/** Why a page did not lead to an answer, as a sign on it says. */
type Block = Extract<CaptureEnding, "captcha" | "challenge" | "login_wall" | "region">

/** A sign that the page is not the surface. Every condition it names must hold; it names at least one. */
export interface Sign {
  readonly block: Block
  /** A part of the page's address. */
  readonly url?: string
  /** The status of the document or of a kept stream. */
  readonly status?: number
  /** A visible element. */
  readonly selector?: string
  /** A part of the visible text, compared without case. */
  readonly text?: string
  /** The most characters of visible text the page may have, so that an answer which quotes the text is no sign. */
  readonly textMax?: number
}

/** A response of the page that was kept: the engine's own event stream. */
export interface KeptStream {
  readonly url: string
  readonly status: number
  readonly body: string
}

/** A page when its answer was complete. `html` is the whole document, `visibleText` what a person would see of it. */
export interface Observation {
  readonly url: string
  readonly html: string
  readonly visibleText: string
  readonly streams: ReadonlyArray<KeptStream>
}

/** Why an observation gave no answer although the surface showed one. */
export type Unread = Extract<CaptureEnding, "container_empty" | "parse_error">

/**
 * How one live surface is captured: data that changes with the page, and a pure reader.
 *
 * Shape: selectors are CSS; lists are tried in order. A question is in `path`, or typed into `composer`.
 * Laws: `read` never fails on a page without an answer: that is a success with `surfacePresent: false`, given only where no
 * `containers` are there, and `results` or a stream that came through show that the page was served.
 */
export interface SurfaceProfile {
  readonly surface: LiveSurface
  /** Scheme and host of the site; replaced where the sandbox plays it. */
  readonly origin: (locale: Locale) => string
  /** Path and query of the page to open. */
  readonly path: (query: string, locale: Locale) => string
  /** What is clicked away as soon as it is visible: consent screens, cookie banners, "stay logged out". */
  readonly dismiss: ReadonlyArray<string>
  readonly composer?: { readonly input: string; readonly send: string }
  /** Responses to keep, by how their address's path ends. */
  readonly streams: ReadonlyArray<string>
  /** Where the answer stands. */
  readonly containers: ReadonlyArray<string>
  /** What shows that the page was served as it should be, also without an answer. */
  readonly results: ReadonlyArray<string>
  /** Visible words that say there is no answer for this question. */
  readonly absence: ReadonlyArray<string>
  /** What is clicked once the answer is there, to show all of it. */
  readonly expand: ReadonlyArray<string>
  /**
   * When the answer is complete: a kept stream contains `streamEnd`, or no `busy` element is left and the container's
   * text has been the same for three looks.
   */
  readonly streamEnd?: string
  readonly busy: ReadonlyArray<string>
  readonly signs: ReadonlyArray<Sign>
  readonly read: (page: Observation) => Result.Result<Answer, Unread>
}
