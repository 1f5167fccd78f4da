/**
 * `GET /v1/visibility` and its pairs as a customer sees them, against the whole program: every sum is compared with a recomputation from
 * `GET /v1/checks` and `GET /v1/checks/{id}`.
 *
 * Planted and seen red:
 * - a surface without an answer counted as an answer;
 * - the first check in place of the last;
 * - pairs sorted by name;
 * - the brands of a platform counted over all platforms;
 * - a comparison with a check whose surface showed no answer, in one check and in the report;
 * - changes searched for in the last 60 steps only;
 * - many concurrent reports;
 * - a year reported by the hour.
 */
import { Effect, Schedule, Schema, Struct } from "effect"
import { assert, describe, it } from "vitest"
import { CheckFound, CheckList } from "@sightline/contract/CheckHistoryApi"
import { InvalidRequest } from "@sightline/contract/Problem"
import { Visibility, VisibilityPairs } from "@sightline/contract/VisibilityApi"
import { siteOf } from "@sightline/domain/Site"
import { shareOfVoice } from "@sightline/domain/ShareOfVoice"
import { exactly } from "../services/exactly.ts"
import { manyChecks } from "./manyChecks.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"

const { env, program } = await started({ ROLES: "api,worker" })

const decode = {
  report: exactly(Visibility),
  pairs: exactly(VisibilityPairs),
  list: exactly(CheckList),
  found: exactly(CheckFound)
}
type Check = CheckFound["check"]

/** The reports and checks that a customer's key reads. */
const reading = (key: string) => {
  const get = async (path: string) => {
    const answer = await call(`${program.base}${path}`, { key })
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.body
  }
  return {
    report: async (query: Readonly<Record<string, string>> = {}) =>
      decode.report(await get(`/v1/visibility?${new URLSearchParams(query).toString()}`)),
    pairs: async () => decode.pairs(await get("/v1/visibility/pairs")).pairs,
    /** All checks of the query in full, newest first. */
    all: async (query: Readonly<Record<string, string>>): Promise<ReadonlyArray<Check>> => {
      const found: Array<Check> = []
      let cursor: string | null = null
      do {
        const next: Readonly<Record<string, string>> = {
          ...query,
          limit: "200",
          ...(cursor === null ? {} : { cursor })
        }
        const page: CheckList = decode.list(await get(`/v1/checks?${new URLSearchParams(next).toString()}`))
        for (const { id } of page.checks) found.push(decode.found(await get(`/v1/checks/${id}`)).check)
        cursor = page.next_cursor
      } while (cursor !== null)
      return found
    }
  }
}

const newCustomer = async () => {
  const made = await customer(program, env.ADMIN_TOKEN)
  return {
    ...made,
    ...reading(made.key),
    seed: (brand: string, query: string, checks: number, days = 10) =>
      manyChecks(env.DATABASE_URL, { accountId: made.account, environment: "test", brand, query, checks, days }),
    check: async (body: object) => {
      const answer = await call(`${program.base}/v1/check`, { key: made.key, body })
      assert.strictEqual(answer.status, 200, answer.text)
    }
  }
}

type Seen = Check["platforms"][number] & { readonly bucket: string }

const answersOf = (checks: ReadonlyArray<Check>, granularity: "day" | "hour"): ReadonlyArray<Seen> =>
  checks.flatMap(({ created_at, platforms }) =>
    platforms
      .filter(({ surface_present }) => surface_present !== false)
      .map((seen) =>
        Object.assign(seen, {
          bucket: granularity === "day" ? `${created_at.slice(0, 10)}T00:00:00Z` : `${created_at.slice(0, 13)}:00:00Z`
        })
      )
  )

