/** The HTTP stack with a cached check and nothing behind it: no database, no bus. Prints its port. */
import { Bus } from "@sightline/actor/Bus"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Api } from "@sightline/contract/Api"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import { credits } from "@sightline/domain/Credits"
import { shippedModels } from "@sightline/domain/Model"
import { Egress } from "@sightline/egress/Egress"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { AskRunner } from "@sightline/engine/AskRunner"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { CompareRunner } from "@sightline/engine/CompareRunner"
import { DiscoverRunner } from "@sightline/engine/DiscoverRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import type { Offering } from "@sightline/engine/Subjects"
import * as AccountHandlers from "@sightline/server/handlers/AccountHandlers"
import * as AskHandlers from "@sightline/server/handlers/AskHandlers"
import * as CheckHandlers from "@sightline/server/handlers/CheckHandlers"
import * as CheckHistoryHandlers from "@sightline/server/handlers/CheckHistoryHandlers"
import * as CompareHandlers from "@sightline/server/handlers/CompareHandlers"
import * as DeliveryHandlers from "@sightline/server/handlers/DeliveryHandlers"
import * as DiscoverHandlers from "@sightline/server/handlers/DiscoverHandlers"
import * as HealthHandlers from "@sightline/server/handlers/HealthHandlers"
import { IdempotentReplay } from "@sightline/server/handlers/IdempotentReplay"
import * as KeyHandlers from "@sightline/server/handlers/KeyHandlers"
import * as SessionHandlers from "@sightline/server/handlers/SessionHandlers"
import * as VisibilityHandlers from "@sightline/server/handlers/VisibilityHandlers"
import * as WalletHandlers from "@sightline/server/handlers/WalletHandlers"
import * as WatchHandlers from "@sightline/server/handlers/WatchHandlers"
import * as WebhookHandlers from "@sightline/server/handlers/WebhookHandlers"
import * as Envelope from "@sightline/server/http/Envelope"
import * as Followed from "@sightline/server/http/EventStream"
import * as NodeServer from "@sightline/server/http/NodeServer"
import * as KeyAuthorization from "@sightline/server/keys/KeyAuthorization"
import { ChangeGate } from "@sightline/server/keys/ChangeGate"
import { ReadGate } from "@sightline/server/keys/ReadGate"
import { Keyring } from "@sightline/server/keys/Keyring"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Asks } from "@sightline/store/Asks"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { ChargeRecords } from "@sightline/store/ChargeRecords"
import { Charges } from "@sightline/store/Charges"
import { CheckHistory } from "@sightline/store/CheckHistory"
import { DatabaseClock } from "@sightline/store/DatabaseClock"
import { Deliveries } from "@sightline/store/Deliveries"
import { Ledger } from "@sightline/store/Ledger"
import { RateLimits } from "@sightline/store/RateLimits"
import { Replies } from "@sightline/store/Replies"
import { Runs } from "@sightline/store/Runs"
import { Sessions } from "@sightline/store/Sessions"
import { Usage } from "@sightline/store/Usage"
import { Visibility } from "@sightline/store/Visibility"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { Effect, Layer, Option, Result } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answers } from "./answers.ts"

const id = "00000000-0000-4000-8000-000000000001"
const caller = Option.some({
  keyId: KeyId.make(id),
  accountId: AccountId.make(id),
  environment: "test" as const,
  readOnly: false,
  rateLimits: {}
})
const allowance = Effect.succeed({ allowed: true, limit: 60, remaining: 59, retryAfterSeconds: 0 })
const offering: Offering = {
  models: shippedModels,
  surfaces: { live: new Set(), test: new Set() },
  sandboxSeed: 1
}
const known = answers.map(({ answer }) => Option.some({ origin: "l1" as const, result: Result.succeed(answer) }))
const billing = "http://127.0.0.1/billing"
const balance = Effect.succeed(credits(5))

const nothingBehind = Layer.mergeAll(
  Layer.mock(Keyring, { find: () => Effect.succeed(caller) }),
  Layer.mock(RateLimits, { take: () => allowance, peek: () => allowance }),
  Layer.mock(Charges, { charge: () => balance }),
  Layer.mock(AnswerSource, { recall: () => Effect.succeed(known) }),
  Layer.mock(CaptureStats, {}),
  Layer.mock(AskRunner, {}),
  Layer.mock(Accounts, {}),
  Layer.mock(ApiKeys, {}),
  Layer.mock(Asks, {}),
  Layer.mock(ChargeRecords, {}),
  Layer.mock(Ledger, {}),
  Layer.mock(Wallets, {}),
  Layer.mock(CompareRunner, {}),
  Layer.mock(DiscoverRunner, {}),
  Layer.mock(Usage, {}),
  Layer.mock(LiveSource, {}),
  Layer.mock(Replies, {}),
  Layer.mock(Deliveries, {}),
  Layer.mock(CheckHistory, {}),
  Layer.mock(DatabaseClock, {}),
  Layer.mock(Visibility, {}),
  Layer.mock(Runs, {}),
  Layer.mock(Sessions, {}),
  Layer.mock(Watches, {}),
  Layer.mock(WebhookEndpoints, {}),
  Layer.mock(WorkQueue, {}),
  Layer.mock(Egress, {}),
  ChangeGate.layer,
  ReadGate.layer,
  Bus.layerMemory
)

const announce = Layer.effectDiscard(
  Effect.map(HttpServer.HttpServer, (server) => {
    process.stdout.write(`ready ${new URL(HttpServer.formatAddress(server.address)).port}\n`)
  })
)

const server = announce.pipe(
  Layer.provideMerge(
    NodeServer.serve(
      Layer.merge(
        HttpApiBuilder.layer(Api).pipe(
          Layer.provide([
            CheckHandlers.layer(billing),
            CompareHandlers.layer(billing),
            DiscoverHandlers.layer(billing),
            AskHandlers.layer,
            WatchHandlers.layer(offering),
            AccountHandlers.layer(shippedModels),
            DeliveryHandlers.layer,
            HealthHandlers.layer,
            CheckHistoryHandlers.layer,
            VisibilityHandlers.layer,
            KeyHandlers.layer,
            SessionHandlers.layer,
            WalletHandlers.layer(billing),
            WebhookHandlers.layer
          ]),
          Layer.provide([KeyAuthorization.layer, CheckRunner.layer(offering), IdempotentReplay.layer])
        ),
        Envelope.layer(Api).pipe(Layer.provide(Followed.layer))
      ),
      { settings: { host: "HOST", port: "PORT" }, host: "127.0.0.1", port: 0, grace: "1 second" }
    )
  ),
  Layer.provide(nothingBehind)
)

await Effect.runPromise(Layer.launch(server))
