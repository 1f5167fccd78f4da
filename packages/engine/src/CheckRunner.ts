import { Array, Clock, Context, DateTime, Effect, Exit, Fiber, FiberSet, Layer, Option, Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { findBrand } from "@sightline/domain/Brand"
import {
  type CacheStatus,
  type Check,
  type ModelUnavailable,
  ModeNotConfigured,
  type Sighting
} from "@sightline/domain/Check"
import type { Credits } from "@sightline/domain/Credits"
import type { ModelTable } from "@sightline/domain/Model"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcome, type Outcomes } from "@sightline/domain/Proration"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import { Charges, type HoldLost, type ReplyDraft } from "@sightline/store/Charges"
import { AnswerSource } from "./AnswerSource.ts"
import type { Obtained } from "./Flight.ts"
import { subjectsOf } from "./Subjects.ts"

/** What came of a check, all but the balance, which only the settlement knows. */
export interface CheckOutcome {
  readonly id: string
  readonly check: Check
  readonly createdAt: DateTime.Utc
  readonly durationMillis: number
  readonly sightings: ReadonlyArray<Sighting>
  readonly failures: ReadonlyArray<PlatformFailed>
  readonly charge: Credits
  readonly cache: CacheStatus
}

/** A check to run and what is to be told of it. */
export interface CheckOrder {
  readonly wallet: Wallet
  readonly check: Check
  /** The idempotent reply to store together with the money, if the caller gave a key. */
  readonly reply: (outcome: CheckOutcome) => Option.Option<ReplyDraft>
}

/** A finished check and the balance after it. */
export interface FinishedCheck {
  readonly outcome: CheckOutcome
  readonly balance: Credits
}

const cacheOf = (obtained: ReadonlyArray<Obtained>): CacheStatus => {
  if (obtained.some(({ origin }) => origin === "fresh")) return "miss"
  return obtained.every(({ origin }) => origin === "l1") ? "hit-l1" : "hit-l2"
}

const outcomeOf = (result: Result.Result<Answer, PlatformFailed>): Outcome =>
  Result.isSuccess(result) ? "ok" : result.failure.code

/**
 * The one road of a check: recall or hold, ask, find the brand, prorate, settle.
 *
 * Laws: a hold is settled or voided, also when the caller hangs up (the check is then finished, stored and charged) and
 * when the process stops (it is then voided); what is charged is `chargeOf` the recorded outcomes.
 * Source: decisions C1, M3, M4, M7.
 */
export class CheckRunner extends Context.Service<
  CheckRunner,
  {
    readonly run: (
      order: CheckOrder
    ) => Effect.Effect<FinishedCheck, InsufficientBalance | ModelUnavailable | ModeNotConfigured | HoldLost>
  }
>()("@sightline/engine/CheckRunner") {
  static readonly layer = (models: ModelTable) =>
    Layer.effect(
      CheckRunner,
      Effect.gen(function* () {
        const charges = yield* Charges
        const source = yield* AnswerSource
        const fibers = yield* FiberSet.make()

        const finish = (order: CheckOrder, id: string, startedAt: number, obtained: ReadonlyArray<Obtained>) =>
          Effect.map(Clock.currentTimeMillis, (now) => conclude(order.check, id, startedAt, now, obtained))

        const serve = Effect.fnUntraced(function* (order: CheckOrder, startedAt: number, known: ReadonlyArray<Obtained>) {
          const outcome = yield* finish(order, crypto.randomUUID(), startedAt, known)
          const balance = yield* charges.charge({
            ...order.wallet
          })
          return { outcome, balance }
        })

        return CheckRunner.of({ run })
      })
    )
}
