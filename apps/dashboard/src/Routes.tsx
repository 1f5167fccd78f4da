import { type ComponentType, lazy } from "react"
import { Failure } from "./Failure.ts"

interface PageRoute {
  readonly path: string
  /** The name in the navigation; pages without one are reached from other pages. */
  readonly nav?: string
  readonly page: ComponentType
  /** Whether it stays mounted while another page is shown, with what was typed into it and the answers that were paid for. */
  readonly stays?: boolean
}

// A missing file and an unreachable server cause the same error.
const unloaded = new Failure({
  code: "unreachable",
  message: "This page could not be loaded: the server is out of reach, or Sightline was updated meanwhile.",
  issues: []
})

/** Loads a page's file when it is first shown. */
const page = (load: () => Promise<ComponentType>) =>
  lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => Promise.reject(unloaded)
    )
  )

/** Every page by its address, in the order of the navigation. */
export const routes: ReadonlyArray<PageRoute> = [
  { path: "/", nav: "Overview", page: page(() => import("./visibility/OverviewPage.tsx").then((m) => m.OverviewPage)) },
  {
    path: "/playground",
    nav: "Playground",
    page: page(() => import("./calls/PlaygroundPage.tsx").then((m) => m.PlaygroundPage)),
    stays: true
  },
  { path: "/checks", nav: "Checks", page: page(() => import("./checks/ChecksPage.tsx").then((m) => m.ChecksPage)) },
  { path: "/checks/:id", page: page(() => import("./checks/CheckPage.tsx").then((m) => m.CheckPage)) },
  {
    path: "/watches",
    nav: "Watches",
    page: page(() => import("./watches/WatchesPage.tsx").then((m) => m.WatchesPage))
  },
  { path: "/watches/:id", page: page(() => import("./watches/WatchPage.tsx").then((m) => m.WatchPage)) },
  {
    path: "/webhooks",
    nav: "Webhooks",
    page: page(() => import("./webhooks/WebhooksPage.tsx").then((m) => m.WebhooksPage))
  },
  { path: "/webhooks/:id", page: page(() => import("./webhooks/WebhookPage.tsx").then((m) => m.WebhookPage)) },
  { path: "/deliveries/:id", page: page(() => import("./webhooks/DeliveryPage.tsx").then((m) => m.DeliveryPage)) },
  { path: "/usage", nav: "Usage", page: page(() => import("./money/UsagePage.tsx").then((m) => m.UsagePage)) },
  { path: "/billing", page: page(() => import("./money/BillingPage.tsx").then((m) => m.BillingPage)) },
  { path: "/health", nav: "Health", page: page(() => import("./health/HealthPage.tsx").then((m) => m.HealthPage)) },
  { path: "/keys", nav: "Keys", page: page(() => import("./keys/KeysPage.tsx").then((m) => m.KeysPage)) }
]
