import type { Scene } from "@sightline/sandbox/live/Scene"
import { ofChatGpt, ofGemini } from "./DataForSeoChat.ts"
import type { Seen } from "./DataForSeoRequest.ts"
import { ofSearch } from "./DataForSeoSearch.ts"

/** What the vendor reports for a surface, in the format of the surface's endpoint; undefined if it found no results at all. */
export const resultOf = (surface: Seen, scene: Scene): Readonly<Record<string, unknown>> | undefined => {
  const { answer, ending } = scene
  if (surface !== "chatgpt_live" && surface !== "gemini_live") return ofSearch(surface, scene)
  if (answer === undefined) return undefined
  const whole = surface === "chatgpt_live" ? ofChatGpt(answer) : ofGemini(answer)
  return ending?.kind === "container_empty"
    ? { ...whole, markdown: null, item_types: [], items_count: 0, items: [] }
    : whole
}
