import { Schema } from "effect"

/** A row's place in a list that is newest first: its moment, and its id where moments are the same. */
export interface Position {
  readonly at: string
  readonly id: string
}

/** Above every row there can be. */
export const top: Position = { at: "9999-12-31T23:59:59.999999Z", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }

/** Above every sequence number there can be. */
export const topSequence = Number.MAX_SAFE_INTEGER

/** The page of a list that follows the place `after`, or its first: at most `limit` rows. */
export interface PageRequest<Place = Position> {
  readonly after?: Place
  readonly limit: number
}

/** Some rows of a list. The next page follows the place `next`, which is null at the end. */
export interface Page<A, Place = Position> {
  readonly rows: ReadonlyArray<A>
  readonly next: Place | null
}

/** A page of at most `limit` rows of a list. `found` has one row more than the page if the list goes on. */
export const pageOf = <A, Place>(
  found: ReadonlyArray<A>,
  limit: number,
  placeOf: (row: A) => Place
): Page<A, Place> => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, next: last === undefined ? null : placeOf(last) }
}

/** A request for the next page of a list in the order of a wallet's entries: the rows below a sequence number. */
export const BelowSequence = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  sequence: Schema.Int,
  limit: Schema.Int
})
