import { Schema } from "effect"
import { hash } from "node:crypto"
import { FailureCode, Platform } from "@sightline/domain/Platform"
import type { Region } from "@sightline/domain/Region"

/**
 * What a check saw, platform by platform: `result` as it is shown, the rest as it is summed up later.
 *
 * Shape: `platforms` holds the platforms that gave an answer; `mentioned`, `ranks` and `texts` go by the position in it. `mentioned` is
 * whether the answer names the brand, null if the surface showed no answer; `ranks` is where it does; `texts` is the hash of the
 * answer's text. `sites` and `pages` are those of the answers' digests, concatenated.
 */
export interface CheckSnapshot {
  readonly result: unknown
  readonly platforms: ReadonlyArray<Platform>
  readonly mentioned: ReadonlyArray<boolean | null>
  readonly ranks: ReadonlyArray<number | null>
  readonly texts: ReadonlyArray<string | null>
  readonly sites: ReadonlyArray<string>
  readonly pages: ReadonlyArray<string>
}

/** A snapshot, and the hash under which it is stored once for all checks that saw the same. Units: 64 hex digits. */
export interface HashedSnapshot extends CheckSnapshot {
  readonly hash: string
}

/** The snapshot with its hash. */
export const hashSnapshot = (snapshot: CheckSnapshot): HashedSnapshot => ({
  ...snapshot,
  hash: hash("sha256", JSON.stringify(snapshot))
})

/** The result of a check, as its record stores it. */
export const CheckResult = Schema.Struct({
  sightings: Schema.Array(
    Schema.Struct({
      platform: Platform,
      model: Schema.String,
      surfacePresent: Schema.optionalKey(Schema.Literal(false)),
      mentioned: Schema.Boolean,
      rank: Schema.NullOr(Schema.Int),
      context: Schema.String,
      citations: Schema.Array(Schema.Struct({ url: Schema.String, title: Schema.String }))
    })
  ),
  failures: Schema.Array(Schema.Struct({ platform: Platform, code: FailureCode }))
})
export type CheckResult = typeof CheckResult.Type

/** What is kept of a finished check: what was asked, and what was seen. */
export interface CheckRecord {
  readonly id: string
  readonly query: string
  readonly brand: string
  readonly region: Region
  readonly request: unknown
  readonly durationMs: number
  readonly snapshot: HashedSnapshot
}
