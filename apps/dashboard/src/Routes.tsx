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
  },
  { path: "/checks", nav: "Checks", page: page(() => import("./ChecksPage.tsx").then((m) => m.ChecksPage)) },
  { path: "/checks/:id", page: page(() => import("./CheckPage.tsx").then((m) => m.CheckPage)) },
  { path: "/watches", nav: "Watches", page: page(() => import("./WatchesPage.tsx").then((m) => m.WatchesPage)) },
  { path: "/watches/:id", page: page(() => import("./WatchPage.tsx").then((m) => m.WatchPage)) },
  { path: "/webhooks", nav: "Webhooks", page: page(() => import("./WebhooksPage.tsx").then((m) => m.WebhooksPage)) },
  { path: "/webhooks/:id", page: page(() => import("./WebhookPage.tsx").then((m) => m.WebhookPage)) },
  { path: "/deliveries/:id", page: page(() => import("./DeliveryPage.tsx").then((m) => m.DeliveryPage)) },
  { path: "/usage", nav: "Usage", page: page(() => import("./UsagePage.tsx").then((m) => m.UsagePage)) },
  { path: "/billing", page: page(() => import("./BillingPage.tsx").then((m) => m.BillingPage)) },
  { path: "/health", nav: "Health", page: page(() => import("./HealthPage.tsx").then((m) => m.HealthPage)) },
  { path: "/keys", nav: "Keys", page: page(() => import("./KeysPage.tsx").then((m) => m.KeysPage)) }
]
