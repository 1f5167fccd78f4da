import type { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { LiveSurface } from "@sightline/domain/Platform"
import type { Locale } from "./Locale.ts"

/** Why a page did not lead to an answer, according to a sign on it. */
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
  /** The most characters of visible text that the page may have, so that an answer which quotes the text is no sign. */
  readonly textMax?: number
}

/** A response of the page that was kept, such as the engine's event stream. */
export interface KeptStream {
  readonly url: string
  readonly status: number
  readonly body: string
}

/** A page at the moment when it is read. `html` is its document, `visibleText` the text that a person would see. */
export interface Observation {
  readonly url: string
  readonly html: string
  readonly visibleText: string
  readonly streams: ReadonlyArray<KeptStream>
}

/** Why an observation gave no answer although the surface showed one. */
export type Unread = Extract<CaptureEnding, "container_empty" | "parse_error">

/**
 * How one live surface is captured: data that is updated when its page changes, and a pure reader.
 *
 * Shape: selectors are CSS; lists are tried in order. The question is a part of `path`, or is typed into `composer`.
 * Laws: `read` does not fail on a page without an answer: that is a success with `surfacePresent: false`. It is given only
 * if a container says that there is no answer and nothing else, or if the page has none of `containers` and `results` or a
 * complete stream show that it was served.
 */
export interface SurfaceProfile {
  readonly surface: LiveSurface
  /** Scheme and host of the site; replaced where the sandbox simulates it. */
  readonly origin: (locale: Locale) => string
  /** Path and query of the page to open. */
  readonly path: (query: string, locale: Locale) => string
  /** Elements that are clicked away as soon as they are visible: consent screens, cookie banners, "stay logged out". */
  readonly dismiss: ReadonlyArray<string>
  readonly composer?: { readonly input: string; readonly send: string }
  /** The responses to keep, by the end of their path. */
  readonly streams: ReadonlyArray<string>
  /** The elements that hold the answer. */
  readonly containers: ReadonlyArray<string>
  /** Elements which show that the page was served as it should be, even without an answer. */
  readonly results: ReadonlyArray<string>
  /** Visible words that say there is no answer for this question. */
  readonly absence: ReadonlyArray<string>
  /** Elements that are clicked once the answer is there, to show all of it. */
  readonly expand: ReadonlyArray<string>
  /**
   * The text that ends a kept stream. With it, the answer is complete when a kept stream contains it and no `busy` element
   * is left; otherwise when no `busy` element is left and the container's text has not changed for two `steady` intervals.
   * `judge` has the exact rules.
   */
  readonly streamEnd?: string
  readonly busy: ReadonlyArray<string>
  readonly signs: ReadonlyArray<Sign>
  readonly read: (page: Observation) => Result.Result<Answer, Unread>
}
