/**
 * What a sweep reads when nothing is too old, from tables that it visits every few seconds.
 *
 * Planted faults, seen red: for each table, an age that is checked row by row; deliveries found by a summary of their pages, or in
 * storage order.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Answers } from "@sightline/store/Answers"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { Asks } from "@sightline/store/Asks"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { Deliveries } from "@sightline/store/Deliveries"
import { Discoveries } from "@sightline/store/Discoveries"
import { Replies } from "@sightline/store/Replies"
import { layerDatabase } from "./database.ts"
import { rowsRead } from "./rowsRead.ts"

const layerStore = Layer.mergeAll(
  Answers.layer,
  AnswerTexts.layer,
  Asks.layer,
  CaptureStats.layer,
  Deliveries.layer,
  Discoveries.layer,
  Replies.layer
).pipe(Layer.provideMerge(layerDatabase))

const hash = "sha256(convert_to(n::text, 'UTF8'))"

interface Pruned {
  readonly table: string
  readonly columns?: string
  readonly row: string
  readonly prune: Effect.Effect<number, never, Layer.Success<typeof layerStore>>
}

/** Young rows of each table, by their number `n`, and the function that prunes it. */
const tables: ReadonlyArray<Pruned> = [
  { table: "answers", row: `${hash}, 1, 'm', '{}', '', now()`, prune: Answers.use(({ prune }) => prune) },
  { table: "answer_texts", row: `${hash}, 'text', '{}', now()`, prune: AnswerTexts.use(({ prune }) => prune) },
  {
    table: "asks",
    columns: "(id, account_id, environment, charge_id, status, request, created_at, finished_at)",
    row: "gen_random_uuid(), gen_random_uuid(), 'test', gen_random_uuid(), 'completed', '{}', now(), now()",
    prune: Asks.use(({ prune }) => prune)
  },
  {
    table: "capture_stats",
    row: "date_trunc('hour', now()), 'test', 'chatgpt_api', 'ok', 'unseen', n, 1",
    prune: CaptureStats.use(({ prune }) => prune)
  },
  {
    table: "deliveries",
    columns: "(id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at)",
    row: `gen_random_uuid(), gen_random_uuid(), 'test', 'ask.completed', gen_random_uuid(), gen_random_uuid(), 'https://acme.com/', '',
      'delivered', now()`,
    prune: Deliveries.use(({ prune }) => prune)
  },
  { table: "discoveries", row: `${hash}, '[]', '{}', now()`, prune: Discoveries.use(({ prune }) => prune) },
  {
    table: "replies",
    columns: "(account_id, environment, route, key, fingerprint, token, lease_expires_at, created_at)",
    row: "gen_random_uuid(), 'test', 'check', 'key', '', gen_random_uuid(), now(), now()",
    prune: Replies.use(({ prune }) => prune)
  }
]

layer(layerStore, { excludeTestServices: true })("Pruning", (it) => {
  it.effect.each(tables)("of $table reads only what is too old", ({ columns = "", prune, row, table }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`INSERT INTO ${table} ${columns} SELECT ${row} FROM generate_series(1, 5000) n`)
      yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
      const [before, after] = yield* sql.withTransaction(
        Effect.all([rowsRead(table), Effect.andThen(prune, rowsRead(table))])
      )
      assert.isAtMost(after - before, 100)
    })
  )

  it.effect("of deliveries reads only what is too old, even if they lie where pruned ones were", () =>
    Effect.gen(function* () {
      const [sql, { prune }] = [yield* SqlClient.SqlClient, yield* Deliveries]
      const made = (ago: string) => sql`
        INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'test', 'ask.completed', gen_random_uuid(), gen_random_uuid(),
          'https://acme.com/', convert_to(repeat('x', 1000), 'UTF8'), 'delivered', now() - ${sql.literal(ago)}
        FROM generate_series(1, 5000) n`
      yield* made("n % 2 * interval '31 days'")
      yield* sql`VACUUM ANALYZE deliveries`
      const forgotten = yield* Effect.all(Array.from({ length: 4 }, () => prune))
      assert.deepStrictEqual(forgotten, [1000, 1000, 500, 0])
      // Without ANALYZE: the statistics of their ages are from before.
      yield* sql`VACUUM deliveries`
      yield* made("interval '0'")
      const [before, after] = yield* sql.withTransaction(
        Effect.all([rowsRead("deliveries"), Effect.andThen(prune, rowsRead("deliveries"))])
      )
      assert.isAtMost(after - before, 100)
    })
  )
})
