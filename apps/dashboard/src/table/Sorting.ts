import type { Plain } from "./Export.ts"

/** The column by which rows are sorted, and whether in descending order. */
export interface Order {
  readonly column: number
  readonly down: boolean
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

const compare = (a: Plain, b: Plain): number =>
  typeof a === "string" && typeof b === "string" ? words.compare(a, b) : Number(a) - Number(b)

/** Sorts rows by a value. Rows without one come last in either direction; equal rows keep their order. */
export const sorted = <Row>(rows: ReadonlyArray<Row>, value: (row: Row) => Plain, down: boolean): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return down ? compare(right, left) : compare(left, right)
  })
