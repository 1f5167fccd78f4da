const isOff = (element: Element) => element.matches(":disabled")

/** The element that takes the focus of a removed one: the nearest focusable part of the page around it, else `main`. */
const focusSuccessorOf = (path: ReadonlyArray<Element>) =>
  path.find((element) => element.isConnected && element.matches("[tabindex]")) ?? document.querySelector("main")

let path: ReadonlyArray<Element> = []

/** The element that has the focus, or had it last. */
export const keptFocus = (): Element | undefined => path[0]

/**
 * Keeps the focus for users of a keyboard or a screen reader. When the focused element is removed, the part of the page around it takes
 * the focus. When it is only disabled for a while, it takes the focus again afterwards. Browsers drop the focus in both cases, and
 * screen readers start again at the top.
 */
export const keepFocus = () => {
  let rests = false
  document.addEventListener("focusin", (event) => {
    path = event.composedPath().filter((target) => target instanceof Element)
    rests = false
  })
  const restore = () => {
    const [element] = path
    if (element === undefined) return
    const isLetGo = document.activeElement === document.body
    const successor = element.isConnected ? element : focusSuccessorOf(path)
    // A disabled element loses the focus only with the next frame, and may be enabled again by then. If the element was neither disabled
    // nor removed, the reader has moved the focus away.
    if (element.isConnected && (isOff(element) || !isLetGo)) rests = isOff(element)
    else if (isLetGo && (rests || !element.isConnected) && successor instanceof HTMLElement)
      successor.focus({ preventScroll: true })
  }
  new MutationObserver(restore).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled"]
  })
}
