import { readFileSync } from "node:fs"
import { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import type { Observation, SurfaceProfile, Unread } from "@sightline/platforms/live/Surface"

/** The HTML of a hand-written page. */
export const pageText = (name: string): string =>
  readFileSync(new URL(`../../fixtures/pages/${name}.html`, import.meta.url), "utf8")

/** A page as a capture passes it on. */
export const observed = (html: string, url: string): Observation => ({ url, html, visibleText: "", streams: [] })

/** What a profile reads on a page: the answer, or the reason for none. */
export const readOn = (profile: SurfaceProfile, html: string, url: string): Answer | Unread =>
  Result.match(profile.read(observed(html, url)), { onFailure: (unread) => unread, onSuccess: (answer) => answer })
