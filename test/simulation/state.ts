import { Effect } from "effect"
import { SqlClient } from "effect/sql"

type Money = bigint

/** What one platform's answer showed, identified by the page that only it cites; `rank` is null if the brand is not named. */
export interface Sighting {
  readonly platform: string
  readonly page: number
  readonly rank: number | null
}

/** The rows that the laws read. */
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
  /** The recorded actions, with the account and subject of each. */
  readonly actions: ReadonlyArray<{ action: string; subject: string }>
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
    claim: string | null
    begun: Date
    ended: Date | null
  }>
  /** Checks and asks, by the brand that only one wish or watch asks for. */
  readonly records: ReadonlyArray<{
    kind: "check" | "ask"
    id: string
    charge: string
    brand: string
    status: string
    isDone: boolean
    attempts: number
    tries: number
    announced: Date | null
    made: Date
    finished: Date | null
    sightings: ReadonlyArray<Sighting>
  }>
  readonly replies: ReadonlyArray<{ key: string; isAnswered: boolean }>
  readonly watches: ReadonlyArray<{
    id: string
    wallet: string
    brand: string
    created: Date
    next: Date
    triggerOn: ReadonlyArray<string>
    sensitivity: string
  }>
  readonly runs: ReadonlyArray<{
    id: string
    watch: string
    slot: Date
    status: string
    charge: string | null
    triggers: ReadonlyArray<string>
    started: Date | null
    finished: Date | null
    isDone: boolean
    attempts: number
    tries: number
    sightings: ReadonlyArray<Sighting>
    /** For each platform whether it named the brand, run by run, as left for the next run; null once the state is dropped. */
    presence: Readonly<Record<string, ReadonlyArray<number | null>>> | null
  }>
  readonly deliveries: ReadonlyArray<{
    id: string
    cause: string
    receiver: string
    status: string
    attempts: number
  }>
  readonly attempts: ReadonlyArray<{
    id: string
    delivery: string
    number: number
    begun: Date
    duration: number | null
    error: string | null
  }>
}

const pageOf = (url: string | undefined): number => Number(/^https:\/\/example\.com\/(\d+)$/.exec(url ?? "")?.[1] ?? 0)

const engines: Readonly<Record<string, string>> = {
  openai: "chatgpt_api",
  anthropic: "claude_api",
  gemini: "gemini_api",
  perplexity: "perplexity_api"
}

interface Written {
  readonly sightings?: ReadonlyArray<{
    platform: string
    rank: number | null
    citations: ReadonlyArray<{ url: string }>
  }>
  readonly providers?: ReadonlyArray<{ provider: string; citations?: ReadonlyArray<{ url: string }> }>
  readonly brand_mentions?: ReadonlyArray<{ provider: string; rank: number }>
}

/** The answers in a check or an ask. */
const sightingsIn = (text: string | null): ReadonlyArray<Sighting> => {
  const written: Written = JSON.parse(text ?? "{}")
  const rankIn = (name: string) => written.brand_mentions?.find(({ provider }) => provider === name)?.rank ?? null
  return [
    ...(written.sightings ?? []).map(({ citations, platform, rank }) => ({
      platform,
      rank,
      page: pageOf(citations[0]?.url)
    })),
    ...(written.providers ?? []).flatMap(({ citations, provider }) =>
      citations === undefined
        ? []
        : [{ platform: engines[provider] ?? provider, rank: rankIn(provider), page: pageOf(citations[0]?.url) }]
    )
  ]
}

type WrittenRecord = Omit<State["records"][number], "sightings"> & { readonly result: string | null }

const readRecord = ({ result, ...record }: WrittenRecord): State["records"][number] => ({
  ...record,
  sightings: sightingsIn(result)
})

interface WrittenRun extends Omit<State["runs"][number], "sightings" | "presence"> {
  readonly result: ReadonlyArray<{ platform: string; rank: number | null; citations: ReadonlyArray<string> }> | null
  readonly evidence: {
    readonly tracks: ReadonlyArray<{ platform: string; aspect: string; values: ReadonlyArray<number | null> }>
  } | null
}

const runSightingsIn = ({ result }: WrittenRun): ReadonlyArray<Sighting> =>
  (result ?? []).map(({ citations, platform, rank }) => ({ platform, rank, page: pageOf(citations[0]) }))

const presenceIn = ({ evidence }: WrittenRun): State["runs"][number]["presence"] =>
  evidence &&
  Object.fromEntries(
    evidence.tracks.flatMap(({ aspect, platform, values }) => (aspect === "presence" ? [[platform, values]] : []))
  )

const readRun = (run: WrittenRun): State["runs"][number] => ({
  ...run,
  sightings: runSightingsIn(run),
  presence: presenceIn(run)
})

/** Times in the tables that are not from the simulated clock: before its start, or far ahead of it. */
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

/** Reads the state at one moment of the simulation, while no statement is under way. */
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
    actions: yield* all<State["actions"][number]>(
      `SELECT action, account_id || ' ' || subject AS subject FROM actions ORDER BY sequence`
    ),
    charges: yield* all<State["charges"][number]>(
      `SELECT id, ${wallet}, endpoint, mode, platforms, price, state, amount, outcomes, cached, claim,
         created_at AS begun, finished_at AS ended FROM charges ORDER BY id`
    ),
    records: (yield* all<WrittenRecord>(
      `SELECT 'check' AS kind, id, charge_id AS charge, brand, 'completed' AS status, true AS "isDone", 0 AS attempts,
         0 AS tries, NULL::timestamptz AS announced, created_at AS made, created_at AS finished, result::text AS result FROM checks
       UNION ALL SELECT 'ask', id, charge_id, request->'brands'->>0, status,
         finished_at IS NOT NULL AND status IN ('completed', 'failed'), attempts, attempts - given_back,
         announced_at, created_at, finished_at, result
       FROM asks ORDER BY 2`
    )).map(readRecord),
    replies: yield* all<State["replies"][number]>(
      `SELECT account_id || environment || route || key AS key, status IS NOT NULL AS "isAnswered" FROM replies ORDER BY 1`
    ),
    watches: yield* all<State["watches"][number]>(
      `SELECT id, ${wallet}, brand, created_at AS created, next_run_at AS next, trigger_on AS "triggerOn", sensitivity
       FROM watches ORDER BY id`
    ),
    runs: (yield* all<WrittenRun>(
      `SELECT id, watch_id AS watch, scheduled_for AS slot, status, charge_id AS charge, triggers_fired AS triggers,
         started_at AS started, finished_at AS finished, finished_at IS NOT NULL AS "isDone", attempts,
         attempts - given_back AS tries, result, evidence
       FROM runs ORDER BY id`
    )).map(readRun),
    deliveries: yield* all<State["deliveries"][number]>(
      `SELECT id, coalesce(ask_id, run_id) AS cause, receiver_id AS receiver, status, attempts FROM deliveries ORDER BY id`
    ),
    attempts: yield* all<State["attempts"][number]>(
      `SELECT id, delivery_id AS delivery, number, started_at AS begun, duration_ms AS duration, error
       FROM attempts ORDER BY 2, 3`
    )
  }
})
