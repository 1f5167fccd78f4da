/**
 * A sender of webhooks as a process of its own, for tests that kill it: `senderProcess.ts <socket> <database>`. Runs until it
 * is killed, or closes its scope on SIGTERM.
 */
import { Duration, Effect, Layer } from "effect"
import { Bus } from "@sightline/actor/Bus"
import { Egress } from "@sightline/egress/Egress"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { Attempts } from "@sightline/store/Attempts"
import * as Postgres from "@sightline/store/Postgres"
import { key } from "../store/deliveries.ts"
import { allow } from "../engine/receivers.ts"

const [, , socket = "", database = ""] = process.argv
const asked = new Promise<void>((resolve) => {
  process.once("SIGTERM", () => resolve())
})
await Effect.promise(() => asked).pipe(
  Effect.provide(
    WebhookSender.layer.pipe(
      Layer.provide(
        Layer.mergeAll(
          Attempts.layer({ key, retryDelays: [Duration.seconds(60), Duration.seconds(300)] }),
          Bus.layerMemory,
          Egress.layer({ allow })
        )
      ),
      Layer.provide(Postgres.layer({ socket, database }))
    )
  ),
  Effect.runPromise
)
