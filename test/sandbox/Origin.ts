import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type Options, routes } from "@sightline/sandbox/Sandbox"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"

/** The address of a sandbox that listens on a private port for as long as the suite runs. */
export class Origin extends Context.Service<Origin, string>()("test/sandbox/Origin") {
  static readonly layer = (options: Options): Layer.Layer<Origin> =>
    Layer.effect(
      Origin,
      HttpServer.HttpServer.use((server) => Effect.succeed(HttpServer.formatAddress(server.address)))
    ).pipe(
      Layer.provideMerge(HttpRouter.serve(routes(options), { disableLogger: true, disableListenLog: true })),
      Layer.provide(
        NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: "100 millis" })
      ),
      Layer.orDie
    )
}
