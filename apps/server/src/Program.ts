import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as EmbeddedPostgres from "@sightline/store/EmbeddedPostgres"
import { Cause, Effect, Exit, Fiber, Layer, Option } from "effect"
import { chromiumFor } from "./captures/Chromium.ts"
import { loadModels } from "./captures/Models.ts"
import * as Logging from "./Logging.ts"
import { loadSecrets } from "./settings/Secrets.ts"
import { readSettings, type Settings } from "./settings/Settings.ts"

/**
 * The address of the database, to be awaited where it is needed. The bundled Postgres starts in its own process while this
 * process loads the rest of the program.
 */
const openDatabase = Effect.fnUntraced(function* ({ database, dataDir }: Settings) {
  if (database._tag === "External") return Effect.succeed({ url: database.url })
  return Fiber.join(yield* Effect.forkScoped(EmbeddedPostgres.start({ dataDir })))
})

const makeProcess = Effect.gen(function* () {
  const settings = yield* readSettings(process.env, process.stdout.isTTY)
  const start = Effect.gen(function* () {
    // Files that a setting refers to are checked before anything is created, so that a wrong setting leaves nothing behind.
    const models = yield* loadModels(settings)
    const chromium = settings.roles.has("worker") ? yield* chromiumFor(settings.live) : Option.none()
    const secrets = yield* loadSecrets(settings)
    const database = yield* openDatabase(settings)
    // Loading modules blocks the event loop, so the database's process is started first.
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

/** Prints in one line why a process cannot start. */
const explain = (cause: Cause.Cause<{ readonly message: string }>) =>
  Effect.sync(() => {
    const error = Cause.findErrorOption(cause)
    const line = Option.isSome(error) ? error.value.message : Cause.pretty(cause)
    process.stderr.write(`sightline: ${line}\n`)
  })

/** Runs the program until SIGTERM or SIGINT: then it drains and exits with 0. A start that fails exits with 1. */
export const run = (): void => {
  // A closed terminal sends SIGHUP, which ends the process in the same way.
  process.on("SIGHUP", () => process.emit("SIGTERM"))

  // The reader of the output may end first, as at Ctrl-C in a pipe. That must not break calls.
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
