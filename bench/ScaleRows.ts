/** The rows in the databases of `Scale.bench.ts`: those of the measured account, and those of all other accounts. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"

/** The account whose rows are claimed and looked up. It has the same number of rows in each database. */
export const accountId = AccountId.make("00000000-0000-4000-8000-00000000000a")
export const watchId = "00000000-0000-4000-8000-0000000000aa"
export const webhookId = "00000000-0000-4000-8000-0000000000bb"
export const own = { watches: 1000, charges: 1000, entries: 1000, runs: 200, deliveries: 50 }

const chunk = 100_000

/** Neighbouring rows belong to one account: otherwise writing them would take an hour. */
const account = "md5('account' || i / 1000)::uuid"

/** The rows of other accounts, `perWatch` for each watch. */
const strangers = [
  {
    perWatch: 1,
    insert: `INSERT INTO watches SELECT md5('watch' || i)::uuid, ${account}, 'live', 'best running shoes', 'Acme', 'quick',
      'daily', 'https://hooks.acme.com/in', sha256(''), '{mention_added}', 'every_change', true,
      now() + interval '1 day' * (1 + i % 1000 / 1000.0), now()`
  },
  {
    perWatch: 1,
    insert: `INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at, started_at, finished_at, result)
      SELECT gen_random_uuid(), md5('watch' || i)::uuid, now() - interval '1 day', 'completed', now(), now(), now(), '[1]'`
  },
  {
    perWatch: 1,
    insert: `INSERT INTO deliveries (id, account_id, environment, event, watch_id, run_id, url, body, status, created_at)
      SELECT gen_random_uuid(), ${account}, 'live', 'watch.fired', md5('watch' || i)::uuid, gen_random_uuid(),
      'https://hooks.acme.com/in', '{}', 'delivered', now()`
  },
  {
    perWatch: 10,
    insert: `INSERT INTO ledger_entries SELECT ${account}, 'live', i, NULL, 'charge', 'available', 'revenue', 150000, 0, 0,
      'stored', now(), sha256('')`
  },
  {
    perWatch: 2,
    insert: `INSERT INTO charges SELECT gen_random_uuid(), ${account}, 'live', i, 'check', 'quick', '{chatgpt_api}', 150000,
      'settled', 150000, '{}', false, NULL, now(), now(), now()`
  }
]

/** The rows of the measured account. */
const mine = [
  `INSERT INTO accounts (id, name) VALUES ('${accountId}', 'bench')`,
  `INSERT INTO wallets (account_id, environment, available) VALUES ('${accountId}', 'live', 1000000000000000)`,
  `INSERT INTO watches SELECT CASE i WHEN 1 THEN '${watchId}' ELSE gen_random_uuid() END, '${accountId}', 'live', 'best running shoes',
    'Acme', 'quick', 'daily', 'https://hooks.acme.com/in', sha256(''), '{mention_added}', 'every_change', true, now() + interval '1 day',
    now() - interval '1 minute' * i FROM generate_series(1, ${own.watches}) i`,
  `INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at, finished_at, result)
    SELECT gen_random_uuid(), '${watchId}', now() - interval '1 day' * i, 'completed', now(), now() - interval '1 day' * i, '[1]'
    FROM generate_series(1, ${own.runs}) i`,
  `INSERT INTO charges SELECT gen_random_uuid(), '${accountId}', 'live', -i, 'check', 'quick', '{chatgpt_api}', 150000,
    'settled', 150000, '{}', false, NULL, now(), now(), now() FROM generate_series(1, ${own.charges}) i`,
  `INSERT INTO ledger_entries SELECT '${accountId}', 'live', -i, NULL, 'charge', 'available', 'revenue', 150000, 0, 0, 'stored', now(),
    sha256('') FROM generate_series(1, ${own.entries}) i`,
  `INSERT INTO webhook_endpoints (id, account_id, environment, url, events, enabled, secret, created_at, updated_at)
    VALUES ('${webhookId}', '${accountId}', 'live', 'https://hooks.acme.com/in', '{ask.completed}', true, '', now(), now())`
]

/** Fills an empty database, with `watches` watches of other accounts. */
export const seed = Effect.fnUntraced(function* (watches: number) {
  const sql = yield* SqlClient.SqlClient
  for (const { insert, perWatch } of strangers)
    for (let from = 1; from <= watches * perWatch; from += chunk)
      yield* sql.unsafe(`${insert} FROM generate_series(${from}, ${Math.min(from + chunk - 1, watches * perWatch)}) i`)
  for (const insert of mine) yield* sql.unsafe(insert)
  yield* sql`VACUUM ANALYZE`
  yield* sql`CHECKPOINT`
})
