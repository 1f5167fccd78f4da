import type { ModelTable } from "@sightline/domain/Model"
import * as Sandbox from "@sightline/sandbox/Sandbox"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as Captures from "./captures/Captures.ts"
import * as NodeServer from "./http/NodeServer.ts"
import type { Settings } from "./settings/Settings.ts"

/** The worker's part: an actor per platform, and on a loopback port the sandbox that the actors for test keys ask. */
export const layer = (settings: Settings, models: ModelTable, live: Captures.LiveCapture) =>
  Layer.unwrap(
    Effect.map(HttpServer.HttpServer, (server) =>
      Captures.layer(settings, models, live, HttpServer.formatAddress(server.address))
    )
  ).pipe(
    Layer.provide(
      NodeServer.serve(Sandbox.routes({ seed: settings.sandboxSeed }), {
        settings: { host: "The address of the sandbox", port: "The port of the sandbox" },
        host: "127.0.0.1",
        port: 0,
        grace: "1 second"
      })
    )
  )
