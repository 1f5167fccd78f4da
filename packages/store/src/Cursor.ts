import { Effect, Schema } from "effect"

/** The text is no cursor that a page of this list ever gave. */
export class CursorUnknown extends Schema.TaggedError<CursorUnknown>()("CursorUnknown", { cursor: Schema.String }) {}

/** The cursor of a place in a list. It names the list: of another one, whose places are written alike, it would skip rows. */
export const cursorOf = (list: string, place: string): string => Buffer.from(`${list} ${place}`).toString("base64url")

/** What a cursor says of its place, if it is one of this list. */
export const readCursor = (list: string, cursor: string): string | undefined => {
  const text = Buffer.from(cursor, "base64url").toString("utf8")
  return text.startsWith(`${list} `) ? text.slice(list.length + 1) : undefined
}

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

/** The place a cursor of a list stands for; none is the top of it. */
export const placeOf = (list: string, cursor: string | undefined): Effect.Effect<Place, CursorUnknown> => {
  if (cursor === undefined) return Effect.succeed(top)
  const [, at, id] = shape.exec(readCursor(list, cursor) ?? "") ?? []
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

const paged = <A>(list: string, found: ReadonlyArray<A>, limit: number, placeIn: (row: A) => string): Page<A> => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last === undefined ? null : cursorOf(list, placeIn(last)) }
}

/**
 * A page of `limit` rows of a list, of which one more was read to see whether there are more.
 *
 * Laws: following `nextCursor` to the end gives each row once, whatever is added at the top meanwhile.
 */
export const pageOf = <A>(list: string, found: ReadonlyArray<A>, limit: number, place: (row: A) => Place): Page<A> =>
  paged(list, found, limit, (row) => {
    const { at, id } = place(row)
    return `${at} ${id}`
  })

/** The sequence below which a list by sequence goes on; without a cursor it is above every one there can be. */
export const sequenceOf = (list: string, cursor: string | undefined): Effect.Effect<number, CursorUnknown> => {
  if (cursor === undefined) return Effect.succeed(Number.MAX_SAFE_INTEGER)
  const [sequence] = /^\d{1,15}$/.exec(readCursor(list, cursor) ?? "") ?? []
  return sequence === undefined ? Effect.fail(new CursorUnknown({ cursor })) : Effect.succeed(Number(sequence))
}

/** `pageOf` of a list by sequence. */
export const pageBySequence = <A extends { readonly sequence: number }>(
  list: string,
  found: ReadonlyArray<A>,
  limit: number
): Page<A> => paged(list, found, limit, ({ sequence }) => String(sequence))

/** The next page of what a wallet's entries are in order of: those below a sequence. */
export const BelowSequence = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  sequence: Schema.Int,
  limit: Schema.Int
})
