/**
 * For how many calls a site remembers the scene of a page.
 *
 * Planted and seen red: every scene is remembered, one fewer, or only a hundred.
 */
import { Result } from "effect"
import { assert, it } from "vitest"
import { sceneOf } from "@sightline/sandbox/live/Scene"
import { makeScenes } from "@sightline/sandbox/web/PageScenes"

const most = 1000

const scene = Result.getOrThrow(
  sceneOf({ seed: 1, surface: "ai_mode", captureRoute: "web", question: "best crm", country: "US" })
)

it(`the last ${most} scenes are remembered, each under its own name, and no more`, () => {
  const scenes = makeScenes()
  const kept = Array.from({ length: most }, (_, latencyMillis) => ({ ...scene, latencyMillis }))
  const names = kept.map(scenes.keep)
  assert.deepStrictEqual(names.map(scenes.of), kept)
  scenes.keep(scene)
  assert.isUndefined(scenes.of(names[0] ?? ""))
  assert.strictEqual(scenes.of(names[1] ?? ""), kept[1])
})
