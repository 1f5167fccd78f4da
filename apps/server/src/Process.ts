import { GracePeriod } from "@sightline/actor/Actor"
import type { ModelTable } from "@sightline/domain/Model"
import { Egress } from "@sightline/egress/Egress"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { AskRunner } from "@sightline/engine/AskRunner"
import * as AskWorker from "@sightline/engine/AskWorker"
import * as CaptureCanary from "@sightline/engine/CaptureCanary"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { JobLock } from "@sightline/engine/JobLock"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Offering } from "@sightline/engine/Subjects"
import * as Sweeper from "@sightline/engine/Sweeper"
import { canaryInterval, sweepInterval, tickInterval } from "@sightline/engine/Tuning"
import * as WarmUp from "@sightline/engine/WarmUp"
import { WatchRunner } from "@sightline/engine/WatchRunner"
import * as WatchTicker from "@sightline/engine/WatchTicker"
import * as WatchWorker from "@sightline/engine/WatchWorker"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { Effect, Layer, Option } from "effect"
import * as AdminServer from "./AdminServer.ts"
import { printBanner } from "./Banner.ts"
import { liveRoutes, surfacesOf } from "./captures/LiveRoutes.ts"
import { demoKey } from "./Demo.ts"
import * as Foundation from "./Foundation.ts"
import { askRendering } from "./handlers/AskRendering.ts"
import { watchRendering } from "./handlers/WatchRendering.ts"
import { Keyring } from "./keys/Keyring.ts"
import * as PublicServer from "./PublicServer.ts"
import type { Secrets } from "./settings/Secrets.ts"
import type { Settings } from "./settings/Settings.ts"
import { makeShutdown } from "./Shutdown.ts"
import * as Worker from "./Worker.ts"

/** How a worker captures live surfaces for test keys, as text for the banner. */
const testCaptures = (chromium: Option.Option<string>): string =>
  Option.match(chromium, {
    onNone: () => "test keys go through simulated vendors, without a browser (see CHROMIUM_PATH and TMPDIR)",
    onSome: (path) => `test keys open simulated pages in ${path}`
  })

const welcome = (settings: Settings, secrets: Secrets, chromium: Option.Option<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const admin = yield* AdminServer.Origin
      const api = yield* Effect.serviceOption(PublicServer.Origin)
      const live = settings.roles.has("worker") ? { live: testCaptures(chromium) } : {}
      if (Option.isNone(api)) return yield* printBanner({ admin, ...live })
      const key = settings.production ? {} : { key: yield* demoKey(secrets) }
      return yield* printBanner({ api: api.value, admin, ...live, ...key })
    })
  )

/** A worker: the actors that ask platforms, the workers of queued asks and of runs on top of them, and the sender of webhooks. */
const workerOf = <E, R>(actors: Layer.Layer<never, E, R>, offering: Offering, deliveryAllow: ReadonlyArray<string>) =>
  Layer.merge(AskWorker.layer, WatchWorker.layer).pipe(
    Layer.provide([AskRunner.layer(offering, askRendering), WatchRunner.layer(watchRendering), JobLock.layer]),
    Layer.provide(CheckRunner.layer(offering)),
    Layer.provide([AnswerSource.layer, LiveSource.layer]),
    Layer.provideMerge(actors),
    Layer.merge(Layer.provide(WebhookSender.layer, Egress.layer({ allow: deliveryAllow })))
  )

/** What the settings refer to, as loaded: the models on offer, and the Chromium of a worker. */
interface Found {
  readonly models: ModelTable
  readonly chromium: Option.Option<string>
}

/** The roles of this process, each built on the one before, so that the API drains before its workers stop. */
export const layer = (
  settings: Settings,
  secrets: Secrets,
  database: Foundation.Database,
  { models, chromium }: Found
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const shutdown = yield* makeShutdown
      const gracePeriod = Layer.succeed(GracePeriod, shutdown.over)
      // Without NATS only this process asks its workers, and its own calls have ended before the workers stop.
      const workerGracePeriod = Option.isSome(settings.nats) ? gracePeriod : Layer.empty
      const routes = liveRoutes(settings.live, Option.isSome(chromium))
      const offering = { models, surfaces: surfacesOf(routes), sandboxSeed: settings.sandboxSeed }
      const worker = settings.roles.has("worker")
        ? workerOf(
            Layer.provide(Worker.layer(settings, models, { routes, chromium }), workerGracePeriod),
            offering,
            settings.deliveryAllow
          )
        : Layer.empty
      const scheduler = settings.roles.has("scheduler")
        ? Layer.mergeAll(
            Sweeper.layer(sweepInterval),
            WatchTicker.layer(tickInterval),
            CaptureCanary.layer(canaryInterval)
          )
        : Layer.empty
      const api = settings.roles.has("api")
        ? Layer.provide(PublicServer.layer(settings, offering), gracePeriod)
        : Layer.empty
      // It is on top of all other layers, so that it closes first.
      const beginShutdown = Layer.effectDiscard(Effect.addFinalizer(() => shutdown.begin))
      // The warm-up starts only once the process is ready.
      const warmUp = settings.roles.has("api") || settings.roles.has("worker") ? WarmUp.layer : Layer.empty
      return warmUp.pipe(
        Layer.provideMerge(Layer.merge(welcome(settings, secrets, chromium), beginShutdown)),
        Layer.provideMerge(api),
        Layer.provideMerge(AdminServer.layer(settings, secrets)),
        Layer.provideMerge(Layer.merge(worker, scheduler)),
        Layer.provide(Keyring.layer),
        Layer.provide(Foundation.layer(settings, secrets, database))
      )
    })
  )
