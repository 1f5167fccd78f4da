import { useSyncExternalStore } from "react"

/** The colour theme: the system's, or one that was chosen here and is stored in the browser. */
export type Theme = "system" | "light" | "dark"

const place = "theme"

const stored = (): Theme => {
  const kept = globalThis.localStorage.getItem(place)
  return kept === "light" || kept === "dark" ? kept : "system"
}

let theme = stored()
const listeners = new Set<() => void>()

/** Applies the theme to the document. First called before anything is painted. */
export const showTheme = () => {
  if (theme === "system") document.documentElement.removeAttribute("data-theme")
  else document.documentElement.setAttribute("data-theme", theme)
}

const choose = (chosen: Theme) => {
  theme = chosen
  if (chosen === "system") globalThis.localStorage.removeItem(place)
  else globalThis.localStorage.setItem(place, chosen)
  showTheme()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme, and a function that changes it. */
export const useTheme = () => [useSyncExternalStore(subscribe, () => theme), choose] as const
