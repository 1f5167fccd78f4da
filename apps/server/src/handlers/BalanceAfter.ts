import type { ReplyTemplate } from "@sightline/store/Replies"
import { joined, type Utf8, utf8 } from "@sightline/store/Utf8"

/** The members of an object as JSON, to stand among others. */
export const membersOf = (body: object): Utf8 => utf8(JSON.stringify(body).slice(1, -1))

const [opening, closing] = [utf8("{"), utf8("}")]
const comma = utf8(",")
const balance = utf8(',"balance_after_cents":')

/** An object as JSON, of members as they are. */
export const objectOf = (members: ReadonlyArray<Utf8>): Utf8 => joined([opening, joined(members, comma), closing])

/** A 200 without headers whose body has these members, and at its end the balance after the call, which only the settling statement knows. */
export const withBalance = (...members: ReadonlyArray<Utf8>): ReplyTemplate => ({
  status: 200,
  headers: {},
  balanceHeader: null,
  head: joined([opening, joined(members, comma), balance]),
  tail: closing
})
