import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "@sightline/domain/Answer"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"
import { digestOf } from "@sightline/store/AnswerDigest"
import { sqlOn } from "./sqlOn.ts"

/** Which checks to generate. Shape: spread evenly over the last `days`; `mode` is `quick`. */
export interface ManyChecks {
  readonly accountId: string
  readonly environment: "live" | "test"
  readonly brand: string
  readonly query: string
  readonly checks: number
  readonly days: number
  /** Whether each answer has its own text, as if nothing came from a cache. Otherwise there are 200 texts. */
  readonly distinctTexts?: boolean
}

const rivals = ["Salesforce", "Zoho", "Pipedrive", "Freshsales", "Insightly", "Keap", "SugarCRM", "Nutshell", "Capsule"]
const remarks = [
  "is easy to begin with and has a free plan",
  "suits larger teams that want to automate everything",
  "costs little and does most of what a small company needs",
  "has the clearest pipeline, though its reports are thin",
  "connects to the mail you have and asks for little upkeep"
]

const kinds = 200

/** A pseudo-random sequence that is the same at each start: integers from 0 to below `below`. */
const dice = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** An answer of 2 to 3 KB that ranks a few brands and cites a few pages; every second one names the brand. */
const answerOf = (kind: number, brand: string): Answer => {
  const roll = dice(kind + 1)
  const names = [...rivals.filter(() => roll(10) < 6), rivals[kind % rivals.length] ?? ""]
  const listed = [...new Set(names)]
  if (kind % 2 === 0) listed.splice(roll(listed.length + 1), 0, brand)
  const remark = () => remarks[roll(remarks.length)] ?? ""
  const items = listed.map(
    (name, place) => `${place + 1}. **${name}** – it ${remark()}. Those who use it say it ${remark()}.`
  )
  const lead =
    "The right choice depends on how many people sell, what they use already and how much they want to set up. "
  return {
    text: `${lead.repeat(3)}\n\n${items.join("\n")}\n\n${lead.repeat(2 + roll(6))}`,
    raw: "",
    citations: Array.from({ length: 4 + roll(5) }, () => {
      const [site, page] = [roll(40), roll(6)]
      return { url: `https://reviews-${site}.com/crm/${page}`, title: `Review ${page} of site ${site}` }
    }),
    fanOut: [],
    brandEntities: [],
    searched: true,
    model: "made-up-1",
    finish: "stop"
  }
}

const kindsFor = (brand: string) =>
  Array.from({ length: kinds }, (_, kind) => {
    const answer = answerOf(kind, brand)
    const { mentioned, rank, context, tier, span } = findBrand(answer, brand)
    const { sites, pages, citations } = digestOf(answer)
    return {
      kind,
      text: answer.text,
      brands: brandsIn(answer),
      mentioned,
      rank,
      sites,
      pages,
      sighting: { model: answer.model, searched: true, mentioned, tier, rank, context, span, citations }
    }
  })

/**
 * Inserts checks and their charges in a few statements: 10,000 take seconds. One platform in thirty fails.
 * No wallet pays for them and no ledger has them, so an audit reports these charges.
 */
