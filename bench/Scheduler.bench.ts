/**
 * What a full slot costs: claiming the due watches, inserting their run rows and announcing their ids over a work queue, on the
 * embedded Postgres with fsync.
 *
 * Unit: due watches per second. The limit only claims the same watches: 1,000 per statement with SKIP LOCKED, over two
 * connections, without run rows and announcements. Subject and limit are measured in turns; medians of three rounds.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Nats } from "@sightline/actor/Nats"
import * as NatsWorkQueue from "@sightline/actor/NatsWorkQueue"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { runQueue, tick } from "@sightline/engine/WatchTicker"
import { jetstream, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream"
import { start } from "@sightline/store/EmbeddedPostgres"
import * as Postgres from "@sightline/store/Postgres"
import { Watches } from "@sightline/store/Watches"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { startNats } from "../test/services/nats.ts"
import { type Bench, median, type Row } from "./Bench.ts"

const rounds = 3
const full = 100_000
const small = 5_000

const chunk = 25_000

/** Fills the table with `watches` due watches, 70 % daily, 20 % hourly, 10 % weekly, and lets the database become idle. */
const reset = (watches: number) =>
  SqlClient.SqlClient.use(
    Effect.fnUntraced(function* (sql) {
      yield* sql`TRUNCATE watches, runs`
      for (let made = 0; made < watches; made += chunk)
        yield* sql`
          INSERT INTO watches
          SELECT gen_random_uuid(), gen_random_uuid(), 'live', 'best running shoes', 'Acme', 'quick',
            CASE WHEN i % 10 < 7 THEN 'daily' WHEN i % 10 < 9 THEN 'hourly' ELSE 'weekly' END,
            'https://hooks.acme.com/in', sha256(i::text::bytea), '{mention_added,mention_removed}', 'every_change', true,
            clock_timestamp(), clock_timestamp()
          FROM generate_series(1, ${Math.min(chunk, watches - made)}) i`
      yield* sql`VACUUM ANALYZE watches`
      yield* sql`CHECKPOINT`
    })
  )

/** Watches per second that `work` claims. Fails unless it claims all `watches`, and `check` finds all of them announced. */
const rate = Effect.fnUntraced(function* <R>(
  watches: number,
  {
    work,
    check
  }: {
    readonly work: Effect.Effect<number, unknown, R>
    readonly check?: (claimed: number) => Effect.Effect<number, unknown>
  }
) {
  yield* reset(watches)
  const from = performance.now()
  const claimed = yield* work
  const seconds = (performance.now() - from) / 1000
  const announced = check === undefined ? claimed : yield* check(claimed)
  if (claimed !== watches || announced !== watches)
    throw new Error(`of ${watches} due watches ${claimed} were claimed and ${announced} announced`)
  return claimed / seconds
})

/** Two concurrent loops that run `claim` until nothing is due. Returns how many were claimed. */
const claiming = <E, R>(
  claim: (sql: SqlClient.SqlClient, picked: Statement.Fragment) => Effect.Effect<ReadonlyArray<unknown>, E, R>
) =>
  SqlClient.SqlClient.use((sql) => {
    // By `ctid`, as the scheduler does it: by id it is several times slower, and the more so the more watches there are.
    const picked = sql`
      UPDATE watches SET next_run_at = next_run_at + interval '1 day'
      WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM watches WHERE enabled AND next_run_at <= now()
        ORDER BY next_run_at LIMIT 1000 FOR UPDATE SKIP LOCKED))`
    const loop: Effect.Effect<number, E, R> = Effect.gen(function* () {
      const claimed = yield* claim(sql, picked)
      return claimed.length === 0 ? 0 : claimed.length + (yield* loop)
    })
    return Effect.map(Effect.all([loop, loop], { concurrency: 2 }), ([one, other]) => one + other)
  })

/** The claim alone. */
const bare = claiming((sql, picked) => sql`${picked} RETURNING 1`)

