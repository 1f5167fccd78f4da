import { Effect } from "effect"
import { SqlClient } from "effect/sql"

type Money = bigint

/** Everything that the laws are about, as it lies in the tables. */
export interface State {
  readonly wallets: ReadonlyArray<{ wallet: string; available: Money; held: Money; entries: bigint; head: string }>
  readonly entries: ReadonlyArray<{
    wallet: string
    sequence: bigint
    charge: string | null
    kind: string
    debit: string
    credit: string
    amount: Money
    available: Money
    held: Money
    memo: string | null
    stamp: string
    hash: string
  }>
  readonly charges: ReadonlyArray<{
    id: string
    wallet: string
    endpoint: string
    mode: string
    platforms: ReadonlyArray<string>
    price: Money
    state: string
    amount: Money | null
    outcomes: Readonly<Record<string, string>> | null
    cached: boolean | null
  }>
  /** Checks and asks by the brand that only one wish or watch asks for. */
  readonly records: ReadonlyArray<{ kind: "check" | "ask"; id: string; charge: string; brand: string; isDone: boolean }>
  readonly replies: ReadonlyArray<{ key: string; isAnswered: boolean }>
  readonly watches: ReadonlyArray<{ id: string; brand: string; created: Date; next: Date }>
  readonly runs: ReadonlyArray<{
    id: string
    watch: string
    slot: Date
    status: string
    charge: string | null
    triggers: ReadonlyArray<string>
    finished: Date | null
    isDone: boolean
  }>
  readonly deliveries: ReadonlyArray<{ id: string; cause: string; status: string; attempts: number }>
  readonly attempts: ReadonlyArray<{
    id: string
    delivery: string
    number: number
    isEnded: boolean
    error: string | null
  }>
}

/** Moments in the tables that are not of the simulated clock: from before it started, or far ahead of it. */
export const strayMoments = (
  from: number,
  to: number
): Effect.Effect<ReadonlyArray<string>, unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    const columns = yield* sql<{ place: string; query: string }>`
      SELECT table_name || '.' || column_name AS place, format(
        'SELECT count(*)::integer AS stray FROM %I WHERE %I < $1 OR %I > $2', table_name, column_name, column_name) AS query
      FROM information_schema.columns
      WHERE table_schema = 'simulated' AND data_type = 'timestamp with time zone' AND table_name <> 'migrations'`
    const found = yield* Effect.forEach(columns, ({ place, query }) =>
      Effect.map(sql.unsafe<{ stray: number }>(query, [new Date(from), new Date(to)]), ([row]) =>
        row?.stray === 0 ? [] : [`clock: ${place} was not read from the simulated clock`]
      )
    )
    return found.flat()
  })

const wallet = "account_id || ' ' || environment AS wallet"

/** Reads it, as of one moment of the simulation, while no statement is under way. */
export const readState: Effect.Effect<State, unknown, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const all = <Row extends object>(query: string) => sql.unsafe<Row>(query)
  return {
    wallets: yield* all<State["wallets"][number]>(
      `SELECT ${wallet}, available, held, entries, encode(head, 'hex') AS head FROM wallets ORDER BY 1`
    ),
    entries: yield* all<State["entries"][number]>(
      `SELECT ${wallet}, sequence, charge_id AS charge, kind, debit, credit, amount, available_after AS available,
         held_after AS held, memo, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS stamp,
         encode(hash, 'hex') AS hash FROM ledger_entries ORDER BY 1, 2`
    ),
    charges: yield* all<State["charges"][number]>(
      `SELECT id, ${wallet}, endpoint, mode, platforms, price, state, amount, outcomes, cached FROM charges ORDER BY id`
    ),
    records: yield* all<State["records"][number]>(
      `SELECT 'check' AS kind, id, charge_id AS charge, brand, true AS "isDone" FROM checks
       UNION ALL SELECT 'ask', id, charge_id, request->'brands'->>0,
         finished_at IS NOT NULL AND status IN ('completed', 'failed') FROM asks ORDER BY 2`
    ),
    replies: yield* all<State["replies"][number]>(
      `SELECT account_id || environment || route || key AS key, status IS NOT NULL AS "isAnswered" FROM replies ORDER BY 1`
    ),
    watches: yield* all<State["watches"][number]>(
      `SELECT id, brand, created_at AS created, next_run_at AS next FROM watches ORDER BY id`
    ),
    runs: yield* all<State["runs"][number]>(
      `SELECT id, watch_id AS watch, scheduled_for AS slot, status, charge_id AS charge, triggers_fired AS triggers,
         finished_at AS finished, finished_at IS NOT NULL AS "isDone" FROM runs ORDER BY id`
    ),
    deliveries: yield* all<State["deliveries"][number]>(
      `SELECT id, coalesce(ask_id, run_id) AS cause, status, attempts FROM deliveries ORDER BY id`
    ),
    attempts: yield* all<State["attempts"][number]>(
      `SELECT id, delivery_id AS delivery, number, duration_ms IS NOT NULL OR error IS NOT NULL AS "isEnded", error
       FROM attempts ORDER BY 2, 3`
    )
  }
})
