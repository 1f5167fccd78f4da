import { Effect, Schema } from "effect"

/** The text is not a cursor from a page of this list. */
export class CursorUnknown extends Schema.TaggedError<CursorUnknown>()("CursorUnknown", { cursor: Schema.String }) {}

/** The cursor of a place in a list. It names the list: in another list with places of the same format it would skip rows. */
export const cursorOf = (list: string, position: string): string =>
  Buffer.from(`${list} ${position}`).toString("base64url")

/** The place that a cursor states, if the cursor belongs to this list. */
export const readCursor = (list: string, cursor: string): string | undefined => {
  const text = Buffer.from(cursor, "base64url").toString("utf8")
  return text.startsWith(`${list} `) ? text.slice(list.length + 1) : undefined
}

/** A row's place in a list that is newest first: its moment, and its id where moments are the same. */
export interface Position {
  readonly at: string
  readonly id: string
}

const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Whether the date and time exist: the database fails on the 30th of February. */
const isMoment = (at: string): boolean => {
  const moment = Date.parse(at)
  return moment > 0 && new Date(moment).toISOString().slice(0, 19) === at.slice(0, 19)
}

/** Above every row there can be. */
const top: Position = { at: "9999-12-31T23:59:59.999999Z", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }

/** The place of a cursor in a list. Without a cursor it is the top of the list. */
export const positionOf = (list: string, cursor: string | undefined): Effect.Effect<Position, CursorUnknown> => {
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

const paged = <A>(list: string, found: ReadonlyArray<A>, limit: number, positionIn: (row: A) => string): Page<A> => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last === undefined ? null : cursorOf(list, positionIn(last)) }
}

/** A page of at most `limit` rows of a list. `found` has one row more than the page if the list goes on. */
export const pageOf = <A>(
  list: string,
  found: ReadonlyArray<A>,
  limit: number,
  position: (row: A) => Position
): Page<A> =>
  paged(list, found, limit, (row) => {
    const { at, id } = position(row)
    return `${at} ${id}`
  })

/** The sequence number below which a list ordered by sequence goes on. Without a cursor it is above every possible one. */
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

/** A request for the next page of a list in the order of a wallet's entries: the rows below a sequence number. */
export const BelowSequence = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  sequence: Schema.Int,
  limit: Schema.Int
})
