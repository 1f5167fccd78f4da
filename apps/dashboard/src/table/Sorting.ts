import type { Plain } from "./Export.ts"

/** By which column rows are ordered, and whether backwards. */
export interface Order {
  readonly column: number
  readonly down: boolean
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

const compare = (a: Plain, b: Plain): number =>
  typeof a === "string" && typeof b === "string" ? words.compare(a, b) : Number(a) - Number(b)

/** Rows in order of a value of theirs; rows without one come last whichever way, and equal ones keep their places. */
export const sorted = <Row>(rows: ReadonlyArray<Row>, value: (row: Row) => Plain, down: boolean): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return down ? compare(right, left) : compare(left, right)
  })
