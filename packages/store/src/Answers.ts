import { Array, Context, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHash } from "node:crypto"
import { Answer } from "@sightline/domain/Answer"
import { brandsIn } from "@sightline/domain/Brands"
import { olderThan } from "./Columns.ts"
import { digestOf } from "./AnswerDigest.ts"
import { AnswerKey } from "./AnswerKey.ts"
import { onConflictRefresh } from "./AnswerTexts.ts"
import * as Batch from "./Batch.ts"
import { pruned } from "./RowCount.ts"

/** An answer from the cache. `l2` is what may be shared between processes, at most 1 h old; `l3` is at most 24 h old. */
export interface FoundAnswer {
  readonly key: AnswerKey
  readonly answer: Answer
  readonly tier: "l2" | "l3"
}

/** An answer to keep. */
interface FreshAnswer {
  readonly key: AnswerKey
  readonly answer: Answer
}

/** An answer as it is written: its body, and the hash and the brands of its text. `text` is empty if Postgres can read it from the body. */
interface Written {
  readonly key: AnswerKey
  readonly model: string
  readonly body: string
  readonly hash: string
  readonly text: string
  readonly brands: string
}

/** Incremented when the meaning of `Answer` changes: entries of another version are misses. */
const schemaVersion = 1

/** Bodies above this are not kept: one row must stay far below what the driver takes in one message. */
const bodyBytesMax = 4 * 1024 * 1024

const Body = Schema.fromJsonString(Answer)
const decodeBody = Schema.decodeOption(Body)
const encodeBody = Schema.encodeSync(Body)

const Row = Schema.Struct({
  key: AnswerKey,
  schemaVersion: Schema.Int,
  body: Schema.NullOr(Schema.String),
  digest: Schema.String,
  isShared: Schema.Boolean
})
type Row = typeof Row.Type

/** Ties a body to its key and version, so that a damaged body, or one that belongs elsewhere, is never served. */
const bodyDigest = (key: AnswerKey, body: string): string =>
  createHash("sha256").update(`${schemaVersion}:${key}:`).update(body, "utf8").digest("hex")

/** Escapes that Postgres cannot read in JSON, wherever they stand: U+0000 and halves of surrogate pairs. */
const unreadable = /\\u(?:0000|d[89a-f])/

const writtenOf = ({ key, answer }: FreshAnswer): Written => {
  const body = encodeBody(answer)
  const { hash } = digestOf(answer)
  return {
    key,
    model: answer.model,
    body,
    hash: hash ?? "",
    text: hash !== null && unreadable.test(body) ? answer.text : "",
    brands: hash === null ? "[]" : JSON.stringify(brandsIn(answer))
  }
}

// Committed without waiting for the disk: answers that a crash removes from the cache are asked for again.
const upsert = (sql: SqlClient.SqlClient, entries: ReadonlyArray<Written>) => sql`
  WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true)),
  fresh AS (
    SELECT decode(key, 'hex') AS key, model, body, decode(digest, 'hex') AS digest, decode(nullif(hash, ''), 'hex') AS hash, text, brands
    FROM relaxed, unnest(
      ${entries.map(({ key }) => key)}::text[], ${entries.map(({ model }) => model)}::text[],
      ${entries.map(({ body }) => body)}::text[], ${entries.map(({ key, body }) => bodyDigest(key, body))}::text[],
      ${entries.map(({ hash }) => hash)}::text[], ${entries.map(({ text }) => text)}::text[],
      ${entries.map(({ brands }) => brands)}::text[]
    ) AS fresh (key, model, body, digest, hash, text, brands)
  ),
  told AS (
    INSERT INTO answer_texts
    SELECT DISTINCT ON (hash) hash, coalesce(nullif(text, ''), body::json->>'text'),
      ARRAY(SELECT json_array_elements_text(brands::json)), clock_timestamp()
    FROM fresh WHERE hash IS NOT NULL ORDER BY hash
    ${sql.literal(onConflictRefresh)}
  )
  INSERT INTO answers AS kept (key, schema_version, model, body, digest, stored_at)
  SELECT key, ${schemaVersion}, model, body, digest, clock_timestamp() FROM fresh
  ORDER BY key
  ON CONFLICT (key) DO UPDATE
    SET schema_version = excluded.schema_version, model = excluded.model, body = excluded.body,
      digest = excluded.digest, stored_at = excluded.stored_at`

