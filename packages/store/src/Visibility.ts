import { Context, DateTime, Effect, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Wallet } from "@sightline/domain/Wallet"
import { numberOf } from "./AnswerDigest.ts"
import { type Page, pageOf, type Position } from "./Page.ts"
import {
  type AnswerCount,
  makeStatements,
  type Name,
  type Named,
  type Pair,
  type Step,
  type Window
} from "./VisibilityStatements.ts"

/** The checks to sum up: those of a brand and a query, from `start` up to, but not at, `end`. */
export interface VisibilityWindow {
  readonly wallet: Wallet
  readonly brand: string
  readonly query: string
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

/** A site that answers cite: by how many answers, and how many of its pages. */
export interface CitedSite {
  readonly site: string
  readonly answers: number
  readonly pages: number
}

/** How many steps a page has: three times as many as the changes that are shown, because some steps are none. */
const stepsMax = 60

const windowOf = ({ wallet, brand, query, start, end }: VisibilityWindow): typeof Window.Type => ({
  ...wallet,
  brand,
  query,
  startMillis: DateTime.toEpochMillis(start),
  endMillis: DateTime.toEpochMillis(end)
})

/**
 * What the checks of a wallet add up to, counted from their records.
 *
 * Laws: a platform that failed and a surface that showed nothing gave no answer. Brands are counted in those answers of the last 2,500
 * checks whose text is still kept, all else in every check of the window. A step leads from one check to the next of the same mode and
 * region within the window, among the last thousand that any platform answered.
 */
export class Visibility extends Context.Service<
  Visibility,
  {
    /** The pairs of brand and query that are followed, the most recently checked first, up to 500. */
    readonly pairs: (wallet: Wallet) => Effect.Effect<ReadonlyArray<typeof Pair.Type>>
    /** The pair that was checked last. */
    readonly latest: (wallet: Wallet) => Effect.Effect<Option.Option<typeof Name.Type>>
    readonly checks: (window: VisibilityWindow) => Effect.Effect<number>
    /** Answers by platform and by the hour or day. */
    readonly answers: (
      window: VisibilityWindow,
      granularity: "day" | "hour"
    ) => Effect.Effect<ReadonlyArray<typeof AnswerCount.Type>>
    /**
     * How many answers of each platform name each brand, in the answers' spelling. The 200 most common are counted separately, the
     * others together. The followed brand is "".
     */
    readonly brands: (window: VisibilityWindow) => Effect.Effect<ReadonlyArray<typeof Named.Type>>
    /** The sites that most answers cite, up to 20. */
    readonly sites: (window: VisibilityWindow) => Effect.Effect<ReadonlyArray<CitedSite>>
    /** The steps between checks that saw different results, newest first, page by page. */
    readonly steps: (window: VisibilityWindow, after: Position) => Effect.Effect<Page<Step>>
  }
>()("@sightline/store/Visibility") {
  static readonly layer = Layer.effect(
    Visibility,
    Effect.gen(function* () {
      const statements = makeStatements(yield* SqlClient.SqlClient)
      return Visibility.of({
        pairs: (wallet) => Effect.orDie(statements.pairs(wallet)),
        latest: (wallet) => Effect.orDie(statements.latest(wallet)),
        checks: (window) => Effect.orDie(Effect.map(statements.checks(windowOf(window)), ({ checks }) => checks)),
        answers: (window, granularity) => Effect.orDie(statements.answers({ ...windowOf(window), granularity })),
        brands: (window) => Effect.orDie(statements.brands(windowOf(window))),
        sites: Effect.fn("Visibility.sites")(function* (window) {
          const asked = windowOf(window)
          const cited = yield* statements.sites(asked)
          const pages = new Map((yield* statements.pages(asked)).map((of) => [of.site, of.pages]))
          return cited.map(({ site, answers }) => ({ site, answers, pages: pages.get(numberOf(site)) ?? 0 }))
        }, Effect.orDie),
        steps: Effect.fn("Visibility.steps")(function* (window, after) {
          const found = yield* statements.steps({ ...windowOf(window), ...after, limit: stepsMax + 1 })
          return pageOf(found, stepsMax, ({ createdAt, id }) => ({ at: createdAt, id }))
        }, Effect.orDie)
      })
    })
  )
}
