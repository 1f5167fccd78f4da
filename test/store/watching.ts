import { Config, Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { noEvidence } from "@sightline/domain/Evidence"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { Deliveries } from "@sightline/store/Deliveries"
import * as Postgres from "@sightline/store/Postgres"
import { type RunRecord, Runs } from "@sightline/store/Runs"
import { Watches, type WatchInput } from "@sightline/store/Watches"
import { ending, layerMoney, order, wallet } from "./purse.ts"

const tables = Layer.mergeAll(Watches.layer(Redacted.make(new Uint8Array(32).fill(3))), Runs.layer, Charges.layer)

/** Watches, their runs, costs and deliveries, over a fresh database. */
export const layerWatches = Layer.mergeAll(tables, Deliveries.layer).pipe(Layer.provideMerge(layerMoney))

/** The same in another process: a pool and batches of its own. */
export const anotherProcess = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const socket = yield* Config.String("SIGHTLINE_TEST_POSTGRES")
  const [row] = yield* sql`SELECT current_database() AS name`
  const pool = Postgres.layer({ socket, database: String(row?.["name"]) }, { maxConnections: 3 })
  const services = yield* Layer.build(Layer.fresh(tables.pipe(Layer.provide(pool))))
  return {
    charges: Context.get(services, Charges),
    runs: Context.get(services, Runs),
    watches: Context.get(services, Watches)
  }
})

/** The fields of a new watch, except for those given. */
export const wishes = (more: Partial<WatchInput> = {}): WatchInput => ({
  query: "best running shoes",
  brand: "Acme",
  mode: "quick",
  interval: "hourly",
  webhookUrl: "https://hooks.acme.com/in",
  triggerOn: ["mention_added", "mention_removed"],
  sensitivity: "every_change",
  ...more
})

export const secret = Redacted.make("a secret of the receiver")

/**
 * A new watch, of a new wallet unless one is given. Its next slot is more than a minute ahead, so that none begins while a
 * test runs.
 */
export const watching = Effect.fnUntraced(function* (more: Partial<WatchInput> = {}, owner?: Wallet) {
  const sql = yield* SqlClient.SqlClient
  const { create } = yield* Watches
  const purse = owner ?? (yield* wallet(1000))
  for (;;) {
    const watch = yield* create(purse, wishes(more), secret)
    if (Date.parse(watch.nextRunAt) > Date.now() + 60_000) return { purse, watch, id: watch.id }
    yield* sql`DELETE FROM watches WHERE id = ${watch.id}`
  }
})

/** Lets this many periods pass for these watches: the database's clock is ahead of their slots by whole slots. */
export const makeDue = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, periods = 1) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE watches SET next_run_at = next_run_at - ${periods}::integer *
      make_interval(secs => CASE "interval" WHEN 'hourly' THEN 3600 WHEN 'daily' THEN 86400 ELSE 604800 END)
    WHERE id = ANY(${ids}::uuid[])`
})

/** The row of a run. */
interface Row {
  readonly id: string
  readonly watchId: string
  readonly scheduledFor: Date
  readonly status: string
  readonly attempts: number
  readonly triggersFired: ReadonlyArray<string>
  readonly result: unknown
  readonly evidence: unknown
  readonly mentions: unknown
  readonly chargeId: string | null
}

/** The runs of a watch, the oldest slot first. */
export const runsOf = (watchId: string) =>
  SqlClient.SqlClient.use((sql) => sql<Row>`SELECT * FROM runs WHERE watch_id = ${watchId} ORDER BY scheduled_for`)

/** Queues a run of a watch, and returns its id. */
export const queued = Effect.fnUntraced(function* (purse: Wallet, watchId: string) {
  return Option.getOrThrow(yield* (yield* Runs).start(purse, watchId)).id
})

/** The record of a run in which one platform named the brand. */
export const record = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  id,
  toldBy: null,
  triggers: [],
  result: [{ platform: "chatgpt_api", present: true, rank: 1, citations: [] }],
  evidence: noEvidence,
  mentions: [],
  event: null,
  ...more
})

/** Settles a run as a check of the wallet of which `answered` platforms answered. Returns the charge's id. */
export const settle = Effect.fnUntraced(function* (
  purse: Wallet,
  run: RunRecord,
  answered = 4,
  by?: Charges["Service"]
) {
  const charges = by ?? (yield* Charges)
  const call = order(purse)
  yield* charges.hold(call)
  yield* charges.settle({ id: call.id, ...ending(answered), run })
  return call.id
})

/** Sets the end of a run's lease, or the time of its announcement, to this long ago. */
export const ageRun = Effect.fnUntraced(function* (
  column: "lease_expires_at" | "announced_at",
  by: string,
  ids: ReadonlyArray<string>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE runs SET ${sql(column)} = clock_timestamp() - ${by}::interval WHERE id = ANY(${ids}::uuid[])`
})

/** The deliveries of a run. */
export const deliveriesOf = (runId: string) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql<{
        readonly status: string
        readonly reason: string | null
        readonly nextAttemptAt: Date | null
        readonly url: string
        readonly event: string
        readonly body: Uint8Array
      }>`SELECT status, reason, next_attempt_at, url, event, body FROM deliveries WHERE run_id = ${runId}`
  )

/** Removes the watches of other tests. */
export const clear = SqlClient.SqlClient.use((sql) => sql`TRUNCATE watches, runs`)
