import type { ReplyTemplate } from "@sightline/store/Replies"
import { joined, type Utf8, utf8 } from "@sightline/store/Utf8"

/** The members of an object as JSON, without the braces, to be joined with others. */
export const membersOf = (body: object): Utf8 => utf8(JSON.stringify(body).slice(1, -1))

const [opening, closing] = [utf8("{"), utf8("}")]
const comma = utf8(",")
const balance = utf8(',"balance_after_cents":')

/** A JSON object of encoded members. */
export const objectOf = (members: ReadonlyArray<Utf8>): Utf8 => joined([opening, joined(members, comma), closing])

/** A 200 without headers. Its body has these members, and last the balance after the call, which only the settling statement knows. */
export const withBalance = (...members: ReadonlyArray<Utf8>): ReplyTemplate => ({
  status: 200,
  headers: {},
  balanceHeader: null,
  head: joined([opening, joined(members, comma), balance]),
  tail: closing
})
