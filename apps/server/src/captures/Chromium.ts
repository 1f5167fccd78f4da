import { findChromium } from "@sightline/platforms/browser/FindChromium"
import type { LiveSettings } from "@sightline/server/settings/LiveSettings"
import { BadSetting } from "@sightline/server/settings/Setting"
import { Effect, Option } from "effect"

/**
 * The Chromium that a worker captures with, if there is one.
 *
 * Errors: `BadSetting` when the operator's is none, or when a surface needs one and there is none.
 */
export const chromiumFor = Effect.fnUntraced(function* ({ chromiumPath, searchPath, kinds }: LiveSettings) {
  const given = Option.getOrUndefined(chromiumPath)
  const needed = Object.values(kinds).includes("browser")
  if (given?.toLowerCase() === "off") {
    if (needed) return yield* new BadSetting({ message: "CHROMIUM_PATH is off, and live capture is browser" })
    return Option.none<string>()
  }
  const found = findChromium(given, searchPath)
  if ("path" in found) return Option.some(found.path)
  if (needed || given !== undefined) return yield* new BadSetting({ message: found.missing })
  return Option.none<string>()
})
