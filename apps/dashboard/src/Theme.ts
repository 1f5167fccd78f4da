import { useSyncExternalStore } from "react"

/** Which colours are shown: the system's choice, or one made here and remembered by the browser. */
export type Theme = "system" | "light" | "dark"

const place = "theme"

const stored = (): Theme => {
  const kept = globalThis.localStorage.getItem(place)
  return kept === "light" || kept === "dark" ? kept : "system"
}

let theme = stored()
const listeners = new Set<() => void>()

/** Puts the theme on the document; first called before anything is painted. */
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

/** The theme and how to choose another. */
export const useTheme = () => [useSyncExternalStore(subscribe, () => theme), choose] as const
