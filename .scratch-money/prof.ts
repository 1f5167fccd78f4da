/**
 * What money costs: one hold and its settlement on the embedded Postgres with fsync, over 1,000 wallets and on one hot one.
 *
 * Unit: pairs of hold and settlement per second. The limit is pgbench with as many clients, running the equivalent hold
 * and settlement as one prepared statement each, on the same tables of the same server, in turns with the subject.
 */
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { AccountId } from "@sightline/domain/Account"
import { credits } from "@sightline/domain/Credits"
import { Charges } from "@sightline/store/Charges"
import { start } from "@sightline/store/EmbeddedPostgres"
import * as Postgres from "@sightline/store/Postgres"
import { Effect, Layer, ManagedRuntime, Scope, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { median, type Row } from "../bench/Bench.ts"

const rounds = 3
const seconds = 2
const walletsMax = 16_000
const platforms = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"] as const
const outcomes = Object.fromEntries(platforms.map((platform) => [platform, "ok" as const]))

const accountOf = (index: number) => AccountId.make(`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`)

const account = "('00000000-0000-4000-8000-' || lpad(:n::text, 12, '0'))::uuid"
const charge = "md5(:a::text || :b::text)::uuid"
const chained = (columns: string) => `sha256(head || convert_to(concat_ws('|', ${columns}), 'UTF8'))`
const stamp = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24.MI.SS.US"Z"')`
const ordered = "check quick chatgpt_api,claude_api,gemini_api,perplexity_api"
const answered = "chatgpt_api=ok,claude_api=ok,gemini_api=ok,perplexity_api=ok fresh"

/** The same rows written by plain statements, as one would write them without grouping. */
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

const pgbench = (socket: string, file: string, clients: number, wallets: number): number => {
  const port = basename(socket).split(".").at(-1) ?? "5432"
  const args = ["-n", "-M", "prepared", "-h", dirname(socket), "-p", port, "-U", "postgres"]
  args.push("-c", String(clients), "-j", "2", "-T", String(seconds), "-D", `wallets=${wallets}`, "-f", file, "postgres")
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
    const id = randomUUID()
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

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = sql.literal("('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid")
  yield* sql`INSERT INTO accounts (id, name) SELECT ${id}, 'bench' FROM generate_series(1, ${walletsMax}) i`
  yield* sql`
    INSERT INTO wallets (account_id, environment, available)
    SELECT ${id}, 'live', 1000000000000000 FROM generate_series(1, ${walletsMax}) i`
})

/** Settled charges of other wallets, with their entries, as rows that are merely there. */
const store = Effect.fnUntraced(function* (charges: number) {
  const sql = yield* SqlClient.SqlClient
  const other = randomUUID()
  yield* sql`
    INSERT INTO charges SELECT gen_random_uuid(), ${other}::uuid, 'live', i, 'check', 'quick', '{chatgpt_api}', 150000, 'settled',
      150000, '{}', false, NULL, now(), now(), now() FROM generate_series(1, ${charges}) i`
  yield* sql`
    INSERT INTO ledger_entries SELECT ${other}::uuid, 'live', i, NULL, 'charge', 'available', 'revenue', 150000, 0, 0, 'stored',
      now(), sha256('') FROM generate_series(1, ${charges * 2}) i`
})

const geometricMean = (values: ReadonlyArray<number>): number =>
  values.reduce((product, value) => product * value, 1) ** (1 / values.length)

type Work = <A>(effect: Effect.Effect<A, unknown, Charges | SqlClient.SqlClient>) => Promise<A>

const throughput = async (run: Work, limit: (clients: number, wallets: number) => number) => {
  const rows: Array<Row> = []
  for (const wallets of [1000, 1]) {
    for (const clients of [8, 16]) {
      const values: Array<number> = []
      const limits: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        limits.push(limit(clients, wallets))
        values.push(await run(pairs(clients, wallets)))
      }
      const subject = `hold + settle, ${wallets === 1 ? "one hot wallet" : `${wallets} wallets`}, ${clients} clients`
      const [value, best] = [median(values), median(limits)]
      rows.push({ subject, unit: "pairs/s", value, limit: best, ratio: value / best, target: 1 })
    }
  }
  const value = geometricMean(rows.map((row) => row.value))
  const best = geometricMean(rows.map((row) => row.limit))
  const mean = "hold + settle, geometric mean of these"
  return [...rows, { subject: mean, unit: "pairs/s", value, limit: best, ratio: value / best, target: 2.5 }]
}

