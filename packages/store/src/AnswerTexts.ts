import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "@sightline/domain/Answer"
import { brandsIn } from "@sightline/domain/Brands"
import { olderThan } from "./Columns.ts"
import { digestOf } from "./AnswerDigest.ts"
import { pruned } from "./RowCount.ts"

/**
 * The texts of answers and the brands they name, for 30 days from when they were last asked for afresh.
 *
 * Shape: a text is the one that brands are looked for in, so that what was found in it can be shown in its place. A row is found
 * by the hash that records of checks hold. The texts of LLM APIs are written by `Answers`, with the answers it caches.
 * Laws: no text is kept twice; a text that is obtained again is kept from then on.
 */
export class AnswerTexts extends Context.Service<
  AnswerTexts,
  {
    /** Keeps the text of an answer that has one. */
    readonly keep: (answer: Answer) => Effect.Effect<void>
    /** Deletes what is older, up to a thousand at a time; how many there were. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/AnswerTexts") {
  static readonly layer = Layer.effect(
    AnswerTexts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Committed without waiting for the disk: a crash costs the words of an answer, not what was found in it.
      const insert = (hash: string, answer: Answer) => sql`
        WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
        INSERT INTO answer_texts
        SELECT decode(${hash}, 'hex'), ${answer.text}, ${brandsIn(answer)}::text[], clock_timestamp() FROM relaxed
        ${sql.literal(keptAgain)}`
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

/** What an insert into `answer_texts` does with a text that is there: keeps it anew, not more often than each hour. */
export const keptAgain = `ON CONFLICT (hash) DO UPDATE SET kept_at = excluded.kept_at
  WHERE answer_texts.kept_at < excluded.kept_at - interval '1 hour'`
