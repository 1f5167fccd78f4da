import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The records of captures: platforms that are not asked for a while, the outcomes of captures per hour, and pages that could not be
 * read. Rests are unlogged: a crash of the server loses half a minute's rest.
 */
export const captures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE UNLOGGED TABLE capture_rests (
      environment text NOT NULL,
      platform text NOT NULL,
      country text NOT NULL,
      rests_until timestamptz NOT NULL,
      PRIMARY KEY (environment, platform, country)
    )`
  yield* sql`
    CREATE TABLE capture_stats (
      hour timestamptz NOT NULL,
      environment text NOT NULL,
      platform text NOT NULL,
      ending text NOT NULL,
      adverts text NOT NULL CHECK (adverts IN ('some', 'none', 'unseen')),
      latency_ms integer NOT NULL,
      captures bigint NOT NULL CHECK (captures > 0),
      PRIMARY KEY (hour, environment, platform, ending, adverts, latency_ms)
    ) WITH (fillfactor = 70)`
  yield* sql`
    CREATE TABLE capture_samples (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      environment text NOT NULL,
      platform text NOT NULL,
      ending text NOT NULL,
      html text NOT NULL CHECK (octet_length(html) <= 65536),
      created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`
  yield* sql`CREATE INDEX capture_samples_newest ON capture_samples (environment, platform, id DESC)`
})
