import type { Scene } from "@sightline/sandbox/live/Scene"

/** The scenes that one call has decided and a later call will show; the oldest are forgotten first. */
export interface PageScenes {
  /** Keeps a scene and returns its name. */
  readonly keep: (scene: Scene) => string
  readonly of: (name: string) => Scene | undefined
}

const scenesMax = 1_000

/** An empty store of scenes; each site has its own. */
export const makeScenes = (): PageScenes => {
  const kept = new Map<string, Scene>()
  let count = 0
  return {
    keep: (scene) => {
      const name = `scene-${++count}`
      kept.set(name, scene)
      if (count > scenesMax) kept.delete(`scene-${count - scenesMax}`)
      return name
    },
    of: (name) => kept.get(name)
  }
}
