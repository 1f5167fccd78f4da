import { refuseField } from "@sightline/server/http/Refusal"

/** The query of a list that is given page by page, as it was decoded. */
export interface PageQuery {
  readonly cursor?: string
  readonly limit?: string
}

const pageDefault = 50

/** The page that a query asks for. */
export const pageOf = ({ cursor, limit }: PageQuery) => ({
  limit: limit === undefined ? pageDefault : Number(limit),
  ...(cursor === undefined ? {} : { cursor })
})

/** 400: the cursor is none that a page ever gave. */
export const strayCursor = refuseField({ path: "cursor", message: "must be a `next_cursor` of this list" })
