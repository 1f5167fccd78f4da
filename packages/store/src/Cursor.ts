import { Effect, Option, Schema } from "effect"

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

/** Some rows of a list. `nextCursor` is null at the end. */
export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  readonly nextCursor: string | null
}

/**
 * A page of `limit` rows, of which one more was read to see whether there are more.
 *
 * Laws: following `nextCursor` to the end gives each row once, whatever is added at the top meanwhile.
 */
export const pageOf = <A>(found: ReadonlyArray<A>, limit: number, place: (row: A) => Place): Page<A> => {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? Option.fromUndefinedOr(rows.at(-1)) : Option.none()
  return {
    rows,
    nextCursor: Option.match(last, {
      onNone: () => null,
      onSome: (row) => {
        const { at, id } = place(row)
        return Buffer.from(`${at} ${id}`).toString("base64url")
      }
    })
  }
}

/** The next page of what a wallet's entries are in order of: those below a sequence. */
export const BelowSequence = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  sequence: Schema.Int,
  limit: Schema.Int
})