/** A share as reported, without its interval. */
const shareOf = (answers: ReadonlyArray<Seen>) => {
  const ranks = answers.flatMap(({ rank }) => (rank === null ? [] : [rank]))
  const mentions = answers.filter(({ mentioned }) => mentioned).length
  return {
    answers: answers.length,
    mentions,
    rate: answers.length === 0 ? null : mentions / answers.length,
    mean_rank: ranks.length === 0 ? null : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length
  }
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

const seriesOf = (answers: ReadonlyArray<Seen>) =>
  sorted(answers.map(({ bucket }) => bucket)).map((bucket) =>
    Object.assign({ bucket }, shareOf(answers.filter((one) => one.bucket === bucket)))
  )

const without = <Of extends { low: unknown; high: unknown }>(share: Of): Omit<Of, "low" | "high"> =>
  Struct.omit(share, ["low", "high"])

const counted = (names: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const siteIn = (url: string) => siteOf(url)?.domain ?? new URL(url).hostname

/** The share of voice in the answers whose text is kept. */
const brandsOf = (brand: string, answers: ReadonlyArray<Seen>): Visibility["brands"] => {
  const kept = answers.filter(({ text }) => text !== null)
  const named = counted(kept.flatMap(({ brands }) => brands))
  return shareOfVoice(
    { name: brand, answers: kept.filter(({ mentioned }) => mentioned).length },
    Array.from(named, ([name, count]) => ({ name, answers: count })),
    20
  ).map(({ name, own, answers: count, share }) => ({ brand: name, own, answers: count, share }))
}

/** Compares a report with the checks themselves. */
const agrees = (report: Visibility, checks: ReadonlyArray<Check>) => {
  const answers = answersOf(checks, report.window.granularity)
  const brand = report.pair?.brand ?? ""
  assert.strictEqual(report.checks, checks.length)
  assert.deepStrictEqual(without(report.total), shareOf(answers))
  assert.deepStrictEqual(report.series.map(without), seriesOf(answers))
  assert.deepStrictEqual(
    report.platforms.map(({ series, ...share }) => ({ ...without(share), series: series.map(without) })),
    sorted(answers.map(({ platform }) => platform)).map((platform) => {
      const own = answers.filter((one) => one.platform === platform)
      return Object.assign({ platform, series: seriesOf(own), brands: brandsOf(brand, own) }, shareOf(own))
    })
  )
  assert.deepStrictEqual(report.brands, brandsOf(brand, answers))
  const sites = counted(answers.flatMap(({ citations }) => sorted(citations.map(({ url }) => siteIn(url)))))
  const pages = counted(sorted(answers.flatMap(({ citations }) => citations.map(({ url }) => url))).map(siteIn))
  assert.deepStrictEqual(
    report.sources,
    [...sites]
      .map(([domain, count]) => ({ domain, answers: count, pages: pages.get(domain) ?? 0 }))
      .sort((a, b) => b.answers - a.answers || (a.domain < b.domain ? -1 : 1))
      .slice(0, 20)
  )
  const inside = new Set(checks.map(({ id }) => id))
  assert.deepStrictEqual(
    report.changes,
    checks
      .flatMap(({ created_at, difference, id }) =>
        difference === null || difference.triggers.length === 0 || !inside.has(difference.previous_id)
          ? []
          : [{ check_id: id, created_at, ...difference }]
      )
      .slice(0, 20)
  )
}

describe("GET /v1/visibility", () => {
  it("200: equals the sums over the checks, by day and by hour, for any window and any findings", async () => {
    const { account, all, check, report, seed } = await newCustomer()
    const [brand, query] = ["HubSpot", "best crm [[sandbox:answer]]"]
    await seed(brand, query, 60)
    await seed("Zoho", query, 20)
    await (await newCustomer()).seed(brand, query, 20)
    await check({ brand, query })
    await check({ brand, query, mode: "all_live" })
    await check({ brand, query, mode: "ai_overview", region: "uk" })
    const silent = { brand, query: "best tea [[sandbox:no-answer]]" }
    await check({ ...silent, mode: "ai_overview" })
    await check({ brand, query: "best tea [[sandbox:status=500]]" })
    const pair = { brand, query }
    for (const granularity of ["day", "hour"] as const) {
      const found = await report({ ...pair, granularity })
      assert.deepStrictEqual(found.pair, pair)
      agrees(found, await all(pair))
    }
    const moments = (await all(pair)).map(({ created_at }) => created_at)
    const window = { start: moments[40]?.slice(0, 10) ?? "", end: moments[10]?.replace(/\d{3}Z$/, "Z") ?? "" }
    const narrow = await report({ ...pair, ...window, granularity: "hour" })
    assert.isBelow(narrow.checks, 60)
    agrees(narrow, await all({ ...pair, ...window }))
    agrees(await report(silent), await all(silent))
    const answers = ["answer", "no-answer", "refusal"].map((shown) => `[[sandbox:bing_copilot:${shown};times=1]]`)
    const removed = { brand, query: `best crm ${answers.join(" ")}` }
    for (const _ of answers) await check({ ...removed, mode: "bing_copilot" })
    const [last, , first] = await all(removed)
    const [change, ...others] = (await report(removed)).changes
    assert.isEmpty(others)
    assert.deepInclude(change ?? {}, { check_id: last?.id, previous_id: first?.id })
    assert.include(change?.triggers ?? [], "mention_removed")
    agrees(await report(removed), await all(removed))
    assert.deepInclude((await report(silent)).total, { answers: 0, rate: null, low: null, high: null })
    // Deleted texts have no brands; everything else stays.
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`DELETE FROM answer_texts t USING checks c
        WHERE c.account_id = ${account} AND c.query = ${query} AND c.created_at < ${moments[30]}::timestamptz AND t.hash = ANY(c.texts)`
    )
    agrees(await report(pair), await all(pair))
  })

  it("200: finds a change behind any number of checks that differ only in their providers", async () => {
    const { all, check, report } = await newCustomer()
    const pair = {
      brand: "HubSpot",
      query: "best crm [[sandbox:answer;times=1]] [[sandbox:refusal;times=1]] [[sandbox:answer]]"
    }
    for (const city of ["Leeds", "York"]) await check({ ...pair, city, providers: ["chatgpt"] })
    for (let n = 0; n < 62; n++)
      await check({ ...pair, city: "York", providers: n % 2 === 0 ? ["chatgpt", "claude"] : ["chatgpt"] })
    const found = await report(pair)
    assert.deepStrictEqual(
      found.changes.map(({ triggers }) => triggers[0]),
      ["mention_removed"]
    )
    agrees(found, await all(pair))
  })

  it("200: answers and mentions of buckets and of platforms add up to the total, and rates lie within their intervals", async () => {
    const { report, seed } = await newCustomer()
    await seed("HubSpot", "best crm", 300)
    const { total, series, platforms, checks } = await report({ granularity: "hour" })
    const sum = (of: ReadonlyArray<{ answers: number; mentions: number }>) =>
      of.reduce((all, one) => [all[0] + one.answers, all[1] + one.mentions] as const, [0, 0] as readonly [
        number,
        number
      ])
    assert.strictEqual(checks, 300)
    for (const of of [series, platforms, platforms.flatMap((one) => one.series)])
      assert.deepStrictEqual(sum(of), [total.answers, total.mentions])
    for (const { high, low, rate } of [total, ...series, ...platforms])
      assert.isTrue((low ?? 2) <= (rate ?? -1) && (rate ?? 2) <= (high ?? -1))
  })

  it("200: any number of concurrent reports leave connections to other calls", async () => {
    const { key, report, seed } = await newCustomer()
    const pair = { brand: "Acme", query: "best tea" }
    await seed(pair.brand, pair.query, 3)
    const reports = await sqlOn(env.DATABASE_URL, (sql) =>
      Effect.gen(function* () {
        yield* sql`LOCK TABLE check_records IN ACCESS EXCLUSIVE MODE`
        const asked = Array.from({ length: 20 }, () => report(pair))
        const waiting = sql<{ readonly waiting: number }>`
          SELECT count(*)::integer AS waiting FROM pg_locks WHERE NOT granted AND relation = 'check_records'::regclass`
        yield* Effect.repeat(waiting, {
          until: ([row]) => (row?.waiting ?? 0) >= 2,
          schedule: Schedule.spaced("20 millis")
        })
        const other = yield* Effect.promise(() => call(`${program.base}/v1/wallet`, { key }))
        assert.strictEqual(other.status, 200)
        assert.deepStrictEqual(yield* waiting, [{ waiting: 2 }])
        return asked
      }).pipe(sql.withTransaction)
    )
    for (const { checks } of await Promise.all(reports)) assert.strictEqual(checks, 3)
  })

  it("200: without a pair the report is of the one that was checked last; before the first check it is empty", async () => {
    const { check, pairs, report } = await newCustomer()
    const empty = await report()
    assert.deepInclude(empty, {
      pair: null,
      checks: 0,
      platforms: [],
      series: [],
      brands: [],
      sources: [],
      changes: []
    })
    assert.deepStrictEqual(await pairs(), [])
    const [one, other] = ["best tea [[sandbox:answer]]", "best bank [[sandbox:answer]]"]
    await check({ brand: "Acme", query: one })
    await check({ brand: "Zoho", query: other })
    assert.deepStrictEqual((await report()).pair, { brand: "Zoho", query: other })
    await check({ brand: "Acme", query: one })
    assert.deepStrictEqual((await report()).pair, { brand: "Acme", query: one })
    const unknown = await report({ brand: "Nobody", query: one })
    assert.deepInclude(unknown, { pair: { brand: "Nobody", query: one }, checks: 0 })
    const days = (Date.parse(unknown.window.end) - Date.parse(unknown.window.start)) / 86_400_000
    assert.deepStrictEqual([days, unknown.window.granularity], [30, "day"])
  })

  it("400: half a pair, an invalid window and an unknown parameter name their field; they take no token unless the clock decides", async () => {
    const limits = { rate_limits: { default: { burst: 9, per_second: 0.0001 } } }
    const { key } = await customer(program, env.ADMIN_TOKEN, 0, limits)
    const wrong = {
      "brand=Acme": "query",
      "query=best%20tea": "brand",
      "start=yesterday": "start",
      "end=2026-02-30": "end",
      "start=2026-11-02&end=2026-11-02": "start",
      "start=2024-11-01&end=2026-11-02": "start",
      "start=2026-10-01&end=2026-11-02&granularity=hour": "start",
      "granularity=week": "granularity",
      "colour=red": "colour",
      "start=2999-01-01": "start"
    }
    const left: Array<string | null> = []
    for (const [query, field] of Object.entries(wrong)) {
      const answer = await call(`${program.base}/v1/visibility?${query}`, { key })
      assert.strictEqual(answer.status, 400, query)
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(InvalidRequest)(answer.body).error.details?.issues.map(({ path }) => path),
        [field],
        query
      )
      left.push(answer.headers.get("x-ratelimit-remaining"))
    }
    assert.deepStrictEqual(left.slice(-2), ["9", "8"])
  })
})

describe("GET /v1/visibility/pairs", () => {
  it("200: lists every pair of the account and environment, the one checked last first", async () => {
    const { account, key: _, pairs, seed } = await newCustomer()
    await seed("Acme", "best tea", 3)
    await seed("acme", "best tea", 2)
    await seed("Acme", "best bank", 4)
    const live = reading((await operator(program, env.ADMIN_TOKEN).key(account, { environment: "live" })).key)
    assert.deepStrictEqual(await live.pairs(), [])
    assert.isNull((await live.report()).pair)
    const found = await pairs()
    assert.deepStrictEqual(
      found.map(({ brand, checks, query }) => [brand, query, checks]),
      [
        ["Acme", "best bank", 4],
        ["acme", "best tea", 2],
        ["Acme", "best tea", 3]
      ]
    )
    const moments = found.map(({ last_checked_at }) => last_checked_at)
    assert.deepStrictEqual(moments, moments.toSorted().toReversed())
  })
})
