/**
 * The peer of `Deliveries.bench.ts`: a plain outbox written by hand, over the same database and to the same receiver. It
 * claims a hundred rows and records their attempts in one statement, signs once, posts over connections that stay open, and
 * records the outcomes in one statement per claim. It treats all receivers as one: no fairness, no retries, no guard over
 * addresses, no lease.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import type { Agent } from "undici"

const claimed = 100
const claimers = 4

/** The tables of the outbox. */
export const createOutbox = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    yield* sql`CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea NOT NULL, state text NOT NULL)`
    yield* sql`CREATE INDEX outbox_due ON outbox (id) WHERE state = 'due'`
    yield* sql`CREATE TABLE outbox_attempts (outbox_id bigint PRIMARY KEY, started_at timestamptz NOT NULL, status integer)`
  })
)

const claim = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly id: bigint; readonly body: Uint8Array }>`
    WITH picked AS (
      SELECT id FROM outbox WHERE state = 'due' ORDER BY id LIMIT ${claimed}::integer FOR UPDATE SKIP LOCKED
    ), begun AS (
      UPDATE outbox o SET state = 'sending' FROM picked WHERE o.id = picked.id RETURNING o.id, o.body
    ), noted AS (
      INSERT INTO outbox_attempts SELECT id, clock_timestamp() FROM begun
    )
    SELECT id, body FROM begun`
)

const finish = (ids: ReadonlyArray<bigint>) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      WITH ended AS (
        UPDATE outbox_attempts SET status = 200 WHERE outbox_id = ANY(${ids.map(String)}::bigint[]) RETURNING outbox_id
      )
      UPDATE outbox o SET state = 'sent' FROM ended WHERE o.id = ended.outbox_id`
  )

/** Writes `count` rows and sends them all. */
export const sendFromOutbox = Effect.fnUntraced(function* (url: string, agent: Agent, body: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO outbox (body, state) SELECT ${Buffer.from(body)}::bytea, 'due' FROM generate_series(1, ${count}::integer)`
  const { origin, pathname: path } = new URL(url)
  const send = async (bytes: Uint8Array) => {
    const signature = createHmac("sha256", "secret").update(bytes).digest("hex")
    const headers = { "content-type": "application/json", "x-signature": signature }
    const answer = await agent.request({ origin, path, method: "POST", headers, body: bytes })
    await answer.body.dump()
  }
  const claimer: Effect.Effect<void, unknown, SqlClient.SqlClient> = Effect.gen(function* () {
    for (let rows = yield* claim; rows.length > 0; rows = yield* claim) {
      const sent = rows
      yield* Effect.promise(() => Promise.all(sent.map(({ body }) => send(body))))
      yield* finish(sent.map(({ id }) => id))
    }
  })
  yield* Effect.all(
    Array.from({ length: claimers }, () => claimer),
    { concurrency: "unbounded", discard: true }
  )
  yield* sql`TRUNCATE outbox, outbox_attempts`
})
