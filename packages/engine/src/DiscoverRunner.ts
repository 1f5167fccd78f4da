import { Array, Context, Effect, Layer, Option, Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import type { Credits } from "@sightline/domain/Credits"
import { type Candidate, type Discovery, merge, promptFor } from "@sightline/domain/Discover"
import { suggestionsIn } from "@sightline/domain/DiscoverAnswer"
import type { LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import { discoverOffer } from "@sightline/domain/PriceList"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import type { HoldLost } from "@sightline/store/Charges"
import { Discoveries } from "@sightline/store/Discoveries"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { AnswerSource } from "./AnswerSource.ts"
import { bestEffort } from "./BestEffort.ts"
import { Billing, type Receipt } from "./Billing.ts"
import { type Obtained, outcomesOf } from "./Flight.ts"
import { reportProgress } from "./Progress.ts"
import { type Offering, scopeOf, subjectsOf } from "./Subjects.ts"

/** The outcome of a discovery without the balance. */
export interface DiscoverOutcome {
  readonly id: string
  readonly discovery: Discovery
  readonly candidates: ReadonlyArray<Candidate>
  readonly failures: ReadonlyArray<PlatformFailed>
  readonly cached: boolean
  readonly charge: Credits
}

/** A discovery to make, the wallet that pays for it, and how its outcome is rendered. */
export interface DiscoverOrder {
  readonly wallet: Wallet
  readonly discovery: Discovery
  readonly claim: Option.Option<string>
  readonly reply: (outcome: DiscoverOutcome) => ReplyTemplate
}

/** Tokens for a hundred questions in any language, and for the engine's reasoning before it writes them. */
const questionTokens = 8000

const isReadable = ({ raw }: Answer): boolean => suggestionsIn(raw).length > 0

/** Turns an answer without a question in it into a failure. */
const readable =
  (platform: LlmPlatform) =>
  ({ origin, result }: Obtained): Obtained => ({
    origin,
    result: Result.filterOrFail(result, isReadable, () => platformFailed(platform, "provider_error"))
  })

/**
 * Obtains an answer. One that was cached before the call and has no question in it is asked for anew: otherwise every caller would get
 * that failure for a day. One that another call has just asked for is not: a call waits for an engine once, not twice.
 */
const obtainBy =
  ({ obtain, refresh }: AnswerSource["Service"]) =>
  (subject: AnswerSubject, known: Option.Option<Obtained>) =>
    Option.match(known, {
      onNone: () => obtain(subject),
      onSome: (cached) =>
        Result.isSuccess(cached.result) && isReadable(cached.result.success) ? Effect.succeed(cached) : refresh(subject)
    })

/** The questions to the engines, one each. */
const questionsFor = (offering: Offering, environment: Wallet["environment"], discovery: Discovery) =>
  subjectsOf(offering, environment, {
    query: promptFor(discovery),
    platforms: discoverOffer.platforms,
    region: "us",
    models: {}
  }).pipe(
    // Only an override can name a model that is not available, and a discovery has none.
    Effect.orDie,
    Effect.map((subjects) =>
      subjects.map((subject): AnswerSubject => ({
        ...subject,
        question: { ...subject.question, webSearch: false, maxTokens: questionTokens }
      }))
    )
  )

/**
 * Runs a discovery: from the cache of one week, or hold, ask the LLM platforms, read their questions, settle.
 *
 * Laws: no candidates are invented: if no engine answered, there are none and nothing is charged. An engine that did not
 * answer with questions is asked again by the next call.
 * Errors: nothing has been asked or charged. After `HoldLost` platforms may have been asked, but nothing has been charged.
 * Source: decisions U2, M7.
 */
export class DiscoverRunner extends Context.Service<
  DiscoverRunner,
  { readonly run: (order: DiscoverOrder) => Effect.Effect<Receipt, InsufficientBalance | HoldLost> }
>()("@sightline/engine/DiscoverRunner") {
  static readonly layer = (offering: Offering) =>
    Layer.effect(
      DiscoverRunner,
      Effect.gen(function* () {
        const billing = yield* Billing
        const source = yield* AnswerSource
        const obtain = obtainBy(source)
        const discoveries = yield* Discoveries

        const outcomeOf = (
          { discovery }: DiscoverOrder,
          found: Pick<DiscoverOutcome, "candidates" | "failures" | "cached">
        ) => ({
          id: crypto.randomUUID(),
          discovery,
          ...found
        })

        const work = Effect.fnUntraced(function* (order: DiscoverOrder, scope: string) {
          const { wallet, discovery, reply } = order
          const subjects = yield* questionsFor(offering, wallet.environment, discovery)
          const known = yield* source.recall(subjects)
          const obtained = yield* Effect.forEach(
            Array.zip(discoverOffer.platforms, Array.zip(subjects, known)),
            ([platform, [subject, cached]]) =>
              reportProgress([platform], Effect.map(obtain(subject, cached), readable(platform))),
            { concurrency: "unbounded" }
          )
          const results = obtained.map(({ result }) => result)
          const candidates = merge(
            Array.getSuccesses(results).map(({ raw }) => suggestionsIn(raw)),
            discovery.count
          )
          const failures = Array.getFailures(results)
          const outcomes = outcomesOf(discoverOffer.platforms, obtained)
          // The result of only some of the engines is not cached: a week is too long for that.
          if (failures.length === 0)
            yield* bestEffort("A discovery was not kept", discoveries.store(scope, discovery, { candidates, outcomes }))
          const found = outcomeOf(order, { candidates, failures, cached: false })
          return { outcomes, cached: false, render: (charge: Credits) => ({ reply: reply({ ...found, charge }) }) }
        })

        const run = Effect.fn("DiscoverRunner.run")(function* (order: DiscoverOrder) {
          const { wallet, discovery, claim, reply } = order
          const purchase = {
            wallet,
            claim,
            order: { endpoint: "discover", mode: "quick", platforms: discoverOffer.platforms }
          } as const
          const scope = scopeOf(offering, wallet.environment)
          const known = yield* discoveries.find(scope, discovery)
          if (Option.isNone(known)) return yield* billing.hold(purchase, work(order, scope))
          const { candidates, outcomes } = known.value
          const found = outcomeOf(order, { candidates, failures: [], cached: true })
          const render = (charge: Credits) => ({ reply: reply({ ...found, charge }) })
          return yield* billing.charge(purchase, { outcomes, cached: true, render })
        })

        return DiscoverRunner.of({ run })
      })
    ).pipe(Layer.provide(Billing.layer))
}
