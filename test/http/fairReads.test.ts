/**
 * One account reads as much as its key allows, without delaying the others: against the whole program.
 *
 * Planted and seen red: no gate; usage, pairs, filtered lists of checks and of deliveries, or a single check without the gate; one queue
 * for all accounts.
 */
import { Effect, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { RateLimited } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { manyChecks } from "./manyChecks.ts"
import { call, customer } from "./program.ts"
import { sqlOn } from "./sqlOn.ts"
import { started } from "./started.ts"

const { env, program } = await started({ ROLES: "api,worker" })

/** Concurrent reads of an account; `statuses` are those of the responses so far. */
const readAll = (key: string, path: string, count: number) => {
  const statuses: Array<number> = []
  const left = new AbortController()
  const ended = Array.from({ length: count }, async () => {
    const options = { headers: { authorization: `Bearer ${key}` }, signal: left.signal }
    const answer = await fetch(`${program.base}${path}`, options).catch(() => undefined)
    if (answer !== undefined) statuses.push(answer.status)
  })
  const answered = (status: number) => statuses.filter((one) => one === status).length
  return { answered, leave: () => left.abort(), ended: Promise.all(ended) }
}

/** Waits up to 10 s for a condition. The test itself asserts the result. */
const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), {
    until: (so) => so,
    schedule: Schedule.spaced("5 millis"),
    times: 2000
  })

const aYear = () => `start=${new Date(Date.now() - 365 * 86_400_000).toISOString()}`

/** Charges of an account, spread over the last year. No wallet has paid for them. */
const manyCharges = (accountId: string, count: number) =>
  sqlOn(env.DATABASE_URL, (sql) =>
    Effect.andThen(
      sql.withTransaction(
        Effect.andThen(
          sql`SET LOCAL statement_timeout = 0`,
          sql`
            INSERT INTO charges (id, account_id, environment, sequence, endpoint, mode, platforms, price, state, amount, outcomes, cached,
              lease_expires_at, created_at, finished_at)
            SELECT gen_random_uuid(), ${accountId}::uuid, 'test', n, 'check', 'quick', '{}', 0, 'settled', 0, '{}', false,
              moment, moment, moment
            FROM generate_series(1, ${count}::integer) n, LATERAL (
              SELECT now() - n * interval '1 year' / ${count}::integer AS moment) m`
        )
      ),
      sql`VACUUM ANALYZE charges`
    )
  )

/** The reads that take longer the more an account has, and those that do not. */
const heavy = [
  "/v1/usage",
  "/v1/visibility",
  "/v1/visibility/pairs",
  ...[
    "brand=Acme",
    "query=best%20tea",
    "mode=quick",
    `watch_id=${randomUUID()}`,
    "start=2026-01-01",
    "end=2026-01-01"
  ].map((filter) => `/v1/checks?${filter}`),
  `/v1/checks/${randomUUID()}`,
  ...["pending", "delivered", "failed"].map((status) => `/v1/deliveries?status=${status}`)
]
const light = ["/v1/wallet", "/v1/ledger", "/v1/charges", "/v1/deliveries", "/v1/watch", "/v1/keys", "/v1/webhooks"]

describe("an account with many reads", () => {
  it("200: does not delay the paid calls of other accounts", async () => {
    const [busy, other] = [await customer(program, env.ADMIN_TOKEN), await customer(program, env.ADMIN_TOKEN)]
    await manyCharges(busy.account, 150_000)
    const usage = readAll(busy.key, `/v1/usage?${aYear()}&granularity=hour`, 120)
    await Effect.runPromise(until(() => usage.answered(200) > 0))
    const check = await call(`${program.base}/v1/check`, {
      key: other.key,
      body: { query: "best tea [[sandbox:answer]]", brand: "Acme" }
    })
    const meanwhile = usage.answered(200)
    usage.leave()
    assert.deepStrictEqual([check.status, check.headers.get("x-cost-cents")], [200, "150"], check.text)
    assert.isBelow(meanwhile, 30)
    // One runs and 64 wait. The rest is refused with 429, except those that arrive after a turn has ended.
    assert.isAtLeast(usage.answered(429), 30)
    await usage.ended
  })

  it("200: does not delay the reports of other accounts, and gets 429 when 64 reads wait", async () => {
    const [busy, other] = [await customer(program, env.ADMIN_TOKEN), await customer(program, env.ADMIN_TOKEN)]
    const pair = { brand: "Acme", query: "best tea" }
    for (const [{ account }, checks] of [
      [busy, 300],
      [other, 3]
    ] as const)
      await manyChecks(env.DATABASE_URL, { accountId: account, environment: "test", ...pair, checks, days: 365 })
    const path = `/v1/visibility?brand=Acme&query=best%20tea&${aYear()}`
    // The lock stops every report until the other account has asked too.
    const { report, reports } = await sqlOn(env.DATABASE_URL, (sql) =>
      Effect.gen(function* () {
        yield* sql`LOCK TABLE check_records IN ACCESS EXCLUSIVE MODE`
        const reports = readAll(busy.key, path, 100)
        yield* until(() => reports.answered(429) === 35)
        const asked = call(`${program.base}${path}`, { key: other.key })
        for (const path of heavy) {
          const refused = yield* Effect.promise(() => call(`${program.base}${path}`, { key: busy.key }))
          assert.deepStrictEqual([path, refused.status, refused.headers.get("retry-after")], [path, 429, "5"])
          exactly(RateLimited)(refused.body)
        }
        for (const path of light) {
          const read = yield* Effect.promise(() => call(`${program.base}${path}`, { key: busy.key }))
          assert.deepStrictEqual([path, read.status], [path, 200])
        }
        return { report: asked, reports }
      }).pipe(sql.withTransaction)
    )
    const { body, status } = await report
    assert.deepStrictEqual([status, body.checks], [200, 3])
    assert.isBelow(reports.answered(200), 5)
    await reports.ended
    assert.deepStrictEqual([reports.answered(200), reports.answered(429)], [65, 35])
  })
})
