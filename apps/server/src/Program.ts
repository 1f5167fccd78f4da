import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as EmbeddedPostgres from "@sightline/store/EmbeddedPostgres"
import { Cause, Effect, Exit, Fiber, Layer, Option } from "effect"
import { chromiumFor } from "./captures/Chromium.ts"
import { loadModels } from "./captures/Models.ts"
import * as Logging from "./Logging.ts"
import { loadSecrets } from "./settings/Secrets.ts"
import { readSettings, type Settings } from "./settings/Settings.ts"

/**
 * The location of the database, to be awaited where it is needed. The bundled one starts in its own process while this one
 * loads the rest of the program.
 */
const openDatabase = Effect.fnUntraced(function* ({ database, dataDir }: Settings) {
  if (database._tag === "External") return Effect.succeed({ url: database.url })
  return Fiber.join(yield* Effect.forkScoped(EmbeddedPostgres.start({ dataDir })))
})

const makeProcess = Effect.gen(function* () {
  const settings = yield* readSettings(process.env, process.stdout.isTTY)
  const start = Effect.gen(function* () {
    // What a setting names is looked for before anything is made: a wrong one leaves nothing behind.
    const models = yield* loadModels(settings)
    const chromium = settings.roles.has("worker") ? yield* chromiumFor(settings.live) : Option.none()
    const secrets = yield* loadSecrets(settings)
    const database = yield* openDatabase(settings)
    // Reading holds up everything else: the database's process is let off first.
    yield* Effect.sleep("20 millis")
    const Process = yield* Effect.promise(() => import("./Process.ts"))
    return Process.layer(settings, secrets, database, { models, chromium })
  })
  const traces = Option.match(settings.tracesUrl, {
    onNone: () => Layer.empty,
    onSome: (url) => Logging.layerTraces(url, settings)
  })
  return Layer.unwrap(start).pipe(Layer.provide(traces), Layer.provide(Logging.layer(settings)))
})

/** A process that cannot start says why in one line. */
const explain = (cause: Cause.Cause<{ readonly message: string }>) =>
  Effect.sync(() => {
    const error = Cause.findErrorOption(cause)
    const line = Option.isSome(error) ? error.value.message : Cause.pretty(cause)
    process.stderr.write(`sightline: ${line}\n`)
  })

/** Runs the program until SIGTERM or SIGINT, which drain it and end with 0; a start that fails ends with 1. */
export const run = (): void => {
  // A terminal that is closed asks for the same.
  process.on("SIGHUP", () => process.emit("SIGTERM"))

  // Whoever reads what it prints may end first, as at Ctrl-C in a pipe: that breaks no call.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined)

  NodeRuntime.runMain(
    Layer.launch(Layer.unwrap(makeProcess)).pipe(
      Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : explain(cause)))
    ),
    {
      disableErrorReporting: true,
      teardown: (exit, done) => done(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    }
  )
}
