import { Array, Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import type { Credits } from "@sightline/domain/Credits"
import type { Environment } from "@sightline/domain/Platform"
import type { AskRecord } from "./Asks.ts"
import type { CheckRecord, Seen } from "./Checks.ts"
import { Amount } from "./Columns.ts"
import type { RunRecord } from "./Runs.ts"
import type { ReplyTemplate } from "./Replies.ts"

/** A check's record as the database function `keep_checks` reads it: its request as JSON text, its result beside it as a line. */
export interface EncodedCheck {
  readonly record: Omit<CheckRecord, "request" | "result" | "seen"> & Seen & { readonly request: string }
  readonly result: string
}

/** An ask's record with its request and mentions as JSON text, as the database function `keep_asks` reads it. */
export interface EncodedAsk extends Omit<AskRecord, "request" | "mentions"> {
  readonly request: string
  readonly mentions: string
}

/** A run's record with what it keeps as JSON text, as the database function `keep_runs` reads it. */
export interface EncodedRun extends Pick<RunRecord, "id" | "triggers" | "event"> {
  readonly result: string
  readonly evidence: string
  readonly mentions: string
}

/**
 * One thing to do with a wallet's money, as the database function `post_movements` reads it.
 *
 * Shape: a `settle` or `void` names its charge only, the others name their wallet. `memo` goes into the ledger.
 */
export type Movement =
  | {
      readonly kind: "topup"
      readonly account_id: string
      readonly environment: Environment
      readonly amount: Credits
      readonly memo: string | null
    }
  | ({ readonly kind: "hold" } & Opening)
  | ({ readonly kind: "charge" } & Opening & Ending)
  | ({ readonly kind: "settle"; readonly charge_id: string } & Ending)
  | { readonly kind: "void"; readonly charge_id: string; readonly amount: Credits }

interface Opening {
  readonly charge_id: string
  readonly account_id: string
  readonly environment: Environment
  readonly endpoint: string
  readonly mode: string
  readonly platforms: ReadonlyArray<string>
  readonly price: Credits
  readonly memo: string
  readonly claim: string | null
}

interface Ending {
  readonly amount: Credits
  readonly outcomes: Readonly<Record<string, string>>
  readonly cached: boolean
  readonly memo: string
  readonly check?: EncodedCheck
  readonly ask?: EncodedAsk
  readonly run?: EncodedRun
  readonly reply: ReplyTemplate | null
}

/** What may become of a movement. */
export const Verdict = Schema.Literals(["done", "refused", "fenced", "taken"])

/**
 * What became of a movement: done; refused, because the balance does not cover the price or would be above what a wallet may
 * have, or because there is no open hold of that id; fenced, because its claim went to another owner; or taken, because its
 * reference stands for another amount. `balance` is what the wallet had available right after it.
 */
export interface Posted {
  readonly verdict: typeof Verdict.Type
  readonly balance: Credits
}

const Results = Schema.Struct({
  verdicts: Schema.NonEmptyArray(Verdict),
  balances: Schema.NonEmptyArray(Amount)
})

/** A batch as it travels: the checks beside the movements that pay for them. */
const Sent = Schema.Struct({ movements: Schema.String, checks: Schema.String, results: Schema.String })

const sentOf = (movements: ReadonlyArray<Movement>): typeof Sent.Type => {
  const [checks, results]: [Array<object>, Array<string>] = [[], []]
  const paid = movements.map((movement, position) => {
    if (!("check" in movement)) return movement
    const { check, ...rest } = movement
    checks.push({ place: position + 1, charge_id: movement.charge_id, ...check.record })
    results.push(check.result)
    return rest
  })
  // A line each: JSON has no line break of its own.
  return { movements: JSON.stringify(paid), checks: JSON.stringify(checks), results: results.join("\n") }
}

/**
 * Posts a batch of movements in one statement, answered by position.
 *
 * Laws: movements of one wallet happen in the order given; one that is not done changes nothing and stands in no other's
 * way; check, ask, run, reply and money of one movement are written together or not at all.
 */
export const post = (sql: SqlClient.SqlClient) => {
  const move = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements }) => sql`SELECT verdicts, balances FROM post_movements(${movements}::json)`
  })
  const moveAndCheck = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements, checks, results }) => sql`
      WITH posted AS MATERIALIZED (SELECT verdicts, balances FROM post_movements(${movements}::json))
      SELECT verdicts, balances, keep_checks(${checks}::json, ${results}, verdicts) FROM posted`
  })
  const moveAndKeep = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements, checks, results }) => sql`
      WITH given AS MATERIALIZED (SELECT ${movements}::json AS batch),
        posted AS MATERIALIZED (SELECT p.verdicts, p.balances FROM given, post_movements(given.batch) p)
      SELECT verdicts, balances, keep_checks(${checks}::json, ${results}, verdicts), keep_asks(batch, verdicts),
        keep_runs(batch, verdicts)
      FROM given, posted`
  })
  const statementOf = (movements: ReadonlyArray<Movement>) => {
    if (movements.some((movement) => "ask" in movement || "run" in movement)) return moveAndKeep
    return movements.some((movement) => "check" in movement) ? moveAndCheck : move
  }
  return (movements: Array.NonEmptyReadonlyArray<Movement>) =>
    Effect.map(statementOf(movements)(sentOf(movements)), ({ verdicts, balances }) =>
      Array.zipWith(verdicts, balances, (verdict, balance): Posted => ({ verdict, balance }))
    )
}
