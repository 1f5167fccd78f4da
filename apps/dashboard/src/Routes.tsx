import { type ComponentType, lazy } from "react"

interface PageRoute {
  readonly path: string
  /** What the navigation calls it; pages without it are reached from others. */
  readonly nav?: string
  readonly page: ComponentType
}

/** Loads a page's file when it is first shown. */
const page = (load: () => Promise<ComponentType>) => lazy(() => load().then((component) => ({ default: component })))

/** Every page by its address, in the order of the navigation. */
export const routes: ReadonlyArray<PageRoute> = [
  { path: "/", nav: "Overview", page: page(() => import("./OverviewPage.tsx").then((m) => m.OverviewPage)) },
  {
    path: "/playground",
    nav: "Playground",
    page: page(() => import("./PlaygroundPage.tsx").then((m) => m.PlaygroundPage))
  }
]
