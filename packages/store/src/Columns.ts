import { Schema, SchemaTransformation } from "effect"
import { Credits } from "@sightline/domain/Credits"

const asNumber = SchemaTransformation.transform<number, bigint>({ decode: Number, encode: BigInt })

/** A `bigint` column that counts: the driver returns a BigInt, and every count here is exact as a number. */
export const Count = Schema.BigInt.pipe(Schema.decodeTo(Schema.Int, asNumber))

/** A `bigint` column of millicredits. */
export const Amount = Schema.BigInt.pipe(Schema.decodeTo(Credits, asNumber))

/** A `bigint` column as an auditor reads it: any value. One beyond the exact range of a number is rounded. */
export const Found = Schema.BigInt.pipe(Schema.decodeTo(Schema.Number, asNumber))

/** SQL for a time in the format of the ledger's hashes: ISO 8601 in UTC with microseconds. */
export const isoTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * SQL for the rows to prune: those whose time is at least `age` ago, found by an index on it. It uses the statement's time, because
 * `clock_timestamp()` differs from row to row and therefore cannot be searched for in an index.
 */
export const olderThan = (column: string, age: string): string =>
  `${column} <= statement_timestamp() - interval '${age}'`

/** How many rows a sweep deletes in one statement, so that no statement blocks its table for long. */
export const pruneRows = 1000

/** SQL for the columns of `ledger_entries`, hashes in hexadecimal. */
export const entryColumns = `account_id, environment, sequence, charge_id, kind, debit, credit, amount, available_after,
  held_after, memo, ${isoTime("created_at")} AS created_at, encode(hash, 'hex') AS hash`

/** SQL for the columns of `actions`, facts as they were written and hashes in hexadecimal. */
export const actionColumns = `sequence, ${isoTime("created_at")} AS created_at, action, principal, key_id, request_id,
  account_id, subject, facts::text AS facts, encode(hash, 'hex') AS hash`
