import { Schema } from "effect"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { excerpt } from "@sightline/platforms/Bounds"

/** A capture ended without an answer. `ending` is the reason, which is counted for operators. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { ending: CaptureEnding }) {}

/** A page did not do what was asked of it: it closed, crashed or went elsewhere. `message` is never shown to customers. */
export class PageBroken extends Schema.TaggedError<PageBroken>()("PageBroken", { message: Schema.String }) {
  /**
   * What Playwright threw, as one line of at most 300 characters. Its further lines are a log of calls, and a page may throw any text.
   */
  static readonly from = (cause: unknown): PageBroken =>
    new PageBroken({
      message: excerpt((cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0] ?? "")
    })
}
