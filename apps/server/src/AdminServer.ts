import { AdminApi } from "@sightline/contract/AdminApi"
import { Auditor } from "@sightline/engine/Auditor"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Context, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as ActionHandlers from "./handlers/ActionHandlers.ts"
import * as AdminHandlers from "./handlers/AdminHandlers.ts"
import * as CapturesHandlers from "./handlers/CapturesHandlers.ts"
import * as Envelope from "./http/Envelope.ts"
import * as NodeServer from "./http/NodeServer.ts"
import type { Secrets } from "./settings/Secrets.ts"
import type { Settings } from "./settings/Settings.ts"
import { layerMetrics, layerProbes, probes } from "./SystemRoutes.ts"

/** The origin at which operators reach the listener. */
export class Origin extends Context.Service<Origin, string>()("@sightline/server/AdminServer/Origin") {}

const listener = (settings: Settings, { adminToken }: Secrets) =>
  NodeServer.serve(
    Layer.mergeAll(
      HttpApiBuilder.layer(AdminApi).pipe(
        Layer.provide([AdminHandlers.layer, ActionHandlers.layer, CapturesHandlers.layer]),
        Layer.provide(AdminHandlers.layerAuthorization(adminToken))
      ),
      layerMetrics,
      layerProbes,
      Envelope.layer(AdminApi, { probes: [...probes, "/metrics"] })
    ),
    {
      settings: { host: "ADMIN_HOST", port: "ADMIN_PORT" },
      host: settings.adminHost,
      port: settings.adminPort,
      grace: "1 second"
    }
  ).pipe(Layer.provide(Auditor.layer.pipe(Layer.provide(AuditRecords.layer))))

/** The operator API and the monitoring endpoints, on a port of their own. */
export const layer = (settings: Settings, secrets: Secrets) =>
  Layer.provide(Layer.effect(Origin, NodeServer.originOf(settings.adminHost)), listener(settings, secrets))
