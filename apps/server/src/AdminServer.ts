import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AdminApi } from "@sightline/contract/AdminApi"
import { Auditor } from "@sightline/engine/Auditor"
import { Books } from "@sightline/store/Books"
import * as AdminHandlers from "./AdminHandlers.ts"
import * as Envelope from "./Envelope.ts"
import * as NodeServer from "./NodeServer.ts"
import type { Secrets } from "./Secrets.ts"
import type { Settings } from "./Settings.ts"
import { layerMetrics, layerProbes } from "./SystemRoutes.ts"

/** What operators and their monitoring call, on a port of its own. */
export const layer = (settings: Settings, { adminToken }: Secrets) =>
  HttpRouter.serve(
    Layer.mergeAll(
      HttpApiBuilder.layer(AdminApi).pipe(
        Layer.provide(AdminHandlers.layer),
        Layer.provide([AdminHandlers.layerAuthorization(adminToken), Auditor.layer.pipe(Layer.provide(Books.layer))])
      ),
      layerMetrics,
      layerProbes,
      Envelope.layer(AdminApi)
    ),
    { disableLogger: true, disableListenLog: true }
  ).pipe(Layer.provide(NodeServer.layer({ host: settings.adminHost, port: settings.adminPort, grace: "1 second" })))
