import { shippedModels } from "@sightline/domain/Model"
import { Environment, LlmPlatform } from "@sightline/domain/Platform"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { AskRunner } from "@sightline/engine/AskRunner"
import * as AskWorker from "@sightline/engine/AskWorker"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { JobLock } from "@sightline/engine/JobLock"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Offering } from "@sightline/engine/Subjects"
import * as Sweeper from "@sightline/engine/Sweeper"
import { platformConcurrency, platformMailbox } from "@sightline/engine/Tuning"
import { WatchRunner } from "@sightline/engine/WatchRunner"
import * as WatchTicker from "@sightline/engine/WatchTicker"
import * as WatchWorker from "@sightline/engine/WatchWorker"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { askRendering } from "@sightline/server/handlers/AskRendering"
import { IdempotentReplay } from "@sightline/server/handlers/IdempotentReplay"
import { watchRendering } from "@sightline/server/handlers/WatchRendering"
import { Answers } from "@sightline/store/Answers"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { Asks } from "@sightline/store/Asks"
import { Attempts } from "@sightline/store/Attempts"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { Charges } from "@sightline/store/Charges"
import { Deliveries } from "@sightline/store/Deliveries"
import { Discoveries } from "@sightline/store/Discoveries"
import { Flights } from "@sightline/store/Flights"
import { RateLimits } from "@sightline/store/RateLimits"
import { Replies } from "@sightline/store/Replies"
import { Cooldowns } from "@sightline/store/Cooldowns"
import { Runs } from "@sightline/store/Runs"
import { Sessions } from "@sightline/store/Sessions"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import type { Database } from "./database.ts"
import type { Machine } from "./machine.ts"
import type { Nerve } from "./nerve.ts"
import * as Statements from "./statements.ts"
import { captureOf, layerReceivers, type Received, type RecordedAnswer } from "./externals.ts"
import type { World } from "./world.ts"

/** What all machines of one world share. */
export interface MachineContext {
  readonly world: World
  readonly database: Database
  readonly nerve: Nerve
  readonly received: (request: Received) => void
  readonly said: Array<RecordedAnswer>
}

/** The key that secrets are sealed with. */
export const key = Redacted.make(new Uint8Array(32).fill(7))

/** The delays after the first and the second failed attempt of a delivery. */
export const retryMillis = [10_000, 40_000] as const

const retryDelays = [Duration.millis(retryMillis[0]), Duration.millis(retryMillis[1])] as const

const tables = Layer.mergeAll(
  Answers.layer,
  AnswerTexts.layer,
  Asks.layer,
  Attempts.layer({ key, retryDelays }),
  CaptureStats.layer,
  Charges.layer,
  Deliveries.layer,
  Discoveries.layer,
  Flights.layer,
  RateLimits.layer,
  Replies.layer,
  Cooldowns.layer,
  Runs.layer,
  Sessions.layer,
  TimesAhead.layer({ retryDelays }),
  Wallets.layer,
  Watches.layer(key),
  WebhookEndpoints.layer(key)
)

const offering: Offering = { models: shippedModels, surfaces: { live: new Set(), test: new Set() }, sandboxSeed: 1 }

// Small, so that some questions are refused; as large as the product's in worlds without internal faults.
const capacityOf = ({ house }: World) =>
  house === "sound"
    ? { concurrency: platformConcurrency, mailboxMax: platformMailbox }
    : { concurrency: 4, mailboxMax: 16 }

const actors = ({ said, world }: MachineContext, machine: Machine) => {
  const { concurrency, mailboxMax } = capacityOf(world)
  return PlatformActors.layer(
    Environment.literals.flatMap((environment) =>
      LlmPlatform.literals.map((platform) => ({
        environment,
        platform,
        capture: captureOf(world, machine, { environment, platform }, said),
        concurrency,
        mailboxMax
      }))
    )
  ).pipe(Layer.provide(Layer.mock(CaptureJournal, { record: () => Effect.void })))
}

/** One process of the service with all of its roles, composed like the server, on the simulated infrastructure. */
export const layer = (context: MachineContext, machine: Machine) => {
  const { database, nerve, received, world } = context
  const runners = Layer.mergeAll(AskRunner.layer(offering, askRendering), WatchRunner.layer(watchRendering)).pipe(
    Layer.provideMerge(CheckRunner.layer(offering)),
    Layer.provide([AnswerSource.layer, LiveSource.layer])
  )
  return Layer.mergeAll(
    Layer.provide(Layer.merge(AskWorker.layer, WatchWorker.layer), JobLock.layer),
    WebhookSender.layer.pipe(Layer.provide(layerReceivers(world, machine, received))),
    Sweeper.layer(world.knobs.sweepSeconds * 1000),
    WatchTicker.layer(world.knobs.tickSeconds * 1000),
    IdempotentReplay.layer
  ).pipe(
    Layer.provideMerge(runners),
    Layer.provideMerge(actors(context, machine)),
    Layer.provideMerge(tables),
    Layer.provideMerge(Layer.merge(Statements.layer(world, machine, database), nerve.layer(machine)))
  )
}

/** The services of a process that callers use. */
export type Services = Context.Context<Layer.Success<ReturnType<typeof layer>>>
