import { findChromium } from "@sightline/platforms/browser/FindChromium"
import { folderFault } from "@sightline/platforms/browser/UserDataFolder"
import type { LiveSettings } from "@sightline/server/settings/LiveSettings"
import { BadSetting } from "@sightline/server/settings/Setting"
import { Effect, Option } from "effect"

/**
 * The Chromium that a worker captures with, if there is one.
 *
 * Errors: `BadSetting` if `CHROMIUM_PATH` is not a Chromium, or if a surface needs a Chromium and there is none, or no
 * folder for it.
 */
export const chromiumFor = Effect.fnUntraced(function* ({ chromiumPath, searchPath, kinds }: LiveSettings) {
  const given = Option.getOrUndefined(chromiumPath)
  const needed = Object.values(kinds).includes("browser")
  if (given?.toLowerCase() === "off") {
    if (needed) return yield* new BadSetting({ message: "CHROMIUM_PATH is off, and live capture is browser" })
    return Option.none<string>()
  }
  const found = findChromium(given, searchPath)
  const fault = "path" in found ? folderFault() : found.missing
  if ("path" in found && fault === undefined) return Option.some(found.path)
  if (fault !== undefined && (needed || given !== undefined)) return yield* new BadSetting({ message: fault })
  return Option.none<string>()
})
