import { Array, Effect, identity, Predicate, Schema } from "effect"
import { type SqlClient, SqlError, SqlSchema } from "effect/sql"
import { LRUCache } from "lru-cache"
import type { Credits } from "@sightline/domain/Credits"
import type { Environment } from "@sightline/domain/Platform"
import type { AskRecord } from "./Asks.ts"
import type { CheckRecord } from "./Checks.ts"
import { Amount } from "./Columns.ts"
import type { RunRecord } from "./Runs.ts"
import type { KeptReply } from "./Replies.ts"

/** An ask's record with its request and mentions as JSON text, as the database function `keep_asks` reads it. */
export interface EncodedAsk extends Omit<AskRecord, "request" | "mentions"> {
  readonly request: string
  readonly mentions: string
}

/** A run's record with its kept values as JSON text, as the database function `keep_runs` reads it. */
export interface EncodedRun extends Pick<RunRecord, "id" | "triggers" | "event"> {
  readonly told_by: string | null
  readonly result: string
  readonly evidence: string
  readonly mentions: string
}

/**
 * One change of a wallet's money, as the database function `post_movements` reads it.
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
  readonly check?: CheckRecord
  readonly ask?: EncodedAsk
  readonly run?: EncodedRun
  readonly reply: KeptReply | null
}

/** The possible outcomes of a movement. */
export const Verdict = Schema.Literals(["done", "refused", "fenced", "taken"])

/**
 * The outcome of a movement. `done`: it was posted. `refused`: the balance does not cover the price or would be above what a wallet may
 * have, or there is no open hold with that id. `fenced`: its claim went to another owner. `taken`: its reference stands for another
 * amount. `balance` is the available balance of the wallet right after it.
 */
export interface Posted {
  readonly verdict: typeof Verdict.Type
  readonly balance: Credits
}

const Results = Schema.Struct({
  verdicts: Schema.NonEmptyArray(Verdict),
  balances: Schema.NonEmptyArray(Amount)
})

/** A batch as it is sent: the movements, the checks that they pay for, and the results of those checks that are new. */
const Sent = Schema.Struct({ movements: Schema.String, checks: Schema.String, results: Schema.NullOr(Schema.String) })

const byteaOf = (hash: string): string => `\\x${hash}`

/** As the database function `write_checks` reads them. JSON as text, for the same reason as in `Charges`. */
const recordOf = ({ snapshot, request, ...check }: CheckRecord) => ({
  ...check,
  request: JSON.stringify(request),
  hash: byteaOf(snapshot.hash)
})
const resultOf = ({ snapshot: { hash, result, texts, ...snapshot } }: CheckRecord) => ({
  ...snapshot,
  hash: byteaOf(hash),
  result: JSON.stringify(result),
  texts: texts.map((text) => (text === null ? null : byteaOf(text)))
})

const sentOf = (movements: ReadonlyArray<Movement>, isStored: (hash: string) => boolean): typeof Sent.Type => {
  const checks: Array<object> = []
  const results: Array<object> = []
  const paid = movements.map((movement, position) => {
    if (!("check" in movement)) return movement
    const { check, ...rest } = movement
    const place = position + 1
    checks.push({ place, charge_id: movement.charge_id, ...recordOf(check) })
    if (!isStored(check.snapshot.hash)) results.push({ place, ...resultOf(check) })
    return rest
  })
  return {
    movements: JSON.stringify(paid),
    checks: JSON.stringify(checks),
    results: results.length === 0 ? null : JSON.stringify(results)
  }
}

/** The most results that a process remembers as stored. All others are sent in full. Units: about 200 bytes each. */
const resultsKnownMax = 20_000

/** Whether the whole batch was refused because the result that a check refers to is not stored. */
const isResultMissing = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  Predicate.hasProperty(error.reason.cause, "constraint") &&
  error.reason.cause.constraint === "check_records_seen"

type Within = <A, E, R>(sending: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>

/**
 * Posts a batch of movements in one statement. The outcomes go by position.
 *
 * Laws: movements of one wallet happen in the order given. A movement that is not done changes nothing and does not affect the others.
 * The check, ask, run, reply and money of one movement are written together or not at all. The result of a check is sent once. If this
 * process takes a result for stored that is not, as after a restore of the database, it is sent again.
 *
 * Shape: `within` wraps the statement each time it is sent.
 */
export const post = (sql: SqlClient.SqlClient) => {
  const move = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements }) => sql`SELECT verdicts, balances FROM post_movements(${movements}::json)`
  })
  // Committed without waiting for the disk: no call is answered after a hold alone, and the later settlement waits until both are on
  // the disk.
  const hold = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements }) => sql`
      WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      SELECT verdicts, balances FROM relaxed, post_movements(${movements}::json)`
  })
  const moveAndCheck = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements, checks, results }) => sql`
      WITH posted AS MATERIALIZED (SELECT verdicts, balances FROM post_movements(${movements}::json))
      SELECT verdicts, balances, write_checks(${checks}::json, ${results}::json, verdicts) FROM posted`
  })
  const moveAndKeep = SqlSchema.findOne({
    Request: Sent,
    Result: Results,
    execute: ({ movements, checks, results }) => sql`
      WITH given AS MATERIALIZED (SELECT ${movements}::json AS batch),
        posted AS MATERIALIZED (SELECT p.verdicts, p.balances FROM given, post_movements(given.batch) p)
      SELECT verdicts, balances, write_checks(${checks}::json, ${results}::json, verdicts), keep_asks(batch, verdicts),
        keep_runs(batch, verdicts)
      FROM given, posted`
  })
  const statementOf = (movements: ReadonlyArray<Movement>) => {
    if (movements.some((movement) => "ask" in movement || "run" in movement)) return moveAndKeep
    if (movements.some((movement) => "check" in movement)) return moveAndCheck
    return movements.every(({ kind }) => kind === "hold") ? hold : move
  }
  const known = new LRUCache<string, true>({ max: resultsKnownMax })
  return (movements: Array.NonEmptyReadonlyArray<Movement>, within: Within = identity) => {
    const send = (isStored: (hash: string) => boolean) => within(statementOf(movements)(sentOf(movements, isStored)))
    return send((hash) => known.get(hash) === true).pipe(
      Effect.catchIf(isResultMissing, () => {
        known.clear()
        return send(() => false)
      }),
      Effect.map(({ verdicts, balances }) => {
        movements.forEach((movement, position) => {
          if (verdicts[position] === "done" && "check" in movement) known.set(movement.check.snapshot.hash, true)
        })
        return Array.zipWith(verdicts, balances, (verdict, balance): Posted => ({ verdict, balance }))
      })
    )
  }
}
