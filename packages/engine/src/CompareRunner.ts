import { Array, Context, type DateTime, Effect, Layer, type Option, Result } from "effect"
import { ModeNotConfigured, type Sighting } from "@sightline/domain/Check"
import type { Comparison } from "@sightline/domain/Compare"
import type { Credits } from "@sightline/domain/Credits"
import { type Environment, LlmPlatform, type Platform, type PlatformFailed } from "@sightline/domain/Platform"
import { compareOffers } from "@sightline/domain/PriceList"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import { startStopwatch, type Stopwatch } from "@sightline/platforms/Stopwatch"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import type { HoldLost } from "@sightline/store/Charges"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { AnswerSource } from "./AnswerSource.ts"
import { Billing, type Conclusion, type Receipt } from "./Billing.ts"
import { sightingOf } from "./Sightings.ts"
import { type Obtained, outcomesOf } from "./Flight.ts"
import { LiveSource } from "./LiveSource.ts"
import { reportProgress } from "./Progress.ts"
import { isOffered, type Offering, subjectsOf } from "./Subjects.ts"

/** The result of one platform for one side of a comparison. */
export interface SideSighting {
  readonly side: "a" | "b"
  readonly platform: Platform
  readonly result: Result.Result<Sighting, PlatformFailed>
}

/** The outcome of a comparison without the balance. */
export interface CompareOutcome {
  readonly id: string
  readonly comparison: Comparison
  readonly createdAt: DateTime.Utc
  readonly durationMillis: number
  readonly sightings: ReadonlyArray<SideSighting>
  readonly charge: Credits
}

/** A comparison to run, the wallet that pays for it, and how its outcome is rendered. */
export interface CompareOrder {
  readonly wallet: Wallet
  readonly comparison: Comparison
  readonly claim: Option.Option<string>
  readonly reply: (outcome: CompareOutcome) => ReplyTemplate
}

const sides = ["a", "b"] as const

const platformsOf = (mode: Comparison["mode"]): readonly [Platform, ...ReadonlyArray<Platform>] =>
  mode === "quick" ? LlmPlatform.literals : ["perplexity_live"]

/** The questions to ask: those of both sides, or of one side if both ask the same. */
const subjectsFor = (offering: Offering, environment: Environment, { mode, region, a, b }: Comparison) =>
  Effect.forEach(a.query === b.query ? [a] : [a, b], ({ query }) =>
    subjectsOf(offering, environment, { query, platforms: platformsOf(mode), region, models: {} })
  ).pipe(
    // Only an override can name a model that is not available, and a comparison has none.
    Effect.orDie,
    Effect.map((subjects) => subjects.flat())
  )

/** The outcome of a comparison. Pure except for the id. `obtained` holds the results of the first side, then of the second. */
const conclude = (
  { comparison, reply }: CompareOrder,
  createdAt: DateTime.Utc,
  durationMillis: number,
  obtained: ReadonlyArray<Obtained>
): Conclusion => {
  const asked = sides.flatMap((side) => platformsOf(comparison.mode).map((platform) => ({ side, platform })))
  const sightings = Array.zipWith(asked, obtained, ({ side, platform }, { result }): SideSighting => ({
    side,
    platform,
    result: Result.map(result, (answer) => sightingOf(platform, answer, comparison[side].brand))
  }))
  const found = {
    id: crypto.randomUUID(),
    comparison,
    createdAt,
    durationMillis,
    sightings
  }
  return {
    outcomes: outcomesOf(compareOffers[comparison.mode].platforms, obtained),
    cached: false,
    render: (charge) => ({ reply: reply({ ...found, charge }) })
  }
}

/**
 * Runs a comparison: hold, ask the same platforms both sides' questions at once, find each side's brand, settle the share
 * that answered.
 *
 * Laws: sides with the same query share their answers, in either mode, and are charged as two.
 * Errors: nothing has been asked or charged. After `HoldLost` platforms may have been asked, but nothing has been charged.
 * Source: contract, "POST /v1/compare"; decisions M3, P1.
 */
export class CompareRunner extends Context.Service<
  CompareRunner,
  {
    readonly run: (order: CompareOrder) => Effect.Effect<Receipt, InsufficientBalance | ModeNotConfigured | HoldLost>
  }
>()("@sightline/engine/CompareRunner") {
  static readonly layer = (offering: Offering) =>
    Layer.effect(
      CompareRunner,
      Effect.gen(function* () {
        const billing = yield* Billing
        const source = yield* AnswerSource
        const live = yield* LiveSource

        const work = Effect.fnUntraced(function* (
          order: CompareOrder,
          stopwatch: Stopwatch,
          subjects: ReadonlyArray<AnswerSubject>
        ) {
          const { a, b, mode } = order.comparison
          const obtain = (subject: AnswerSubject) =>
            mode === "quick" ? source.obtain(subject) : live.obtain(order.wallet, subject)
          const { platforms } = compareOffers[mode]
          const obtained = yield* Effect.forEach(
            subjects,
            (subject, position) => {
              const questions = platforms.filter((_, place) => place % subjects.length === position)
              return reportProgress(questions, obtain(subject))
            },
            { concurrency: "unbounded" }
          )
          const both = a.query === b.query ? [...obtained, ...obtained] : obtained
          return conclude(order, stopwatch.startedAt, stopwatch.elapsedMillis(), both)
        })

        const run = Effect.fn("CompareRunner.run")(function* (order: CompareOrder) {
          const stopwatch = yield* startStopwatch
          const { wallet, comparison, claim } = order
          const { mode } = comparison
          if (!platformsOf(mode).every((platform) => isOffered(offering, wallet.environment, platform))) {
            return yield* new ModeNotConfigured({ mode })
          }
          const subjects = yield* subjectsFor(offering, wallet.environment, comparison)
          const purchase = {
            wallet,
            claim,
            order: { endpoint: "compare", mode, platforms: compareOffers[mode].platforms }
          } as const
          return yield* billing.hold(purchase, work(order, stopwatch, subjects))
        })

        return CompareRunner.of({ run })
      })
    ).pipe(Layer.provide(Billing.layer))
}