/** The claim, its run rows, and a message for each of them that the server acknowledges. */
const makePeer = Effect.gen(function* () {
  const { connection } = yield* Nats
  const stream = "bench-peer"
  const manager = yield* Effect.promise(() => jetstreamManager(connection))
  yield* Effect.promise(() =>
    manager.streams.add({ name: stream, subjects: [stream], retention: RetentionPolicy.Workqueue })
  )
  const publisher = jetstream(connection)
  const work = claiming(
    Effect.fnUntraced(function* (sql, picked) {
      const runs = yield* sql<{ readonly id: string }>`
        WITH claimed AS (${picked} RETURNING id)
        INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at)
        SELECT gen_random_uuid(), id, clock_timestamp(), 'queued', clock_timestamp() FROM claimed RETURNING id`
      yield* Effect.promise(() => Promise.all(runs.map(({ id }) => publisher.publish(stream, id))))
      return runs
    })
  )
  const check = () => Effect.promise(() => manager.streams.purge(stream)).pipe(Effect.map(({ purged }) => purged))
  return { work, check }
})

/** One pass of the scheduler with an empty queue. */
const pass = (queue: Layer.Layer<WorkQueue>) => Effect.provide(tick, Layer.fresh(queue))

/** The same over NATS, where a consumer that starts afterwards takes all messages. */
const makePassOverNats = Effect.map(Nats, (nats) => {
  let passes = 0
  const queueOf = (name: string) =>
    NatsWorkQueue.layer(name).pipe(Layer.provide(Layer.succeed(Nats, nats)), Layer.orDie)
  const work = Effect.suspend(() => pass(queueOf(`bench-${++passes}`)))
  const check = Effect.fnUntraced(
    function* (claimed: number) {
      const queue = yield* WorkQueue
      const ids = new Set<string>()
      const take = queue.next(runQueue, (id) => Effect.sync(() => ids.add(id)))
      const taken = Effect.repeat(take, { until: () => ids.size === claimed })
      yield* Effect.ignore(Effect.timeout(taken, "1 minute"))
      const manager = yield* Effect.promise(() => jetstreamManager(nats.connection))
      yield* Effect.promise(() => manager.streams.delete(`bench-${passes}_${runQueue}`))
      return ids.size
    },
    (taking) => Effect.provide(taking, Effect.sync(() => Layer.fresh(queueOf(`bench-${passes}`))).pipe(Layer.unwrap))
  )
  return { work, check }
})

/** Measures subject and limit in turns, after one round to warm up. */
const compare = Effect.fnUntraced(function* <R, L>(
  watches: number,
  subject: Parameters<typeof rate<R>>[1],
  limit: Effect.Effect<number, unknown, L>
) {
  const [values, limits]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [most, value] = [yield* rate(watches, { work: limit }), yield* rate(watches, subject)]
    if (round > 0) values.push(value)
    if (round > 0) limits.push(most)
  }
  return { value: median(values), limit: median(limits) }
})

const rowOf = (subject: string, target: number, { value, limit }: Pick<Row, "value" | "limit">): Row => ({
  subject,
  unit: "watches/s",
  value,
  limit,
  ratio: value / limit,
  target
})

const measure = Effect.gen(function* () {
  const overNats = yield* makePassOverNats
  const memory = { work: pass(WorkQueue.layerMemory) }
  const nats = yield* compare(full, overNats, bare)
  const near = yield* compare(full, memory, bare)
  const peer = yield* compare(full, yield* makePeer, bare)
  const rates: Array<number> = []
  for (const factor of [1, 4, 16]) rates.push((yield* compare(small * factor, overNats, bare)).value)
  const [one = Number.NaN, ...grown] = rates
  return [
    rowOf("due watches claimed and announced over NATS", 0.55, nats),
    rowOf("the same, limit: 100,000 within 20 s", 1, { value: nats.value, limit: full / 20 }),
    rowOf("due watches claimed and announced in memory", 0.55, near),
    rowOf("peer: a message for each watch", 0, peer),
    ...grown.map((value, place) =>
      rowOf(`${4 ** (place + 1)} x ${small} due watches, beside 1 x`, 0.8, { value, limit: one })
    )
  ]
})

export const bench: Bench = {
  name: "scheduler",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "sightline-scheduler-"))
    const server = await startNats()
    const layer = Layer.unwrap(
      Effect.map(start({ dataDir: directory }), (address) =>
        Watches.layer(Redacted.make(new Uint8Array(32))).pipe(
          Layer.provideMerge(Postgres.layerMigrations),
          Layer.provideMerge(Postgres.layer(address))
        )
      )
    ).pipe(Layer.merge(Nats.layer({ servers: server.url })))
    try {
      return await Effect.runPromise(Effect.provide(measure, layer))
    } finally {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
