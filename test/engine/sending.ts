import { Duration, Layer } from "effect"
import { Bus } from "@sightline/actor/Bus"
import { Egress } from "@sightline/egress/Egress"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { Accounts } from "@sightline/store/Accounts"
import { Attempts } from "@sightline/store/Attempts"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { key } from "../store/deliveries.ts"
import { allow, type Receiver, resolverOf } from "./receivers.ts"

/** A sender of webhooks that resolves these receivers' names, over the database it is given. */
export const layerSender = (receivers: ReadonlyMap<string, Receiver>) =>
  WebhookSender.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Accounts.layer,
        Attempts.layer({ key, retryDelays: [Duration.seconds(60), Duration.seconds(300)] }),
        WebhookEndpoints.layer(key),
        Bus.layerMemory,
        Egress.layer({ allow, resolve: resolverOf(receivers) })
      )
    )
  )
