import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { UnreadPage } from "@sightline/domain/EndedCapture"
import { Environment, Platform } from "@sightline/domain/Platform"
import { firstBytes, storable } from "@sightline/domain/Storable"
import { Count } from "./Columns.ts"

/** A kept page. */
export const KeptPage = Schema.Struct({
  id: Count,
  environment: Environment,
  platform: Platform,
  ending: CaptureEnding,
  html: Schema.String,
  createdAt: Schema.Date
})
export type KeptPage = typeof KeptPage.Type

/** The most bytes of UTF-8 that are kept of a page. */
const htmlBytesMax = 64 * 1024

/** Pages kept per environment and platform. Environments count separately, so that test traffic never displaces pages of real traffic. */
const keptMax = 20

/** Pages shown at once: all that are kept of one platform. */
const shownMax = 2 * keptMax

/** The beginning of a page. */
const bounded = (html: string): string => firstBytes(storable(html.slice(0, htmlBytesMax)), htmlBytesMax)

/** The newest pages that could not be read, for the repair of their parsers. The caller redacts them. */
export class CaptureSamples extends Context.Service<
  CaptureSamples,
  {
    readonly keep: (page: UnreadPage) => Effect.Effect<void>
    /** Kept pages, newest first, at most 40: of one platform, or of all. */
    readonly newest: (platform: Platform | undefined) => Effect.Effect<ReadonlyArray<KeptPage>>
  }
>()("@sightline/store/CaptureSamples") {
  static readonly layer = Layer.effect(
    CaptureSamples,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // The deletion does not see the row that its own statement inserts, so it keeps one row less.
      const insert = ({ environment, platform, ending, html }: UnreadPage) => sql`
        WITH kept AS (
          INSERT INTO capture_samples (environment, platform, ending, html)
          VALUES (${environment}, ${platform}, ${ending}, ${bounded(html)}))
        DELETE FROM capture_samples WHERE id IN (
          SELECT id FROM capture_samples WHERE environment = ${environment} AND platform = ${platform}
          ORDER BY id DESC OFFSET ${keptMax - 1})`

      const select = SqlSchema.findAll({
        Request: Schema.NullOr(Schema.String),
        Result: KeptPage,
        execute: (platform) => sql`
          SELECT id, environment, platform, ending, html, created_at FROM capture_samples
          WHERE ${platform}::text IS NULL OR platform = ${platform}
          ORDER BY id DESC LIMIT ${shownMax}`
      })

      return CaptureSamples.of({
        keep: (page) => Effect.orDie(Effect.asVoid(insert(page))),
        newest: (platform) => Effect.orDie(select(platform ?? null))
      })
    })
  )
}
