import { Context, Effect, Layer, Option, Result } from "effect"
import { Bus } from "@sightline/actor/Bus"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { type Ask, WebhookUnusable } from "@sightline/domain/Ask"
import type { Credits } from "@sightline/domain/Credits"
import { priceOf } from "@sightline/domain/PriceList"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import type { WebhookId } from "@sightline/domain/Webhook"
import { startStopwatch, type Stopwatch } from "@sightline/platforms/Stopwatch"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import { type AskJob, Asks } from "@sightline/store/Asks"
import type { HoldLost } from "@sightline/store/Charges"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { AnswerSource } from "./AnswerSource.ts"
import { isAllKnown, makeAskAnswers } from "./AskAnswers.ts"
import { type AskedPlatform, type AskRendering, conclude, orderOf } from "./AskOutcome.ts"
import { askSubjectsOf } from "./AskSubjects.ts"
import { Billing, type Receipt } from "./Billing.ts"
import { announceDeliveries } from "./DeliveryNotice.ts"
import { whileRenewed } from "./Lease.ts"
import { isRetried } from "./RetryPolicy.ts"
import type { Offering } from "./Subjects.ts"
import { jobRenewal, jobTriesMax } from "./Tuning.ts"

/** The work queue of queued asks. */
export const askQueue = "asks"

/** An ask to run, the id of its result, and the wallet that pays for it. */
export interface AskOrder {
  readonly id: string
  readonly wallet: Wallet
  readonly ask: Ask
  readonly claim: Option.Option<string>
}

/** An ask to queue: which endpoint gets its result, and how it is acknowledged. */
export interface AskJobOrder extends AskOrder {
  readonly webhookId: Option.Option<WebhookId>
  readonly acknowledge: (price: Credits) => ReplyTemplate
}

/** The outcome of each platform of an ask that was abandoned before the platforms were asked. */
const abandoned = (ask: Ask): ReadonlyArray<AskedPlatform> =>
  ask.platforms.map((platform) => ({
    platform,
    obtained: { origin: "fresh", result: Result.fail(platformFailed(platform, "provider_error")) },
    millis: 0
  }))

/**
 * Runs an ask: recall, or hold and ask; find the tracked brands; settle by the outcome of each provider call. Runs it now,
 * or queues it as a job for any worker.
 *
 * Laws: a job is settled once, however often it is tried; its result, its charge and its delivery are one transaction.
 * Errors: nothing has been asked or charged. After `HoldLost` platforms may have been asked, but nothing has been charged.
 * Source: contract, "POST /v1/ask"; decisions M2, A6.
 */
export class AskRunner extends Context.Service<
  AskRunner,
  {
    readonly run: (order: AskOrder) => Effect.Effect<Receipt, InsufficientBalance | HoldLost>
    readonly queue: (order: AskJobOrder) => Effect.Effect<Receipt, InsufficientBalance | HoldLost | WebhookUnusable>
    /** Notifies workers of a queued job; if the notice is lost, they find the job later. */
    readonly announce: (id: string) => Effect.Effect<void>
    /** Works on a job and renews its lease meanwhile. If a question was lost, the job stays open and is tried again after its lease. */
    readonly work: (job: AskJob) => Effect.Effect<void>
  }
>()("@sightline/engine/AskRunner") {
  static readonly layer = (offering: Offering, rendering: AskRendering) =>
    Layer.effect(
      AskRunner,
      Effect.gen(function* () {
        const billing = yield* Billing
        const asks = yield* Asks
        const endpoints = yield* WebhookEndpoints
        const jobs = yield* WorkQueue
        const { recall, askAll } = makeAskAnswers(yield* AnswerSource)
        const bus = yield* Bus

        const concluded = Effect.fnUntraced(function* (
          { id, ask, stopwatch }: Pick<AskOrder, "id" | "ask"> & { readonly stopwatch: Stopwatch },
          asking: Effect.Effect<ReadonlyArray<AskedPlatform>>
        ) {
          const answered = yield* asking
          const durationMillis = stopwatch.elapsedMillis()
          return yield* conclude(rendering, { id, ask, status: "completed", durationMillis, answered })
        })

        const run = Effect.fn("AskRunner.run")(function* ({ id, wallet, ask, claim }: AskOrder) {
          const stopwatch = yield* startStopwatch
          const purchase = { wallet, claim, order: orderOf(ask) }
          const subjects = yield* askSubjectsOf(offering, wallet, ask)
          const known = yield* recall(subjects)
          const work = concluded({ id, ask, stopwatch }, askAll(ask, subjects, known))
          // Without a question to ask, no hold is needed. If no question succeeds, nothing is charged and the hold is only released.
          return isAllKnown(subjects, known)
            ? yield* billing.charge(purchase, yield* work)
            : yield* billing.hold(purchase, work)
        })

        const checkEndpoint = Effect.fnUntraced(function* (wallet: Wallet, id: WebhookId) {
          const endpoint = yield* endpoints.find(wallet, id)
          if (Option.isNone(endpoint)) return yield* new WebhookUnusable({ reason: "unknown" })
          if (!endpoint.value.enabled) return yield* new WebhookUnusable({ reason: "disabled" })
          if (!endpoint.value.events.includes("ask.completed"))
            return yield* new WebhookUnusable({ reason: "not_subscribed" })
        })

        const queue = Effect.fn("AskRunner.queue")(function* (job: AskJobOrder) {
          const { id, wallet, ask, claim, webhookId, acknowledge } = job
          if (Option.isSome(webhookId)) yield* checkEndpoint(wallet, webhookId.value)
          const order = orderOf(ask)
          const reply = acknowledge(priceOf(order))
          return yield* billing.queue({ wallet, claim, order }, { id, ask, webhookId, reply })
        })

        const announce = (id: string) => jobs.push(askQueue, [{ id, turn: 0 }])

        const answer = Effect.fnUntraced(function* ({ request, accountId, environment, tries }: AskJob) {
          if (tries > jobTriesMax) return { status: "failed", answered: abandoned(request) } as const
          const subjects = yield* askSubjectsOf(offering, { accountId, environment }, request)
          return { status: "completed", answered: yield* askAll(request, subjects, yield* recall(subjects)) } as const
        })

        const workOn = Effect.fnUntraced(function* (job: AskJob) {
          const { id, request: ask, chargeId, tries, waitedMillis } = job
          const stopwatch = yield* startStopwatch
          const { status, answered } = yield* answer(job)
          const all = answered.map(({ obtained }) => obtained)
          if (isRetried(all, tries)) return
          const durationMillis = waitedMillis + stopwatch.elapsedMillis()
          const conclusion = yield* conclude(rendering, { id, ask, status, durationMillis, answered })
          // On `HoldLost` another worker has already settled the job.
          yield* Effect.ignore(billing.settle(chargeId, orderOf(ask), conclusion))
          yield* Effect.provideService(announceDeliveries, Bus, bus)
        })

        const work = Effect.fn("AskRunner.work")((job: AskJob) =>
          whileRenewed(workOn(job), asks.renew(job), jobRenewal)
        )

        return AskRunner.of({ run, queue, announce, work })
      })
    ).pipe(Layer.provide(Billing.layer))
}
