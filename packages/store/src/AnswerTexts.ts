import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "@sightline/domain/Answer"
import { brandsIn } from "@sightline/domain/Brands"
import { olderThan } from "./Columns.ts"
import { digestOf } from "./AnswerDigest.ts"
import { pruned } from "./RowCount.ts"

/**
 * The texts of answers and the brands they name, kept for 30 days after they were last obtained.
 *
 * Shape: a text is the one that brands are searched in, so that a finding can be shown in its context. The key of a row is the hash in
 * the records of checks. `Answers` writes the texts of LLM APIs, together with the answers it caches.
 * Laws: no text is kept twice. When a text is obtained again, its 30 days start again.
 */
export class AnswerTexts extends Context.Service<
  AnswerTexts,
  {
    /** Keeps the text of an answer that has one. */
    readonly keep: (answer: Answer) => Effect.Effect<void>
    /** Deletes older texts, up to a thousand at a time. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/AnswerTexts") {
  static readonly layer = Layer.effect(
    AnswerTexts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Committed without waiting for the disk: a crash may lose the text of an answer, but not the findings in it.
      const insert = (hash: string, answer: Answer) => sql`
        WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
        INSERT INTO answer_texts
        SELECT decode(${hash}, 'hex'), ${answer.text}, ${brandsIn(answer)}::text[], clock_timestamp() FROM relaxed
        ${sql.literal(onConflictRefresh)}`
      return AnswerTexts.of({
        keep: (answer) => {
          const { hash } = digestOf(answer)
          return hash === null ? Effect.void : Effect.orDie(Effect.asVoid(insert(hash, answer)))
        },
        prune: pruned(sql, "answer_texts", "hash", `${olderThan("kept_at", "30 days")} ORDER BY kept_at`)
      })
    })
  )
}

/** The conflict clause of an insert into `answer_texts`: renews the time of an existing text, at most once an hour. */
export const onConflictRefresh = `ON CONFLICT (hash) DO UPDATE SET kept_at = excluded.kept_at
  WHERE answer_texts.kept_at < excluded.kept_at - interval '1 hour'`
