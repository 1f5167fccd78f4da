import { useSyncExternalStore } from "react"
import { flushSync } from "react-dom"

let printing = false

const subscribe = (changed: () => void) => {
  const set = (now: boolean) => () => {
    printing = now
    // Browsers print the page as it is when the event's listeners return, so it is rendered synchronously.
    flushSync(changed)
  }
  const [before, after] = [set(true), set(false)]
  globalThis.addEventListener("beforeprint", before)
  globalThis.addEventListener("afterprint", after)
  return () => {
    globalThis.removeEventListener("beforeprint", before)
    globalThis.removeEventListener("afterprint", after)
  }
}

/** Whether the page is being printed. Nothing can be expanded on paper. */
export const usePrinting = () => useSyncExternalStore(subscribe, () => printing)
