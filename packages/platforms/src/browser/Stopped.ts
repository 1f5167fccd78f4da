import { Schema } from "effect"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"

/** A capture ended without an answer, for the reason that operators count. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { ending: CaptureEnding }) {}

/** A page did not do what was asked of it: it closed, crashed or went elsewhere. `message` is never shown to customers. */
export class PageBroken extends Schema.TaggedError<PageBroken>()("PageBroken", { message: Schema.String }) {
  /** What Playwright threw; the log of its calls, which follows the first line, is dropped. */
  static readonly from = (cause: unknown): PageBroken =>
    new PageBroken({ message: (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0] ?? "" })
}