const read = (row: Row): Option.Option<FoundAnswer> => {
  if (row.schemaVersion !== schemaVersion || row.body === null) return Option.none()
  if (bodyDigest(row.key, row.body) !== row.digest) return Option.none()
  const { key, isShared } = row
  return Option.map(decodeBody(row.body), (answer) => ({ key, answer, tier: isShared ? "l2" : "l3" }))
}

/**
 * The cache tiers that processes share: successful answers of platforms, for 24 h by the database's clock.
 *
 * Laws: a found answer is exactly the one that was stored under its key. An entry is a miss, and is deleted, if it is damaged, has
 * another version, or lies more than a minute in the future because the clock was set back.
 */
export class Answers extends Context.Service<
  Answers,
  {
    /** The entries that exist, in no particular order. */
    readonly find: (keys: ReadonlyArray<AnswerKey>) => Effect.Effect<ReadonlyArray<FoundAnswer>>
    /** Keeps an answer, in place of an older one. */
    readonly store: (key: AnswerKey, answer: Answer) => Effect.Effect<void>
    /** Deletes entries that are too old to be found, a thousand at a time. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const select = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: Row,
        execute: (keys) => sql`
          SELECT encode(key, 'hex') AS key, schema_version, encode(digest, 'hex') AS digest,
            CASE WHEN octet_length(body) <= ${bodyBytesMax} AND stored_at <= clock_timestamp() + interval '1 minute'
              THEN body END AS body,
            stored_at >= clock_timestamp() - interval '1 hour' AS is_shared
          FROM answers
          WHERE key IN (SELECT decode(key, 'hex') FROM unnest(${keys}::text[]) AS key)
            AND stored_at > clock_timestamp() - interval '24 hours'`
      })

      // Deletes only what was read: an entry stored since then has another digest and stays. Rows are locked in the order in which
      // entries are stored, so that the two statements cannot deadlock.
      const remove = (rows: Array.NonEmptyReadonlyArray<Row>) => sql`
        DELETE FROM answers WHERE key IN (
          SELECT a.key FROM unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ digest }) => digest)}::text[])
            AS bad (key, digest) JOIN answers a ON a.key = decode(bad.key, 'hex') AND a.digest = decode(bad.digest, 'hex')
          ORDER BY a.key FOR UPDATE OF a)`

      const findAll = Effect.fnUntraced(function* (asked: ReadonlyArray<ReadonlyArray<AnswerKey>>) {
        const rows = yield* select([...new Set(asked.flat())])
        const [found, bad] = Array.partition(rows, (row) => Result.fromOption(read(row), () => row))
        if (Array.isArrayNonEmpty(bad)) yield* remove(bad)
        return asked.map((keys) => found.filter(({ key }) => keys.includes(key)))
      })

      const storeAll = Effect.fnUntraced(function* (offered: ReadonlyArray<FreshAnswer>) {
        const written = offered.map(writtenOf)
        const fitting = written.filter(({ body }) => Buffer.byteLength(body) <= bodyBytesMax)
        const kept = Array.fromIterable(new Map(fitting.map((one) => [one.key, one])).values())
        if (kept.length > 0) yield* upsert(sql, kept)
        return offered.map(() => undefined)
      })

      const finds = yield* Batch.make({ name: "answers_found", max: 100, run: findAll })
      const stores = yield* Batch.make({ name: "answers_stored", max: 100, run: storeAll })

      return Answers.of({
        find: (keys) => (keys.length === 0 ? Effect.succeed([]) : Effect.orDie(finds(keys))),
        store: (key, answer) => Effect.orDie(stores({ key, answer })),
        prune: pruned(sql, "answers", "key", `${olderThan("stored_at", "24 hours")} ORDER BY stored_at`)
      })
    })
  )
}
