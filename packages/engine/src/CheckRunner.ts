import { Array, Context, type DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import {
  type CacheStatus,
  type Check,
  type ModelUnavailable,
  ModeNotConfigured,
  type Sighting
} from "@sightline/domain/Check"
import type { Credits } from "@sightline/domain/Credits"
import type { Platform, PlatformFailed } from "@sightline/domain/Platform"
import type { InsufficientBalance } from "@sightline/domain/Wallet"
import { startStopwatch, type Stopwatch } from "@sightline/platforms/Stopwatch"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import type { HoldLost } from "@sightline/store/Charges"
import type { CheckRecord } from "@sightline/store/Checks"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { makeRowId } from "@sightline/store/RowId"
import type { RunRecord } from "@sightline/store/Runs"
import { AnswerSource } from "./AnswerSource.ts"
import { Billing, type Conclusion, type Purchase, type Receipt } from "./Billing.ts"
import { sightingOf } from "./Sightings.ts"
import { type Obtained, outcomesOf } from "./Flight.ts"
import { LiveSource, notOffered } from "./LiveSource.ts"
import { hasLostUnrefusedQuestion } from "./RetryPolicy.ts"
import { reportProgress } from "./Progress.ts"
import { snapshotOf } from "./CheckSnapshots.ts"
import { isOffered, type Offering, subjectsOf } from "./Subjects.ts"

/** The outcome of a question, and after how many milliseconds; 0 for an answer from the cache. */
interface Timed extends Obtained {
  readonly millis: number
}

const remembered = (obtained: Obtained): Timed => ({ ...obtained, millis: 0 })

/** The outcome of a check without the balance, which only the settlement knows. */
export interface CheckOutcome {
  readonly id: string
  readonly check: Check
  readonly createdAt: DateTime.Utc
  readonly durationMillis: number
  readonly sightings: ReadonlyArray<Sighting>
  /** How long each platform took to answer. */
  readonly millis: ReadonlyMap<Platform, number>
  readonly failures: ReadonlyArray<PlatformFailed>
  readonly charge: Credits
  readonly cache: CacheStatus
}

/** A check to run, the wallet that pays for it, and how its outcome is rendered. */
export interface CheckOrder extends Pick<Purchase, "wallet" | "claim" | "chargeId"> {
  readonly check: Check
  readonly reply: (outcome: CheckOutcome) => ReplyTemplate
}

/** A check for the run of a watch, which is recorded with it. On its last try its outcome is final. */
export interface RunOrder extends CheckOrder {
  readonly run: (outcome: CheckOutcome) => RunRecord
  readonly isLastTry: boolean
}

/** A question or its answer was lost between processes. Nothing has been charged. */
export class QuestionLost extends Schema.TaggedError<QuestionLost>()("QuestionLost", {}) {}

type Refused = InsufficientBalance | ModelUnavailable | ModeNotConfigured | HoldLost

const cacheOf = (obtained: ReadonlyArray<Obtained>): CacheStatus => {
  // A caller that joined another caller's question, which then failed, got nothing from the cache.
  const isNothing = obtained.every(({ result }) => Result.isFailure(result))
  if (isNothing || obtained.some(({ origin }) => origin === "fresh")) return "miss"
  return obtained.every(({ origin }) => origin === "l1") ? "hit-l1" : "hit-l2"
}

const recordOf = ({ id, check, sightings, failures, durationMillis }: CheckOutcome): CheckRecord => ({
  id,
  query: check.query,
  brand: check.brand,
  region: check.region,
  request: { platforms: check.platforms, region: check.region, city: check.city ?? null, models: check.models },
  durationMs: durationMillis,
  snapshot: snapshotOf(sightings, failures)
})

/** The outcome of a check: which platforms named the brand and which failed. Pure except for the id. */
const conclude = (
  { check, reply, run }: CheckOrder & Partial<Pick<RunOrder, "run">>,
  createdAt: DateTime.Utc,
  durationMillis: number,
  obtained: ReadonlyArray<Timed>
): Conclusion => {
  const cache = cacheOf(obtained)
  const found = {
    id: makeRowId(),
    check,
    createdAt,
    durationMillis,
    sightings: Array.zip(check.platforms, obtained).flatMap(([platform, { result }]): ReadonlyArray<Sighting> =>
      Result.isSuccess(result) ? [sightingOf(platform, result.success, check.brand)] : []
    ),
    millis: new Map(Array.zipWith(check.platforms, obtained, (platform, { millis }) => [platform, millis])),
    failures: Array.getFailures(obtained.map(({ result }) => result)),
    cache
  }
  return {
    outcomes: outcomesOf(check.platforms, obtained),
    cached: cache !== "miss",
    render: (charge) => {
      const outcome = { ...found, charge }
      const kept = { reply: reply(outcome), check: recordOf(outcome) }
      return run === undefined ? kept : { ...kept, run: run(outcome) }
    }
  }
}

/** Asks all questions at once, and concludes from the answers. */
const answered = Effect.fnUntraced(function* <E>(
  order: CheckOrder,
  stopwatch: Stopwatch,
  subjects: ReadonlyArray<AnswerSubject>,
  obtain: (subject: AnswerSubject) => Effect.Effect<Obtained>,
  validate: (obtained: ReadonlyArray<Obtained>) => Effect.Effect<void, E>
) {
  const timed = (subject: AnswerSubject) =>
    Effect.flatMap(startStopwatch, ({ elapsedMillis }) =>
      Effect.map(reportProgress([subject.platform], obtain(subject)), (one): Timed => ({
        ...one,
        millis: elapsedMillis()
      }))
    )
  const obtained = yield* Effect.forEach(subjects, timed, { concurrency: "unbounded" })
  yield* validate(obtained)
  const durationMillis = stopwatch.elapsedMillis()
  // Checks whose answers arrived in this turn of the event loop are concluded in the next, and continue in the one after (decision 19).
  yield* Effect.yieldNow
  const conclusion = conclude(order, stopwatch.startedAt, durationMillis, obtained)
  yield* Effect.yieldNow
  return conclusion
})

/**
 * Runs every check: recall, or hold and ask; find the brand; settle. Live modes and runs of watches never use the cache.
 *
 * Errors: nothing has been asked or charged. After `HoldLost` and `QuestionLost` platforms may have been asked, but nothing
 * has been charged.
 * Source: decisions C1, M7.
 */
export class CheckRunner extends Context.Service<
  CheckRunner,
  {
    readonly run: (order: CheckOrder) => Effect.Effect<Receipt, Refused>
    readonly runWatch: (order: RunOrder) => Effect.Effect<Receipt, Refused | QuestionLost>
  }
>()("@sightline/engine/CheckRunner") {
  static readonly layer = (offering: Offering) =>
    Layer.effect(
      CheckRunner,
      Effect.gen(function* () {
        const billing = yield* Billing
        const source = yield* AnswerSource
        const live = yield* LiveSource

        const purchaseOf = ({ chargeId, check: { mode, platforms }, claim, wallet }: CheckOrder): Purchase => ({
          wallet,
          claim,
          ...(chargeId === undefined ? {} : { chargeId }),
          order: { endpoint: "check", mode, platforms }
        })

        const ask = <E = never>(
          order: CheckOrder,
          stopwatch: Stopwatch,
          subjects: ReadonlyArray<AnswerSubject>,
          obtain: (subject: AnswerSubject) => Effect.Effect<Obtained>,
          validate: (obtained: ReadonlyArray<Obtained>) => Effect.Effect<void, E> = () => Effect.void
        ) => billing.hold(purchaseOf(order), answered(order, stopwatch, subjects, obtain, validate))

        /** The source of an order's fresh answers. */
        const freshSourceOf = Effect.fnUntraced(function* ({ check: { mode, platforms }, wallet }: CheckOrder) {
          if (mode === "quick") return source.refresh
          const offered = platforms.filter((platform) => isOffered(offering, wallet.environment, platform))
          if (offered.length === 0) return yield* new ModeNotConfigured({ mode })
          return (subject: AnswerSubject) =>
            offered.includes(subject.platform)
              ? live.obtain(wallet, subject)
              : Effect.succeed(notOffered(subject.platform))
        })

        const run = Effect.fnUntraced(function* (order: CheckOrder) {
          const stopwatch = yield* startStopwatch
          const subjects = yield* subjectsOf(offering, order.wallet.environment, order.check)
          if (order.check.mode !== "quick") return yield* ask(order, stopwatch, subjects, yield* freshSourceOf(order))
          const known = Option.all(yield* source.recall(subjects))
          if (Option.isNone(known)) return yield* ask(order, stopwatch, subjects, source.obtain)
          const conclusion = conclude(
            order,
            stopwatch.startedAt,
            stopwatch.elapsedMillis(),
            known.value.map(remembered)
          )
          return yield* billing.charge(purchaseOf(order), conclusion)
        })

        const runWatch = Effect.fnUntraced(function* (order: RunOrder) {
          const stopwatch = yield* startStopwatch
          const subjects = yield* subjectsOf(offering, order.wallet.environment, order.check)
          return yield* ask(order, stopwatch, subjects, yield* freshSourceOf(order), (obtained) =>
            hasLostUnrefusedQuestion(obtained) && !order.isLastTry ? new QuestionLost() : Effect.void
          )
        })

        return CheckRunner.of({ run, runWatch })
      })
    ).pipe(Layer.provide(Billing.layer))
}
