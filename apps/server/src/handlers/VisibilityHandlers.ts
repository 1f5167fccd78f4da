import { Api } from "@sightline/contract/Api"
import { platformNameOf } from "@sightline/contract/PlatformName"
import type { FieldIssue } from "@sightline/contract/Problem"
import type { Visibility as Answer, VisibilityPairs, VisibilityQuery } from "@sightline/contract/VisibilityApi"
import { type Share, type ShareReport, type ShareSeries, sharesOf } from "@sightline/domain/Shares"
import { shareOfVoice } from "@sightline/domain/ShareOfVoice"
import { refuseField } from "@sightline/server/http/Refusal"
import { respond } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { countedInTurn } from "@sightline/server/keys/ReadGate"
import { type Page, type Position, top } from "@sightline/store/Page"
import { DatabaseClock } from "@sightline/store/DatabaseClock"
import { Visibility, type VisibilityWindow } from "@sightline/store/Visibility"
import type { Named, Step } from "@sightline/store/VisibilityStatements"
import { Array, DateTime, Duration, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { differenceOf } from "./CheckDifference.ts"
import type { QueryOf } from "./QueryOf.ts"
import { type FoundWindow, windowMax, windowOf } from "./Window.ts"

type Query = QueryOf<typeof VisibilityQuery>

const listMax = 20

const renderShare = ({ answers, mentions, estimate, meanRank }: Share) => ({
  answers,
  mentions,
  rate: estimate?.rate ?? null,
  low: estimate?.low ?? null,
  high: estimate?.high ?? null,
  mean_rank: meanRank
})

const renderSeries = (series: ShareSeries) => series.map((share) => ({ bucket: share.bucket, ...renderShare(share) }))

type Namings = ReadonlyArray<typeof Named.Type>

/** Share of voice of the followed brand and of others, in the answers in which the namings were counted. */
const renderBrands = (brand: string, namings: Namings): Answer["brands"] => {
  const sumOf = (wanted: string | null) =>
    namings.reduce((sum, { name, answers }) => (name === wanted ? sum + answers : sum), 0)
  const others = namings.flatMap(({ name, answers }) => (name === null || name === "" ? [] : [{ name, answers }]))
  return shareOfVoice({ name: brand, answers: sumOf("") }, others, listMax, sumOf(null)).map(
    ({ name, own: isOwn, answers, share }) => ({
      brand: name,
      own: isOwn,
      answers,
      share
    })
  )
}

const renderReport = ({ total, series, platforms }: ShareReport, brand: string, namings: Namings) => ({
  total: renderShare(total),
  platforms: platforms.map((share) => ({
    platform: platformNameOf(share.platform),
    ...renderShare(share),
    series: renderSeries(share.series),
    brands: renderBrands(
      brand,
      namings.filter(({ platform }) => platform === share.platform)
    )
  })),
  series: renderSeries(series),
  brands: renderBrands(brand, namings)
})

/** The steps with a change. If two checks differ only in a failed platform, that is no change. */
const changesIn = (pair: Pick<VisibilityWindow, "brand" | "query">, steps: ReadonlyArray<Step>): Answer["changes"] =>
  steps.flatMap(({ id, previousId, createdAt, previousResult, result }) => {
    const { triggers, summary } = differenceOf(pair, previousResult, result)
    return triggers.length === 0
      ? []
      : [{ check_id: id, previous_id: previousId, created_at: createdAt, triggers, summary }]
  })

/** The latest changes of a window. It reads page after page, because any number of steps may be without a change. */
const changesOf = Effect.fnUntraced(function* (window: VisibilityWindow) {
  const store = yield* Visibility
  const changes: Array<Answer["changes"][number]> = []
  let after: Position | null = top
  while (after !== null && changes.length < listMax) {
    const { rows, next }: Page<Step> = yield* store.steps(window, after)
    changes.push(...changesIn(window, rows))
    after = next
  }
  return changes.slice(0, listMax)
})

const pairs = Effect.gen(function* () {
  const found = yield* (yield* Visibility).pairs(yield* owner)
  return yield* respond<VisibilityPairs>({
    pairs: Array.map(found, ({ brand, query, checks, lastCheckedAt }) => ({
      brand,
      query,
      checks,
      last_checked_at: lastCheckedAt
    }))
  })
})

type Pair = Pick<VisibilityWindow, "brand" | "query">

/** The pair that a query names. None stands for the pair that was checked last. */
const pairNamed = ({ brand, query }: Query): Effect.Effect<Option.Option<Pair>, FieldIssue> => {
  if (brand !== undefined && query !== undefined) return Effect.succeedSome({ brand, query })
  if (brand !== undefined) return Effect.fail({ path: "query", message: "is required together with `brand`" })
  if (query !== undefined) return Effect.fail({ path: "brand", message: "is required together with `query`" })
  return Effect.succeedNone
}

const nothing = { ...renderReport(sharesOf([]), "", []), checks: 0, brands: [], sources: [], changes: [] }

type Granularity = "day" | "hour"

const report = Effect.fnUntraced(function* (window: VisibilityWindow, granularity: Granularity) {
  const store = yield* Visibility
  const [checks, counts, namings, sites, changes] = yield* Effect.all(
    [
      store.checks(window),
      store.answers(window, granularity),
      store.brands(window),
      store.sites(window),
      changesOf(window)
    ],
    // A report takes at most two connections, so that others get one from the pool.
    { concurrency: 2 }
  )
  return {
    ...renderReport(sharesOf(counts), window.brand, namings),
    checks,
    sources: sites.map(({ site, answers, pages }) => ({ domain: site, answers, pages })),
    changes
  }
})

/** The longest window for each bucket length. */
const longest = { day: windowMax, hour: Duration.days(31) }

const answer = Effect.fnUntraced(function* (named: Option.Option<Pair>, found: FoundWindow, granularity: Granularity) {
  const { start, end } = yield* found
  const wallet = yield* owner
  const pair = Option.getOrNull(Option.isSome(named) ? named : yield* (yield* Visibility).latest(wallet))
  const shown = pair === null ? nothing : yield* report({ wallet, ...pair, start, end }, granularity)
  const window = { start: DateTime.formatIso(start), end: DateTime.formatIso(end), granularity }
  return yield* respond<Answer>({ pair, window, ...shown })
}, Effect.catch(refuseField))

const read = Effect.fnUntraced(function* (query: Query) {
  const { granularity = "day" } = query
  const window = yield* windowOf(query, (yield* DatabaseClock).now, longest[granularity])
  return yield* countedInTurn(answer(yield* pairNamed(query), window, granularity))
}, Effect.catch(refuseField))

/** `/v1/visibility`. Translates between the wire and the store; the domain computes the sums. */
export const layer = HttpApiBuilder.group(Api, "visibility", (handlers) =>
  handlers.handle("pairs", () => countedInTurn(pairs)).handle("read", ({ query }) => read(query))
)
