import { Api } from "@sightline/contract/Api"
import { modeNamed } from "@sightline/contract/CheckApi"
import type { CheckFound, CheckList, ChecksQuery } from "@sightline/contract/CheckHistoryApi"
import { platformNameOf } from "@sightline/contract/PlatformName"
import { brandsWith } from "@sightline/domain/Brands"
import { toCents, zero } from "@sightline/domain/Credits"
import { refuse, refuseField } from "@sightline/server/http/Refusal"
import { respond } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import { countedInTurn, inTurn } from "@sightline/server/keys/ReadGate"
import { type CheckDetail, type CheckFilter, CheckHistory, type CheckSummary } from "@sightline/store/CheckHistory"
import type { CheckResult } from "@sightline/store/Checks"
import type { PageRequest } from "@sightline/store/Page"
import { Array, Effect, Option, Record } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { differenceOf } from "./CheckDifference.ts"
import { cursors } from "./Cursors.ts"
import { withPage } from "./Paging.ts"
import { withOwn } from "./PathId.ts"
import type { QueryOf } from "./QueryOf.ts"
import { boundsOf } from "./Window.ts"

type Query = QueryOf<typeof ChecksQuery>

const noSuchCheck = refuse(404, "not_found", "There is no such check.")

const renderCommon = (check: CheckSummary | CheckDetail) => ({
  id: check.id,
  brand: check.brand,
  query: check.query,
  mode: check.mode,
  region: check.region,
  created_at: check.createdAt,
  duration_ms: check.durationMs,
  cost_cents: toCents(check.cost ?? zero),
  watch_id: check.watchId
})

const absent = { surface_present: false } as const

const renderFailures = (failures: CheckResult["failures"]) =>
  failures.map(({ platform, code }) => ({ platform: platformNameOf(platform), code }))

const renderSummary = (check: CheckSummary): CheckList["checks"][number] => ({
  ...renderCommon(check),
  platforms: check.platforms.map((platform, place) => {
    const mentioned = check.mentioned[place] ?? null
    return {
      platform: platformNameOf(platform),
      mentioned: mentioned ?? false,
      rank: check.ranks[place] ?? null,
      ...(mentioned === null ? absent : {})
    }
  }),
  failures: renderFailures(check.failures)
})

const renderAnswers = ({ brand, result, texts }: CheckDetail): CheckFound["check"]["platforms"] =>
  result.sightings.map((seen, place) => {
    const kept = texts[place] ?? null
    return {
      platform: platformNameOf(seen.platform),
      mentioned: seen.mentioned,
      rank: seen.rank,
      ...(seen.surfacePresent === undefined ? {} : absent),
      model: seen.model,
      context: seen.context,
      citations: seen.citations,
      brands: kept === null || seen.rank === null ? (kept?.brands ?? []) : brandsWith(kept.brands, brand, seen.rank),
      text: kept?.text ?? null
    }
  })

const filterOf = Effect.fnUntraced(function* (query: Query) {
  const { start, end } = yield* boundsOf(query)
  const filter: CheckFilter = {
    ...Record.filter({ brand: query.brand, query: query.query, watchId: query.watch_id }, (one) => one !== undefined),
    ...(query.mode === undefined ? {} : { mode: modeNamed(query.mode) }),
    ...Record.map(Record.getSomes({ start, end }), ({ micros }) => micros)
  }
  return filter
})

const page = Effect.fnUntraced(function* (filter: CheckFilter, asked: PageRequest) {
  const { rows, next } = yield* (yield* CheckHistory).page(yield* owner, filter, asked)
  return yield* respond<CheckList>({
    checks: Array.map(rows, renderSummary),
    next_cursor: cursors.checks.write(next)
  })
})

const list = Effect.fnUntraced(function* (query: Query, asked: PageRequest) {
  const filter = yield* filterOf(query)
  const answer = page(filter, asked)
  // No index covers every filter: to find few matches, the database may read most of the account's checks.
  return yield* counted(Object.keys(filter).length === 0 ? answer : inTurn(answer))
}, Effect.catch(refuseField))

const renderDetail = (check: CheckDetail) => ({
  ...renderCommon(check),
  city: check.city,
  charge_id: check.chargeId,
  platforms: renderAnswers(check),
  failures: renderFailures(check.result.failures)
})

const find = Effect.fnUntraced(function* (text: string) {
  const history = yield* CheckHistory
  const use = Effect.fnUntraced(function* (check: CheckDetail) {
    const difference = Option.match(yield* history.previous(check.id), {
      onNone: () => null,
      onSome: ({ id: previous_id, result }) => {
        const { triggers, summary } = differenceOf(check, result, check.result)
        return { previous_id, triggers, summary }
      }
    })
    return yield* respond<CheckFound>({ check: { ...renderDetail(check), difference } })
  })
  return yield* withOwn(text, history.find, { missing: noSuchCheck, use })
})

/** `/v1/checks`: the history of checks. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(Api, "checks", (handlers) =>
  handlers
    .handle("list", ({ query }) => withPage(cursors.checks, query, (asked) => list(query, asked)))
    // The previous check of the same question may be any number of rows away.
    .handle("find", ({ params }) => countedInTurn(find(params.id)))
)
