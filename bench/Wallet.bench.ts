/**
 * What money costs: one hold and its settlement on the embedded Postgres with fsync, over 1,000 wallets and on one hot one.
 *
 * Unit: pairs of hold and settlement per second. The limit is pgbench with as many clients, running the equivalent hold
 * and settlement as one prepared statement each, on the same tables of the same server, in turns with the subject. It waits for
 * the disk twice for each pair; the subject waits once, at the settlement, which also makes the hold durable (decision 24).
 * pgbench's charges have random ids; the subject's have the ids of calls, which are in order of time.
 * Medians of five rounds of a second each.
 */
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { AccountId } from "@sightline/domain/Account"
import { credits } from "@sightline/domain/Credits"
import { Charges } from "@sightline/store/Charges"
import * as Postgres from "@sightline/store/Postgres"
import { makeRowId } from "@sightline/store/RowId"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { type Bench, median, type Row } from "./Bench.ts"
import { onPostgres } from "./OwnPostgres.ts"

const rounds = 5
const seconds = 1
const walletsOf = 1000
const chargesOf = 10_000
const platforms = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"] as const
const outcomes = Object.fromEntries(platforms.map((platform) => [platform, "ok" as const]))

const accountOf = (index: number) => AccountId.make(`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`)

const account = "('00000000-0000-4000-8000-' || lpad(:n::text, 12, '0'))::uuid"
const charge = "md5(:a::text || :b::text)::uuid"
const chained = (columns: string) => `sha256(head || convert_to(concat_ws('|', ${columns}), 'UTF8'))`
const stamp = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24.MI.SS.US"Z"')`
const ordered = "check quick chatgpt_api,claude_api,gemini_api,perplexity_api"
const answered = "chatgpt_api=ok,claude_api=ok,gemini_api=ok,perplexity_api=ok fresh"

/** The same rows, written by plain statements without grouping. */
const script = `
\\set n random(1, :wallets)
\\set a random(1, 9223372036854775806)
\\set b random(1, 9223372036854775806)
WITH w AS (
  UPDATE wallets SET available = available - 150000, held = held + 150000, entries = entries + 1,
    head = ${chained(`account_id, environment, entries + 1, ${charge}, 'hold', 'available', 'held', 150000, available - 150000, held + 150000, ${stamp}, '${ordered}'`)}
  WHERE account_id = ${account} AND environment = 'live' AND available >= 150000 RETURNING *
), c AS (
  INSERT INTO charges SELECT ${charge}, account_id, environment, entries, 'check', 'quick',
    '{${platforms.join(",")}}', 150000, 'held', NULL, NULL, NULL, NULL, now() + interval '150 seconds', now(), NULL FROM w
), e AS (
  INSERT INTO ledger_entries SELECT account_id, environment, entries, ${charge}, 'hold', 'available', 'held', 150000,
    available, held, '${ordered}', now(), head FROM w
) SELECT available FROM w;
WITH c AS (
  UPDATE charges SET state = 'settled', amount = 150000, outcomes = '${JSON.stringify(outcomes)}', cached = false,
    finished_at = now() WHERE id = ${charge} AND state = 'held' RETURNING *
), w AS (
  UPDATE wallets SET held = held - 150000, entries = entries + 1,
    head = ${chained(`wallets.account_id, wallets.environment, entries + 1, c.id, 'capture', 'held', 'revenue', 150000, available, held - 150000, ${stamp}, '${answered}'`)}
  FROM c WHERE wallets.account_id = c.account_id AND wallets.environment = c.environment RETURNING wallets.*
), e AS (
  INSERT INTO ledger_entries SELECT account_id, environment, entries, ${charge}, 'capture', 'held', 'revenue', 150000,
    available, held, '${answered}', now(), head FROM w
) SELECT available FROM w;
`