/** How the rate changes with 4 and 16 times the wallets and the rows stored, beside the rate at 1×. */
const slope = async (run: Work) => {
  const rates: Array<number> = []
  for (const [factor, more] of [[1, 10_000], [4, 30_000], [16, 120_000]] as const) {
    await run(store(more))
    const samples: Array<number> = []
    for (let round = 0; round < rounds; round++) samples.push(await run(pairs(16, 1000 * factor)))
    rates.push(median(samples))
  }
  const [base = Number.NaN, ...grown] = rates
  return grown.map((value, place) => ({
    subject: `hold + settle, ${place === 0 ? 4 : 16} × wallets and rows, beside 1 ×`,
    unit: "pairs/s",
    value,
    limit: base,
    ratio: value / base,
    target: 0.7
  }))
}

const measure = async (socket: string, directory: string): Promise<ReadonlyArray<Row>> => {
  const file = join(directory, "pair.sql")
  writeFileSync(file, script)
  const runtime = ManagedRuntime.make(
    Charges.layer.pipe(
      Layer.provideMerge(Postgres.layerMigrations),
      Layer.provideMerge(Postgres.layer({ socket }))
    )
  )
  try {
    await runtime.runPromise(seed)
    await runtime.runPromise(pairs(8, 1000))
    const probe = (what: string, q: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) => runtime.runPromise(Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const from = performance.now()
      for (let i = 0; i < 300; i++) yield* q(sql)
      console.log(what, ((performance.now() - from) / 300).toFixed(3), "ms")
    }) as never)
    const ids = Array.from({ length: 16 * 400 }, () => randomUUID())
    let at = 0
    const batch = (n: number) => JSON.stringify(Array.from({ length: n }, () => ({ kind: "hold", charge_id: ids[at++], account_id: accountOf(1 + Math.floor(Math.random() * 1000)), environment: "live", endpoint: "check", mode: "quick", platforms, price: 150000, memo: ordered, claim: null })))
    await probe("select 1", (sql) => sql`select 1`)
    await probe("empty", (sql) => sql`SELECT * FROM post_movements(${"[]"}::json)`)
    await probe("tiny write+fsync", (sql) => sql`UPDATE accounts SET name = name WHERE id = ${accountOf(1)}`)
    for (const n of [1, 4, 8]) await probe("holds " + n, (sql) => sql`SELECT * FROM post_movements(${batch(n)}::json)`)
    await runtime.runPromise(Effect.gen(function* () { const sql = yield* SqlClient.SqlClient; yield* sql`ALTER SYSTEM SET synchronous_commit = off`; yield* sql`select pg_reload_conf()` }))
    at = 0; for (let i = 0; i < ids.length; i++) ids[i] = randomUUID()
    await probe("tiny write", (sql) => sql`UPDATE accounts SET name = name WHERE id = ${accountOf(1)}`)
    for (const n of [1, 4, 8]) await probe("async holds " + n, (sql) => sql`SELECT * FROM post_movements(${batch(n)}::json)`)
    for (const [c, w] of [[8,1000],[16,1000],[8,1],[16,1]] as const) console.log("async commit", c, w, Math.round(await runtime.runPromise(pairs(c, w))))
    await runtime.runPromise(Effect.gen(function* () { const sql = yield* SqlClient.SqlClient; yield* sql`ALTER SYSTEM RESET synchronous_commit`; yield* sql`select pg_reload_conf()` }))
    for (const [c, w] of [[8,1000],[16,1000],[16,1000],[8,1],[16,1]] as const) {
      const cpu = process.cpuUsage(); const t = performance.now()
      const rate = await runtime.runPromise(pairs(c, w))
      const used = process.cpuUsage(cpu)
      console.log(c, w, Math.round(rate), "node cpu share", ((used.user + used.system) / 1000 / (performance.now() - t)).toFixed(2), "us/pair", Math.round((used.user+used.system)/(rate*seconds)))
    }
    const rows: Row[] = []; const grown: Row[] = []
    return [...rows, ...grown]
  } finally {
    await runtime.dispose()
  }
}

export const bench = {
  name: "wallet",
  run: async (): Promise<ReadonlyArray<Row>> => {
    const directory = mkdtempSync(join(tmpdir(), "sightline-wallet-"))
    const scope = Scope.makeUnsafe()
    try {
      const address = await Effect.runPromise(Scope.provide(start({ dataDir: directory }), scope))
      if (!("socket" in address)) throw new Error("the embedded Postgres has no socket")
      return await measure(address.socket, directory)
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

await bench.run()
