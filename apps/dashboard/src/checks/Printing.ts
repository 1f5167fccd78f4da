import { useSyncExternalStore } from "react"
import { flushSync } from "react-dom"

let printing = false

const subscribe = (changed: () => void) => {
  const set = (now: boolean) => () => {
    printing = now
    // The browser takes the page as it is when the event's listeners have returned.
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

/** Whether the page is being put on paper, where nothing can be opened any more. */
export const usePrinting = () => useSyncExternalStore(subscribe, () => printing)
