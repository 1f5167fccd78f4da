import type { Scene } from "@sightline/sandbox/live/Scene"

/** Scenes between the call that decides them and the call that shows them; the oldest are forgotten first. */
export interface PageScenes {
  /** Keeps a scene and gives its name. */
  readonly keep: (scene: Scene) => string
  readonly of: (name: string) => Scene | undefined
}

const scenesMax = 1_000

/** An empty store of scenes, one for each site. */
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
