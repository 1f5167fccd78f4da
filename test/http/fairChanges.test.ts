/**
 * Changes of one account that wait in the database do not delay the calls of other accounts: against the whole program.
 *
 * Planted and seen red: in every case: no gate.
 */
import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { call, customer } from "./program.ts"
import { sqlOn } from "./sqlOn.ts"
import { started } from "./started.ts"

const { env, program } = await started({ ROLES: "api,worker" })

/** More than the connections of a process. */
const many = 12

/** A public address, for which no name is looked up. */
const receiver = "https://93.184.216.34/hook"

const newWatch = {
  query: "best tea",
  brand: "Acme",
  mode: "quick",
  interval: "weekly",
  webhook_url: receiver,
  webhook_secret: "a secret of sixteen"
}

interface Change {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

const at = (path: string) => `${program.base}${path}`

/** Two customers. One has two endpoints, a watch and a second key. */
const having = async () => {
  const [busy, other] = [await customer(program, env.ADMIN_TOKEN), await customer(program, env.ADMIN_TOKEN)]
  const made = (path: string, body: object) => call(at(path), { key: busy.key, body })
  const webhook = async () => (await made("/v1/webhooks", { url: receiver })).body.webhook.id
  const [changed, deleted] = [await webhook(), await webhook()]
  const watch = (await made("/v1/watch", newWatch)).body.id
  const key = (await made("/v1/keys", {})).body.key.id
  return { busy, other, changed, deleted, watch, key }
}

/** The same change, many times. */
const repeated = (change: Change): ReadonlyArray<Change> => Array.from({ length: many }, () => change)

/** The connections that wait for a lock. Without the first statement a transaction would read its earlier snapshot. */
const whoWaits = (sql: SqlClient.SqlClient) =>
  Effect.andThen(
    sql`SELECT pg_stat_clear_snapshot()`,
    sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  )

/** The responses of the other account and the statuses of the changes, where the lock holds up every change. */
const meeting = async (
  { busy, other }: Awaited<ReturnType<typeof having>>,
  lock: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>,
  changes: ReadonlyArray<Change>
) => {
  let ended = 0
  const { answers, all } = await sqlOn(env.DATABASE_URL, (sql) =>
    Effect.gen(function* () {
      yield* lock(sql)
      const all = changes.map(async ({ path, ...options }) => {
        const { status } = await call(at(path), { key: busy.key, ...options })
        ended += 1
        return status
      })
      yield* Effect.repeat(whoWaits(sql), { until: (rows) => rows.length > 0, schedule: Schedule.spaced("5 millis") })
      const answers: Array<number> = []
      for (let place = 0; place < 20; place++) {
        const { status } = yield* Effect.promise(() => call(at("/v1/wallet"), { key: other.key }))
        answers.push(status)
      }
      assert.strictEqual(ended, 0)
      return { answers, all }
    }).pipe(sql.withTransaction)
  )
  return { answers, statuses: new Set(await Promise.all(all)) }
}

const well = Array.from({ length: 20 }, () => 200)

describe("an account whose changes wait", () => {
  it.each<[string, Change]>([
    ["a watch", { method: "POST", path: "/v1/watch", body: newWatch }],
    ["an endpoint", { method: "POST", path: "/v1/webhooks", body: { url: receiver } }],
    ["a key", { method: "POST", path: "/v1/keys", body: {} }]
  ])("201: does not delay other accounts when it creates %s", async (_, change) => {
    const had = await having()
    const lock = (sql: SqlClient.SqlClient) => sql`SELECT 1 FROM accounts WHERE id = ${had.busy.account} FOR UPDATE`
    assert.deepStrictEqual(await meeting(had, lock, repeated(change)), { answers: well, statuses: new Set([201]) })
  })

  it("201: does not delay other accounts when it creates watches with idempotency keys", async () => {
    const had = await having()
    const lock = (sql: SqlClient.SqlClient) => sql`SELECT 1 FROM accounts WHERE id = ${had.busy.account} FOR UPDATE`
    const changes = Array.from({ length: many }, () => ({
      method: "POST",
      path: "/v1/watch",
      body: newWatch,
      headers: { "idempotency-key": randomUUID() }
    }))
    assert.deepStrictEqual(await meeting(had, lock, changes), { answers: well, statuses: new Set([201]) })
  })

  it("202: does not delay other accounts when it queues asks and its wallet is locked", async () => {
    const had = await having()
    const lock = (sql: SqlClient.SqlClient) =>
      sql`SELECT 1 FROM wallets WHERE account_id = ${had.busy.account} FOR UPDATE`
    const ask = { method: "POST", path: "/v1/ask", body: { prompt: "best tea", mode: "standard" } }
    assert.deepStrictEqual(await meeting(had, lock, repeated(ask)), { answers: well, statuses: new Set([202]) })
  })

  it.each(["change", "delete", "pause", "run", "revoke"] as const)(
    "200: does not delay other accounts when its calls %s what it has",
    async (what) => {
      const had = await having()
      const lockOf = (table: string, id: string) => (sql: SqlClient.SqlClient) =>
        sql`SELECT 1 FROM ${sql(table)} WHERE id = ${id} FOR UPDATE`
      const { lock, change, statuses } = {
        change: {
          lock: lockOf("webhook_endpoints", had.changed),
          change: { method: "PATCH", path: `/v1/webhooks/${had.changed}`, body: { description: "tea" } },
          statuses: [200]
        },
        delete: {
          lock: lockOf("webhook_endpoints", had.deleted),
          change: { method: "DELETE", path: `/v1/webhooks/${had.deleted}` },
          statuses: [204, 404]
        },
        pause: {
          lock: lockOf("watches", had.watch),
          change: { method: "DELETE", path: `/v1/watch/${had.watch}` },
          statuses: [200]
        },
        run: {
          lock: lockOf("watches", had.watch),
          change: { method: "POST", path: `/v1/watch/${had.watch}/run` },
          statuses: [202]
        },
        revoke: {
          lock: lockOf("api_keys", had.key),
          change: { method: "DELETE", path: `/v1/keys/${had.key}` },
          statuses: [204]
        }
      }[what]
      assert.deepStrictEqual(await meeting(had, lock, repeated(change)), { answers: well, statuses: new Set(statuses) })
    }
  )
})
