import { Array, Clock, Context, DateTime, Effect, Layer, Option, Result } from "effect"
import { findBrand } from "@sightline/domain/Brand"
import {
  type CacheStatus,
  type Check,
  type ModelUnavailable,
  ModeNotConfigured,
  type Sighting
} from "@sightline/domain/Check"
import type { Credits } from "@sightline/domain/Credits"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcome, type Outcomes } from "@sightline/domain/Proration"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import { Charges, type HoldLost } from "@sightline/store/Charges"
import type { CheckRecord } from "@sightline/store/Checks"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { AnswerSource } from "./AnswerSource.ts"
import type { Obtained } from "./Flight.ts"
import { LiveSource, notOffered } from "./LiveSource.ts"
import { isOffered, type Offering, subjectsOf } from "./Subjects.ts"

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

/** A check to run, for whose money, and what the caller is to be told. */
export interface CheckOrder {
  readonly wallet: Wallet
  readonly check: Check
  /** The token of the idempotency key the call came with, if any: the reply is then kept under it. */
  readonly claim: Option.Option<string>
  readonly reply: (outcome: CheckOutcome) => ReplyTemplate
}

/** The answer to a check, without its balance, and the balance. */
export interface FinishedCheck {
  readonly reply: ReplyTemplate
  readonly balance: Credits
}

type Refused = InsufficientBalance | ModelUnavailable | ModeNotConfigured | HoldLost

const cacheOf = (obtained: ReadonlyArray<Obtained>): CacheStatus => {
  if (obtained.some(({ origin }) => origin === "fresh")) return "miss"
  return obtained.every(({ origin }) => origin === "l1") ? "hit-l1" : "hit-l2"
}

const outcomeOf = ({ result }: Obtained): Outcome => (Result.isSuccess(result) ? "ok" : result.failure.code)

/** What a check came to: who named the brand, who failed, and what that costs. Pure but for the id. */
const conclude = (check: Check, startedAt: number, endedAt: number, obtained: ReadonlyArray<Obtained>) => {
  const outcomes: Outcomes = Object.fromEntries(
    Array.zipWith(check.platforms, obtained, (platform, one) => [platform, outcomeOf(one)])
  )
  const sightings = Array.zip(check.platforms, obtained).flatMap(([platform, { result }]): ReadonlyArray<Sighting> =>
    Result.isSuccess(result)
      ? [{ platform, answer: result.success, visibility: findBrand(result.success, check.brand) }]
      : []
  )
  const cache = cacheOf(obtained)
  const cached = cache !== "miss"
  const { mode, platforms } = check
  const outcome: CheckOutcome = {
    id: crypto.randomUUID(),
    check,
    createdAt: DateTime.makeUnsafe(startedAt),
    durationMillis: endedAt - startedAt,
    sightings,
    failures: Array.getFailures(obtained.map(({ result }) => result)),
    charge: chargeOf({ endpoint: "check", mode, platforms, outcomes, cached }),
    cache
  }
  return { outcome, outcomes, cached }
}

const recordOf = ({ id, check, sightings, failures, durationMillis }: CheckOutcome): CheckRecord => ({
  id,
  query: check.query,
  brand: check.brand,
  request: { platforms: check.platforms, region: check.region, city: check.city ?? null, models: check.models },
  result: {
    sightings: sightings.map(({ platform, answer, visibility }) => ({
      platform,
      model: answer.model,
      searched: answer.searched,
      ...(answer.surfacePresent === undefined ? {} : { surfacePresent: answer.surfacePresent }),
      ...visibility,
      citations: answer.citations.map(({ url, title }) => ({ url, title }))
    })),
    failures: failures.map(({ platform, code }) => ({ platform, code }))
  },
  durationMs: durationMillis
})

/** What is set aside for a check before anybody is asked. */
const openingOf = ({ wallet, check, claim }: CheckOrder) => ({
  id: crypto.randomUUID(),
  wallet,
  endpoint: "check" as const,
  mode: check.mode,
  platforms: check.platforms,
  price: priceOf(check),
  ...Option.match(claim, { onNone: () => ({}), onSome: (token) => ({ claim: token }) })
})

/** What a check came to, as the caller is told and as the books keep it. */
const endingOf = Effect.fnUntraced(function* (order: CheckOrder, startedAt: number, obtained: ReadonlyArray<Obtained>) {
  const { outcome, outcomes, cached } = conclude(order.check, startedAt, yield* Clock.currentTimeMillis, obtained)
  const reply = order.reply(outcome)
  const kept = Option.isSome(order.claim) ? { reply } : {}
  return { reply, ending: { amount: outcome.charge, outcomes, cached, check: recordOf(outcome), ...kept } }
})

/**
 * The one road of a check: recall, or hold and ask; find the brand; prorate; settle. Live modes are never recalled.
 *
 * Laws: a hold is settled, or voided when the run is interrupted while it asks; what is charged is `chargeOf` the
 * recorded outcomes; money, record and reply are one transaction.
 * Errors: nothing has been asked or charged, save for `HoldLost`, where nothing has been charged.
 * Source: decisions C1, M3, M4, M7.
 */
export class CheckRunner extends Context.Service<
  CheckRunner,
  { readonly run: (order: CheckOrder) => Effect.Effect<FinishedCheck, Refused> }
>()("@sightline/engine/CheckRunner") {
  static readonly layer = (offering: Offering) =>
    Layer.effect(
      CheckRunner,
      Effect.gen(function* () {
        const charges = yield* Charges
        const source = yield* AnswerSource
        const live = yield* LiveSource

        const serve = Effect.fnUntraced(function* (
          order: CheckOrder,
          startedAt: number,
          known: ReadonlyArray<Obtained>
        ) {
          const { reply, ending } = yield* endingOf(order, startedAt, known)
          const balance = yield* charges.charge({ ...openingOf(order), ...ending })
          return { reply, balance }
        }, Effect.uninterruptible)

        // From hold to settlement only the asking can be interrupted, so every hold is ended.
        const ask = Effect.fnUntraced(function* (
          order: CheckOrder,
          startedAt: number,
          subjects: ReadonlyArray<AnswerSubject>,
          obtain: (subject: AnswerSubject) => Effect.Effect<Obtained>
        ) {
          const opening = openingOf(order)
          yield* charges.hold(opening)
          const asked = yield* Effect.forEach(subjects, obtain, { concurrency: "unbounded" }).pipe(
            Effect.interruptible,
            Effect.flatMap((obtained) => endingOf(order, startedAt, obtained)),
            Effect.onError(() => charges.void(opening.id))
          )
          const balance = yield* charges.settle({ id: opening.id, ...asked.ending })
          return { reply: asked.reply, balance }
        }, Effect.uninterruptible)

        const run = Effect.fn("CheckRunner.run")(function* (order: CheckOrder) {
          const startedAt = yield* Clock.currentTimeMillis
          const { mode, platforms } = order.check
          const { environment } = order.wallet
          const subjects = yield* subjectsOf(offering, environment, order.check)
          if (mode === "quick") {
            const known = Option.all(yield* source.recall(subjects))
            if (Option.isSome(known)) return yield* serve(order, startedAt, known.value)
            return yield* ask(order, startedAt, subjects, source.obtain)
          }
          const offered = platforms.filter((platform) => isOffered(offering, environment, platform))
          if (offered.length === 0) return yield* new ModeNotConfigured({ mode })
          return yield* ask(order, startedAt, subjects, (subject) =>
            offered.includes(subject.platform) ? live.obtain(subject) : Effect.succeed(notOffered(subject.platform))
          )
        })

        return CheckRunner.of({ run })
      })
    )
}