export const seedChecks = (many: ManyChecks) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SELECT setseed(0.5)`
    yield* sql`
      CREATE TEMPORARY TABLE seeded ON COMMIT DROP AS
      WITH kinds AS MATERIALIZED (
        SELECT * FROM json_to_recordset(${JSON.stringify(kindsFor(many.brand))}::json)
          AS k (kind integer, text text, brands text[], mentioned boolean, rank integer, sites text[], pages bigint[], sighting json)
      ),
      asked AS MATERIALIZED (
        SELECT n, place, platform, random() < 1.0 / 30 AS failed,
          2 * floor(random() * ${kinds / 2})::integer + (random() > 0.5 + 0.3 * sin(n * 12.0 / ${many.checks}))::integer AS kind
        FROM generate_series(1, ${many.checks}) n,
          unnest('{chatgpt_api,claude_api,gemini_api,perplexity_api}'::text[]) WITH ORDINALITY p (platform, place)
      )
      SELECT a.n, a.place, a.platform, a.failed, k.brands, k.mentioned, k.rank, k.sites, k.pages, k.sighting,
        k.text || CASE WHEN ${many.distinctTexts ?? false} THEN format(' (%s.%s.%s)', ${many.query}::text, a.n, a.place) ELSE '' END AS text
      FROM asked a JOIN kinds k USING (kind)`
    yield* sql`CREATE INDEX ON seeded (n)`
    yield* sql`ANALYZE seeded`
    yield* sql`
      INSERT INTO answer_texts
      SELECT DISTINCT ON (hash) hash, text, brands, clock_timestamp()
      FROM (SELECT sha256(convert_to(text, 'UTF8')) AS hash, text, brands FROM seeded WHERE NOT failed) t ORDER BY hash
      ON CONFLICT DO NOTHING`
    yield* sql`
      WITH made AS MATERIALIZED (
        SELECT n, gen_random_uuid() AS charge,
          clock_timestamp() - (${many.checks} - n) * make_interval(secs => ${many.days * 86_400} / ${many.checks}::float8)
            - interval '1 minute' AS moment,
          jsonb_object_agg(platform, CASE WHEN failed THEN 'provider_timeout' ELSE 'ok' END) AS outcomes,
          37500 * count(*) FILTER (WHERE NOT failed) AS amount,
          json_build_object(
            'sightings', coalesce(json_agg((jsonb_build_object('platform', platform) || sighting::jsonb) ORDER BY place)
              FILTER (WHERE NOT failed), '[]'),
            'failures', coalesce(json_agg(json_build_object('platform', platform, 'code', 'provider_timeout') ORDER BY place)
              FILTER (WHERE failed), '[]')
          ) AS result,
          coalesce(array_agg(platform ORDER BY place) FILTER (WHERE NOT failed), '{}') AS platforms,
          coalesce(array_agg(mentioned ORDER BY place) FILTER (WHERE NOT failed), '{}') AS mentioned,
          coalesce(array_agg(rank ORDER BY place) FILTER (WHERE NOT failed), '{}') AS ranks,
          coalesce(array_agg(sha256(convert_to(text, 'UTF8')) ORDER BY place) FILTER (WHERE NOT failed), '{}') AS texts
        FROM seeded GROUP BY n
      ),
      paid AS (
        INSERT INTO charges (id, account_id, environment, sequence, endpoint, mode, platforms, price, state, amount, outcomes, cached,
          lease_expires_at, created_at, finished_at)
        SELECT charge, ${many.accountId}::uuid, ${many.environment}::text, 0, 'check', 'quick',
          '{chatgpt_api,claude_api,gemini_api,perplexity_api}', 150000, CASE amount WHEN 0 THEN 'voided' ELSE 'settled' END, amount,
          outcomes, false, moment, moment, moment FROM made
      ),
      seen AS (
        SELECT charge, sha256(uuid_send(charge)) AS hash, result, moment, platforms, mentioned, ranks, texts,
          ARRAY(SELECT s.site FROM seeded o, unnest(o.sites) s (site) WHERE o.n = made.n AND NOT o.failed) AS sites,
          ARRAY(SELECT p.page FROM seeded o, unnest(o.pages) p (page) WHERE o.n = made.n AND NOT o.failed) AS pages
        FROM made
      ),
      kept AS (
        INSERT INTO check_results (hash, result, platforms, mentioned, ranks, texts, sites, pages)
        SELECT hash, result, platforms, mentioned, ranks, texts, sites, pages FROM seen RETURNING id, hash
      )
      INSERT INTO check_records (id, charge_id, account_id, environment, mode, query, brand, request, created_at, duration_ms, region,
        result_id)
      SELECT gen_random_uuid(), charge, ${many.accountId}::uuid, ${many.environment}::text, 'quick', ${many.query}::text,
        ${many.brand}::text, json_build_object('platforms', platforms, 'region', 'us', 'city', NULL, 'models', json_build_object()),
        moment, 1800, 'us', kept.id FROM seen JOIN kept USING (hash)`
  }).pipe((seeding) => SqlClient.SqlClient.use((sql) => sql.withTransaction(seeding)))

/** Generates checks in the database of an installation, and updates the statistics of the query planner. */
export const manyChecks = (databaseUrl: string, many: ManyChecks): Promise<unknown> =>
  sqlOn(databaseUrl, (sql) =>
    Effect.andThen(
      Effect.provideService(seedChecks(many), SqlClient.SqlClient, sql),
      sql`VACUUM ANALYZE check_records, check_results, answer_texts, charges`
    )
  )
