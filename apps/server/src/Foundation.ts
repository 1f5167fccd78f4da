import { Bus, within } from "@sightline/actor/Bus"
import { Nats } from "@sightline/actor/Nats"
import * as NatsBus from "@sightline/actor/NatsBus"
import * as NatsWorkQueue from "@sightline/actor/NatsWorkQueue"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Accounts } from "@sightline/store/Accounts"
import { Actions } from "@sightline/store/Actions"
import { Answers } from "@sightline/store/Answers"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Asks } from "@sightline/store/Asks"
import { Attempts } from "@sightline/store/Attempts"
import { CaptureSamples } from "@sightline/store/CaptureSamples"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { ChargeRecords } from "@sightline/store/ChargeRecords"
import { Charges } from "@sightline/store/Charges"
import { CheckHistory } from "@sightline/store/CheckHistory"
import { DatabaseClock } from "@sightline/store/DatabaseClock"
import { Deliveries } from "@sightline/store/Deliveries"
import { Discoveries } from "@sightline/store/Discoveries"
import { Flights } from "@sightline/store/Flights"
import { Ledger } from "@sightline/store/Ledger"
import * as Postgres from "@sightline/store/Postgres"
import { RateLimits } from "@sightline/store/RateLimits"
import { Replies } from "@sightline/store/Replies"
import { Cooldowns } from "@sightline/store/Cooldowns"
import { Runs } from "@sightline/store/Runs"
import * as SecretMark from "@sightline/store/SecretMark"
import { Sessions } from "@sightline/store/Sessions"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { Usage } from "@sightline/store/Usage"
import { Visibility } from "@sightline/store/Visibility"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Secrets } from "./settings/Secrets.ts"
import { BadSetting } from "./settings/Setting.ts"
import type { Settings } from "./settings/Settings.ts"

/** Turns the failure of a layer into a `BadSetting` that names the setting, if the setting was given. */
const naming =
  (name: string, given: boolean) =>
  <A, E extends { readonly message: string }, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E | BadSetting, R> =>
    given
      ? layer.pipe(
          Layer.catch(({ message }) =>
            Layer.effectContext(Effect.fail(new BadSetting({ message: `${name}: ${message}` })))
          )
        )
      : layer

/** The key that seals webhook secrets. */
const sealingOf = (secrets: Secrets) => secrets.derive("webhook secrets")

/** Refuses to start on a database that was filled with another secret key. */
const layerSecretMark = (secrets: Secrets) =>
  SecretMark.layer({ marking: secrets.derive("mark of the secret key"), sealing: sealingOf(secrets) }).pipe(
    Layer.catch(() => Layer.effectDiscard(Effect.fail(new BadSetting({ message: secrets.isOther }))))
  )

/** The address of the database, available once it runs. */
export type Database = Effect.Effect<Postgres.Address, { readonly message: string }>

/** The database, with its schema up to date. */
const layerDatabase = (settings: Settings, database: Database) =>
  Layer.unwrap(
    Effect.map(database, (address) => Postgres.layerMigrations.pipe(Layer.provideMerge(Postgres.layer(address))))
  ).pipe(naming("DATABASE_URL", settings.database._tag === "External"))

/**
 * The bus and the work queues: on NATS, or in memory if this is the only process.
 *
 * Shape: the names of subjects and work queues begin with one derived from the secret key, so that installations may share a NATS.
 */
const layerBus = ({ nats }: Settings, secrets: Secrets) =>
  Option.match(nats, {
    onNone: () => Layer.merge(Bus.layerMemory, WorkQueue.layerMemory),
    onSome: ({ url, credentials }) => {
      const name = `sightline-${Buffer.from(Redacted.value(secrets.derive("bus"))).toString("hex", 0, 8)}`
      return Layer.effect(
        Bus,
        Effect.map(Bus, (bus) => within(name, bus))
      ).pipe(
        Layer.provide(NatsBus.layer),
        Layer.merge(NatsWorkQueue.layer(name)),
        Layer.provide(Nats.layer({ servers: url, credentials: Option.getOrUndefined(credentials) })),
        naming("NATS_URL", true)
      )
    }
  })

/** What every role needs: the tables, the bus and the work queues. */
export const layer = (settings: Settings, secrets: Secrets, address: Database) => {
  const sealing = sealingOf(secrets)
  const database = Layer.provideMerge(layerSecretMark(secrets), layerDatabase(settings, address))
  return Layer.mergeAll(
    Accounts.layer,
    Actions.layer,
    Answers.layer,
    AnswerTexts.layer,
    ApiKeys.layer(secrets.derive("api keys")),
    Asks.layer,
    Attempts.layer({ key: sealing, retryDelays: settings.deliveryRetryDelays }),
    CaptureSamples.layer,
    CaptureStats.layer,
    ChargeRecords.layer,
    Charges.layer,
    CheckHistory.layer,
    DatabaseClock.layer,
    Deliveries.layer,
    Discoveries.layer,
    Flights.layer,
    Ledger.layer,
    RateLimits.layer,
    Replies.layer,
    Cooldowns.layer,
    Runs.layer,
    Sessions.layer,
    TimesAhead.layer({ retryDelays: settings.deliveryRetryDelays }),
    Usage.layer,
    Visibility.layer,
    Wallets.layer,
    Watches.layer(sealing),
    WebhookEndpoints.layer(sealing)
  ).pipe(Layer.provideMerge(database), Layer.merge(layerBus(settings, secrets)))
}
