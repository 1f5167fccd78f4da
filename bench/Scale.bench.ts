/**
 * How much stored rows slow down claims and look-ups: the same work in a database of 10,000 watches, and in one of 1,000,000
 * watches, as many ended runs and delivered deliveries, 10,000,000 ledger entries and 2,000,000 charges.
 *
 * Unit: runs per second, the median of alternating rounds. The rows that are claimed and looked up are the same in both. The
 * limit of each row is its rate in the small database: 1.00 means that the stored rows cost nothing.
 */
import { DateTime, Duration, Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { credits } from "@sightline/domain/Credits"
import { Attempts } from "@sightline/store/Attempts"
import { Charges } from "@sightline/store/Charges"
import { Ledger } from "@sightline/store/Ledger"
import * as Postgres from "@sightline/store/Postgres"
import { Runs } from "@sightline/store/Runs"
import { Usage } from "@sightline/store/Usage"
import { Watches } from "@sightline/store/Watches"
import { type Bench, median, type Row } from "./Bench.ts"
import { onPostgres } from "./OwnPostgres.ts"
import { accountId, own, seed, watchId, webhookId } from "./ScaleRows.ts"

const rounds = 5
const roundMillis = 1000
const target = 0.8
const smallWatches = 10_000
const growth = 100

const wallet = { accountId, environment: "live" } as const

const platforms = ["chatgpt_api"] as const
const outcomes = { chatgpt_api: "ok" } as const

const retryDelays = [Duration.seconds(60), Duration.seconds(300)] as const

/** Work that is repeated. `prepare` runs before each repetition and is not counted. */
interface Work {
  readonly subject: string
  readonly prepare?: Effect.Effect<unknown, unknown, SqlClient.SqlClient>
  readonly once: Effect.Effect<unknown, unknown, Services>
}

type Services = Attempts | Charges | Ledger | Runs | Usage | Watches | SqlClient.SqlClient

const paid = Effect.suspend(() => {
  const id = randomUUID()
  const price = credits(150)
  return Charges.use((charges) =>
    charges
      .hold({ id, wallet, endpoint: "check", mode: "quick", platforms, price })
      .pipe(Effect.andThen(charges.settle({ id, amount: price, outcomes, cached: false })))
  )
})

/** Fails unless exactly the expected number was found. */
const all = <E, R>(expected: number, found: Effect.Effect<number, E, R>) =>
  Effect.flatMap(found, (count) =>
    count === expected ? Effect.void : Effect.die(new Error(`${count} were found of ${expected}`))
  )

const page = { limit: 50 }

// Look-ups come first, because the other works add stored rows.
const works: ReadonlyArray<Work> = [
  {
    subject: "a page of the ledger",
    once: all(
      page.limit,
      Ledger.use((ledger) => Effect.map(ledger.page({ accountId, ...page }), ({ rows }) => rows.length))
    )
  },
  {
    subject: "an account's usage of 30 days",
    once: all(
      1,
      Usage.use((usage) =>
        Effect.flatMap(DateTime.now, (end) =>
          Effect.map(
            usage.of({ wallet, start: DateTime.subtract(end, { days: 30 }), end, granularity: "total" }),
            ({ series }) => series.length
          )
        )
      )
    )
  },
  {
    subject: "a page of an account's watches",
    once: all(
      page.limit,
      Watches.use((watches) => Effect.map(watches.list(wallet, page), ({ rows }) => rows.length))
    )
  },
  {
    subject: "a page of a watch's runs",
    once: all(
      page.limit,
      Runs.use((runs) => Effect.map(runs.page(watchId, page), ({ rows }) => rows.length))
    )
  },
  { subject: "a hold and its settlement", once: paid },
  {
    subject: "10 of 50 due deliveries begun",
    prepare: SqlClient.SqlClient.use((sql) =>
      Effect.andThen(
        sql`DELETE FROM deliveries WHERE account_id = ${accountId}`,
        sql`
          INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, next_attempt_at)
          SELECT gen_random_uuid(), ${accountId}, 'live', 'ask.completed', ${webhookId}, gen_random_uuid(), 'https://hooks.acme.com/in',
            '{}', 'pending', now(), now() FROM generate_series(1, ${own.deliveries}::integer)`
      )
    ),
    once: all(
      // The number of deliveries that one receiver takes at a time.
      10,
      Attempts.use((attempts) =>
        Effect.map(attempts.begin(own.deliveries, Option.none(), new Map()), ({ attempts }) => attempts.length)
      )
    )
  },
  {
    subject: "1,000 due watches claimed",
    prepare: SqlClient.SqlClient.use((sql) =>
      Effect.andThen(
        sql`DELETE FROM runs WHERE finished_at IS NULL`,
        sql`UPDATE watches SET next_run_at = now() - interval '1 minute' WHERE account_id = ${accountId}`
      )
    ),
    once: all(
      own.watches,
      Watches.use((watches) => Effect.map(watches.claimDue(1000), ({ moved }) => moved))
    )
  }
]

/** Runs per second, one at a time. */
const rate = Effect.fnUntraced(function* ({ once, prepare = Effect.void }: Work) {
  let [times, millis] = [0, 0]
  while (millis < roundMillis) {
    yield* prepare
    const from = performance.now()
    yield* once
    millis += performance.now() - from
    times++
  }
  return (times * 1000) / millis
})

const makeRuntime = (socket: string, database: string) => {
  const key = Redacted.make(new Uint8Array(32))
  return ManagedRuntime.make(
    Layer.mergeAll(
      Attempts.layer({ key, retryDelays }),
      Charges.layer,
      Ledger.layer,
      Runs.layer,
      Usage.layer,
      Watches.layer(key)
    ).pipe(Layer.provideMerge(Postgres.layerMigrations), Layer.provideMerge(Postgres.layer({ socket, database })))
  )
}

const prepare = async (socket: string, watches: number) => {
  const database = `scale_${watches}`
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(database)}`)
  await Effect.runPromise(Effect.provide(create, Postgres.layer({ socket })))
  const runtime = makeRuntime(socket, database)
  await runtime.runPromise(seed(watches))
  return runtime
}

const measure = async (socket: string): Promise<ReadonlyArray<Row>> => {
  const small = await prepare(socket, smallWatches)
  const large = await prepare(socket, smallWatches * growth)
  const rows: Array<Row> = []
  try {
    for (const work of works) {
      const values: Array<number> = []
      const limits: Array<number> = []
      // The first round warms up code, plans and pages, and is not counted.
      for (let round = 0; round <= rounds; round++) {
        const limit = await small.runPromise(rate(work))
        const value = await large.runPromise(rate(work))
        if (round > 0) limits.push(limit)
        if (round > 0) values.push(value)
      }
      const [value, limit] = [median(values), median(limits)]
      rows.push({ subject: work.subject, unit: "times/s", value, limit, ratio: value / limit, target })
    }
    return rows
  } finally {
    await Promise.all([small.dispose(), large.dispose()])
  }
}

/** The bench of stored rows. */
export const bench: Bench = { name: "scale", run: () => onPostgres(measure) }
