import { Effect, Schema } from "effect"

/** The text is no cursor that a page ever gave. */
export class CursorUnknown extends Schema.TaggedError<CursorUnknown>()("CursorUnknown", { cursor: Schema.String }) {}

/** A row's place in a list that is newest first: its moment, and its id where moments are the same. */
export interface Place {
  readonly at: string
  readonly id: string
}

const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Whether there is such a day and time; to the database the 30th of February is an error. */
const isMoment = (at: string): boolean => {
  const moment = Date.parse(at)
  return moment > 0 && new Date(moment).toISOString().slice(0, 19) === at.slice(0, 19)
}

/** Above every row there can be. */
const top: Place = { at: "9999-12-31T23:59:59.999999Z", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }

/** The place a cursor stands for; none is the top of the list. */
export const placeOf = (cursor: string | undefined): Effect.Effect<Place, CursorUnknown> => {
  if (cursor === undefined) return Effect.succeed(top)
  const [, at, id] = shape.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? []
  return at === undefined || id === undefined || !isMoment(at)
    ? Effect.fail(new CursorUnknown({ cursor }))
    : Effect.succeed({ at, id })
}

/** The page of a list that follows `cursor`, or its first: at most `limit` rows. */
export interface PageRequest {
  readonly cursor?: string
  readonly limit: number
}

/** Some rows of a list. `nextCursor` is null at the end. */
export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  readonly nextCursor: string | null
}

const paged = <A>(found: ReadonlyArray<A>, limit: number, cursorOf: (row: A) => string): Page<A> => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last === undefined ? null : cursorOf(last) }
}

/**
 * A page of `limit` rows, of which one more was read to see whether there are more.
 *
 * Laws: following `nextCursor` to the end gives each row once, whatever is added at the top meanwhile.
 */
export const pageOf = <A>(found: ReadonlyArray<A>, limit: number, place: (row: A) => Place): Page<A> =>
  paged(found, limit, (row) => {
    const { at, id } = place(row)
    return Buffer.from(`${at} ${id}`).toString("base64url")
  })

/** The sequence below which a list by sequence goes on; without a cursor it is above every one there can be. */
export const sequenceOf = (cursor: string | undefined): Effect.Effect<number, CursorUnknown> => {
  if (cursor === undefined) return Effect.succeed(Number.MAX_SAFE_INTEGER)
  return /^\d{1,15}$/.test(cursor) ? Effect.succeed(Number(cursor)) : Effect.fail(new CursorUnknown({ cursor }))
}

/** `pageOf` of a list by sequence. */
export const pageBySequence = <A extends { readonly sequence: number }>(
  found: ReadonlyArray<A>,
  limit: number
): Page<A> => paged(found, limit, ({ sequence }) => String(sequence))

/** The next page of what a wallet's entries are in order of: those below a sequence. */
export const BelowSequence = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  sequence: Schema.Int,
  limit: Schema.Int
})
