import { refuseField } from "@sightline/server/http/Refusal"
import type { Responding } from "@sightline/server/http/Respond"
import type { PageRequest } from "@sightline/store/Page"
import { Option } from "effect"
import type { Cursors } from "./Cursors.ts"

/** The decoded query of a paginated list. */
export interface PageQuery {
  readonly cursor?: string
  readonly limit?: string
}

const pageDefault = 50

const unknownCursor = refuseField({ path: "cursor", message: "must be a `next_cursor` of this list" })

/**
 * Answers with `use` of the page that a query asks for, or with 400 if its cursor is not a `next_cursor` of this list.
 *
 * Laws: `use` takes the token of the rate limit, so a refused cursor costs none. Source: decisions C1.
 */
export const withPage = <Place, E, R>(
  list: Cursors<Place>,
  { cursor, limit }: PageQuery,
  use: (page: PageRequest<Place>) => Responding<E, R>
) => {
  const page = { limit: limit === undefined ? pageDefault : Number(limit) }
  if (cursor === undefined) return use(page)
  return Option.match(list.read(cursor), { onNone: () => unknownCursor, onSome: (after) => use({ ...page, after }) })
}
