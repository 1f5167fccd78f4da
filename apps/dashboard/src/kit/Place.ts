const isOff = (element: Element) => element.matches(":disabled")

/** What can take the focus for something around which it stood: a part of the page with a name, else the page. */
const heirOf = (path: ReadonlyArray<Element>) =>
  path.find((element) => element.isConnected && element.matches("[tabindex]")) ?? document.querySelector("main")

let path: ReadonlyArray<Element> = []

/** What has the focus, or had it last. */
export const keptPlace = (): Element | undefined => path[0]

/**
 * Keeps the place of whoever goes by keys or listens: where what has the focus goes away, the part of the page around it has it,
 * and where it only rests, it has it again afterwards. Browsers let go of it in either case, and screen readers begin anew.
 */
export const keepPlace = () => {
  let rests = false
  document.addEventListener("focusin", (event) => {
    path = event.composedPath().filter((target) => target instanceof Element)
    rests = false
  })
  const restore = () => {
    const [element] = path
    if (element === undefined) return
    const isLetGo = document.activeElement === document.body
    const heir = element.isConnected ? element : heirOf(path)
    // What rests is let go of with the next picture only, and may rest no more by then. An element that neither rests nor went away
    // was left by the reader.
    if (element.isConnected && (isOff(element) || !isLetGo)) rests = isOff(element)
    else if (isLetGo && (rests || !element.isConnected) && heir instanceof HTMLElement)
      heir.focus({ preventScroll: true })
  }
  new MutationObserver(restore).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled"]
  })
}
