import { refuseField } from "@sightline/server/http/Refusal"
import { CursorUnknown } from "@sightline/store/Cursor"
import { Effect, Schema } from "effect"

/** The decoded query of a paginated list. */
export interface PageQuery {
  readonly cursor?: string
  readonly limit?: string
}

const pageDefault = 50

/** The page that a query asks for. */
export const pageAsked = ({ cursor, limit }: PageQuery) => ({
  limit: limit === undefined ? pageDefault : Number(limit),
  ...(cursor === undefined ? {} : { cursor })
})

const unknownCursor = refuseField({ path: "cursor", message: "must be a `next_cursor` of this list" })

/** Answers 400 if the cursor is not a `next_cursor` of this list. */
export const refusingUnknownCursor = <A, E, R>(list: Effect.Effect<A, E | CursorUnknown, R>) =>
  Effect.catchIf(list, Schema.is(CursorUnknown), () => unknownCursor)