const pgbench = (socket: string, file: string, database: string, clients: number, wallets: number): number => {
  const port = basename(socket).split(".").at(-1) ?? "5432"
  const args = ["-n", "-M", "prepared", "-h", dirname(socket), "-p", port, "-U", "postgres"]
  args.push("-c", String(clients), "-j", "2", "-T", String(seconds), "-D", `wallets=${wallets}`, "-f", file, database)
  try {
    const output = execFileSync("pgbench", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    return Number(/tps = ([\d.]+)/.exec(output)?.[1])
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT"
    throw missing ? new Error("The wallet bench needs pgbench on PATH (Debian: postgresql-contrib).") : cause
  }
}

/** Pairs per second of `clients` callers that pay from `wallets` wallets at random. */
const pairs = Effect.fnUntraced(function* (clients: number, wallets: number) {
  const charges = yield* Charges
  const from = performance.now()
  const until = from + seconds * 1000
  let done = 0
  const pair = Effect.suspend(() => {
    const id = makeRowId()
    const price = credits(150)
    const wallet = { accountId: accountOf(1 + Math.floor(Math.random() * wallets)), environment: "live" as const }
    return charges.hold({ id, wallet, endpoint: "check", mode: "quick", platforms, price }).pipe(
      Effect.andThen(charges.settle({ id, amount: price, outcomes, cached: false })),
      Effect.map(() => {
        done += 1
      })
    )
  })
  const client = Effect.whileLoop({ while: () => performance.now() < until, body: () => pair, step: () => undefined })
  yield* Effect.forEach(Array.from({ length: clients }), () => client, { concurrency: "unbounded", discard: true })
  return done / ((performance.now() - from) / 1000)
})

/** Wallets to pay from, and as stored rows the settled charges of another wallet with their entries. */
const seed = Effect.fnUntraced(function* (factor: number) {
  const sql = yield* SqlClient.SqlClient
  const id = sql.literal("('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid")
  const other = randomUUID()
  yield* sql`INSERT INTO accounts (id, name) SELECT ${id}, 'bench' FROM generate_series(1, ${walletsOf * factor}) i`
  yield* sql`
    INSERT INTO wallets (account_id, environment, available)
    SELECT ${id}, 'live', 1000000000000000 FROM generate_series(1, ${walletsOf * factor}) i`
  yield* sql`
    INSERT INTO charges SELECT gen_random_uuid(), ${other}::uuid, 'live', i, 'check', 'quick', '{chatgpt_api}', 150000,
      'settled', 150000, '{}', false, NULL, now(), now(), now() FROM generate_series(1, ${chargesOf * factor}) i`
  yield* sql`
    INSERT INTO ledger_entries SELECT ${other}::uuid, 'live', i, NULL, 'charge', 'available', 'revenue', 150000, 0, 0,
      'stored', now(), sha256('') FROM generate_series(1, ${chargesOf * factor * 2}) i`
  yield* sql`VACUUM ANALYZE`
  yield* sql`CHECKPOINT`
})

/** A database with `factor` times the wallets and rows, and a runtime that works on it. */
const prepare = async (socket: string, factor: number) => {
  const database = `wallets_${factor}`
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(database)}`)
  await Effect.runPromise(Effect.provide(create, Postgres.layer({ socket })))
  const runtime = ManagedRuntime.make(
    Charges.layer.pipe(
      Layer.provideMerge(Postgres.layerMigrations),
      Layer.provideMerge(Postgres.layer({ socket, database }))
    )
  )
  await runtime.runPromise(seed(factor))
  return { factor, database, runtime }
}

type World = Awaited<ReturnType<typeof prepare>>

const geometricMean = (values: ReadonlyArray<number>): number =>
  values.reduce((product, value) => product * value, 1) ** (1 / values.length)

const throughput = async ({ runtime, database }: World, socket: string, file: string): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const wallets of [walletsOf, 1]) {
    for (const clients of [8, 16]) {
      const values: Array<number> = []
      const limits: Array<number> = []
      // The first round warms up code, plans and pages, and is not counted.
      for (let round = 0; round <= rounds; round++) {
        const limit = pgbench(socket, file, database, clients, wallets)
        const value = await runtime.runPromise(pairs(clients, wallets))
        if (round > 0) limits.push(limit)
        if (round > 0) values.push(value)
      }
      const subject = `hold + settle, ${wallets === 1 ? "one hot wallet" : `${wallets} wallets`}, ${clients} clients`
      const [value, limit] = [median(values), median(limits)]
      rows.push({ subject, unit: "pairs/s", value, limit, ratio: value / limit, target: 1 })
    }
  }
  const value = geometricMean(rows.map((row) => row.value))
  const limit = geometricMean(rows.map((row) => row.limit))
  const mean = "hold + settle, geometric mean of these"
  return [...rows, { subject: mean, unit: "pairs/s", value, limit, ratio: value / limit, target: 2.5 }]
}

/** The rate with more wallets and stored rows; its limit is the rate with the fewest, measured in turns. */
const slope = async (worlds: ReadonlyArray<World>): Promise<ReadonlyArray<Row>> => {
  const rates = worlds.map((): Array<number> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [place, { runtime, factor }] of worlds.entries()) {
      rates[place]?.push(await runtime.runPromise(pairs(16, walletsOf * factor)))
    }
  }
  const [limit = Number.NaN, ...grown] = rates.map(median)
  return grown.map((value, place) => ({
    subject: `hold + settle, ${worlds[place + 1]?.factor} × wallets and rows, beside 1 ×`,
    unit: "pairs/s",
    value,
    limit,
    ratio: value / limit,
    target: 0.8
  }))
}

const measure = async (socket: string, directory: string): Promise<ReadonlyArray<Row>> => {
  const file = join(directory, "pair.sql")
  writeFileSync(file, script)
  const worlds: Array<World> = []
  try {
    for (const factor of [1, 4, 16]) worlds.push(await prepare(socket, factor))
    const [smallest] = worlds
    const rows = smallest === undefined ? [] : await throughput(smallest, socket, file)
    return [...rows, ...(await slope(worlds))]
  } finally {
    await Promise.all(worlds.map(({ runtime }) => runtime.dispose()))
  }
}

export const bench: Bench = { name: "wallet", run: () => onPostgres(measure) }
