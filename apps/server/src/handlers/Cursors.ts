import type { LedgerPosition } from "@sightline/store/Ledger"
import type { Position } from "@sightline/store/Page"
import { Option } from "effect"

/** How the places of a list are written as text. `shape` matches that text, and `read` gets its groups. */
interface Format<Place> {
  readonly write: (place: Place) => string
  readonly shape: RegExp
  readonly read: (groups: ReadonlyArray<string>) => Option.Option<Place>
}

/** The date and time must exist: the database fails on the 30th of February. */
const isMoment = (at: string): boolean => {
  const moment = Date.parse(at)
  return moment > 0 && new Date(moment).toISOString().slice(0, 19) === at.slice(0, 19)
}

const position: Format<Position> = {
  write: ({ at, id }) => `${at} ${id}`,
  shape: /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  read: ([at = "", id = ""]) => (isMoment(at) ? Option.some({ at, id }) : Option.none())
}

const sequence: Format<number> = {
  write: String,
  shape: /^(\d{1,15})$/,
  read: ([number]) => Option.some(Number(number))
}

const sequences: Format<LedgerPosition> = {
  write: ({ live, test }) => `${live}-${test}`,
  shape: /^(\d{1,16})-(\d{1,16})$/,
  read: ([live, test]) => {
    const place = { live: Number(live), test: Number(test) }
    return Number.isSafeInteger(place.live) && Number.isSafeInteger(place.test) ? Option.some(place) : Option.none()
  }
}

/** The cursors of one list. */
export interface Cursors<Place> {
  /** The cursor of the page that follows a place; null at the end of the list. */
  readonly write: (next: Place | null) => string | null
  /** The place that a cursor states, if the cursor belongs to this list. */
  readonly read: (cursor: string) => Option.Option<Place>
}

/** A cursor names its list: in another list with places of the same format it would skip rows. */
const cursorsOf = <Place>(list: string, { write, shape, read }: Format<Place>): Cursors<Place> => ({
  write: (next) => (next === null ? null : Buffer.from(`${list} ${write(next)}`).toString("base64url")),
  read: (cursor) => {
    const text = Buffer.from(cursor, "base64url").toString("utf8")
    const found = text.startsWith(`${list} `) ? shape.exec(text.slice(list.length + 1)) : null
    return found === null ? Option.none() : read(found.slice(1))
  }
})

/** The cursors of each paginated list. Laws: `read` of what `write` gave is the same place; it is none in every other list. */
export const cursors = {
  actions: cursorsOf("actions", sequence),
  charges: cursorsOf("charges", sequence),
  checks: cursorsOf("checks", position),
  deliveries: cursorsOf("deliveries", position),
  ledger: cursorsOf("ledger", sequences),
  runs: cursorsOf("runs", position),
  watches: cursorsOf("watches", position)
}
