import { useLayoutEffect, useRef, useState } from "react"

/** The current width of an element. Shape: a `ref` for the element, and its width, which is 0 before the first layout. */
export const useWidth = <E extends Element>() => {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    setWidth(element.getBoundingClientRect().width)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
