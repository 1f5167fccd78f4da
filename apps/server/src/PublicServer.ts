import { Api } from "@sightline/contract/Api"
import { Egress } from "@sightline/egress/Egress"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { AskRunner } from "@sightline/engine/AskRunner"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { CompareRunner } from "@sightline/engine/CompareRunner"
import { DiscoverRunner } from "@sightline/engine/DiscoverRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Offering } from "@sightline/engine/Subjects"
import { shutdownGrace } from "@sightline/engine/Tuning"
import { Context, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Dashboard from "./Dashboard.ts"
import * as AccountHandlers from "./handlers/AccountHandlers.ts"
import * as AskHandlers from "./handlers/AskHandlers.ts"
import { askRendering } from "./handlers/AskRendering.ts"
import * as CheckHandlers from "./handlers/CheckHandlers.ts"
import * as CheckHistoryHandlers from "./handlers/CheckHistoryHandlers.ts"
import * as CompareHandlers from "./handlers/CompareHandlers.ts"
import * as DeliveryHandlers from "./handlers/DeliveryHandlers.ts"
import * as DiscoverHandlers from "./handlers/DiscoverHandlers.ts"
import * as HealthHandlers from "./handlers/HealthHandlers.ts"
import { IdempotentReplay } from "./handlers/IdempotentReplay.ts"
import * as KeyHandlers from "./handlers/KeyHandlers.ts"
import * as SessionHandlers from "./handlers/SessionHandlers.ts"
import * as VisibilityHandlers from "./handlers/VisibilityHandlers.ts"
import * as WalletHandlers from "./handlers/WalletHandlers.ts"
import * as WatchHandlers from "./handlers/WatchHandlers.ts"
import * as WebhookHandlers from "./handlers/WebhookHandlers.ts"
import * as Envelope from "./http/Envelope.ts"
import * as Followed from "./http/EventStream.ts"
import * as NodeServer from "./http/NodeServer.ts"
import { ChangeGate } from "./keys/ChangeGate.ts"
import * as KeyAuthorization from "./keys/KeyAuthorization.ts"
import { ReadGate } from "./keys/ReadGate.ts"
import * as UnroutedLimit from "./keys/UnroutedLimit.ts"
import * as Reference from "./Reference.ts"
import type { Settings } from "./settings/Settings.ts"
import { layerProbes, probes } from "./SystemRoutes.ts"

/** The origin at which customers on this host reach the listener. */
export class Origin extends Context.Service<Origin, string>()("@sightline/server/PublicServer/Origin") {}

const listener = (settings: Settings, offering: Offering) =>
  NodeServer.serve(
    Layer.mergeAll(
      HttpApiBuilder.layer(Api).pipe(
        Layer.provide([
          CheckHandlers.layer(settings.topupUrl),
          CompareHandlers.layer(settings.topupUrl),
          DiscoverHandlers.layer(settings.topupUrl),
          AccountHandlers.layer(offering.models),
          AskHandlers.layer,
          DeliveryHandlers.layer,
          HealthHandlers.layer,
          CheckHistoryHandlers.layer,
          VisibilityHandlers.layer,
          KeyHandlers.layer,
          SessionHandlers.layer,
          WalletHandlers.layer(settings.topupUrl),
          WatchHandlers.layer(offering),
          WebhookHandlers.layer
        ]),
        Layer.provide([
          KeyAuthorization.layer,
          IdempotentReplay.layer,
          AskRunner.layer(offering, askRendering),
          CheckRunner.layer(offering),
          CompareRunner.layer(offering),
          DiscoverRunner.layer(offering)
        ]),
        Layer.provide([AnswerSource.layer, LiveSource.layer])
      ),
      Reference.layer,
      layerProbes,
      Dashboard.layer(Dashboard.built),
      UnroutedLimit.layer.pipe(
        Layer.provide(Envelope.layer(Api, { pages: Reference.paths, probes }).pipe(Layer.provide(Followed.layer)))
      )
    ),
    { settings: { host: "HOST", port: "PORT" }, host: settings.host, port: settings.port, grace: shutdownGrace }
  ).pipe(Layer.provide([Egress.layer({ allow: settings.deliveryAllow }), ChangeGate.layer, ReadGate.layer]))

/** The API that customers call, its description for programs and for people, the dashboard, and the probes. */
export const layer = (settings: Settings, offering: Offering) =>
  Layer.provide(Layer.effect(Origin, NodeServer.originOf(settings.host)), listener(settings, offering))
